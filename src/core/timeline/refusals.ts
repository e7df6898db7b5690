/** Why something is not put back, in words for a person: the same for an undo, a review and a rewind. */
import { rangesText } from "../text/diff";
import { conflictLines, type TextRefusal } from "./putBack";

/** Those that say nothing but themselves, as clauses. */
const PLAIN = {
  exists: "there is a file of that name again",
  settled: "it was kept, undone or rewritten",
  "no text": "it is no longer a text file",
  "kept changing": "it kept changing meanwhile",
  moved: "it changed at this very moment",
  unchanged:
    "it holds what it held before, since a formatter put that back, or the editor keeps line ends as they are while the file has unsaved changes",
  "read-only": "it is read-only",
  shared: "it was also changed from elsewhere while a command ran, so it is not clear whose change this is",
  "texts not kept": "it was changed since, and its earlier states are not here as text",
};

export type Refusal =
  | TextRefusal
  | { kind: keyof typeof PLAIN }
  /** `why`: the end of a sentence */
  | { kind: "not kept"; why?: string | undefined }
  /** it would be deleted, and may not be the agent's. `why`: a clause */
  | { kind: "doubtful"; why?: string | undefined }
  | { kind: "one place"; others: readonly string[] };

/** What is known of the file beside the refusal. */
export interface RefusalContext {
  /** what stands there now */
  now?: string | null;
  /** turn of a later edit of the agent that is in the way; undefined: somebody else changed it */
  later?: { turn: number } | undefined;
  /** where the file went, as far as anybody knows */
  renamedTo?: string | undefined;
}

/** @param what would have been done: "The edit of a.ts can't be undone" */
export function refusalWords(what: string, refusal: Refusal, surroundings: RefusalContext = {}): string {
  return [`${what}: ${clauseOf(refusal, surroundings)}.`, ...adviceOf(refusal, surroundings)].join(" ");
}

/** What a rewind leaves as it is. */
export const staysWords = (path: string, refusal: Refusal, now: string | null = null): string =>
  `${path} stays: ${clauseOf(refusal, { now })}.${refusal.kind === "doubtful" ? " Delete it by hand if it is not needed." : ""}`;

/** What a crash left of a file: the end of a sentence. */
export const NEITHER = "is neither as it was nor as it was to be: look at it.";

function clauseOf(refusal: Refusal, { now, later, renamedTo }: RefusalContext): string {
  const edit = later && `a later edit of the agent (turn ${later.turn}) changed`;
  switch (refusal.kind) {
    case "gone":
      return renamedTo === undefined ? "it is not there any more (deleted or renamed)" : `it is ${renamedTo} now`;
    case "differs":
      return edit ? `${edit} it` : "it holds more than what the agent left there";
    case "conflict": {
      const lines = conflictLines(now ?? "", refusal);
      const where = lines ? ` (${rangesText(lines)})` : "";
      return edit ? `${edit} the same lines${where}` : `the same lines were changed since${where}`;
    }
    case "not kept":
      return refusal.why === undefined
        ? "what it held is not in this session"
        : `it can't be restored, since ${refusal.why}`;
    case "doubtful":
      return refusal.why ?? "it may have been there before under another name, or ignored";
    case "one place":
      return `this disk takes it and ${refusal.others.join(", ")} for one file, and both were changed`;
    default:
      return PLAIN[refusal.kind];
  }
}

function adviceOf({ kind }: Refusal, { later, renamedTo }: RefusalContext): string[] {
  if (kind === "gone" && renamedTo !== undefined) return ["Rename it back first, or do it there by hand."];
  if (kind === "exists") return ["Move it away first."];
  if (kind === "differs" && !later) return ["Delete the file by hand if nothing in it is needed."];
  if (kind === "differs") return ["Undo that one first."];
  if (kind === "conflict")
    return [`${later ? "Undo that one first, or open" : "Open"} the diff of the turn to do it by hand.`];
  if (kind === "kept changing") return ["Try again."];
  return kind === "unchanged" ? ["Do it there by hand."] : [];
}
