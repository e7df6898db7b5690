/** What each kind of record does to the session: one row a kind; a kind without a row does not compile. */
import { entryOf } from "../../../src/shared/entry";
import { HOOKS_WAIT } from "../../../src/shared/hooks";
import type { LogRecord, RecordKind, RecordOf } from "../../../src/shared/records";
import { allDone } from "../../../src/shared/toolResult";
import { toolTraits } from "../../../src/shared/toolTraits";
import { refusalWords } from "../text/toolWords";
import { applyChanges, applyRevert, applyReview } from "./changes";
import { applyChild, isOpenCall, questionsLeft } from "./children";
import { applyCompaction, applyPin, applyUndo, withContext } from "./compactions";
import { mapTurn, put, recentFrom, replace } from "./items";
import { applyMessage, dropAttempt, dropWriting, joinText, newAnswer, updateTool } from "./messages";
import type { ConversationItem, EndItem, PlanItem, SessionView, ToolItem, ToolPhase } from "./state";

type RecordTable = { [K in RecordKind]: (session: SessionView, record: RecordOf<K>) => SessionView };

const table: RecordTable = {
  message: (session, record) => applyMessage(session, record),
  result: applyResult,
  attempt: applyAttempt,
  approval: (session, record) =>
    applyAsked(session, record.action, record.ts, record.answer ? "waiting" : "asking", { approval: record }),
  question: (session, record) =>
    applyAsked(session, record, record.ts, record.answer ? "running" : "asking", { question: record }),
  turnEnd: applyTurnEnd,
  note: (session, { id, level, text, code }) =>
    withItem(session, {
      ...{ kind: "note", key: id, icon: level, text },
      ...(code === HOOKS_WAIT ? { remedy: "show-hooks" as const } : {}),
    }),
  plan: applyPlan,
  planEnd: applyPlanEnd,
  compaction: applyCompaction,
  undo: applyUndo,
  redo: applyUndo,
  rewind: applyRewind,
  pending: applyPending,
  todo: (session, record) => ({ ...session, todos: record.todos, todosTurn: session.turn }),
  title: (session, record) => ({ ...session, title: record.title }),
  mode: (session, record) => ({ ...session, mode: record.mode }),
  denial: (session, record) => {
    const { id: denialId, ts, denial, denialIds = [], by } = record;
    const others = session.denials.filter(each => each.denialId !== denialId && !denialIds.includes(each.denialId));
    if (denial) return { ...session, denials: [...others, { denialId, title: denial.title, ts }] };
    const next = { ...session, denials: others };
    // Of an answer that allows the call's row tells.
    if (by === "allowed") return next;
    return withItem(next, { kind: "note", key: denialId, icon: "info", text: entryOf(record)?.title ?? "" });
  },
  // What answers is said by the surroundings.
  model: session => session,
  modelLimits: session => session,
  fold: session => session,
  inject: session => session,
  attachment: applyAttachment,
  pin: applyPin,
  revert: applyRevert,
  commandFiles: session => session,
  review: applyReview,
  intent: session => session,
  child: applyChild,
};

/** Records in the order of their numbers; those that the session has seen already change nothing. */
export function applyRecords(session: SessionView, records: readonly LogRecord[]): SessionView {
  const unseen = records.filter(({ seq }) => seq > session.lastSeq);
  const all = [...session.records, ...unseen];
  // Each change copies the items: those of ended turns are set aside, which a few kinds look at alone.
  let settled: ConversationItem[] = [];
  let next = session;
  let { lastSeq } = session;
  for (const record of unseen) {
    if (record.seq <= lastSeq) continue;
    lastSeq = record.seq;
    const isWide = record.kind === "plan" || record.kind === "planEnd" || record.kind === "attachment";
    if (isWide && settled.length > 0) [next, settled] = [{ ...next, items: [...settled, ...next.items] }, []];
    next = applyRecord(next, record);
    if (unseen.length === 1 || (record.kind !== "turnEnd" && !isWide)) continue;
    const from = recentFrom(next.items);
    for (const item of next.items.slice(0, from)) settled.push(item);
    if (from > 0) next = { ...next, items: next.items.slice(from) };
  }
  const items = settled.length > 0 ? [...settled, ...next.items] : next.items;
  return { ...next, items, records: all, lastSeq, firstSeq: all[0]?.seq ?? null };
}

function applyRecord(session: SessionView, record: LogRecord): SessionView {
  const apply = table[record.kind] as (session: SessionView, record: LogRecord) => SessionView;
  return apply(withContext(session, { type: "record", record }), record);
}

const withItem = (session: SessionView, item: ConversationItem): SessionView => ({
  ...session,
  items: [...session.items, item],
});

/** Calls that never got a result and never will. The end of a turn closes all before it. */
export const closeOpenCalls = (items: readonly ConversationItem[]) =>
  mapTurn(items, item => (isOpenCall(item) && item.phase !== "interrupted" ? { ...item, phase: "interrupted" } : item));

function applyResult(session: SessionView, record: RecordOf<"result">): SessionView {
  const { callId, toolName, status, error } = record;
  const phase = error?.code === "INTERRUPTED" ? "interrupted" : status;
  return {
    ...applyChanges(session, record),
    items: updateTool(session.items, callId, toolName, tool => ({ ...tool, phase, outcome: record })),
    ...asking(session, callId, false, record.ts),
  };
}

/** Something is asked in a call, or was answered: a call that has its outcome does not change. */
function applyAsked(
  session: SessionView,
  { callId, toolName }: { callId: string; toolName: string },
  ts: number,
  phase: ToolPhase,
  asked: Partial<ToolItem>,
): SessionView {
  const items = updateTool(session.items, callId, toolName, tool => {
    return { ...tool, ...asked, phase: tool.outcome === null ? phase : tool.phase };
  });
  return { ...session, items, ...asking(session, callId, phase === "asking", ts) };
}

/** The questions that are open then; time in which one is does not count as work. */
function asking({ questions, counters }: SessionView, callId: string, asked: boolean, ts: number) {
  const others = questions.filter(id => id !== callId);
  const open = asked ? [...others, callId] : others;
  if (questions.length === 0 && open.length > 0) return { questions: open, counters: { ...counters, askedAt: ts } };
  if (questions.length === 0 || open.length > 0 || counters.startedAt === null) return { questions: open };
  const startedAt = counters.startedAt + Math.max(0, ts - counters.askedAt);
  return { questions: open, counters: { ...counters, startedAt } };
}

function applyAttempt(session: SessionView, record: RecordOf<"attempt">): SessionView {
  const { requestId, parts, reason } = record;
  const answer = newAnswer(requestId, { text: joinText(parts, "text"), cutOff: reason, turn: record.turn });
  // One without words leaves those of the one before it.
  const items =
    answer.text === ""
      ? replace(session.items, requestId, () => null)
      : put(dropAttempt(session.items, requestId), answer);
  return {
    ...session,
    items: dropWriting(items),
    lastEnd: null,
    live: session.live?.requestId === requestId ? null : session.live,
  };
}

/** A plan has one place, the answer that ends with it, also once it is carried out. */
function applyPlan(session: SessionView, record: RecordOf<"plan">): SessionView {
  const { id: key, op, turn, title, text } = record;
  const item: PlanItem = { ...record, key };
  if (op === "proposed") {
    const from = (answer: ConversationItem) =>
      answer.kind === "answer" && answer.turn === turn && answer.plan === null ? planBegins(answer.text, text) : -1;
    const at = session.items.findLastIndex(answer => from(answer) >= 0);
    const answer = session.items[at];
    const next =
      answer?.kind === "answer"
        ? { ...session, items: session.items.with(at, { ...answer, plan: { from: from(answer), item } }) }
        : withItem(session, item);
    return { ...next, openPlan: key };
  }
  const begun = { ...session, openPlan: null, plan: { turn, title }, carriedOut: [...session.carriedOut, turn] };
  const items = mapPlans(session.items, plan => (plan.key === session.openPlan ? item : plan));
  return items === session.items ? withItem(begun, item) : { ...begun, items };
}

/** -1: it does not end with the plan */
function planBegins(answer: string, plan: string): number {
  const [whole, end] = [answer.trimEnd(), plan.trimEnd()];
  return end !== "" && whole.endsWith(end) ? whole.length - end.length : -1;
}

/** The same list where no plan changes. */
function mapPlans(items: readonly ConversationItem[], change: (plan: PlanItem) => PlanItem) {
  const next = items.map(item => {
    const plan = item.kind === "plan" ? item : item.kind === "answer" ? item.plan?.item : undefined;
    const changed = plan && change(plan);
    if (changed === undefined || changed === plan) return item;
    return item.kind === "answer" && item.plan ? { ...item, plan: { ...item.plan, item: changed } } : changed;
  });
  return next.every((item, at) => item === items[at]) ? items : next;
}

function applyPlanEnd(session: SessionView, record: RecordOf<"planEnd">): SessionView {
  const { turn } = record;
  const items = mapPlans(session.items, plan =>
    plan.op === "carried-out" && plan.turn === turn ? { ...plan, ended: true } : plan,
  );
  return { ...session, items, plan: null };
}

/** Nothing streams, runs or asks any more; messages that wait are held after any end but `done`. */
function applyTurnEnd(session: SessionView, record: RecordOf<"turnEnd">): SessionView {
  const { id: key, reason, turn, steps } = record;
  const { items, pending, todos, plan, ends, counters } = session;
  const end: EndItem = { ...record, kind: "end", key, lastFailed: lastFailure(items) };
  // An answer that was cut off and not given again ends there, which the end itself may say.
  const { code, message = "" } = record.error ?? {};
  const isTold = (cutOff: string) => reason === "interrupted" || code === "cut" || message.startsWith(cutOff);
  const told = mapTurn(items, item =>
    item.kind === "answer" && item.cutOff !== null && !isTold(item.cutOff) ? { ...item, stopped: true } : item,
  );
  return {
    ...session,
    items: [...closeOpenCalls(dropWriting(told)), end],
    lastEnd: key,
    ends: { ...ends, [turn]: key },
    ...{ live: null, outputs: {}, questions: questionsLeft(session), retry: null, progress: null },
    pending: reason === "done" ? pending : pending.map(each => ({ ...each, held: true })),
    // A plan whose todos are done has ended with it.
    plan: allDone(todos) ? null : plan,
    counters: { ...counters, step: steps, startedAt: null },
  };
}

/** Of the turn under way: its last command, else its last call. What was kept from running did not fail. */
function lastFailure(items: readonly ConversationItem[]): EndItem["lastFailed"] {
  let last: ToolPhase | undefined;
  for (const item of items.toReversed()) {
    if (item.kind === "end") break;
    if (item.kind !== "tool" || item.outcome === null || refusalWords(item) !== undefined) continue;
    last ??= item.phase;
    if (!toolTraits(item.toolName).runsCommands) continue;
    if (item.phase === "error") return "command";
    break;
  }
  return last === "error" ? "call" : undefined;
}

/** What was put back is said where it happened. */
function applyRewind(session: SessionView, record: RecordOf<"rewind">): SessionView {
  if (record.phase === "begun") return session;
  const { rewindId, undoes, turn: from, files = 0 } = record;
  const put = undoes === undefined ? { [rewindId]: { from, upTo: session.turn } } : { [undoes]: null };
  const wentBack = files > 0 ? { ...session.wentBack, ...put } : session.wentBack;
  return withItem({ ...session, wentBack }, { kind: "rewind", key: record.id, record });
}

function applyPending(session: SessionView, record: RecordOf<"pending">): SessionView {
  const { pendingId, op, delivery, text } = record;
  const at = session.pending.findIndex(pending => pending.pendingId === pendingId);
  if (op === "removed") return { ...session, pending: session.pending.filter((_, index) => index !== at) };
  if (at < 0 && op !== "added") return session;
  // Added again: the person sent what was held.
  const next = { pendingId, delivery, text, held: op !== "added" && session.pending[at]?.held === true };
  return { ...session, pending: at < 0 ? [...session.pending, next] : session.pending.with(at, next) };
}

/** It belongs to the message that names it; where that is not loaded, it comes again with it. */
function applyAttachment(session: SessionView, record: RecordOf<"attachment">): SessionView {
  const { messageId, parentId, name, title, empty = false } = record;
  const items = replace(session.items, parentId, item =>
    item.kind === "user" ? { ...item, attachments: [...item.attachments, { messageId, name, title, empty }] } : item,
  );
  return { ...session, items };
}
