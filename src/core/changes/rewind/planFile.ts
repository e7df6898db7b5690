/** What a rewind does to one file: what stands there now decides, and what a person wrote there since stays. Pure. */
import { type FileState, sameState } from "../../../shared/fileStates";
import type { FileChain } from "../timeline/chain";
import { putAllBack } from "../timeline/putBack";
import type { Refusal } from "../timeline/refusals";

interface FileNow {
  /** on disk */
  state: FileState;
  /** the editor has other text for it than the disk */
  unsaved: boolean;
}

type FilePlan =
  /** it stands as it should */
  | { kind: "same" }
  /** exactly what the agent left: it becomes exactly what it was */
  | { kind: "exact"; from: FileState; to: FileState }
  /** somebody changed it since: the agent's part has to be taken out of the text */
  | { kind: "merge" }
  | { kind: "stays"; why: Refusal };

export function planFile(chain: FileChain, now: FileNow): FilePlan {
  const { segments, made, shared } = chain;
  const target = segments[0].before;
  const left = segments.at(-1)?.after ?? null;
  if (!now.unsaved && sameState(now.state, target)) return { kind: "same" };
  if (shared) return stays({ kind: "shared" });
  if (target?.type === "unkept") return stays({ kind: "not kept", why: target.why });
  if (!now.unsaved && segments.length === 1 && sameState(now.state, left)) {
    if (target === null && !made) return stays({ kind: "doubtful" });
    // Permissions that commands left are known; others are a person's.
    if (isReadOnly(now.state) && left?.type === "file" && left.mode === undefined) return stays({ kind: "read-only" });
    return { kind: "exact", from: now.state, to: target };
  }
  return { kind: "merge" };
}

const isReadOnly = (state: FileState) => state?.type === "file" && ((state.mode ?? 0o200) & 0o222) === 0;

const stays = (why: Refusal): FilePlan => ({ kind: "stays", why });

/** @param texts of the segments' states, oldest first; undefined: not to be had as text */
export function planMerge(
  { segments, made }: FileChain,
  now: string | null,
  texts: readonly { before: string | null | undefined; after: string | null | undefined }[],
): { text: string | null } | Refusal {
  if (segments.length === 1 && segments[0].before === null && texts[0]?.after === undefined && now !== null)
    return { kind: "differs" };
  const steps = texts
    .toReversed()
    .flatMap(({ before, after }) => (before === undefined || after === undefined ? [] : [{ from: after, to: before }]));
  if (steps.length < segments.length) return { kind: "texts not kept" };
  const put = putAllBack(now, steps);
  if (put.kind !== "text") return put;
  return put.text === null && now !== null && !made ? { kind: "doubtful" } : { text: put.text };
}
