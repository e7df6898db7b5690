/** Which lines of a text stand in another one, in order. Pure. */
import { diffArrays } from "diff";
import { commonLines } from "./commonEnds";

/** Lines `from` to `from + length` (0-based, not included) of one text, which stand at `to` in the other. */
export interface LineRun {
  from: number;
  to: number;
  length: number;
}

/** Beyond this many changed lines the exact comparison costs too much: what lies between the ends counts as changed. */
const MAX_CHANGES = 1_000;

/** Each line with its `\n`; the last may have none. An empty text has no lines. */
export function linesWithEnds(text: string): string[] {
  const lines: string[] = [];
  let at = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", at)) {
    lines.push(text.slice(at, end + 1));
    at = end + 1;
  }
  if (at < text.length) lines.push(text.slice(at));
  return lines;
}

/** Ascending, not overlapping, none empty. */
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

/** Where lines stand that the other text has too. */
function sharedLinePlaces(lines: readonly string[], other: readonly string[]): number[] {
  const known = new Set(other);
  return [...lines.keys()].filter(place => known.has(lines[place] as string));
}

/** Another line that stands in both. */
function pushRun(runs: LineRun[], from: number, to: number): void {
  const last = runs.at(-1);
  if (last && last.from + last.length === from && last.to + last.length === to) last.length += 1;
  else runs.push({ from, to, length: 1 });
}
