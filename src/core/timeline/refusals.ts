/** Why something is not put back, in words for a person: the same for an undo, a review and a rewind. */
import { type LineBounds, rangesText } from "../text/diff";
import { conflictLines, type TextRefusal } from "./putBack";

export type Refusal =
  | TextRefusal
  | { kind: "no text" }
  | { kind: "kept changing" }
  /** it changed between the look at it and the write */
  | { kind: "moved" }
  /** an editor or a formatter gave the file its old text again */
  | { kind: "unchanged" }
  | { kind: "read-only" }
  /** a person, or another session, changed it while a command ran */
  | { kind: "shared" }
  /** `why`: the end of a sentence */
  | { kind: "not kept"; why?: string | undefined }
  | { kind: "texts not kept" }
  /** it would be deleted, and may not be the agent's. `why`: a clause */
  | { kind: "doubtful"; why?: string | undefined }
  | { kind: "one place"; others: readonly string[] };

/** What is known of the file beside the refusal. */
export interface Surroundings {
  /** what stands there now */
  now?: string | null;
  /** turn of a later edit of the agent that is in the way; undefined: somebody else changed it */
  later?: { turn: number } | undefined;
  /** where the file went, as far as anybody knows */
  renamedTo?: string | undefined;
}

/** @param what would have been done: "The edit of a.ts can't be undone" */
export function refusalWords(what: string, refusal: Refusal, surroundings: Surroundings = {}): string {
  const advice = adviceOf(refusal, surroundings);
  return `${what}: ${clauseOf(refusal, surroundings)}.${advice === undefined ? "" : ` ${advice}`}`;
}

/** What a crash left of a file: the end of a sentence. */
export const NEITHER = "is neither as it was nor as it was to be: look at it.";

/** What a rewind leaves as it is. */
export const staysWords = (path: string, refusal: Refusal, now: string | null = null): string => {
  const advice = refusal.kind === "doubtful" ? " Delete it by hand if it is not needed." : "";
  return `${path} stays: ${clauseOf(refusal, { now })}.${advice}`;
};

function clauseOf(refusal: Refusal, { now, later, renamedTo }: Surroundings): string {
  switch (refusal.kind) {
    case "gone":
      return renamedTo === undefined ? "it is not there any more (deleted or renamed)" : `it is ${renamedTo} now`;
    case "exists":
      return "there is a file of that name again";
    case "differs":
      return later
        ? `a later edit of the agent (turn ${later.turn}) changed it`
        : "it holds more than what the agent left there";
    case "conflict": {
      const where = placesText(conflictLines(now ?? "", refusal));
      return later
        ? `a later edit of the agent (turn ${later.turn}) changed the same lines${where}`
        : `the same lines were changed since${where}`;
    }
    case "settled":
      return "it was kept, undone or rewritten";
    case "no text":
      return "it is no text file any more";
    case "kept changing":
      return "it kept changing meanwhile";
    case "moved":
      return "it changed at this very moment";
    case "unchanged":
      return "it holds what it held before, since a formatter put that back, or the editor keeps line ends as they are while the file has unsaved changes";
    case "read-only":
      return "it is read-only";
    case "shared":
      return "somebody else changed it too while a command ran, so nobody can tell whose it is";
    case "not kept":
      return refusal.why === undefined
        ? "what it held is not in this session"
        : `it can't be restored, since ${refusal.why}`;
    case "texts not kept":
      return "it was changed since, and its earlier states are not here as text";
    case "doubtful":
      return refusal.why ?? "it may have been there before under another name, or ignored";
    case "one place":
      return `this disk takes it and ${refusal.others.join(", ")} for one file, and both were changed`;
  }
}

const placesText = (lines: readonly LineBounds[] | undefined) => (lines ? ` (${rangesText(lines)})` : "");

function adviceOf({ kind }: Refusal, { later, renamedTo }: Surroundings): string | undefined {
  switch (kind) {
    case "gone":
      return renamedTo === undefined ? undefined : "Rename it back first, or do it there by hand.";
    case "exists":
      return "Move it away first.";
    case "differs":
      return later ? "Undo that one first." : "Delete the file by hand if nothing in it is needed.";
    case "conflict":
      return later
        ? "Undo that one first, or open the diff of the turn to do it by hand."
        : "Open the diff of the turn to do it by hand.";
    case "kept changing":
      return "Try again.";
    case "unchanged":
      return "Do it there by hand.";
    default:
      return undefined;
  }
}
