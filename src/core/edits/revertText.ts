/**
 * Taking edits back, and making them again, in a text that may have changed since: what does not touch them is kept, what
 * does is a conflict (TOOLS.md, "Edits and the version that was read"). Pure.
 */
import type { TextEdit } from "../ports";
import { commonEnds } from "../text/commonEnds";
import { withLf } from "../text/lineEnds";
import { applyStepLineEnds } from "./changedLineEnds";
import { applyEdits, planLines } from "./editEngine";
import { type Conflict, mergeTexts } from "./merge";

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
    } else if (from === null) {
      return { kind: "exists", step };
    } else if (text === null) {
      return { kind: "gone", step };
    } else if (to === null) {
      return { kind: "differs", step };
    } else {
      const merge = mergeTexts(from, to, text);
      if (merge.kind === "conflict") return { kind: "conflict", step, conflicts: merge.conflicts, text };
      text = applyStepLineEnds(applyEdits(text, planLines(text, merge.text).edits), { from, to });
    }
  }
  return { kind: "text", text };
}

/** The smallest edits that make exactly `target` of `now`, line ends and all. */
export function editsBetween(now: string, target: string): readonly TextEdit[] {
  const { edits } = planLines(now, target);
  return applyEdits(now, edits) === target ? edits : [wholeEdit(now, target)];
}

/** One edit: what is alike at both ends is left alone. Cuts neither a surrogate pair nor a line end in two. */
function wholeEdit(now: string, target: string): TextEdit {
  const { head, tail } = commonEnds(now, target);
  const start = isWithinPair(now, head) || isWithinPair(target, head) ? head - 1 : head;
  const isCut = isWithinPair(now, now.length - tail) || isWithinPair(target, target.length - tail);
  const rest = isCut ? tail - 1 : tail;
  return { start, end: now.length - rest, text: target.slice(start, target.length - rest) };
}

const isWithinPair = (text: string, at: number) => PAIR.test(text.slice(Math.max(0, at - 1), at + 1));
const PAIR = /^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/;

/** 1-based, both ends counted; `last < first`: lines were removed before line `first` */
export interface Lines {
  first: number;
  last: number;
}

/**
 * Where the conflicts stand in the text as it is now. Of several steps the later ones see lines that the earlier ones moved:
 * then they are looked for; undefined: they do not stand in it as they are, or more than once.
 */
export function conflictLines(now: string, conflict: Extract<Reverted, { kind: "conflict" }>): Lines[] | undefined {
  const same = withLf(now) === withLf(conflict.text);
  const lines = same ? [] : withLf(now).split("\n");
  const found = conflict.conflicts.map(({ theirs }): Lines | undefined => {
    if (same) return { first: theirs.first, last: theirs.first + theirs.count - 1 };
    const wanted = theirs.text.replace(/\n$/, "").split("\n");
    const starts = lines.flatMap((_, at) => (wanted.every((line, index) => lines[at + index] === line) ? [at] : []));
    const [start, second] = starts;
    if (theirs.count === 0 || start === undefined || second !== undefined) return undefined;
    return { first: start + 1, last: start + wanted.length };
  });
  return found.every(lines => lines !== undefined) ? found : undefined;
}
