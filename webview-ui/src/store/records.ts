/** What each kind of record does to the session: one row a kind; a kind without a row does not compile. */
import { entryOf } from "../../../src/shared/entry";
import { HOOKS_WAIT } from "../../../src/shared/hooks";
import type { LogRecord, RecordKind, RecordOf } from "../../../src/shared/records";
import { allDone } from "../../../src/shared/toolResult";
import { toolTraits } from "../../../src/shared/toolTraits";
import { refusalWords } from "../text/toolWords";
import { applyChanges, applyRevert, applyReview } from "./changes";
import { append, mapItems, mapTurn, put, replace } from "./chunks";
import { applyCompaction, applyPin, applyUndo, withContext } from "./compactions";
import { applyMessage, dropWriting, joinText, newAnswer, updateTool } from "./messages";
import type { Chunk, EndItem, SessionView, ToolPhase } from "./state";

type RecordTable = { [K in RecordKind]: (session: SessionView, record: RecordOf<K>) => SessionView };

/** Kinds that have a place in the conversation: what the panel asks for older ones by. */
const placed = {
  message: (session, record) => applyMessage(session, record),
  result: applyResult,
  attempt: applyAttempt,
  approval: applyApproval,
  question: applyQuestion,
  turnEnd: applyTurnEnd,
  note: (session, record) => ({
    ...session,
    chunks: append(session.chunks, {
      ...{ kind: "note", key: record.id, icon: record.level, text: record.text },
      ...(record.code === HOOKS_WAIT ? { remedy: "show-hooks" as const } : {}),
    }),
  }),
  plan: applyPlan,
  planEnd: applyPlanEnd,
  compaction: applyCompaction,
  undo: applyUndo,
  redo: applyUndo,
  rewind: applyRewind,
} satisfies Partial<RecordTable>;

/** The other kinds may come from anywhere in the log. */
const table: RecordTable = {
  ...placed,
  pending: applyPending,
  todo: (session, record) => ({ ...session, todos: record.todos, todosTurn: session.turn }),
  title: (session, record) => ({ ...session, title: record.title }),
  mode: (session, record) => ({ ...session, mode: record.mode }),
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
};

/** A record that the session has already seen changes nothing. */
export function applyRecord(session: SessionView, record: LogRecord): SessionView {
  if (record.seq <= session.lastSeq) return session;
  const apply = table[record.kind] as (session: SessionView, record: LogRecord) => SessionView;
  const next = apply(withContext(session, { type: "record", record }), record);
  const firstSeq = record.kind in placed ? (session.firstSeq ?? record.seq) : session.firstSeq;
  return { ...next, lastSeq: record.seq, firstSeq };
}

/** Calls that never got a result and never will: nobody is running them. The end of a turn closes all before it. */
export function closeOpenCalls(chunks: readonly Chunk[]): readonly Chunk[] {
  return mapTurn(chunks, item =>
    item.kind === "tool" && item.outcome === null && item.phase !== "interrupted"
      ? { ...item, phase: "interrupted" }
      : item,
  );
}

function applyResult(session: SessionView, record: RecordOf<"result">): SessionView {
  const { callId, toolName, status, error } = record;
  const phase = error?.code === "INTERRUPTED" ? "interrupted" : status;
  return {
    ...applyChanges(session, record),
    chunks: updateTool(session.chunks, callId, toolName, tool => ({ ...tool, phase, outcome: record })),
    ...asking(session, callId, false, record.ts),
  };
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
  return {
    ...session,
    chunks: dropWriting(put(session.chunks, answer)),
    lastEnd: null,
    live: session.live?.requestId === requestId ? null : session.live,
  };
}

function applyApproval(session: SessionView, record: RecordOf<"approval">): SessionView {
  const { action, answer } = record;
  const phase: ToolPhase = answer === undefined ? "asking" : "waiting";
  return {
    ...session,
    chunks: updateTool(session.chunks, action.callId, action.toolName, tool => ({
      ...tool,
      approval: record,
      phase: tool.outcome === null ? phase : tool.phase,
    })),
    ...asking(session, action.callId, answer === undefined, record.ts),
  };
}

function applyPlan(session: SessionView, { id: key, op, turn, title, steps }: RecordOf<"plan">): SessionView {
  const chunks = append(session.chunks, { kind: "plan", key, op, turn, title, steps });
  if (op === "proposed") return { ...session, chunks, openPlan: key };
  return { ...session, chunks, openPlan: null, plan: { turn, title } };
}

function applyPlanEnd(session: SessionView, record: RecordOf<"planEnd">): SessionView {
  const { id: key, turn } = record;
  const chunks = mapItems(session.chunks, item =>
    item.kind === "plan" && item.op === "carried-out" && item.turn === turn ? { ...item, ended: true } : item,
  );
  const text = entryOf(record)?.title ?? "";
  return { ...session, chunks: append(chunks, { kind: "note", key, icon: "info", text }), plan: null };
}

function applyQuestion(session: SessionView, record: RecordOf<"question">): SessionView {
  const { callId, toolName, answer } = record;
  const phase: ToolPhase = answer === undefined ? "asking" : "running";
  return {
    ...session,
    chunks: updateTool(session.chunks, callId, toolName, tool => ({
      ...tool,
      question: record,
      phase: tool.outcome === null ? phase : tool.phase,
    })),
    ...asking(session, callId, answer === undefined, record.ts),
  };
}

function applyTurnEnd(session: SessionView, record: RecordOf<"turnEnd">): SessionView {
  const { id: key, reason, error = null, steps, commands, durationMs, waitedMs, turn, usage } = record;
  const lastFailed = lastFailure(session.chunks);
  const next = endTurn(session, {
    kind: "end",
    key,
    reason,
    error,
    steps,
    commands,
    durationMs,
    waitedMs,
    turn,
    usage,
    lastFailed,
  });
  const pending = reason === "done" ? session.pending : next.pending;
  // A plan whose todos are done has ended with it.
  const plan = allDone(session.todos) ? null : session.plan;
  return { ...next, pending, plan, counters: { ...next.counters, step: steps } };
}

/** Of the turn under way: its last command, else its last call. What was kept from running did not fail. */
function lastFailure(chunks: readonly Chunk[]): EndItem["lastFailed"] {
  let last: ToolPhase | undefined;
  for (const { items } of chunks.toReversed()) {
    for (const item of items.toReversed()) {
      if (item.kind === "end") return last === "error" ? "call" : undefined;
      if (item.kind !== "tool" || item.outcome === null || refusalWords(item) !== undefined) continue;
      last ??= item.phase;
      if (toolTraits(item.toolName).runsCommands && item.phase === "error") return "command";
      if (toolTraits(item.toolName).runsCommands) return last === "error" ? "call" : undefined;
    }
  }
  return last === "error" ? "call" : undefined;
}

/** Nothing streams, runs or asks any more; messages that wait are held, as after any end but `done`. */
export function endTurn(session: SessionView, end: EndItem): SessionView {
  return {
    ...session,
    chunks: append(closeOpenCalls(dropWriting(session.chunks)), end),
    lastEnd: end.key,
    ends: { ...session.ends, [end.turn]: end.key },
    live: null,
    outputs: {},
    questions: [],
    retry: null,
    progress: null,
    pending: session.pending.map(pending => ({ ...pending, held: true })),
    counters: { ...session.counters, startedAt: null },
  };
}

/** What was put back is said where it happened. */
function applyRewind(session: SessionView, record: RecordOf<"rewind">): SessionView {
  if (record.phase === "begun") return session;
  const { rewindId, undoes, turn: from, files = 0 } = record;
  const put = undoes === undefined ? { [rewindId]: { from, upTo: session.turn } } : { [undoes]: null };
  const wentBack = files > 0 ? { ...session.wentBack, ...put } : session.wentBack;
  return { ...session, wentBack, chunks: append(session.chunks, { kind: "rewind", key: record.id, record }) };
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

/** It stands with the message that names it; where that is not loaded, it comes again with it. */
function applyAttachment(session: SessionView, record: RecordOf<"attachment">): SessionView {
  const { messageId, parentId, name, title, empty = false } = record;
  const chunks = replace(session.chunks, parentId, item =>
    item.kind === "user" ? { ...item, attachments: [...item.attachments, { messageId, name, title, empty }] } : item,
  );
  return { ...session, chunks };
}
