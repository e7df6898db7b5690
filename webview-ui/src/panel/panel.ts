/** What the components can do: each of it is a request to the host, and a refusal becomes a notice. */
import type { PanelMethod, PanelParams, PanelResult, SessionSummary } from "../../../src/shared/panelProtocol";
import type { ApprovalAnswer } from "../../../src/shared/records";
import type { PermissionMode } from "../../../src/shared/settings";
import type { Host, HostMessage } from "../bridge/host";
import type { PanelState } from "../store/state";
import type { Store } from "../store/store";
import {
  type ChangeActions,
  type ContextActions,
  changeActions,
  contextActions,
  type TaskActions,
  taskActions,
} from "./actions";
import { type MentionActions, mentionActions } from "./mentionActions";

export type HostAction = PanelParams<"action">["action"];

/** What a reload of the panel keeps. */
export interface Kept {
  /** what stands in the composer */
  draft: string;
  /** messages on their way to the host, oldest first: not taken yet */
  inFlight: readonly string[];
}

export interface Memory {
  load(): Kept;
  save(kept: Kept): void;
}

export interface Panel extends ContextActions, ChangeActions, TaskActions, MentionActions {
  readonly store: Store;
  readonly memory: Memory;
  /** Opens what the host has open: a snapshot, or a state that says why not. */
  open(): Promise<void>;
  /** Waits until the session is open. false: it was not taken, the text is still the caller's */
  submit(text: string, delivery: "steer" | "queue"): Promise<boolean>;
  stop(): void;
  resume(): void;
  answer(approvalId: string, answer: Pick<ApprovalAnswer, "decision" | "scope" | "words" | "unsaved">): void;
  editPending(pendingId: string, text: string): Promise<boolean>;
  removePending(pendingId: string): void;
  /** Sends a held message now. */
  sendPending(pendingId: string): void;
  setMode(mode: PermissionMode): void;
  newSession(): Promise<void>;
  openSession(id: string): Promise<void>;
  /** undefined: refused, a notice says why */
  sessions(): Promise<SessionSummary[] | undefined>;
  older(): Promise<void>;
  /** The whole shown text of a result. Rejects with what to say in its place. */
  details(callId: string): Promise<string>;
  openFile(path: string, line?: number): void;
  /** A proposed edit in the diff editor, to be changed there. */
  openProposal(approvalId: string): void;
  /** A recorded output, whole, in the editor. */
  openHandle(handle: string): void;
  /** What went out for an attachment of a message, in the editor. */
  openAttachment(messageId: string): void;
  act(action: HostAction): void;
  say(notice: string | null): void;
  /** The person has seen how a compaction ended. */
  progressSeen(): void;
  /** Puts text into the composer, at the cursor. */
  compose(text: string): void;
  /** Text that the host puts into the composer. Gives back what ends it. */
  onCompose(listener: (compose: Compose) => void): () => void;
}

/** @param clock ms since the epoch */
export function createPanel(host: Host, store: Store, memory: Memory, clock: () => number): Panel {
  const composed = listeners<Compose>();
  const filesChanged = listeners<void>();
  const say = (text: string | null) => store.dispatch({ type: "notice", text });

  async function ask<M extends PanelMethod>(method: M, params: PanelParams<M>): Promise<PanelResult<M> | undefined> {
    try {
      return await host.request(method, params);
    } catch (error) {
      say(messageOf(error));
      return undefined;
    }
  }

  async function show(method: "newSession" | "openSession", params: PanelParams<"openSession"> | object) {
    const snapshot = await ask(method, params as PanelParams<"openSession">);
    if (snapshot !== undefined) store.dispatch({ type: "snapshot", snapshot, now: clock() });
  }

  let opening = Promise.resolve();
  const open = () => {
    opening = fetchSnapshot(host, store, clock);
    return opening;
  };

  async function older() {
    const { sessionId, firstSeq, hasOlder } = store.get().session;
    if (!hasOlder || firstSeq === null) return;
    const answer = await ask("older", { before: firstSeq });
    if (answer !== undefined) store.dispatch({ type: "older", sessionId, ...answer });
  }

  /** false: the session could not be opened, or can only be read */
  async function whenOpen(): Promise<boolean> {
    await opening;
    const { phase, session } = store.get();
    return phase === "open" && !session.readOnly;
  }

  listen({ host, store, clock, open, compose: composed.tell, filesChanged: filesChanged.tell });
  return {
    store,
    memory,
    open() {
      store.dispatch({ type: "loading" });
      return open();
    },
    submit: async (text, delivery) => (await whenOpen()) && (await ask("submit", { text, delivery })) !== undefined,
    ...contextActions(ask, whenOpen, store, say),
    ...taskActions(ask),
    ...changeActions(ask, store),
    ...mentionActions(ask, host, filesChanged.on),
    stop: () => void ask("stop", {}),
    resume: () => void ask("resume", {}),
    answer: (approvalId, answer) => void ask("answer", { approvalId, ...answer }),
    editPending: async (pendingId, text) => (await ask("editPending", { pendingId, text })) !== undefined,
    removePending: pendingId => void ask("removePending", { pendingId }),
    sendPending: pendingId => void ask("sendPending", { pendingId }),
    setMode: mode => void ask("setMode", { mode }),
    newSession: () => show("newSession", {}),
    openSession: id => show("openSession", { id }),
    sessions: async () => (await ask("sessions", {}))?.sessions,
    older,
    details: async callId => (await host.request("details", { callId })).text,
    openFile: (path, line) => void ask("openFile", line === undefined ? { path } : { path, line }),
    openProposal: approvalId => void ask("openProposal", { approvalId }),
    openHandle: handle => void ask("openHandle", { handle }),
    openAttachment: messageId => void ask("openAttachment", { messageId }),
    act: action => void ask("action", { action }),
    say,
    progressSeen: () => store.dispatch({ type: "progressSeen" }),
    compose: text => composed.tell({ type: "compose", op: "insert", text, focus: true }),
    onCompose: composed.on,
  };
}

function listeners<T>() {
  const all = new Set<(told: T) => void>();
  return {
    tell(told: T) {
      for (const listener of all) listener(told);
    },
    on(listener: (told: T) => void): () => void {
      all.add(listener);
      return () => all.delete(listener);
    },
  };
}

async function fetchSnapshot(host: Host, store: Store, clock: () => number): Promise<void> {
  try {
    const snapshot = await host.request("open", {});
    store.dispatch({ type: "snapshot", snapshot, now: clock() });
  } catch (error) {
    store.dispatch({ type: "failed", problem: messageOf(error) });
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the host sends by itself: it goes to the store, or into the composer. */

export type Compose = Extract<HostMessage, { type: "compose" }>;

type Events = Extract<HostMessage, { type: "events" }>;

export interface ListenDeps {
  host: Host;
  store: Store;
  /** ms since the epoch */
  clock(): number;
  /** fetches a snapshot */
  open(): Promise<void>;
  compose(compose: Compose): void;
  filesChanged(): void;
}

/** Records that were missed are fetched by opening again. */
export function listen({ host, store, clock, open, compose, filesChanged }: ListenDeps): void {
  type Handlers = { [T in HostMessage["type"]]: (message: Extract<HostMessage, { type: T }>) => void };
  let reopening = false;
  const closeGap = async () => {
    if (reopening) return;
    reopening = true;
    await open();
    reopening = false;
  };
  const handlers: Handlers = {
    events(message) {
      store.dispatch({ ...message, now: clock() });
      if (store.get().gap) void closeGap();
      const text = textToRestore(store.get(), message);
      if (text !== undefined) compose({ type: "compose", op: "restore", text, focus: true });
    },
    snapshot: message => store.dispatch({ ...message, now: clock() }),
    surroundings: message => store.dispatch(message),
    compose,
    filesChanged,
  };
  host.onMessage(message => {
    const handle = handlers[message.type] as (message: HostMessage) => void;
    handle(message);
  });
  host.onBroken(problem => store.dispatch({ type: "notice", text: problem }));
}

/**
 * What a turn was about that ended with history starting afresh: the model has no word of it any more, so its text is given
 * back to be sent again.
 */
function textToRestore({ session }: PanelState, { sessionId, events }: Events): string | undefined {
  if (sessionId !== session.sessionId) return undefined;
  for (const event of events) {
    if (event.type !== "record" || event.record.kind !== "turnEnd") continue;
    const { turn, error } = event.record;
    if (error?.code !== "context-reset") continue;
    const messages = session.chunks.flatMap(chunk => chunk.items).filter(item => item.kind === "user");
    return messages.find(message => message.turn === turn && !message.steer)?.text;
  }
  return undefined;
}
