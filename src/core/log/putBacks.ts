/**
 * What a person does beside messages, by its records, and what the model has to hear of it: `revert` and `review` (edits or changes
 * taken back, or made again), `rewind` beside the branch that the conversation is on (branches.ts), `plan` and `planEnd`.
 */
import type { ResultRef, UntoldRevert, UntoldReview } from "../../shared/compaction";
import type { LogRecord, RecordKind, RecordOf } from "../../shared/records";
import { allDone } from "../../shared/toolResult";
import { counted } from "../ground/text/format";
import { type Conversation, refKey } from "./conversation";
import { endedText } from "./plans/planText";
import { asDeleted } from "./stamps";

/** Tells one edit of one file from all others. */
export const editKey = (edit: ResultRef, uri: string): string => `${refKey(edit)} ${uri}`;

/** Files that a call changed: by itself, or by a child that worked for it. */
export const changesIn = (record: LogRecord) =>
  (record.kind === "result" || record.kind === "child" ? record.changes : undefined) ?? [];

/** Files that a person put back by this record; of a rewind the first ones. */
export function pathsPutBack(record: LogRecord): readonly string[] {
  if (record.kind === "rewind" && record.phase === "done") return record.paths ?? [];
  const isPut = record.kind === "revert" || (record.kind === "review" && record.action !== "keep");
  return isPut ? [record.path] : [];
}

export function applyRevert(conversation: Conversation, record: RecordOf<"revert">): void {
  const { untold } = conversation;
  const { path, turn, direction, seq } = record;
  if (record.after === null) markGone(conversation, record.uri);
  for (const edit of record.edits) {
    const key = editKey(edit, record.uri);
    untold.set(key, { path, turn, direction, seq, known: untold.get(key)?.known ?? opposite(direction) });
  }
  recountChanged(conversation, record, { undo: direction === "undo", turn });
}

/** Those before are forgotten: a file's changes may be undone one by one. */
const MAX_KEPT = 100;

export function applyReview(conversation: Conversation, record: RecordOf<"review">): void {
  const { uri, path, action, changes, text, seq, gone } = record;
  if (gone) markGone(conversation, uri);
  if (action === "keep" || text === undefined) return;
  recountChanged(conversation, record, { undo: action === "undo", turn: conversation.turn });
  const { untoldReviews } = conversation;
  const last = untoldReviews.findLastIndex(each => each.uri === uri);
  // Taken back and put back before anybody heard of it: nothing happened.
  if (action === "restore" && untoldReviews[last]?.action === "undo")
    conversation.untoldReviews = untoldReviews.toSpliced(last, 1);
  else conversation.untoldReviews = [...untoldReviews, { uri, path, action, changes, text, seq }].slice(-MAX_KEPT);
}

/** Stamps stay as they are, the model has not seen the file as it is now; but that it is gone, it is told. */
function markGone({ stamps }: Conversation, uri: string): void {
  const stamp = stamps.get(uri);
  if (stamp) stamps.set(uri, asDeleted(stamp));
}

const opposite = (direction: UntoldRevert["direction"]) => (direction === "undo" ? "redo" : "undo");

/** The session's changes of the file, without those that were undone. */
function recountChanged(
  { changed }: Conversation,
  { uri, path, before, added, removed }: RecordOf<"revert"> | RecordOf<"review">,
  { undo, turn }: { undo: boolean; turn: number },
): void {
  const file = changed.get(uri) ?? { uri, path, created: before === null, turn, added: 0, removed: 0 };
  const next = {
    ...file,
    added: Math.max(0, file.added + (undo ? -removed : added)),
    removed: Math.max(0, file.removed + (undo ? -added : removed)),
  };
  if (undo && next.added === 0 && next.removed === 0) changed.delete(uri);
  else changed.set(uri, next);
}

/** The edits that are undone after these records, which are in order (`editKey`). */
export function undoneEdits(records: readonly (RecordOf<"revert"> | { kind: Exclude<RecordKind, "revert"> })[]) {
  const undone = new Set<string>();
  for (const record of records) {
    if (record.kind !== "revert") continue;
    for (const edit of record.edits) {
      const key = editKey(edit, record.uri);
      if (record.direction === "undo") undone.add(key);
      else undone.delete(key);
    }
  }
  return undone;
}

/** sources of what is injected of them */
export const REVERTS = "reverts";
export const REVIEWS = "reviews";
const PLAN_END = "planEnd";
const MAX_LINES = 20;

/** For `Inject.injectSystemOnce`. */
interface News {
  text: string;
  fingerprint: string;
  source: string;
}

function newsOf(source: string, lines: readonly string[], undone: boolean, newest: number): News {
  const advice = undone ? ["Do not make again what was undone unless the user asks for it."] : [];
  return { text: [...lines, ...advice].join("\n"), fingerprint: `${source}:${newest}`, source };
}

/** What the model has to hear before its next request; undefined: it knows all. */
export function revertNews({ untold }: Pick<Conversation, "untold">): News | undefined {
  const all = [...untold.values()].filter(({ direction, known }) => direction !== known);
  if (all.length === 0) return undefined;
  const lines = [...Map.groupBy(all, ({ path, turn, direction }) => `${direction} ${turn} ${path}`).values()].map(
    describeReverts,
  );
  const more = lines.length - MAX_LINES;
  const shown = more > 0 ? [...lines.slice(0, MAX_LINES), `And so ${counted(more, "more file")}.`] : lines;
  const undone = all.some(({ direction }) => direction === "undo");
  return newsOf(REVERTS, shown, undone, Math.max(...all.map(({ seq }) => seq)));
}

function describeReverts(group: readonly UntoldRevert[]): string {
  const [{ path, turn, direction } = { path: "", turn: 0, direction: "undo" }] = group;
  const edits = group.length === 1 ? "edit" : `${group.length} edits`;
  return direction === "undo"
    ? `The user undid your ${edits} of ${path} (turn ${turn}).`
    : `The user made your ${edits} of ${path} again that had been undone (turn ${turn}).`;
}

/** As `revertNews`. */
export function reviewNews({ untoldReviews }: Conversation): News | undefined {
  const newest = untoldReviews.at(-1);
  if (!newest) return undefined;
  const shown = untoldReviews.slice(-MAX_LINES).map(describeReview);
  const more = untoldReviews.length > MAX_LINES ? ["Before that, they undid more of your changes."] : [];
  const undone = untoldReviews.some(({ action }) => action === "undo");
  return newsOf(REVIEWS, [...shown, ...more], undone, newest.seq);
}

function describeReview({ path, action, changes, text }: UntoldReview): string {
  const what = changes === 1 ? "a change" : counted(changes, "change");
  if (action === "restore") return `The user put back ${what} of yours in ${path} that had been undone.`;
  return `In a review, the user undid ${what} of yours in ${path}${text === "" ? "" : ` (as you left it: ${text})`}.`;
}

/** What it was told is known from here on; what was taken back or made again since is not as it was told. */
export function markTold(conversation: Conversation, { source, fingerprint }: RecordOf<"inject">): void {
  if (source === PLAN_END) {
    const { ended: _, ...others } = conversation.plans;
    conversation.plans = others;
  }
  const upTo = Number(fingerprint.slice(source.length + 1));
  if (source === REVIEWS) conversation.untoldReviews = conversation.untoldReviews.filter(({ seq }) => seq > upTo);
  if (source !== REVERTS) return;
  for (const [key, entry] of conversation.untold) {
    if (entry.seq <= upTo) conversation.untold.delete(key);
    else conversation.untold.set(key, { ...entry, known: opposite(entry.direction) });
  }
}

/** The request after it begins otherwise; of files that went back while the conversation stayed, the model is told. */
export function applyRewind(conversation: Conversation, record: RecordOf<"rewind">): void {
  const { phase, head, rewindId, undoes, turn, seq, paths = [] } = record;
  if (phase !== "done") return;
  if (head !== undefined) {
    conversation.rewound = true;
    return;
  }
  const direction = undoes === undefined ? "undo" : "redo";
  for (const path of paths) {
    const known = direction === "undo" ? "redo" : "undo";
    conversation.untold.set(`${undoes ?? rewindId} ${path}`, { path, turn, direction, seq, known });
  }
}

/** A new proposal leaves alone what is being carried out. */
export function applyPlan(conversation: Conversation, { op, turn, text }: RecordOf<"plan">): void {
  const { proposed: _, ...others } = conversation.plans;
  const { standing } = others;
  conversation.plans =
    op === "proposed"
      ? { ...others, proposed: { turn, text } }
      : // What is told of it says that no other counts.
        { ...(standing !== undefined && { standing }), carriedOut: { turn, text } };
}

/** It stays in L2 until the next compaction, so that no prefix breaks for it; the model is told with its next request. */
export function applyPlanEnd(conversation: Conversation, { title }: RecordOf<"planEnd">): void {
  const { carriedOut: _, ...others } = conversation.plans;
  conversation.plans = { ...others, ended: title };
}

/** A turn ended: a plan whose todos are done has ended too. */
export function endDonePlan(conversation: Conversation): void {
  const { carriedOut: _, ...others } = conversation.plans;
  if (allDone(conversation.todos)) conversation.plans = others;
}

/** As `revertNews`. */
export const planNews = ({ plans: { ended }, turn }: Conversation): News | undefined =>
  ended === undefined ? undefined : { text: endedText(ended), fingerprint: `${PLAN_END} ${turn}`, source: PLAN_END };
