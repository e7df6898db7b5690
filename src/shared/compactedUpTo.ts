/** How far a session is summarised: read off its records, by whoever has them whole or only glimpses of them. */

interface CompactionEntry {
  id: string;
  ts: number;
  summaries: readonly { sourceRange: { toId: string } }[];
}

/** So that no part of it is summarised twice. */
export interface CompactedUpTo {
  /** id of the newest message that a summary is about */
  cursor: string;
  /** ms since the epoch: when the newest compaction was done */
  time: number;
  /** how many there were by then, that one too */
  version: number;
}

/** @param inEffect compactions that were not undone, oldest first */
export function compactedUpTo(inEffect: readonly CompactionEntry[]): CompactedUpTo | undefined {
  const last = inEffect.at(-1);
  const cursor = last?.summaries.at(-1)?.sourceRange.toId;
  return last && cursor !== undefined ? { cursor, time: last.ts, version: inEffect.length } : undefined;
}
