/**
 * Taking edits back, and making them again, in a text that may have changed since: what does not touch them is kept, what
 * does is a conflict; and why it cannot be done, for a person. Pure.
 * Why: C-50.
 */
import type { TextEdit } from "../ports";
import { type LineBounds, rangesText } from "../text/diff";
import { counted } from "../text/format";
import { withLf } from "../text/lines";
import { type Conflict, mergeTexts } from "./merge";
import { planLines } from "./planEdits";
import { applyStepLineEnds, PAIR_OR_LINE_END, trimEdit } from "./textEdits";

/** One edit to take back (`from`: what it left, `to`: what it found) or to make again; null: there is no file. */
export interface RevertStep {
  from: string | null;
  to: string | null;
}

export type Reverted =
  /** what should stand now; null: no file */
  | { kind: "text"; text: string | null }
  /** lines of the step's place were changed in another way; those of `theirs` count in the text before the step */
  | { kind: "conflict"; step: number; conflicts: Conflict[]; text: string }
  /** there is no file in which it could be done */
  | { kind: "gone"; step: number }
  /** there is a file where none should be */
  | { kind: "exists"; step: number }
  /** the file is to be removed, and holds something else than what was left */
  | { kind: "differs"; step: number };

/** Takes the steps in order. All of them, or none. */
export function revertText(now: string | null, steps: readonly RevertStep[]): Reverted {
  let text = now;
  for (const [step, { from, to }] of steps.entries()) {
    // Also where somebody did the same by hand.
    if (text === from || text === to) {
      text = to;
      continue;
    }
    if (from === null) return { kind: "exists", step };
    if (text === null) return { kind: "gone", step };
    if (to === null) return { kind: "differs", step };
    const merge = mergeTexts(from, to, text);
    if (merge.kind === "conflict") return { kind: "conflict", step, conflicts: merge.conflicts, text };
    text = applyStepLineEnds(planLines(text, merge.text).newText, { from, to });
  }
  return { kind: "text", text };
}

/** The smallest edits that make exactly `target` of `now`, line ends and all. */
export function editsBetween(now: string, target: string): readonly TextEdit[] {
  const { edits, newText } = planLines(now, target);
  if (newText === target) return edits;
  return [trimEdit(now, { start: 0, end: now.length, text: target }, PAIR_OR_LINE_END)];
}

/**
 * Where the conflicts stand in the text as it is now. Of several steps the later ones see lines that the earlier ones moved:
 * then they are looked for; undefined: they do not stand in it as they are, or more than once.
 */
export function conflictLines(
  now: string,
  conflict: Extract<Reverted, { kind: "conflict" }>,
): LineBounds[] | undefined {
  const same = withLf(now) === withLf(conflict.text);
  const lines = same ? [] : withLf(now).split("\n");
  const found = conflict.conflicts.map(({ theirs }): LineBounds | undefined => {
    if (same) return { first: theirs.first, last: theirs.first + theirs.count - 1 };
    const wanted = theirs.text.replace(/\n$/, "").split("\n");
    const starts = lines.flatMap((_, at) => (wanted.every((line, index) => lines[at + index] === line) ? [at] : []));
    const [start, second] = starts;
    if (theirs.count === 0 || start === undefined || second !== undefined) return undefined;
    return { first: start + 1, last: start + wanted.length };
  });
  return found.every(lines => lines !== undefined) ? found : undefined;
}

export type Direction = "undo" | "redo";

interface Refusal {
  direction: Direction;
  path: string;
  /** how many edits were to be taken back */
  edits: number;
  /** turn of a later edit of the agent that is in the way; undefined: somebody else changed it */
  later?: { turn: number } | undefined;
  /** where the file went, as far as somebody knows */
  renamedTo?: string | undefined;
}

type Refused = Exclude<Reverted, { kind: "text" }>;

/** @param lines where the conflicts stand; undefined: that cannot be said */
export function refusalWords(refused: Refused, refusal: Refusal, lines?: readonly LineBounds[]): string {
  const { path, later, direction, edits } = refusal;
  const what = edits === 1 ? "the edit" : `the ${counted(edits, "edit")}`;
  const cannot = `${what} can't be ${direction === "undo" ? "undone" : "made again"}`;
  switch (refused.kind) {
    case "gone":
      return refusal.renamedTo === undefined
        ? `${path} is not there any more (deleted or renamed), so ${cannot}.`
        : `${path} is ${refusal.renamedTo} now, so ${cannot} under its old name. Rename it back first, or take the edit back there by hand.`;
    case "exists":
      return `There is a file ${path} again, so ${cannot}. Move it away first.`;
    case "differs":
      return later
        ? `A later edit of the agent (turn ${later.turn}) changed ${path}, so ${cannot}. Undo that one first.`
        : `${path} holds more than what the agent left there, so ${cannot} without losing that. Delete the file by hand if nothing in it is needed.`;
    case "conflict": {
      const where = lines ? ` (${rangesText(lines)})` : "";
      return later
        ? `A later edit of the agent (turn ${later.turn}) changed the same lines of ${path}${where}, so ${cannot} alone. Undo that one first, or open the diff of the turn to do it by hand.`
        : `The same lines of ${path} were changed since${where}, so ${cannot} without losing that. Open the diff of the turn to do it by hand.`;
    }
  }
}
