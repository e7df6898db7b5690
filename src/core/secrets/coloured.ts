/**
 * Secrets in what programs colour: `grep --color` marks a part of a word, and a key right behind `ESC[32m` follows a letter, so
 * that it looks like the end of a longer word. What a terminal does not show must hide nothing.
 */

const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);
/** CSI, OSC and other strings, two characters; as in tools/terminalText.ts */
const SEQUENCES = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|[\\]P^_X][^${BEL}${ESC}\\n]*(?:${BEL}|${ESC}\\\\)|[ -/]+[0-~]|[0-OQ-WYZ\\\\\`-~])`,
  "g",
);

/** A line with a secret that only shows without its colours loses them; all others keep their bytes. */
export function redactColoured(text: string, redact: (text: string) => string): string {
  const redacted = redact(text);
  if (!redacted.includes(ESC)) return redacted;
  return redacted
    .split("\n")
    .map(line => {
      const bare = line.replace(SEQUENCES, "");
      if (bare === line) return line;
      const clean = redact(bare);
      return clean === bare ? line : clean;
    })
    .join("\n");
}
