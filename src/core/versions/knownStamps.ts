/** What the model knows of the version of a file: all of its text, parts of it, or only that it is there. Pure. */
import type { Stamp } from "../../shared/toolResult";
import type { SnapshotFields } from "./snapshots";
import { toVersion, withSnapshot } from "./stampVersions";

/** Lines (cells of a notebook), from 1, both ends counted. */
type Span = [first: number, last: number];

/**
 * The stamp of a version of which the model is told that it is there, and not what is in it.
 * @param states snapshots of the text of `known` and of this one, where they were kept
 */
export function toldStamp(known: Stamp, stamp: Stamp, states: SnapshotFields = {}): Stamp {
  const told = withSnapshot(stamp, states.after);
  const { seen, parts } = known;
  if (parts && !seen) return { ...told, parts: known.sha256 === stamp.sha256 ? parts : { ...parts, lines: [] } };
  const last = seen ?? toVersion(withSnapshot(known, states.before));
  return last.sha256 === stamp.sha256 ? told : { ...told, seen: last };
}

/**
 * The stamp of a version of which the model was shown `first` to `last` of `total` just now, those in `cut` not whole.
 * @param known the stamp of the last time that it read or left the file; undefined: never
 */
export function readInPart(
  known: Stamp | undefined,
  stamp: Stamp,
  { first, last, total, cut }: { first: number; last: number; total: number; cut: readonly number[] },
): Stamp {
  if (first <= 1 && last >= total && cut.length === 0) return stamp;
  const parts = { total, lines: spansWithout(first, last, cut) };
  if (!known) return { ...stamp, parts };
  const told = toldStamp(known, stamp);
  return isSeenWhole(told) ? told : joinParts(known, { ...told, parts });
}

/** `stamp` with what the model saw of the same version before: once it saw all of it, it has seen it whole. */
export function joinParts(known: Stamp | undefined, stamp: Stamp): Stamp {
  if (!stamp.parts || known?.sha256 !== stamp.sha256) return stamp;
  const { parts, seen: _, ...whole } = stamp;
  if (isSeenWhole(known)) return whole;
  const lines = joined([...(known.parts?.lines ?? []), ...parts.lines]);
  const [all] = lines;
  return all && all[0] <= 1 && all[1] >= parts.total ? whole : { ...stamp, parts: { ...parts, lines } };
}

/** @param cut ascending */
function spansWithout(first: number, last: number, cut: readonly number[]): Span[] {
  const spans: Span[] = [];
  let next = first;
  for (const line of [...cut, last + 1]) {
    if (line > next) spans.push([next, line - 1]);
    next = line + 1;
  }
  return spans;
}

/** Neither only told of nor only in parts. */
const isSeenWhole = ({ seen, parts }: Stamp) => !seen && !parts;

/** Sorted; those that overlap or touch are one. */
function joined(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const [first, last] of [...spans].sort((a, b) => a[0] - b[0])) {
    const before = out.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else out.push([first, last]);
  }
  return out;
}
