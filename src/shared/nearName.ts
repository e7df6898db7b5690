/** Which tool is meant by a name that is nearly one's: models write marks of their format around it, or other capitals. */

/** `functions.Read`, `default_api:Read`, `Read<|channel|>commentary`, `Read:0`, `tools/Read` */
const BEFORE = /^(?:<\|[^|]*\|>|to=|call:|(?:functions?|tools?|default_api|default|api|assistant|namespace)[.:/]+)+/i;
const BEHIND = /(?:[[({<].*|:\d+)$/s;

/** Longer ones are no names. */
const MAX_NAME = 200;

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** undefined: none, or more than one */
export function nearName(written: string, names: readonly string[]): string | undefined {
  if (names.includes(written)) return written;
  if (written.length > MAX_NAME) return undefined;
  const bare = written
    .trim()
    .replace(/^["'`]+|["'`]+$/g, "")
    .replace(BEFORE, "")
    .replace(BEHIND, "")
    .trim();
  if (names.includes(bare)) return bare;
  const key = plain(bare);
  const alike = key === "" ? [] : names.filter(name => plain(name) === key);
  if (alike.length === 1) return alike[0];
  // `read_file` says what it reads, too: one tool alone may begin so.
  const whole = plain(bare.replace(/[_-]?(?:tool|file)$/i, ""));
  const shorter = whole === "" ? [] : names.filter(name => plain(name) === whole);
  return alike.length === 0 && shorter.length === 1 ? shorter[0] : undefined;
}
