/** Compactions in the store: their marks, how far one is, what can be undone; and how full the context is. Pure. */

import { defined } from "../../../src/shared/defined";
import { undoableCompactions } from "../../../src/shared/entry";
import type { AgentEvent, AgentEventOf } from "../../../src/shared/events";
import { t } from "../../../src/shared/l10n";
import type { ContextUsage } from "../../../src/shared/panelSnapshot";
import type { LogRecord, RecordOf } from "../../../src/shared/records";
import { countAnswer } from "../../../src/shared/tokenCount";
import { findEnd } from "./items";
import type { CompactionItem, Notice, SessionView } from "./state";

/** The session with what this event says about how full the context is. */
export function withContext(session: SessionView, event: AgentEvent): SessionView {
  const context = contextAfter(session, event);
  return context === session.context ? session : { ...session, context };
}

function contextAfter({ context: use, compactions }: SessionView, event: AgentEvent): ContextUsage | null {
  if (event.type === "request") return { ...use, tokens: event.estimatedTokens, window: event.contextWindow };
  if (event.type !== "record") return use;
  const { record } = event;
  if (record.kind === "compaction") return { ...use, tokens: (record.counted ?? record.tokens).after };
  if (record.kind === "message") return afterMessage(use, record);
  if (use === null || (record.kind !== "undo" && record.kind !== "redo")) return use;
  const { saved = 0 } = compactions.find(({ key }) => key === record.compactionId) ?? {};
  return { ...use, tokens: Math.max(0, use.tokens + (record.kind === "undo" ? saved : -saved)) };
}

function afterMessage(use: ContextUsage | null, { message }: RecordOf<"message">): ContextUsage | null {
  const { usage, requestTokens, model } = message.metadata;
  if (usage === undefined || requestTokens === undefined) return use;
  const { counted: tokens, calibration } = countAnswer(usage, { requestTokens, model }, use?.calibration);
  const { calibration: _, ...before } = use ?? {};
  return { ...before, tokens, ...defined({ calibration }) };
}

export function applyCompaction(session: SessionView, record: RecordOf<"compaction">): SessionView {
  const tokens = record.counted ?? record.tokens;
  const item: CompactionItem = { ...record, key: record.id, tokens, saved: savedTokens(record) };
  return { ...session, items: [...session.items, item], compactions: [...session.compactions, item] };
}

/** In the provider's count, as the meter is. */
const savedTokens = ({ tokens, counted = tokens }: RecordOf<"compaction">): number =>
  Math.round(((tokens.before - tokens.after) * counted.after) / Math.max(1, tokens.after));

export function applyUndo(session: SessionView, record: RecordOf<"undo"> | RecordOf<"redo">): SessionView {
  const { compactionId, ts: at } = record;
  const undone = record.kind === "undo";
  return { ...session, undone: { ...session.undone, [compactionId]: { undone, at } } };
}

export function applyPin(session: SessionView, { turn, pinned }: RecordOf<"pin">): SessionView {
  const others = session.pins.filter(pin => pin !== turn);
  return { ...session, pins: pinned ? [...others, turn] : others };
}

/** @param now ms since the epoch */
export function applyProgress(session: SessionView, event: AgentEventOf<"compaction">, now: number): SessionView {
  const { phase, reason, startedAt, tokens } = event;
  // No turn runs while one is made by hand: there is no clock to show.
  const counters = reason === "manual" ? { ...session.counters, startedAt: null } : session.counters;
  if (["done", "cancelled", "failed", "unneeded"].includes(phase)) return { ...session, counters, progress: null };
  const known = session.progress?.startedAt === startedAt ? session.progress : null;
  const since = known?.since ?? (phase === "planning" ? now : startedAt);
  return { ...session, counters, progress: { reason, startedAt, tokens, since } };
}

/** What a person is told as a compaction ends; undefined: its mark says it, or it was not asked for. */
export function compactionNotice(session: SessionView, event: AgentEventOf<"compaction">): Notice | undefined {
  const { phase, reason, startedAt, message } = event;
  const last = session.compactions.at(-1);
  const answer = (text: string): Notice => ({ kind: "answer", text });
  if (phase === "failed")
    return { kind: "problem", text: t("The history could not be compacted and is unchanged. {0}", message ?? "") };
  if (phase === "cancelled") return answer(t("Compaction cancelled. {0}", message ?? t("History is unchanged.")));
  if (phase === "unneeded" && reason === "manual") return answer(message ?? t("There is nothing to compact yet."));
  const isNews = phase === "done" && (last === undefined || last.ts < startedAt);
  return isNews && message !== undefined ? answer(message) : undefined;
}

const known = new WeakMap<readonly LogRecord[], Record<"undo" | "redo", string | null>>();

/** Ids of the compactions that can be undone and redone. Each mark asks at each change: the records are read once. */
export function undoable({ records }: SessionView) {
  const { undo = null, redo = null } = known.get(records) ?? undoableCompactions(records.filter(isViewChange));
  known.set(records, { undo, redo });
  return { undo, redo };
}

const isViewChange = (record: LogRecord) =>
  record.kind === "compaction" || record.kind === "undo" || record.kind === "redo";

/** What the newest turn's end set aside, oldest first: that end says it, and brings it back. */
export function setAside({ items, lastEnd, compactions }: SessionView): CompactionItem[] {
  const end = findEnd(items, lastEnd);
  if (end?.error?.code !== "context-reset") return [];
  return compactions.filter(({ reason, snapshot }) => reason === "context-too-long" && snapshot.turn === end.turn);
}

export function isBroughtBack(session: SessionView): boolean {
  const all = setAside(session);
  return all.length > 0 && all.every(({ key }) => session.undone[key]?.undone);
}

/** Requests have a summary in place of this turn, or of a part. */
export function isSummarised({ compactions, undone }: SessionView, turn: number): boolean {
  return compactions.some(({ key, summaries, snapshot: { pins } }) => {
    const { from, to } = summaries.at(-1)?.turns ?? { from: 1, to: 0 };
    return undone[key]?.undone !== true && from <= turn && turn <= to && !pins.includes(turn);
  });
}
