/** The longest sequence that two lists of numbers have in common, by Myers' greedy method (1986). Pure. */

/** Places `from` to `from + length` (0-based, not included) of one list, whose content stands at `to` in the other. */
export interface LineRun {
  from: number;
  to: number;
  length: number;
}

/** Beyond this many steps it takes too long: they are a tenth of a second. */
const MOST_STEPS = 10_000_000;

/** No way leads there. */
const NOWHERE = -1;

/**
 * A way goes through both lists at once; on diagonal k it stands k further in `from` than in `to`. A row holds how far in
 * `from` the ways with as many changes get, on every second diagonal from `first` on.
 */
interface Row {
  first: number;
  reached: Int32Array;
}

/** Ascending, not overlapping, none empty. undefined: they differ in too much to be compared. */
export function commonRuns(from: Int32Array, to: Int32Array, mostSteps = MOST_STEPS): LineRun[] | undefined {
  const [fromEnd, toEnd] = [from.length, to.length];
  const rows: Row[] = [];
  let [lowest, highest] = [0, 0];
  for (let steps = 0; steps <= mostSteps; ) {
    const before = rows.at(-1);
    const row = { first: lowest, reached: new Int32Array(((highest - lowest) >> 1) + 1).fill(NOWHERE) };
    rows.push(row);
    let [least, most] = [lowest - 1, highest + 1];
    for (let k = lowest; k <= highest; k += 2) {
      const start = before ? startOf(before, k, fromEnd, toEnd) : 0;
      steps += 1;
      if (start === NOWHERE) continue;
      let at = start;
      while (at < fromEnd && at - k < toEnd && from[at] === to[at - k]) at += 1;
      steps += at - start;
      row.reached[(k - lowest) >> 1] = at;
      if (at === fromEnd && at - k === toEnd) return runsOf(rows, fromEnd, toEnd);
      // From the end of one list only one way leads on: what lies beyond its diagonal is no better.
      if (at === fromEnd) most = Math.min(most, k - 1);
      if (at - k === toEnd) least = Math.max(least, k + 1);
    }
    [lowest, highest] = [least, most];
  }
  return undefined;
}

/** Where the ways of one change more come onto diagonal k: the one that got further of those that remove and that add. */
function startOf(before: Row, k: number, fromEnd: number, toEnd: number): number {
  const removed = reachedOn(before, k - 1);
  const added = reachedOn(before, k + 1);
  const canRemove = removed !== NOWHERE && removed < fromEnd;
  const canAdd = added !== NOWHERE && added - k <= toEnd;
  if (canAdd && (!canRemove || removed < added)) return added;
  return canRemove ? removed + 1 : NOWHERE;
}

const reachedOn = ({ first, reached }: Row, k: number): number => reached[(k - first) >> 1] ?? NOWHERE;

/** Goes back the way that led to the ends of both lists. */
function runsOf(rows: readonly Row[], fromEnd: number, toEnd: number): LineRun[] {
  const runs: LineRun[] = [];
  let [at, k] = [fromEnd, fromEnd - toEnd];
  for (let changes = rows.length - 1; changes >= 0; changes -= 1) {
    const before = rows[changes - 1];
    const start = before ? startOf(before, k, fromEnd, toEnd) : 0;
    if (at > start) runs.push({ from: start, to: start - k, length: at - start });
    if (!before) break;
    const isAdded = start === reachedOn(before, k + 1);
    at = isAdded ? start : start - 1;
    k += isAdded ? 1 : -1;
  }
  return runs.reverse();
}
