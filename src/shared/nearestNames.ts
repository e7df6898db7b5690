/** Names that somebody may have meant. */

/** At most 5 of the candidates, the nearest first; none where nothing resembles it. Pure. */
export function nearestNames(wanted: string, candidates: readonly string[]): string[] {
  const target = wanted.toLowerCase();
  const most = Math.floor(Math.max(2, target.length / 3));
  return candidates
    .flatMap(name => {
      const distance = nameDistance(target, name.toLowerCase(), most);
      return distance === undefined ? [] : [{ name, distance }];
    })
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name, "en"))
    .slice(0, 5)
    .map(({ name }) => name);
}

/** The field of a file that a written one may be a slip of: as long, and with the same beginning. */
export function slippedField(written: string, known: readonly string[]): string | undefined {
  const alike = (name: string) => name[0] === written[0] && Math.abs(name.length - written.length) <= MAX_SLIP;
  return nearestNames(
    written,
    known.filter(name => name !== written && alike(name)),
  )[0];
}
const MAX_SLIP = 2;

function nameDistance(wanted: string, name: string, most: number): number | undefined {
  if (wanted === name) return 0;
  const [stem, other] = [fileStem(wanted), fileStem(name)];
  if (stem === other) return 0.5;
  if (stem.length > 2 && other.length > 2 && (other.includes(stem) || stem.includes(other))) return 1.5;
  return editDistance(wanted.slice(0, 100), name.slice(0, 100), most);
}

const fileStem = (name: string) => name.replace(/(?<=.)\.[^.]*$/, "");

/** Letters put in, left out, replaced or swapped; undefined where that is more than `most`. */
export function editDistance(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  let twoAbove: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const here = [row];
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1] ? 0 : 1;
      let least = Math.min((above[at] ?? 0) + 1, (here[at - 1] ?? 0) + 1, (above[at - 1] ?? 0) + same);
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) {
        least = Math.min(least, (twoAbove[at - 2] ?? 0) + 1);
      }
      here.push(least);
    }
    if (Math.min(...here) > most) return undefined;
    [twoAbove, above] = [above, here];
  }
  const slips = above[other.length] ?? 0;
  return slips <= most ? slips : undefined;
}

export const isTrueField = (value: unknown): boolean => value === true || value === "true";

// The tool that is meant by nearly its name: models write marks of their format around it, or other capitals.

/** `functions.Read`, `default_api:Read`, `Read<|channel|>commentary`, `Read:0`, `tools/Read` */
const BEFORE = /^(?:<\|[^|]*\|>|to=|call:|(?:functions?|tools?|default_api|default|api|assistant|namespace)[.:/]+)+/i;
const BEHIND = /[[({<].*|:\d+$/s;

/** Longer ones are no names. */
const MAX_NAME = 200;

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** undefined: none, or more than one */
export function nearName(written: string, names: readonly string[]): string | undefined {
  if (names.includes(written)) return written;
  if (written.length > MAX_NAME) return undefined;
  const bare = written
    .trim()
    .replace(/^["'`]+|(?<!["'`])["'`]+$/g, "")
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
