/** Compactions in the store: their marks, how far one is, what can be undone; and how full the context is. Pure. */

import { undoableCompactions } from "../../../src/shared/compactionLine";
import { cacheGap } from "../../../src/shared/cost";
import { defined } from "../../../src/shared/defined";
import type { AgentEvent, AgentEventOf, CompactionPhase } from "../../../src/shared/events";
import type { ContextUsage } from "../../../src/shared/panelSnapshot";
import type { RecordOf } from "../../../src/shared/records";
import { countAnswer } from "../../../src/shared/tokenCount";
import { append, replace } from "./chunks";
import type { CompactionItem, CompactionState, SessionView } from "./state";

const endings: readonly CompactionPhase[] = ["done", "cancelled", "failed", "unneeded"];

/** It has not ended. */
export function underWay(progress: CompactionState | null): progress is CompactionState {
  return progress !== null && !endings.includes(progress.phase);
}

/** The session with what this event says about how full the context is. */
export function withContext(session: SessionView, event: AgentEvent): SessionView {
  return { ...session, context: contextAfter(session, event) };
}

function contextAfter({ context: use, compactions }: SessionView, event: AgentEvent): ContextUsage | null {
  if (event.type === "request") {
    return { ...use, tokens: event.estimatedTokens, window: event.contextWindow, layers: event.layers ?? [] };
  }
  if (event.type !== "record") return use;
  const { record } = event;
  if (record.kind === "compaction") return { ...use, tokens: (record.counted ?? record.tokens).after, layers: [] };
  if (record.kind === "message") return afterMessage(use, record);
  if (use === null || (record.kind !== "undo" && record.kind !== "redo")) return use;
  const saved = compactions.find(({ key }) => key === record.compactionId)?.saved;
  if (saved === undefined) return { ...use, layers: [] };
  return { ...use, tokens: Math.max(0, use.tokens + (record.kind === "undo" ? saved : -saved)), layers: [] };
}

function afterMessage(use: ContextUsage | null, { message }: RecordOf<"message">): ContextUsage | null {
  const { usage, requestTokens, model } = message.metadata;
  if (usage === undefined || requestTokens === undefined) return use;
  const { counted: tokens, calibration } = countAnswer(usage, { requestTokens, model }, use?.calibration);
  const { cacheGap: _, ...before } = use ?? { layers: [] };
  const gap = cacheGap(message.metadata);
  return {
    ...before,
    tokens,
    ...defined({ calibration: calibration ? calibration : undefined, cacheGap: gap ? gap : undefined }),
  };
}

export function applyCompaction(session: SessionView, record: RecordOf<"compaction">): SessionView {
  const item: CompactionItem = {
    ...record,
    key: record.id,
    tokens: record.counted ?? record.tokens,
    saved: savedTokens(record),
    isSent: false,
  };
  return {
    ...session,
    chunks: append(session.chunks, item),
    compactions: [...session.compactions, item],
    compactionHeld: false,
    progress: session.progress && { ...session.progress, marked: true },
  };
}

/** In the provider's count, as the meter is. */
function savedTokens({ tokens, counted = tokens }: RecordOf<"compaction">): number {
  return Math.round(((tokens.before - tokens.after) * counted.after) / Math.max(1, tokens.after));
}

/** The newest compaction with what the first request after it took: this answer's, which the meter has counted. */
export function withSent(session: SessionView, { message }: RecordOf<"message">): SessionView {
  const { usage, requestTokens } = message.metadata;
  const item = session.compactions.at(-1);
  if (
    usage === undefined ||
    requestTokens === undefined ||
    session.context === null ||
    !item ||
    item.isSent ||
    session.undone[item.key]?.undone === true
  )
    return session;
  const known: CompactionItem = {
    ...item,
    isSent: true,
    tokens: { ...item.tokens, after: session.context.tokens - usage.output },
  };
  return {
    ...session,
    compactions: session.compactions.with(-1, known),
    chunks: replace(session.chunks, item.key, () => known),
  };
}

export function applyUndo(session: SessionView, record: RecordOf<"undo"> | RecordOf<"redo">): SessionView {
  const { compactionId, ts, seq } = record;
  const undone = record.kind === "undo";
  return {
    ...session,
    undone: { ...session.undone, [compactionId]: { undone, at: ts, seq } },
    compactionHeld: undone,
    // What an earlier compaction came to, "There is nothing to compact", is not so any more.
    progress: underWay(session.progress) ? session.progress : null,
  };
}

export function applyPin(session: SessionView, { turn, pinned }: RecordOf<"pin">): SessionView {
  const others = session.pins.filter(pin => pin !== turn);
  return { ...session, pins: pinned ? [...others, turn] : others };
}

/** @param now ms since the epoch */
export function applyProgress(session: SessionView, event: AgentEventOf<"compaction">, now: number): SessionView {
  const { phase, reason, startedAt, tokens, rounds, message } = event;
  const known = session.progress?.startedAt === startedAt ? session.progress : null;
  const progress: CompactionState = {
    phase,
    reason,
    startedAt,
    tokens,
    since: known?.since ?? (phase === "planning" ? now : startedAt),
    rounds: rounds ?? known?.rounds ?? null,
    message: message ?? null,
    marked: known?.marked ?? false,
  };
  // No turn runs while one is made by hand: there is no clock to show.
  const counters = reason === "manual" ? { ...session.counters, startedAt: null } : session.counters;
  // The mark says that one is done; that there was nothing to do is of no interest to who did not ask.
  const saidElsewhere = phase === "done" && (progress.message === null || progress.marked);
  const isNews = !saidElsewhere && (phase !== "unneeded" || reason === "manual");
  return { ...session, counters, progress: isNews ? progress : null };
}

/** Ids of the compactions that can be undone and redone. */
export function undoable({ compactions, undone }: Pick<SessionView, "compactions" | "undone">) {
  const changes = [
    ...compactions.map(({ key, seq }) => ({ kind: "compaction" as const, id: key, seq })),
    ...Object.entries(undone).map(([compactionId, { undone, seq }]) => {
      return { kind: undone ? ("undo" as const) : ("redo" as const), compactionId, seq };
    }),
  ];
  const { undo = null, redo = null } = undoableCompactions(changes.toSorted((a, b) => a.seq - b.seq));
  return { undo, redo };
}

/** A summary stands in requests in the place of this turn, or of a part of it. */
export function isSummarised(
  { compactions, undone }: Pick<SessionView, "compactions" | "undone">,
  turn: number,
): boolean {
  return compactions.some(({ key, summaries, snapshot: { pins } }) => {
    const { from, to } = summaries.at(-1)?.turns ?? { from: 1, to: 0 };
    return undone[key]?.undone !== true && from <= turn && turn <= to && !pins.includes(turn);
  });
}
