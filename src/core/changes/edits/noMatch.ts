/**
 * Why a text was not found: the closest lines and the exact difference, so that the model can correct itself in one step.
 * Pure; texts have `\n` only.
 */
import { CUT_NOTE, numberedLine } from "../../ground/text/format";
import { lineNumber } from "../../ground/text/lines";

const MAX_SHOWN_LINES = 10;
const MAX_DIFFERENCES = 3;
const MAX_LINE = 200;

/** Sentences for the model, and the first of the closest lines (1-based); no line: nothing resembles it. */
export function explainNoMatch(text: string, wanted: string, replacement: string): { text: string; line?: number } {
  if (text === "") return { text: "The file is empty: use Write to fill it." };
  const numbered = withoutLineNumbers(wanted);
  if (numbered !== undefined && text.includes(numbered)) {
    return {
      text: "It begins with the line numbers that Read shows: they are not part of the file, leave them and the tab out.",
      line: lineNumber(text, text.indexOf(numbered)),
    };
  }
  const note = CUT_NOTE.exec(wanted)?.[0];
  if (note !== undefined && !text.includes(note)) {
    return {
      text: `It has the note "${note}", which stands where a long line is cut and is not part of the file: quote a shorter part of that line.`,
    };
  }
  if (replacement.trim().length >= 12 && text.includes(replacement)) {
    const line = lineNumber(text, text.indexOf(replacement));
    return { text: `new_string is there already, at line ${line}: this edit may have been made before.`, line };
  }
  const lines = text.split("\n");
  const wantedLines = withoutLastEmpty(wanted.split("\n"));
  const start =
    sameButForFolding(text, wanted) ?? mostLinesInCommon(lines, wantedLines) ?? mostSimilarLine(lines, wantedLines);
  if (start === undefined)
    return { text: "Nothing in the file resembles it: Read the file again and copy the text from there." };
  return { text: describe(lines, wantedLines, start), line: start + 1 };
}

/** Ways in which a text may differ that models do not see; the weakest first. Each keeps the number of lines. */
const FOLDINGS: readonly ((line: string) => string)[] = [
  line => line.trimEnd(),
  line => line.replace(/\s+/g, " ").trim(),
  line => typography(line).replace(/\s+/g, " ").trim(),
  line => typography(line).replace(/['"`]/g, "'").replace(/\s+/g, "").toLowerCase(),
];

const typography = (line: string) =>
  line
    .normalize("NFC")
    .replace(/[\u2018\u2019\u201a\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u200b-\u200d\ufeff]/g, "")
    .replace(/\u2026/g, "...");

function sameButForFolding(text: string, wanted: string): number | undefined {
  const wantedLines = withoutLastEmpty(wanted.split("\n"));
  const lines = text.split("\n");
  for (const fold of FOLDINGS) {
    const needle = wantedLines.map(fold).join("\n");
    if (needle.trim() === "") continue;
    const folded = lines.map(fold).join("\n");
    const at = folded.indexOf(needle);
    if (at >= 0) return lineNumber(folded, at) - 1;
  }
  return undefined;
}

/** The place where most of the wanted lines stand as they are, indentation aside; long lines count more. */
function mostLinesInCommon(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const wantedAt = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    const key = line.trim();
    if (key.length > 2) wantedAt.set(key, [...(wantedAt.get(key) ?? []).slice(0, 20), index]);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const key = line.trim();
    for (const offset of wantedAt.get(key) ?? []) {
      const start = Math.max(0, index - offset);
      votes.set(start, (votes.get(start) ?? 0) + Math.min(key.length, 40));
    }
  }
  return [...votes].reduce<[number?, number?]>((best, vote) => (vote[1] > (best[1] ?? 0) ? vote : best), [])[0];
}

/** The place of the line that is most like the longest wanted one, by pairs of characters in common (half at least). */
function mostSimilarLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce(
    (best, line, index) => (line.trim().length > (wanted[best] ?? "").trim().length ? index : best),
    0,
  );
  const target = characterPairs((wanted[longest] ?? "").trim().slice(0, MAX_LINE));
  let best = 0.5;
  let found: number | undefined;
  for (const [index, line] of lines.slice(0, 20_000).entries()) {
    const score = likeness(target, characterPairs(line.trim().slice(0, MAX_LINE)));
    if (score < best) continue;
    best = score;
    found = Math.max(0, index - longest);
  }
  return found;
}

function characterPairs(line: string): Set<string> {
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < line.length; i += 1) pairs.add(line.slice(i, i + 2));
  return pairs;
}

/** 0 to 1; `a` is what is wanted. */
function likeness(a: Set<string>, b: Set<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  // What is wanted may be a part of the line only: then nearly all of it has to be there.
  return Math.max((2 * common) / (a.size + b.size), common / a.size - 0.2);
}

function describe(lines: readonly string[], wanted: readonly string[], start: number): string {
  const shown = lines.slice(start, start + Math.min(wanted.length, MAX_SHOWN_LINES));
  const out = ["The closest lines are:", ...shown.map((line, index) => numberedLine(start + index + 1, clip(line)))];
  const differences = wanted.flatMap((line, index) => {
    const actual = lines[start + index];
    if (actual === undefined) return [`old_string has a line that the file does not have there: ${quote(line)}`];
    // old_string may begin and end within a line.
    const [first, last] = [index === 0, index === wanted.length - 1];
    const isThere = first ? (last ? actual.includes(line) : actual.endsWith(line)) : last && actual.startsWith(line);
    if (isThere || actual === line) return [];
    const skipped = first && line === line.trimStart() ? actual.length - actual.trimStart().length : 0;
    return [difference(actual.slice(skipped), line, start + index + 1, skipped)];
  });
  if (differences.length > 0) out.push("The difference:", ...differences.slice(0, MAX_DIFFERENCES));
  if (differences.length > MAX_DIFFERENCES)
    out.push(`… and ${differences.length - MAX_DIFFERENCES} more lines that differ.`);
  if (differences.length === 0)
    out.push("They differ at the ends of the lines only: check where old_string begins and ends.");
  return `${out.join("\n")}\n`;
}

/** One line's difference, named; `skipped`: how many characters of the file's line stand before `actual`. */
function difference(actual: string, wanted: string, line: number, skipped: number): string {
  const pair = `the file has ${quote(actual)}, old_string has ${quote(wanted)}`;
  if (actual.replace(/\s+/g, "") === wanted.replace(/\s+/g, "")) {
    const odd = [...new Set(actual.match(/[^\S \t]/g) ?? [])]
      .filter(char => !wanted.includes(char))
      .map(char => character(char, 0));
    return `line ${line}, spaces${odd.length > 0 ? ` (${odd.join(", ")} in the file)` : ""}: ${pair}`;
  }
  let at = 0;
  while (at < actual.length && at < wanted.length && actual[at] === wanted[at]) at += 1;
  const names = `${character(actual, at)} in the file, ${character(wanted, at)} in old_string`;
  return `line ${line}, from column ${skipped + at + 1} (${names}): ${pair}`;
}

function character(line: string, at: number): string {
  const code = line.codePointAt(at);
  if (code === undefined) return "the end of the line";
  const name = String.fromCodePoint(code);
  return code > 0x20 && code < 0x7f ? `"${name}"` : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The text without `   12\t` in front of each line; undefined where not every line has it. */
function withoutLineNumbers(text: string): string | undefined {
  const lines = text.split("\n");
  const isNumbered = (line: string, index: number) =>
    /^\s*\d+(\t|→)/.test(line) || (line === "" && index === lines.length - 1);
  return lines.every(isNumbered) ? lines.map(line => line.replace(/^\s*\d+(\t|→)/, "")).join("\n") : undefined;
}

const withoutLastEmpty = (lines: string[]) => (lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines);
const clip = (line: string) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line);
const quote = (line: string) => JSON.stringify(clip(line));
