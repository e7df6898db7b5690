/** What each kind of record does to the session: one row a kind; a kind without a row does not compile. */
import type { LogRecord, RecordKind, RecordOf } from "../../../src/shared/records";
import { applyRevert, takeChanges } from "./changes";
import { append, find, mapItems, replace } from "./chunks";
import { applyCompaction, applyPin, applyUndo, underWay, withContext } from "./compactions";
import { applyMessage, dropWriting, textOf, updateTool } from "./messages";
import type { AttemptItem, Chunk, Session, ToolItem, ToolPhase } from "./state";

type RecordTable = { [K in RecordKind]: (session: Session, record: RecordOf<K>) => Session };

const table: RecordTable = {
  message: applyMessage,
  result: applyResult,
  attempt: applyAttempt,
  approval: applyApproval,
  turnEnd: applyTurnEnd,
  pending: applyPending,
  todo: (session, record) => ({ ...session, todos: record.todos }),
  title: (session, record) => ({ ...session, title: record.title }),
  mode: (session, record) => ({ ...session, mode: record.mode }),
  note: (session, record) => ({
    ...session,
    chunks: append(session.chunks, { kind: "note", key: record.id, level: record.level, text: record.text }),
  }),
  fold: session => session,
  inject: session => session,
  attachment: applyAttachment,
  pin: applyPin,
  compaction: applyCompaction,
  undo: applyUndo,
  redo: applyUndo,
  revert: applyRevert,
};

/** Kinds that have a place in the conversation: the others may come from anywhere in the log. */
const placed: Record<RecordKind, boolean> = {
  message: true,
  result: true,
  attempt: true,
  approval: true,
  turnEnd: true,
  note: true,
  pending: false,
  todo: false,
  title: false,
  mode: false,
  fold: false,
  inject: false,
  attachment: false,
  pin: false,
  compaction: true,
  undo: true,
  redo: true,
  revert: false,
};

/** A record that the session has already seen changes nothing. */
export function applyRecord(session: Session, record: LogRecord): Session {
  if (record.seq <= session.lastSeq) return session;
  const apply = table[record.kind] as (session: Session, record: LogRecord) => Session;
  const next = apply(withContext(session, { type: "record", record }), record);
  const firstSeq = placed[record.kind] ? (session.firstSeq ?? record.seq) : session.firstSeq;
  return { ...next, lastSeq: record.seq, firstSeq };
}

/** Calls that never got a result and never will: nobody is running them. */
export function closeOpenCalls(chunks: readonly Chunk[]): readonly Chunk[] {
  return mapItems(chunks, item =>
    item.kind === "tool" && item.outcome === null && item.phase !== "interrupted"
      ? { ...item, phase: "interrupted" }
      : item,
  );
}

function applyResult(session: Session, record: RecordOf<"result">): Session {
  const change = (tool: ToolItem): ToolItem => ({
    ...tool,
    phase: record.error?.code === "INTERRUPTED" ? "interrupted" : record.status,
    outcome: {
      status: record.status,
      digest: record.digest,
      error: record.error?.message ?? null,
      code: record.error?.code ?? null,
      durationMs: record.durationMs,
      changes: record.changes ?? [],
      messageId: record.messageId,
    },
  });
  return {
    ...takeChanges(session, record),
    chunks: updateTool(session.chunks, record.callId, record.toolName, change),
    questions: session.questions.filter(callId => callId !== record.callId),
  };
}

function applyAttempt(session: Session, record: RecordOf<"attempt">): Session {
  const item: AttemptItem = {
    kind: "attempt",
    key: record.requestId,
    text: textOf(record.parts, "text"),
    reason: record.reason,
  };
  const known = find(session.chunks, record.requestId) !== undefined;
  const chunks = known ? replace(session.chunks, record.requestId, () => item) : append(session.chunks, item);
  return {
    ...session,
    chunks: dropWriting(chunks),
    live: session.live?.requestId === record.requestId ? null : session.live,
  };
}

function applyApproval(session: Session, record: RecordOf<"approval">): Session {
  const { approvalId, action, answer } = record;
  const phase: ToolPhase = answer === undefined ? "asking" : "waiting";
  const others = session.questions.filter(callId => callId !== action.callId);
  return {
    ...session,
    chunks: updateTool(session.chunks, action.callId, action.toolName, tool => ({
      ...tool,
      approval: { approvalId, action, answer: answer ?? null },
      phase: tool.outcome === null ? phase : tool.phase,
    })),
    questions: answer === undefined ? [...others, action.callId] : others,
  };
}

function applyTurnEnd(session: Session, record: RecordOf<"turnEnd">): Session {
  const { reason, error, steps, toolFailures, durationMs, turn } = record;
  const after = afterTurn(session);
  return {
    ...after,
    chunks: append(closeOpenCalls(dropWriting(session.chunks)), {
      kind: "end",
      key: record.id,
      reason,
      error: error ?? null,
      steps,
      toolFailures,
      durationMs,
      turn,
    }),
    pending: reason === "done" ? session.pending : after.pending,
    lastEnd: record.id,
    ends: { ...session.ends, [turn]: record.id },
    counters: { ...after.counters, step: steps },
  };
}

/** Nothing streams, runs or asks any more; messages that wait are held, as after any end but `done`. */
export function afterTurn(session: Session): Session {
  return {
    ...session,
    live: null,
    outputs: {},
    questions: [],
    retry: null,
    progress: underWay(session.progress) ? null : session.progress,
    pending: session.pending.map(pending => ({ ...pending, held: true })),
    counters: { ...session.counters, startedAt: null },
  };
}

function applyPending(session: Session, record: RecordOf<"pending">): Session {
  const { pendingId, op, delivery, text } = record;
  const known = session.pending.find(pending => pending.pendingId === pendingId);
  if (op === "removed") return { ...session, pending: session.pending.filter(pending => pending !== known) };
  if (known === undefined)
    return { ...session, pending: [...session.pending, { pendingId, delivery, text, held: false }] };
  // Added again: the person sent what was held.
  const next = { pendingId, delivery, text, held: op === "added" ? false : known.held };
  return { ...session, pending: session.pending.map(pending => (pending === known ? next : pending)) };
}

/** What went out with a user's message beside its words: problems, a selection, … */

export interface Attached {
  messageId: string;
  /** "problems" */
  name: string;
  /** "2 errors in 1 file", or a sentence that says why there is nothing */
  title: string;
  empty: boolean;
}

/** It stands with the message that names it; where that is not loaded, it comes again with it. */
export function applyAttachment(session: Session, record: RecordOf<"attachment">): Session {
  const { messageId, parentId, name, title, empty = false } = record;
  const chunks = replace(session.chunks, parentId, item =>
    item.kind === "user" ? { ...item, attachments: [...item.attachments, { messageId, name, title, empty }] } : item,
  );
  return { ...session, chunks };
}
