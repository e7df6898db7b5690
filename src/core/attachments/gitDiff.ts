/**
 * The files of a diff as `git diff` prints it: which lines are whose. Whoever hides a file's lines relies on it, so what cannot be
 * told apart for sure belongs to nobody. Pure.
 */

export interface FileDiff {
  /** the names before and after, once where they are the same; empty: they cannot be made out */
  paths: string[];
  /** from `diff --git` on, without a line end behind it */
  text: string;
  added: number;
  removed: number;
}

export interface ParsedDiff {
  files: FileDiff[];
  /** there are lines that belong to no file: an external diff program's, perhaps */
  foreign: boolean;
}

const HEADER = /^diff --(?:git|cc|combined) /;
/** Some settings leave the sign of empty lines away. */
const LINE = /^(?:[-+ \\@]|$)/;
/** `git diff --cached` says so of files with conflicts; the other diff shows them. */
const UNMERGED = /^\* Unmerged path /;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const COLOURS = /\u001b\[[0-9;]*m/g;

/** @param diff as `git diff` prints it, colours included; what is no diff at all has no files and is `foreign` */
export function parseDiff(diff: string): ParsedDiff {
  const lines = diff.replace(COLOURS, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const sections: string[][] = [];
  let foreign = false;
  let inLines = false;
  for (const line of lines) {
    // Every line of a file has a sign before it: none of them looks like a header.
    const begins = HEADER.test(line);
    if (begins) sections.push([]);
    inLines = !begins && (inLines || line.startsWith("@@"));
    const section = sections.at(-1);
    const isOurs = section !== undefined && (!inLines || LINE.test(line));
    if (isOurs) section.push(line);
    else if (!UNMERGED.test(line)) foreign ||= line.trim() !== "";
  }
  return { files: sections.map(parseFileDiff), foreign };
}

function parseFileDiff(lines: string[]): FileDiff {
  const body = lines.findIndex(line => line.startsWith("@@"));
  const head = body < 0 ? lines : lines.slice(0, body);
  const changed = body < 0 ? [] : lines.slice(body);
  return {
    paths: diffPaths(head),
    text: lines.join("\n"),
    added: changed.filter(line => line.startsWith("+")).length,
    removed: changed.filter(line => line.startsWith("-")).length,
  };
}

/** What names a file in a diff's head, in the order in which it is believed. */
function diffPaths([first = "", ...head]: readonly string[]): string[] {
  const after = (prefix: string) => head.flatMap(line => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []));
  const renamed = ["rename from ", "rename to ", "copy from ", "copy to "].flatMap(after);
  const sides = [...after("--- "), ...after("+++ ")].map(side => side.replace(/\t$/, ""));
  const named =
    renamed.length > 0
      ? renamed.map(unquote)
      : sides.filter(side => side !== "/dev/null").map(side => withoutPrefix(unquote(side)));
  const paths = named.length > 0 ? named : headerPaths(first);
  return [...new Set(paths)];
}

/** `diff --git a/x b/x` of a file without lines (binary, mode alone): both names are the same but for their prefix. */
function headerPaths(line: string): string[] {
  const rest = line.replace(HEADER, "");
  if (!line.startsWith("diff --git ")) return [unquote(rest)];
  const quoted = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(rest);
  const half = (rest.length - 1) / 2;
  const [before, after] = quoted
    ? [unquote(quoted[1] ?? ""), unquote(quoted[2] ?? "")]
    : [rest.slice(0, half), rest.slice(half + 1)];
  if (!before || !after) return [];
  return withoutPrefix(before) === withoutPrefix(after) ? [withoutPrefix(before)] : [];
}

/** `a/`, `b/`, or with `diff.mnemonicPrefix` one of `c/ i/ w/ o/`. */
const withoutPrefix = (path: string): string => path.replace(/^[abciow]\//, "");

const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** Git quotes names with unusual characters as C does, bytes as octal numbers. */
function unquote(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gsu)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else if (letter) bytes.push(escapes[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(plain));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
