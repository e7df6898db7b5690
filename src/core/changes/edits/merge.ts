/**
 * Three-way merge of texts, line by line. As with `git merge-file`, lines that touch count as the same place; the same change on
 * both sides is no conflict. Line ends do not count: texts are merged, and given back, with `\n`. Pure.
 */
import { type LineRun, linesWithEnds, matchingLines, withLf } from "../../ground/text/lines";

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

type Merge = { kind: "merged"; text: string } | { kind: "conflict"; conflicts: Conflict[] };

/** Of the base, of our side and of theirs. */
type Three<T> = { o: T; a: T; b: T };

/**
 * @param base what both sides started from
 * @param ours with the change that is to be made
 * @param theirs with others' changes meanwhile
 */
export function mergeTexts(base: string, ours: string, theirs: string): Merge {
  const [o, a, b] = [base, ours, theirs].map(text => linesWithEnds(withLf(text))) as [string[], string[], string[]];
  const merged: string[] = [];
  const conflicts: Conflict[] = [];
  const at = { o: 0, a: 0, b: 0 };
  const changed = (to: Three<number>) => {
    const place = { o: o.slice(at.o, to.o), a: a.slice(at.a, to.a), b: b.slice(at.b, to.b) };
    mergePlace(place, at, merged, conflicts);
  };
  for (const run of inBoth(matchingLines(o, a), matchingLines(o, b))) {
    changed(run);
    merged.push(o.slice(run.o, run.o + run.length).join(""));
    Object.assign(at, { o: run.o + run.length, a: run.a + run.length, b: run.b + run.length });
  }
  changed({ o: o.length, a: a.length, b: b.length });
  return conflicts.length > 0 ? { kind: "conflict", conflicts } : { kind: "merged", text: merged.join("") };
}

/** The lines between those that all three have: one change of each side, or of one of them. */
function mergePlace(lines: Three<string[]>, start: Three<number>, merged: string[], conflicts: Conflict[]): void {
  const [base, ours, theirs] = [lines.o, lines.a, lines.b].map(some => some.join("")) as [string, string, string];
  if (ours === theirs || theirs === base) return void merged.push(ours);
  if (ours === base) return void merged.push(theirs);
  const span = (side: keyof Three<unknown>, text: string): LineSpan => ({
    first: start[side] + 1,
    count: lines[side].length,
    text,
  });
  conflicts.push({ base: span("o", base), ours: span("a", ours), theirs: span("b", theirs) });
}

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
