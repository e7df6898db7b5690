/** Which place in a file a call was about. */
import type { RecordOf } from "../../shared/records";

/** Lines of a file, from 1. */
export interface FollowedPlace {
  uri: string;
  first: number;
  last: number;
}

/** A result's newest place: where it changed something, else what it read. */
export function followedPlace({ changes = [], reads = [] }: RecordOf<"result">): FollowedPlace | undefined {
  const change = changes.at(-1);
  if (change === undefined) return reads.at(-1);
  const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/m.exec(change.diff);
  const first = Math.max(1, Number(hunk?.[1] ?? 1));
  return { uri: change.uri, first, last: first + Math.max(0, Number(hunk?.[2] ?? 1) - 1) };
}
