/** `reduce(state, action)`: everything that can happen to the panel's state, pure. */

import type { AgentEvent } from "../../../src/shared/events";
import { t } from "../../../src/shared/l10n";
import type { PanelResult } from "../../../src/shared/panelProtocol";
import type { Forks, PanelSnapshot, PanelSurroundings, ReviewFile } from "../../../src/shared/panelSnapshot";
import type { LogRecord } from "../../../src/shared/records";
import type { FileChange } from "../../../src/shared/toolResult";
import { joinChanges, unreadable } from "./changes";
import { find, mapItems, prepend } from "./chunks";
import { compactionNotice } from "./compactions";
import { applyEvent } from "./events";
import { applyRecord, closeOpenCalls } from "./records";
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
  /** files with changes that nobody looked at yet */
  | { type: "review"; sessionId: string; files: readonly ReviewFile[] }
  /** what a turn made of its files, as the host says */
  | { type: "turnFiles"; sessionId: string; turn: number; told: TurnChanges }
  /** the person opened or closed the list of a turn's files */
  | { type: "toggleChanges"; turn: number }
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
  forks: (state, { sessionId, forks }) => inSession(state, sessionId, session => ({ ...session, forks })),
  turnFiles: (state, { sessionId, turn, told }) =>
    inSession(state, sessionId, session => ({ ...session, turnFiles: { ...session.turnFiles, [turn]: told } })),
  toggleChanges(state, { turn }) {
    const { openChanges } = state.session;
    const toggled = openChanges.includes(turn) ? openChanges.filter(open => open !== turn) : [...openChanges, turn];
    return { ...state, session: { ...state.session, openChanges: toggled } };
  },
  notice: (state, action) => ({ ...state, notice: action.notice }),
};

export function reduce(state: PanelState, action: StoreAction): PanelState {
  const apply = table[action.type] as (state: PanelState, action: StoreAction) => PanelState;
  return apply(state, action);
}

/** Where another session is shown by now, nothing happens. */
function inSession(state: PanelState, sessionId: string, change: (session: SessionView) => SessionView): PanelState {
  return sessionId === state.session.sessionId ? { ...state, session: change(state.session) } : state;
}

function applySnapshot(state: PanelState, { snapshot, now }: { snapshot: PanelSnapshot; now: number }): PanelState {
  const { sessionId, readOnly, obstacle = "", deleted = false, title, mode, hasOlder } = snapshot;
  let session: SessionView = { ...emptySession, sessionId };
  for (const record of snapshot.records) session = applyRecord(session, record);
  const running = snapshot.state !== "idle";
  const startedAt = running ? (session.counters.startedAt ?? now) : null;
  const isSame = state.session.sessionId === sessionId;
  session = {
    ...session,
    readOnly,
    obstacle,
    deleted,
    title,
    mode,
    hasOlder,
    todos: snapshot.todos ?? session.todos,
    todosTurn: session.todosTurn || (beginsWithin(session) ? session.turn : 0),
    plan: snapshot.plan === undefined ? session.plan : snapshot.plan,
    tasks: snapshot.tasks ?? [],
    // What the host says counts; what it does not say is as the records say.
    pending: (snapshot.pending ?? session.pending).map(message => {
      const known = session.pending.find(({ pendingId }) => pendingId === message.pendingId);
      return { ...message, held: snapshot.held?.includes(message.pendingId) ?? known?.held ?? false };
    }),
    pins: snapshot.pins ?? session.pins,
    compactionHeld: snapshot.compactionHeld ?? session.compactionHeld,
    rewound: snapshot.rewound ?? null,
    forks: snapshot.forks ?? [],
    context: snapshot.context ?? session.context,
    review: snapshot.review ?? [],
    run: snapshot.state,
    openChanges: isSame ? state.session.openChanges : [],
    // What the host said holds until it is asked anew, and it is only where there are edits or undos that it had not heard of.
    turnFiles: isSame ? state.session.turnFiles : {},
    counters: { ...session.counters, startedAt },
  };
  for (const event of snapshot.live) session = applyEvent(session, event, now);
  if (!running) session = { ...session, chunks: closeOpenCalls(session.chunks), questions: [] };
  const { surroundings, missing, waiting = [] } = snapshot;
  const notice = missingNotice(missing) ?? (isSame ? state.notice : null);
  return { ...state, phase: "open", problem: null, gap: false, session, surroundings, waiting, notice };
}

/** The message that opened the newest turn is not loaded: what is not known to be older may be of this turn. */
const beginsWithin = ({ chunks, turn }: SessionView): boolean =>
  !chunks.some(({ items }) => items.some(item => item.kind === "user" && item.turn === turn && !item.steer));

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

/** Older records become items in front; what was known of a call whose message was not loaded moves to its place. */
function prependOlder(session: SessionView, records: readonly LogRecord[], hasOlder: boolean): SessionView {
  const before = session.firstSeq ?? Number.POSITIVE_INFINITY;
  const unseen = records.filter(record => record.seq < before);
  const first = unseen[0];
  // Two asked at once, and the other answer was quicker.
  if (first === undefined) return records.length > 0 ? session : { ...session, hasOlder: false };
  let older: SessionView = emptySession;
  for (const record of unseen) older = applyRecord(older, record);
  const tools = session.chunks.flatMap(chunk => chunk.items.filter((item: ConversationItem) => item.kind === "tool"));
  const closed = closeOpenCalls(older.chunks);
  /** calls of which only the end is loaded, by what there is of them in front */
  const orphans = new Map(tools.filter(tool => tool.input === null).map(tool => [find(closed, tool.key), tool]));
  const adopted = new Set<ConversationItem>();
  const known = new Map(session.compactions.map(compaction => [compaction.key, compaction]));
  const filled = mapItems(closed, item => {
    if (item.kind === "compaction") return known.get(item.key) ?? item;
    const orphan = orphans.get(item);
    if (item.kind !== "tool" || orphan === undefined) return item;
    adopted.add(orphan);
    return {
      ...orphan,
      input: item.input,
      approval: orphan.approval ?? item.approval,
      question: orphan.question ?? item.question,
    };
  });
  const rest = mapItems(session.chunks, item => (adopted.has(item) ? null : item));
  return {
    ...session,
    chunks: prepend(filled, rest),
    compactions: [...older.compactions.filter(({ key }) => !known.has(key)), ...session.compactions],
    undone: { ...older.undone, ...session.undone },
    turn: Math.max(older.turn, session.turn),
    lastPrompt: session.lastPrompt ?? older.lastPrompt,
    // What is newer counts, as far as it says anything.
    lastEnd: has(session, isSaid) ? session.lastEnd : older.lastEnd,
    openPlan: has(session, ({ kind }) => kind === "plan") ? session.openPlan : (session.openPlan ?? older.openPlan),
    ...joinChanges(older, session),
    hasOlder,
    firstSeq: first.seq,
  };
}

const has = ({ chunks }: SessionView, is: (item: ConversationItem) => boolean) =>
  chunks.some(({ items }) => items.some(is));

/** Of a call without its input the message is among what is older. */
const isSaid = (item: ConversationItem) =>
  item.kind === "tool" ? item.input !== null : ["user", "answer", "end"].includes(item.kind);
