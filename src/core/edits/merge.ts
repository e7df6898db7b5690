/**
 * Three-way merge of texts, line by line (TOOLS.md: a change that does not touch the edit is kept, one that does is a
 * conflict). As with `git merge-file`, lines that touch count as the same place; the same change on both sides is no
 * conflict. Pure. Line ends do not count: texts are merged, and given back, with `\n`.
 */
import { withLf } from "./lineEnds";
import { type LineRun, linesWithEnds, matchingLines } from "./matchingLines";

/** Lines of one side: `first` is 1-based; where `count` is 0, they would stand before it. */
export interface LineSpan {
  first: number;
  count: number;
  /** with their ends */
  text: string;
}

/** A place that both sides changed, each in its own way. */
export interface Conflict {
  base: LineSpan;
  ours: LineSpan;
  theirs: LineSpan;
}

export type Merge = { kind: "merged"; text: string } | { kind: "conflict"; conflicts: Conflict[] };

/**
 * @param base what both sides started from
 * @param ours with the change that is to be made
 * @param theirs with what somebody else changed meanwhile
 */
export function mergeTexts(base: string, ours: string, theirs: string): Merge {
  const [o, a, b] = [base, ours, theirs].map(text => linesWithEnds(withLf(text))) as [string[], string[], string[]];
  const merged: string[] = [];
  const conflicts: Conflict[] = [];
  const at = { o: 0, a: 0, b: 0 };
  // Of what stands between lines that all three have, each line of the base was changed by one side or both. So the changes
  // there touch, and are one place.
  const place = (to: Three<number>) => {
    const base = spanOf(o, at.o, to.o);
    const ours = spanOf(a, at.a, to.a);
    const theirs = spanOf(b, at.b, to.b);
    if (ours.text === theirs.text || theirs.text === base.text) merged.push(ours.text);
    else if (ours.text === base.text) merged.push(theirs.text);
    else conflicts.push({ base, ours, theirs });
  };
  for (const run of inBoth(matchingLines(o, a), matchingLines(o, b))) {
    place(run);
    merged.push(o.slice(run.o, run.o + run.length).join(""));
    Object.assign(at, { o: run.o + run.length, a: run.a + run.length, b: run.b + run.length });
  }
  place({ o: o.length, a: a.length, b: b.length });
  return conflicts.length > 0 ? { kind: "conflict", conflicts } : { kind: "merged", text: merged.join("") };
}

type Three<T> = { o: T; a: T; b: T };

const spanOf = (lines: readonly string[], start: number, end: number): LineSpan => ({
  first: start + 1,
  count: end - start,
  text: lines.slice(start, end).join(""),
});

/** Runs of lines of the base that stand in both sides. */
function inBoth(ours: readonly LineRun[], theirs: readonly LineRun[]): (Three<number> & { length: number })[] {
  const runs: (Three<number> & { length: number })[] = [];
  let next = 0;
  for (const our of ours) {
    for (let at = next; at < theirs.length; at += 1) {
      const their = theirs[at] as LineRun;
      const from = Math.max(our.from, their.from);
      const to = Math.min(our.from + our.length, their.from + their.length);
      if (from < to)
        runs.push({ o: from, a: our.to + from - our.from, b: their.to + from - their.from, length: to - from });
      if (their.from + their.length > our.from + our.length) break;
      next = at + 1;
    }
  }
  return runs;
}
