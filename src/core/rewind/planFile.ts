/** What a rewind does to one file: what stands there now decides, and what a person wrote there since stays. Pure. */
import { type FileState, sameState } from "../../shared/fileStates";
import { conflictLines, type Reverted, revertText } from "../edits/revertText";
import { rangesText } from "../text/diff";
import type { FileChain } from "./chain";

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
  /** `why`: a sentence for the person */
  | { kind: "stays"; why: string };

export function planFile(chain: FileChain, now: FileNow): FilePlan {
  const { path, segments, made, shared } = chain;
  const target = segments[0].before;
  const left = segments.at(-1)?.after ?? null;
  if (!now.unsaved && sameState(now.state, target)) return { kind: "same" };
  if (shared)
    return stays(`${path} stays: somebody else changed it too while a command ran, so nobody can tell whose it is.`);
  if (target?.type === "unkept") return stays(`${path} stays: it can't be restored, since ${target.why}.`);
  if (!now.unsaved && segments.length === 1 && sameState(now.state, left)) {
    if (target === null && !made) return stays(notSurelyMade(chain));
    // Permissions that commands left are known; others are a person's.
    if (isReadOnly(now.state) && left?.type === "file" && left.mode === undefined)
      return stays(`${path} stays: it is read-only.`);
    return { kind: "exact", from: now.state, to: target };
  }
  return { kind: "merge" };
}

const isReadOnly = (state: FileState) => state?.type === "file" && ((state.mode ?? 0o200) & 0o222) === 0;

const stays = (why: string): FilePlan => ({ kind: "stays", why });

const notSurelyMade = ({ path, doubt = "it may have been there before under another name, or ignored" }: FileChain) =>
  `${path} stays: ${doubt}. Delete it by hand if it is not needed.`;

/** @param texts of the segments' states, oldest first; undefined: not to be had as text */
export function planMerge(
  chain: FileChain,
  now: string | null | undefined,
  texts: readonly { before: string | null | undefined; after: string | null | undefined }[],
): { text: string | null } | { why: string } {
  const { path, segments, made } = chain;
  if (now === undefined) return { why: `${path} stays: it was changed since, and is no text that could be merged.` };
  const [first] = segments;
  if (segments.length === 1 && first.before === null && texts[0]?.after === undefined && now !== null)
    return { why: `${path} stays: it holds more than what the agent left there.` };
  const steps = texts
    .toReversed()
    .flatMap(({ before, after }) => (before === undefined || after === undefined ? [] : [{ from: after, to: before }]));
  if (steps.length < segments.length)
    return { why: `${path} stays: it was changed since, and its earlier states are not here as text.` };
  const reverted = revertText(now, steps);
  if (reverted.kind !== "text") return { why: refusal(path, now ?? "", reverted) };
  if (reverted.text === null && now !== null && !made) return { why: notSurelyMade(chain) };
  return { text: reverted.text };
}

function refusal(path: string, now: string, refused: Exclude<Reverted, { kind: "text" }>): string {
  switch (refused.kind) {
    case "gone":
      return `${path} stays away: it was deleted or renamed since.`;
    case "exists":
      return `${path} stays: there is a file of that name again.`;
    case "differs":
      return `${path} stays: it holds more than what the agent left there.`;
    case "conflict": {
      const lines = conflictLines(now, refused);
      return `${path} stays: the same lines were changed since${lines ? ` (${rangesText(lines)})` : ""}.`;
    }
  }
}
