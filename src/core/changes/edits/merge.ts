/**
 * Three-way merge of texts, line by line. As with `git merge-file`, lines that touch count as the same place; the same change on
 * both sides is no conflict. Line ends do not count: texts are merged, and given back, with `\n`. Pure.
 */
import { diff3Merge, type MergeRegion } from "node-diff3";
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
 * Pairs of equal lines that the library's comparison bears, at up to 20 µs each: with more, a place counts as one
 * change of each side. Lines that stand there again and again (`}`, nothing) make many pairs.
 */
const MAX_PAIRS = 10_000;

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

/** The lines between those that all three have. */
function mergePlace(lines: Three<string[]>, start: Three<number>, merged: string[], conflicts: Conflict[]): void {
  const { o, a, b } = lines;
  const isBounded = countPairs(o, a) + countPairs(o, b) <= MAX_PAIRS;
  const parts = isBounded ? diff3Merge(a, o, b, { excludeFalseConflicts: true }) : [wholeRegion(lines)];
  for (const { ok, conflict } of parts) {
    if (ok) merged.push(ok.join(""));
    if (!conflict) continue;
    const span = (offset: number, index: number, text: string[]): LineSpan => ({
      first: offset + index + 1,
      count: text.length,
      text: text.join(""),
    });
    conflicts.push({
      base: span(start.o, conflict.oIndex, conflict.o),
      ours: span(start.a, conflict.aIndex, conflict.a),
      theirs: span(start.b, conflict.bIndex, conflict.b),
    });
  }
}

/** One change of each side, or of one of them. */
function wholeRegion({ o, a, b }: Three<string[]>): MergeRegion<string> {
  const [base, ours, theirs] = [o, a, b].map(lines => lines.join(""));
  if (ours === theirs || theirs === base) return { ok: a };
  return ours === base ? { ok: b } : { conflict: { o, a, b, oIndex: 0, aIndex: 0, bIndex: 0 } };
}

function countPairs(one: readonly string[], other: readonly string[]): number {
  const times = new Map<string, number>();
  for (const line of one) times.set(line, (times.get(line) ?? 0) + 1);
  return other.reduce((pairs, line) => pairs + (times.get(line) ?? 0), 0);
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
