/** The lines of texts: cutting and counting them, and which of them two texts share. Pure. */
import { diffArrays } from "diff";

export const withLf = (text: string): string => (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);

/** Lines without their ends; a last line end closes the last line and opens none. An empty text has no lines. */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = withLf(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Each line with its `\n`; the last may have none. An empty text has no lines. */
export const linesWithEnds = (text: string): string[] => (text === "" ? [] : text.split(/(?<=\n)/));

export function countLineEnds(text: string, end = text.length): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** The 1-based line of an offset; `\n` alone ends a line. */
export const lineNumber = (text: string, offset: number): number => countLineEnds(text, offset) + 1;

export const countLines = (text: string): number => splitLines(text).length;

/** Characters compared at once: the engine compares memory with memory, some twenty times as fast as one by one. */
const BLOCK = 4096;

/** How many characters are the same from the start, and how many of those left are from the end. May split a character. */
export function commonEnds(from: string, to: string): { head: number; tail: number } {
  const most = Math.min(from.length, to.length);
  let head = 0;
  while (head + BLOCK <= most && from.slice(head, head + BLOCK) === to.slice(head, head + BLOCK)) head += BLOCK;
  while (head < most && from.charCodeAt(head) === to.charCodeAt(head)) head += 1;
  const left = most - head;
  const endsAlike = (tail: number) =>
    from.slice(from.length - tail - BLOCK, from.length - tail) === to.slice(to.length - tail - BLOCK, to.length - tail);
  let tail = 0;
  while (tail + BLOCK <= left && endsAlike(tail)) tail += BLOCK;
  while (tail < left && from.charCodeAt(from.length - 1 - tail) === to.charCodeAt(to.length - 1 - tail)) tail += 1;
  return { head, tail };
}

/** How many lines are the same from the start, and how many of those left are from the end. */
export function commonLines(from: readonly string[], to: readonly string[]): { head: number; tail: number } {
  const most = Math.min(from.length, to.length);
  let head = 0;
  while (head < most && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < most - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail += 1;
  return { head, tail };
}

/** Lines `from` to `from + length` (0-based, not included) of one text, which stand at `to` in the other. */
export interface LineRun {
  from: number;
  to: number;
  length: number;
}

/** Beyond this many changed lines the exact comparison costs too much: what lies between the ends counts as changed. */
const MAX_CHANGES = 1_000;

/** The lines that two texts share, in order: ascending, not overlapping, none empty. */
export function matchingLines(from: readonly string[], to: readonly string[]): LineRun[] {
  const { head, tail } = commonLines(from, to);
  const inner = innerRuns(from.slice(head, from.length - tail), to.slice(head, to.length - tail));
  const runs: LineRun[] = [
    { from: 0, to: 0, length: head },
    ...inner.map(run => ({ from: run.from + head, to: run.to + head, length: run.length })),
    { from: from.length - tail, to: to.length - tail, length: tail },
  ];
  return runs.filter(run => run.length > 0);
}

/**
 * Lines that stand in one text only match none: left out first, they cost nothing, however many they are. It is what
 * differs in lines that stand in both that is dear to compare.
 */
function innerRuns(from: readonly string[], to: readonly string[]): LineRun[] {
  const [old, now] = [sharedLinePlaces(from, to), sharedLinePlaces(to, from)];
  if (old.length === 0 || now.length === 0) return [];
  const lines = (places: readonly number[], text: readonly string[]) => places.map(place => text[place] as string);
  const changes = diffArrays(lines(old, from), lines(now, to), { maxEditLength: MAX_CHANGES });
  const runs: LineRun[] = [];
  let [at, other] = [0, 0];
  for (const { added, removed, count } of changes ?? []) {
    if (!added && !removed) {
      for (let next = 0; next < count; next += 1) pushRun(runs, old[at + next] as number, now[other + next] as number);
    }
    if (!added) at += count;
    if (!removed) other += count;
  }
  return runs;
}

function sharedLinePlaces(lines: readonly string[], other: readonly string[]): number[] {
  const known = new Set(other);
  return [...lines.keys()].filter(place => known.has(lines[place] as string));
}

function pushRun(runs: LineRun[], from: number, to: number): void {
  const last = runs.at(-1);
  if (last && last.from + last.length === from && last.to + last.length === to) last.length += 1;
  else runs.push({ from, to, length: 1 });
}

/** Lines `from` to `fromEnd` (0-based, not included) of one text, in whose place the other has `to` to `toEnd`. */
interface ChangedLines {
  from: number;
  fromEnd: number;
  to: number;
  toEnd: number;
}

/** What stands between the lines that two texts share, in order. */
export function changedLines(from: readonly string[], to: readonly string[]): ChangedLines[] {
  const changes: ChangedLines[] = [];
  const at = { from: 0, to: 0 };
  for (const run of [...matchingLines(from, to), { from: from.length, to: to.length, length: 0 }]) {
    if (run.from > at.from || run.to > at.to) changes.push({ ...at, fromEnd: run.from, toEnd: run.to });
    Object.assign(at, { from: run.from + run.length, to: run.to + run.length });
  }
  return changes;
}

/**
 * The place of a line (0-based) of the old text in the new one: between the lines `first` and `last`.
 * @param count lines of the old text, for places behind the last one, where added lines may stand on either side
 */
export function lineAfter(line: number, changes: readonly ChangedLines[], count?: number) {
  let shift = 0;
  for (const { from, fromEnd, to, toEnd } of changes) {
    if (line < from) break;
    if (line < fromEnd || fromEnd === count) return { first: to, last: toEnd };
    shift = toEnd - fromEnd;
  }
  return { first: line + shift, last: line + shift };
}
