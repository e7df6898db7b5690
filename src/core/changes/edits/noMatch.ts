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
    sameButForBlanks(lines, wantedLines) ??
    mostLinesInCommon(lines, wantedLines) ??
    mostSimilarLine(lines, wantedLines);
  if (start === undefined)
    return { text: "Nothing in the file resembles it: Read the file again and copy the text from there." };
  return { text: describe(lines, wantedLines, start), line: start + 1 };
}

/** The place of the same text apart from blanks. */
function sameButForBlanks(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const fold = (all: readonly string[]) => all.map(line => line.replace(/\s+/g, "")).join("\n");
  const [text, needle] = [fold(lines), fold(wanted)];
  const at = needle.trim() === "" ? -1 : text.indexOf(needle);
  return at < 0 ? undefined : lineNumber(text, at) - 1;
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

/** 0 to 1; `a` is the wanted line. */
function likeness(a: Set<string>, b: Set<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  // The wanted text may be a part of the line: then nearly all its pairs have to be there.
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
    return [`line ${start + index + 1}: the file has ${quote(actual)}, old_string has ${quote(line)}`];
  });
  if (differences.length > 0) out.push("The difference:", ...differences.slice(0, MAX_DIFFERENCES));
  if (differences.length > MAX_DIFFERENCES)
    out.push(`… and ${differences.length - MAX_DIFFERENCES} more lines that differ.`);
  if (differences.length === 0)
    out.push("They differ at the ends of the lines only: check where old_string begins and ends.");
  return `${out.join("\n")}\n`;
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
/** Invisible characters are written as codes. */
const quote = (line: string) =>
  JSON.stringify(clip(line)).replace(
    /[^\S ]|[\u00ad\u200b-\u200f\u2060\ufeff]/g,
    hidden => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
