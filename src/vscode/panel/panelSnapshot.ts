/** What a panel opens on: the newest part of a session, and what the session knows beside it. */
import type { OlderRecords } from "../../core/history/findRecords";
import type { Logger } from "../../core/ports";
import type { Session } from "../../core/session/session";
import {
  type ContextUse,
  PANEL_PROTOCOL_VERSION,
  type PanelSnapshot,
  type PanelSurroundings,
} from "../../shared/panelProtocol";
import { sessionContextUse } from "./contextHandlers";
import { toPanelRecord } from "./panelRecord";
import { newestRecords } from "./recordWindow";

/** All that takes time; what comes while it is made is added by `snapshotOf`. */
export interface PreparedSnapshot {
  session: Session;
  surroundings: PanelSurroundings;
  window: OlderRecords;
  context: ContextUse | undefined;
}

/** Rejects with StorageError. */
export async function prepareSnapshot(
  session: Session,
  surroundings: PanelSurroundings,
  logger: Logger,
): Promise<PreparedSnapshot> {
  const [window, context] = await Promise.all([newestRecords(session.history), readContextUse(session, logger)]);
  return { session, surroundings, window, context };
}

/** Without a wait: events that come after it go on where it ends. */
export function toPanelSnapshot({ session, surroundings, window, context }: PreparedSnapshot): PanelSnapshot {
  const { history } = session;
  const { title, pending, todos, pins, compactionHeld } = history.conversation;
  const tasks = session.background.list();
  const edge = window.records.at(-1)?.seq ?? 0;
  const records = [...window.records, ...history.records.filter(record => record.seq > edge)];
  return {
    version: PANEL_PROTOCOL_VERSION,
    sessionId: session.id,
    readOnly: session.readOnly,
    title,
    mode: session.mode,
    state: session.state,
    records: records.map(toPanelRecord),
    hasOlder: window.hasOlder,
    ...(window.missing.length > 0 ? { missing: window.missing } : {}),
    held: pending.filter(message => message.held).map(message => message.pendingId),
    live: session.live(),
    surroundings,
    todos: [...todos],
    pending: pending.map(({ pendingId, delivery, text }) => ({ pendingId, delivery, text })),
    pins: [...pins],
    compactionHeld,
    ...(context ? { context } : {}),
    ...(tasks.length > 0 ? { tasks } : {}),
  };
}

/** undefined: nothing was said yet, or it cannot be known; then the panel shows none until a request leaves. */
async function readContextUse(session: Session, logger: Logger): Promise<ContextUse | undefined> {
  if (session.history.conversation.turn === 0) return undefined;
  try {
    return await sessionContextUse(session);
  } catch (error) {
    logger.log("warning", "how full the context is could not be told", { error: String(error) });
    return undefined;
  }
}
