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
const MOST_CHANGES = 2_000;

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

function innerRuns(from: string[], to: string[]): LineRun[] {
  if (from.length === 0 || to.length === 0) return [];
  const changes = diffArrays(from, to, { maxEditLength: MOST_CHANGES });
  const runs: LineRun[] = [];
  let [at, other] = [0, 0];
  for (const { added, removed, count } of changes ?? []) {
    if (!added && !removed) runs.push({ from: at, to: other, length: count });
    if (!added) at += count;
    if (!removed) other += count;
  }
  return runs;
}
