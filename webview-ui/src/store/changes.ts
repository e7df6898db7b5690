/** Files that turns changed, and which edits are undone: from the records that are loaded. Pure. */
import { namesText } from "../../../src/shared/format";
import { t } from "../../../src/shared/l10n";
import type { TurnFile } from "../../../src/shared/panelProtocol";
import type { RecordOf } from "../../../src/shared/records";
import type { KnownEdit, ReviewStep, SessionView } from "./state";

/** Tells an edit of a file from all others: providers give the ids of calls twice. */
export const editKey = (edit: { messageId: string; callId: string }, uri: string): string =>
  `${edit.messageId} ${edit.callId} ${uri}`;

/** A record of files that a call changed: its result, or what a child's call did. */
export type ChangingRecord = Pick<RecordOf<"result">, "turn" | "messageId" | "callId" | "seq" | "changes">;

/** The session with the files that this record says were changed. */
export function applyChanges(session: SessionView, record: ChangingRecord): SessionView {
  const { turn, messageId, callId, seq, changes = [] } = record;
  if (changes.length === 0) return session;
  const edits = changes.map(({ uri, path, created, added, removed, after }): KnownEdit => {
    const deleted = after === null;
    return { key: editKey({ messageId, callId }, uri), seq, uri, path, created, deleted, added, removed };
  });
  return {
    ...session,
    turn: Math.max(session.turn, turn),
    changes: { ...session.changes, [turn]: [...(session.changes[turn] ?? []), ...edits] },
  };
}

export function applyRevert(session: SessionView, { direction, edits, uri }: RecordOf<"revert">): SessionView {
  const undone = Object.fromEntries(edits.map(edit => [editKey(edit, uri), direction === "undo"]));
  return { ...session, undoneEdits: { ...session.undoneEdits, ...undone } };
}

export function applyReview(session: SessionView, record: RecordOf<"review">): SessionView {
  const steps = [...(session.reviews[record.uri] ?? []), record];
  return { ...session, reviews: { ...session.reviews, [record.uri]: steps } };
}

/** What reviews took back of an edit's file since: `isAll`, or so many changes. */
export type TakenBack = { undone: number; isAll: boolean };

/** undefined: nothing is taken back. @param seq of the edit's record */
export function takenBack(steps: readonly ReviewStep[], seq: number): TakenBack | undefined {
  let [undone, isKept, isWhole] = [0, false, false];
  for (const { action, changes, upTo, base } of steps) {
    if (upTo < seq) continue;
    if (action === "keep") isKept = true;
    else undone += action === "undo" ? changes : -changes;
    isWhole = base === undefined;
    // Kept as a whole it is reviewed: what comes later is about other edits.
    if (action === "keep" && isWhole) break;
  }
  return undone <= 0 ? undefined : { undone, isAll: isWhole && !isKept };
}

/** Files whose changes went in the newest step of a review, while nothing came after it: Redo brings them back together. */
export function undoneLast({ reviews, lastSeq }: SessionView): readonly string[] {
  const steps = Object.values(reviews).flatMap(ofFile => ofFile.slice(-1));
  const newest = steps.find(({ seq, action }) => seq === lastSeq && action === "undo");
  const isOfIt = (each: ReviewStep) => each.step !== undefined && each.step === newest?.step && each.action === "undo";
  return steps.filter(each => each === newest || isOfIt(each)).map(({ uri }) => uri);
}

/** What the records say of a turn's files: of several edits of one the sum, as long as the host has not said more. */
export function filesFromEdits(edits: readonly KnownEdit[], undone: SessionView["undoneEdits"]): TurnFile[] {
  const files = new Map<string, TurnFile>();
  for (const edit of edits) {
    const { uri, path, created, deleted, added, removed } = edit;
    const before = files.get(uri);
    const isUndone = undone[edit.key] === true;
    files.delete(uri);
    files.set(uri, {
      uri,
      path,
      created: before ? before.created : created && !isUndone,
      deleted: deleted && !isUndone,
      added: (before?.added ?? 0) + (isUndone ? 0 : added),
      removed: (before?.removed ?? 0) + (isUndone ? 0 : removed),
      edits: (before?.edits ?? 0) + 1,
      undone: (before?.undone ?? 0) + (isUndone ? 1 : 0),
    });
  }
  return [...files.values()];
}

/** The sums do not say all: some edits touch the same file, or are undone, or came before what is loaded. */
export function isMoreThanSums(session: SessionView, turn: number): boolean {
  const edits = session.changes[turn] ?? [];
  if (new Set(edits.map(({ uri }) => uri)).size < edits.length) return true;
  if (edits.some(({ key }) => session.undoneEdits[key])) return true;
  return session.hasOlder && !Object.keys(session.changes).some(other => Number(other) < turn);
}

/** A rewind put the files of this turn back, and was not undone. */
export const isPutBack = ({ wentBack }: SessionView, turn: number): boolean =>
  Object.values(wentBack).some(turns => turns !== null && turns.from <= turn && turn <= turns.upTo);

/** @param archives names of such that are missing or cannot be read */
export const unreadable = (archives: readonly string[]): string =>
  t("{0} of this session is missing or cannot be read", namesText(archives));

/** Changes with each edit of a turn and each undo of one: what the host said before is old then. */
export const changesMark = (session: SessionView, turn: number): string =>
  (session.changes[turn] ?? []).map(({ key }) => (session.undoneEdits[key] ? "u" : "e")).join("");
