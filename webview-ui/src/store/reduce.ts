/** `reduce(state, action)`: everything that can happen to the panel's state, pure. */

import type { AgentEvent } from "../../../src/shared/events";
import { t } from "../../../src/shared/l10n";
import type { PanelResult } from "../../../src/shared/panelProtocol";
import type {
  ContextUsage,
  Forks,
  PanelSnapshot,
  PanelSurroundings,
  ReviewFile,
} from "../../../src/shared/panelSnapshot";
import type { LogRecord } from "../../../src/shared/records";
import type { FileChange } from "../../../src/shared/toolResult";
import { unreadable } from "./changes";
import { questionsLeft, withLiveOf } from "./children";
import { compactionNotice } from "./compactions";
import { applyEvent } from "./events";
import { idOf } from "./items";
import { chunksOf } from "./looks";
import { applyRecords, closeOpenCalls } from "./records";
import {
  type ConversationItem,
  emptySession,
  type Notice,
  type PanelState,
  type SessionView,
  type TurnChanges,
} from "./state";

export type StoreAction =
  | { type: "loading" }
  | { type: "failed"; problem: string }
  /** `now`: ms since the epoch */
  | { type: "snapshot"; snapshot: PanelSnapshot; now: number }
  | { type: "events"; sessionId: string; events: readonly AgentEvent[]; now: number }
  /** what `older` answered; of another session: nothing happens */
  | ({ type: "older"; sessionId: string; before: number } & PanelResult<"older">)
  | { type: "surroundings"; surroundings: PanelSurroundings }
  /** a proposal was changed in the diff editor */
  | { type: "revised"; approvalId: string; change: FileChange }
  /** which sessions wait for an answer */
  | { type: "waiting"; sessionIds: readonly string[] }
  /** a list of sessions is out of date */
  | { type: "sessionsChanged" }
  /** where the conversation forked, as the host says */
  | { type: "forks"; sessionId: string; forks: Forks }
  /** how full the context is, as the host or its view says */
  | { type: "counted"; sessionId: string; use: Partial<ContextUsage> & { tokens: number } }
  /** files with changes to review */
  | { type: "review"; sessionId: string; files: readonly ReviewFile[] }
  /** what a turn made of its files, as the host says */
  | { type: "turnFiles"; sessionId: string; turn: number; told: TurnChanges }
  | { type: "notice"; notice: Notice | null };

type ActionTable = {
  [T in StoreAction["type"]]: (state: PanelState, action: Extract<StoreAction, { type: T }>) => PanelState;
};

const table: ActionTable = {
  loading: state => ({ ...state, phase: "loading", problem: null }),
  failed: (state, action) => ({ ...state, phase: "failed", problem: action.problem }),
  snapshot: applySnapshot,
  events: applyEvents,
  older(state, { sessionId, before, records, hasOlder, missing }) {
    if (before < (state.session.firstSeq ?? 0)) return state;
    const next = inSession(state, sessionId, session => prependOlder(session, records, hasOlder));
    return next === state ? state : { ...next, notice: missingNotice(missing) ?? state.notice };
  },
  surroundings: (state, action) => ({ ...state, surroundings: action.surroundings }),
  revised: (state, { approvalId, change }) => ({ ...state, revised: { ...state.revised, [approvalId]: change } }),
  waiting: (state, action) => ({ ...state, waiting: action.sessionIds }),
  sessionsChanged: state => ({ ...state, sessionChanges: state.sessionChanges + 1 }),
  review: (state, { sessionId, files }) => inSession(state, sessionId, session => ({ ...session, review: files })),
  counted: (state, { sessionId, use }) =>
    inSession(state, sessionId, session => ({ ...session, context: { ...session.context, ...use } })),
  forks: (state, { sessionId, forks }) => inSession(state, sessionId, session => ({ ...session, forks })),
  turnFiles: (state, { sessionId, turn, told }) =>
    inSession(state, sessionId, session => ({ ...session, turnFiles: { ...session.turnFiles, [turn]: told } })),
  notice: (state, action) => ({ ...state, notice: action.notice }),
};

export function reduce(state: PanelState, action: StoreAction): PanelState {
  const apply = table[action.type] as (state: PanelState, action: StoreAction) => PanelState;
  const next = apply(state, action);
  const { items, sessionId } = next.session;
  if (items === state.session.items) return next;
  const before = sessionId === state.session.sessionId ? state.session.chunks : [];
  return { ...next, session: { ...next.session, chunks: chunksOf(items, before) } };
}

/** Where another session is shown by now, nothing happens. */
function inSession(state: PanelState, sessionId: string, change: (session: SessionView) => SessionView): PanelState {
  return sessionId === state.session.sessionId ? { ...state, session: change(state.session) } : state;
}

function applySnapshot(state: PanelState, { snapshot, now }: { snapshot: PanelSnapshot; now: number }): PanelState {
  const { sessionId, readOnly, obstacle = "", deleted = false, title, mode, hasOlder } = snapshot;
  let session: SessionView = { ...emptySession, sessionId };
  // Their questions outlive a turn.
  for (const event of snapshot.live) if (event.type === "child") session = applyEvent(session, event, now);
  session = applyRecords(session, snapshot.records);
  const running = snapshot.state !== "idle";
  const startedAt = running ? (session.counters.startedAt ?? now) : null;
  const isSame = state.session.sessionId === sessionId;
  session = {
    ...session,
    ...{ readOnly, obstacle, deleted, title, mode, hasOlder },
    todos: snapshot.todos ?? session.todos,
    todosTurn: session.todosTurn || (beginsWithin(session) ? session.turn : 0),
    plan: snapshot.plan === undefined ? session.plan : snapshot.plan,
    tasks: snapshot.tasks ?? [],
    caller: snapshot.caller ?? null,
    // What the host says counts; what it does not say is as the records say.
    pending: (snapshot.pending ?? session.pending).map(message => {
      const known = session.pending.find(({ pendingId }) => pendingId === message.pendingId);
      return { ...message, held: snapshot.held?.includes(message.pendingId) ?? known?.held ?? false };
    }),
    pins: snapshot.pins ?? session.pins,
    denials: snapshot.denials ?? session.denials,
    rewound: snapshot.rewound ?? null,
    forks: snapshot.forks ?? [],
    context: isSame ? state.session.context : session.context,
    review: snapshot.review ?? [],
    run: snapshot.state,
    // What the host said holds until it is asked anew, and it is only where there are edits or undos that it had not heard of.
    turnFiles: isSame ? state.session.turnFiles : {},
    counters: { ...session.counters, startedAt },
  };
  for (const event of snapshot.live) session = applyEvent(session, event, now);
  if (!running) session = { ...session, items: closeOpenCalls(session.items), questions: questionsLeft(session) };
  const { surroundings, missing, waiting = [] } = snapshot;
  const notice = missingNotice(missing) ?? (isSame ? state.notice : null);
  return { ...state, phase: "open", problem: null, gap: false, session, surroundings, waiting, notice };
}

/** The message that opened the newest turn is not loaded: todos that are not known to be older may be of this turn. */
const beginsWithin = ({ items, turn }: SessionView): boolean =>
  !items.some(item => item.kind === "user" && item.turn === turn && !item.steer);

function missingNotice(archives: readonly string[] = []): Notice | undefined {
  if (archives.length === 0) return undefined;
  return { kind: "problem", text: t("Some older messages cannot be shown: {0}.", unreadable(archives)) };
}

function applyEvents(state: PanelState, action: Extract<StoreAction, { type: "events" }>): PanelState {
  if (state.phase !== "open" || action.sessionId !== state.session.sessionId) return state;
  let session = state.session;
  let { gap, notice } = state;
  for (const event of action.events) {
    if (event.type === "record" && event.record.seq > session.lastSeq + 1) gap = true;
    session = applyEvent(session, event, action.now);
    if (event.type === "compaction") notice = compactionNotice(session, event) ?? notice;
  }
  return session === state.session ? state : { ...state, session, gap, notice };
}

/** Records are read anew with the older ones in front; what streams, and what the host said, stays. */
function prependOlder(session: SessionView, records: readonly LogRecord[], hasOlder: boolean): SessionView {
  const before = session.firstSeq ?? Number.POSITIVE_INFINITY;
  const unseen = records.filter(record => record.seq < before);
  // Two asked at once, and the other answer was quicker.
  if (unseen.length === 0) return records.length > 0 ? session : { ...session, hasOlder: false };
  const whole = applyRecords(emptySession, [...unseen, ...session.records]);
  const { changes, reviews, undoneEdits, ends, wentBack, prompts, compactions, undone, carriedOut } = whole;
  const { turn, lastPrompt, lastEnd, openPlan, firstSeq } = whole;
  const items = withLive(whole.items, session.items);
  return {
    ...session,
    records: whole.records,
    items: session.run === "idle" ? closeOpenCalls(items) : items,
    ...{ changes, reviews, undoneEdits, ends, wentBack, prompts, compactions, undone, carriedOut },
    ...{ turn, lastPrompt, lastEnd, openPlan, firstSeq, hasOlder },
    children: withLiveOf(whole.children, session.children),
  };
}

/** Items as they were before, where they say the same; and with what no record says of them. What streams keeps its place. */
function withLive(items: readonly ConversationItem[], before: readonly ConversationItem[]) {
  const olds = new Map(before.map(item => [idOf(item), item]));
  const newest = new Map(items.map(item => [item.key, item]));
  const next = items.map(item => {
    const old = olds.get(idOf(item));
    if (old !== undefined || item.kind !== "tool") return withOld(item, old);
    // A call without its answer had another name than with it.
    const bare = olds.get(item.key);
    const fits = bare?.kind === "tool" && bare.outcome === item.outcome;
    return withOld(item, fits && (item.outcome !== null || newest.get(item.key) === item) ? bare : undefined);
  });
  let following: ConversationItem | undefined;
  for (const item of before.toReversed()) {
    if (item.kind === "end") break;
    if (isStreaming(item)) {
      const at = next.findLastIndex(({ key }) => key === following?.key);
      next.splice(at < 0 ? next.length : at, 0, item);
    }
    following = item;
  }
  return next;
}

function withOld(item: ConversationItem, old: ConversationItem | undefined): ConversationItem {
  if (item.kind !== "tool" || old?.kind !== "tool") return isSame(item, old) ? old : item;
  const { title, phase, exact, exactForm } = old;
  const live = { ...item, title, exact, exactForm, phase: item.outcome === null ? phase : item.phase };
  return isSame(live, old) ? old : live;
}

const isStreaming = (item: ConversationItem) =>
  item.kind === "answer" ? item.live : item.kind === "tool" && item.phase === "writing";

/** Through lists and objects; a record is one object, and is not looked into. */
function isSame<T>(item: T, old: unknown): old is T {
  if (item === old) return true;
  if (typeof item !== "object" || typeof old !== "object" || item === null || old === null) return false;
  const names = Object.keys(item) as (keyof T)[];
  return names.length === Object.keys(old).length && names.every(name => isSame(item[name], (old as T)[name]));
}
