/**
 * Putting a text back, from what a link of the timeline left to what it found, in a file that may have changed since: what does
 * not touch it is kept, what does is a conflict. Undo, redo, review and rewind all ask this. Pure.
 * Texts are merged without their line ends, since an editor keeps one kind of them for a file.
 */

import type { TextEdit } from "../../ground/ports";
import { type Conflict, mergeTexts } from "../edits/merge";
import { planLines } from "../edits/planEdits";
import { applyEdits, applyStepLineEnds, PAIR_OR_LINE_END, trimEdit } from "../edits/textEdits";
import { type Hunk, reviewLines, undoEdits } from "./hunks";

/** null: there is no file */
export interface PutBackStep {
  from: string | null;
  to: string | null;
}

/** Why nothing can be put back in a text. */
export type TextRefusal =
  /** lines of its place were changed in another way; those of `theirs` count in `text`, as it was before the step */
  | { kind: "conflict"; conflicts: Conflict[]; text: string }
  /** there is no file in which it could be done */
  | { kind: "gone" }
  /** there is a file where none should be */
  | { kind: "exists" }
  /** the file is to be removed, and holds something else than what was left */
  | { kind: "differs" }
  /** nothing of the range is there any more */
  | { kind: "settled" };

/** `text`: the file's new text; null: no file */
type PutBack = { kind: "text"; text: string | null } | TextRefusal;

/**
 * @param range of the changes from `to` to `from`: these alone, as they stand now. Lines that somebody wrote into them stay,
 * so that nothing of it is in conflict. Absent: all of it, or nothing.
 */
export function putBack(now: string | null, { from, to }: PutBackStep, range?: readonly Hunk[]): PutBack {
  if (range && from !== null) return now === null ? { kind: "gone" } : putRangeBack(now, to, range);
  // Also where a person did the same by hand.
  if (now === from || now === to) return { kind: "text", text: to };
  if (from === null) return { kind: "exists" };
  if (now === null) return { kind: "gone" };
  if (to === null) return { kind: "differs" };
  const merge = mergeTexts(from, to, now);
  if (merge.kind === "conflict") return { kind: "conflict", conflicts: merge.conflicts, text: now };
  return { kind: "text", text: applyStepLineEnds(planLines(now, merge.text).newText, { from, to }) };
}

function putRangeBack(now: string, to: string | null, range: readonly Hunk[]): PutBack {
  if (range.length === 0) return { kind: "settled" };
  const text = applyEdits(now, undoEdits(now, reviewLines(to ?? ""), range));
  return { kind: "text", text: to === null && text === "" ? null : text };
}

/** One after the other: all of them, or none. */
export function putAllBack(now: string | null, steps: readonly PutBackStep[]): PutBack {
  let text = now;
  for (const step of steps) {
    const next = putBack(text, step);
    if (next.kind !== "text") return next;
    text = next.text;
  }
  return { kind: "text", text };
}

/** The smallest edits that make exactly `target` of `now`, line ends and all. */
export function editsBetween(now: string, target: string): readonly TextEdit[] {
  const { edits, newText } = planLines(now, target);
  if (newText === target) return edits;
  return [trimEdit(now, { start: 0, end: now.length, text: target }, PAIR_OR_LINE_END)];
}
