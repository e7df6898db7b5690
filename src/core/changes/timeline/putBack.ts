/**
 * Putting a text back, from what a link of the timeline left to what it found, in a file that may have changed since: what does
 * not touch it is kept, what does is a conflict. Undo, redo, review and rewind all ask this. Pure.
 * Texts are merged without their line ends, since an editor keeps one kind of them for a file.
 */
import { listed } from "../../../shared/format";
import { t } from "../../../shared/l10n";
import type { TextEdit } from "../../ground/ports";
import type { LineBounds } from "../../ground/text/diff";
import { withLf } from "../../ground/text/lines";
import { type Conflict, mergeTexts } from "../edits/merge";
import { planLines } from "../edits/planEdits";
import { trimEdit, withStepLineEnds } from "../edits/textEdits";
import { type Hunk, reviewLines, undoHunks } from "./hunks";

/** null: there is no file */
export interface PutBackStep {
  from: string | null;
  to: string | null;
}

/** Why nothing can be put back in a text. */
type TextRefusal =
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
 * @param range of the changes from `to` to `from`: these alone, in their current text. Lines that others wrote into them stay,
 * so that there is no conflict. Absent: the whole, or nothing.
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
  return { kind: "text", text: withStepLineEnds(planLines(now, merge.text).newText, { from, to }) };
}

function putRangeBack(now: string, to: string | null, range: readonly Hunk[]): PutBack {
  if (range.length === 0) return { kind: "settled" };
  const text = undoHunks(now, reviewLines(to ?? ""), range);
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
  return [trimEdit(now, { start: 0, end: now.length, text: target })];
}

/** Those that say nothing but themselves, as clauses. */
const plain = {
  gone: () => t("it is not there any more (deleted or renamed)"),
  differs: () => t("it has more than what the agent left there"),
  // It would be deleted, and may not be the agent's.
  doubtful: () => t("it may have been there before under another name, or ignored"),
  exists: () => t("there is a file of that name again"),
  settled: () => t("it was kept, undone or rewritten"),
  "no text": () => t("it is no longer a text file"),
  "kept changing": () => t("it kept changing meanwhile"),
  moved: () => t("it changed at this very moment"),
  unchanged: () =>
    t(
      "it holds what it held before, since a formatter put that back, or the editor keeps line ends as they are while the file has unsaved changes",
    ),
  "read-only": () => t("it is read-only"),
  shared: () => t("it was also changed from elsewhere while a command ran, so it is not clear whose change this is"),
  "texts not kept": () => t("it was changed since, and its earlier states are not here as text"),
};

export type Refusal =
  | TextRefusal
  | { kind: keyof typeof plain }
  /** `why`: the end of a sentence */
  | { kind: "not kept"; why?: string | undefined };

/**
 * @param what would have been done: "The edit of a.ts can't be undone"
 * @param now the file's text, for the lines of a conflict
 */
export function refusalWords(what: string, refusal: Refusal, now: string | null = null): string {
  const why = t("{0}: {1}.", what, clauseOf(refusal, now));
  const advice = adviceOf(refusal);
  return advice === undefined ? why : t("{0} {1}", why, advice);
}

/** Why a rewind does not touch a file. */
export const staysWords = (path: string, refusal: Refusal, now: string | null = null): string =>
  refusal.kind === "doubtful"
    ? t("{0} stays: {1}. Delete it by hand if it is not needed.", path, clauseOf(refusal, now))
    : t("{0} stays: {1}.", path, clauseOf(refusal, now));

/** What a crash left of a file: the end of a sentence. */
export const neither = () => t("is neither as it was nor as it was to be: look at it.");

function clauseOf(refusal: Refusal, now: string | null): string {
  switch (refusal.kind) {
    case "conflict": {
      // Of several steps the later ones see lines that the earlier ones moved.
      const isSame = withLf(now ?? "") === withLf(refusal.text);
      const lines = refusal.conflicts.map(({ theirs: { first, count } }) => ({ first, last: first + count - 1 }));
      const where = isSame && lines.length > 0 ? linesWords(lines) : undefined;
      return where === undefined
        ? t("the same lines were changed since")
        : t("the same lines were changed since ({0})", where);
    }
    case "not kept":
      return refusal.why === undefined
        ? t("its earlier content is not in this session")
        : t("it can't be restored: {0}", refusal.why);
    default:
      return plain[refusal.kind]();
  }
}

function adviceOf({ kind }: Refusal): string | undefined {
  if (kind === "exists") return t("Move it away first.");
  if (kind === "differs") return t("Delete the file by hand if nothing in it is needed.");
  if (kind === "conflict") return t("Open the diff of the turn to do it by hand.");
  if (kind === "kept changing") return t("Try again.");
  return kind === "unchanged" ? t("Do it there by hand.") : undefined;
}

/** "line 3", "lines 3–5 and 9" */
function linesWords(ranges: readonly LineBounds[]): string {
  const places = ranges.map(({ first, last }) => (last > first ? `${first}–${last}` : String(Math.max(last, 1))));
  const [place = ""] = places;
  return places.length === 1 && !place.includes("–") ? t("line {0}", place) : t("lines {0}", listed(places, 8));
}
