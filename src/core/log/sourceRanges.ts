/** A summary says which messages it stands for: that has to fit what the compaction took away (docs/formats.md). Pure. */
import type { Summary } from "../../shared/compaction";

interface CompactionRanges {
  removed: readonly string[];
  summaries: readonly Summary[];
}

/**
 * What is wrong, the end of a sentence; undefined: all fits.
 * @param before summaries that stood, oldest first
 */
export function rangeProblem({ removed, summaries }: CompactionRanges, before: readonly Summary[]): string | undefined {
  const placeOf = new Map(removed.map((id, at) => [id, at]));
  const known = new Map(before.map(summary => [summary.id, summary]));
  for (const { id, sourceRange } of summaries) {
    const was = known.get(id)?.sourceRange;
    const { fromId, toId, count } = sourceRange;
    const [from, to] = [placeOf.get(fromId), placeOf.get(toId)];
    const isOwn = from !== undefined && to !== undefined && to - from + 1 === count;
    const isSame = was?.fromId === fromId && was.toId === toId && was.count === count;
    if (was ? isSame : isOwn || isOfSeveral(sourceRange, before)) continue;
    const now = was ? `says otherwise than before` : `says`;
    return `${id} ${now} that it is about ${count} messages from ${fromId} to ${toId}, and those are not the ones that went`;
  }
  return undefined;
}

/** The oldest of them, put together. */
function isOfSeveral({ fromId, toId, count }: Summary["sourceRange"], before: readonly Summary[]): boolean {
  const last = before.findLastIndex(({ sourceRange }) => sourceRange.toId === toId);
  const all = before.slice(0, last + 1).map(({ sourceRange }) => sourceRange);
  return all[0]?.fromId === fromId && all.reduce((sum, range) => sum + range.count, 0) === count;
}
