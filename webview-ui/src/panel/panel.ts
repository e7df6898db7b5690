/** What the components can do: mostly requests to the host, whose refusals become notices. */
import { noCompactionTo } from "../../../src/shared/compactionLine";
import { errorMessage } from "../../../src/shared/errorMessage";
import type { MentionState } from "../../../src/shared/mentions/panelProtocol";
import type { PanelMethod, PanelParams, PanelResult, PanelSnapshot } from "../../../src/shared/panelProtocol";
import type { Host, HostMessage } from "../bridge/host";
import { undoable } from "../store/compactions";
import type { PanelState } from "../store/state";
import { createListeners, type Store } from "../store/store";

/** Text that the host puts into the composer. */
export type Compose = Extract<HostMessage, { type: "compose" }>;

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

export interface Panel {
  readonly store: Store;
  readonly memory: Memory;
  /** A request to the host. undefined: refused, a notice says why */
  ask<M extends PanelMethod>(method: M, params: PanelParams<M>): Promise<PanelResult<M> | undefined>;
  /** Opens what the host has open: a snapshot, or a state that says why not. */
  open(): Promise<void>;
  newSession(): Promise<void>;
  openSession(id: string): Promise<void>;
  /** Waits until the session is open. false: it was not taken, the text is still the caller's */
  submit(text: string, delivery: "steer" | "queue"): Promise<boolean>;
  /** Compacts history; events tell how it goes on. false: refused */
  compact(guidance?: string): Promise<boolean>;
  /** What can be undone or redone now; where nothing can, a notice says so. false: refused, or not known */
  takeBack(way: "undo" | "redo"): Promise<boolean>;
  /** Fetches records from before those that are loaded. */
  older(): Promise<void>;
  /** The whole shown text of a result. Rejects with what to say in its place. */
  details(callId: string): Promise<string>;
  /** Asks the host how full the context is now, and what it is made of. */
  refreshContext(): Promise<void>;
  /** Asks the host what the turn made of its files. */
  refreshChanges(turn: number): Promise<void>;
  openFile(path: string, line?: number): void;
  act(action: PanelParams<"action">["action"]): void;
  say(notice: string | null): void;
  /** Puts text into the composer, at the cursor. */
  compose(text: string): void;
  /** What a mention may become, of which this was typed. undefined: refused, a notice says why */
  completeMention(query: string): Promise<PanelResult<"completeMention"> | undefined>;
  /** What mentions name, in their order; undefined: it could not be found out */
  mentionStates(mentions: readonly string[]): Promise<readonly MentionState[] | undefined>;
  /** Paths and URIs as mentions, in their order; null: nothing of the workspace. undefined: refused, a notice says why */
  mentionPlaces(places: readonly string[]): Promise<readonly (string | null)[] | undefined>;
  /** Files came or went. Gives back what ends it. */
  onFilesChanged(listener: () => void): () => void;
  /** Gives back what ends it. */
  onCompose(listener: (compose: Compose) => void): () => void;
}

/** @param clock ms since the epoch */
export function createPanel(host: Host, store: Store, memory: Memory, clock: () => number): Panel {
  const composed = createListeners<Compose>();
  const filesChanged = createListeners<void>();
  const say = (text: string | null) => store.dispatch({ type: "notice", text });
  const show = (snapshot: PanelSnapshot) => store.dispatch({ type: "snapshot", snapshot, now: clock() });
  const ask: Panel["ask"] = (method, params) =>
    host.request(method, params).catch((error: unknown) => void say(errorMessage(error)));

  async function askThen<M extends PanelMethod>(
    method: M,
    params: PanelParams<M>,
    use: (answer: PanelResult<M>) => void,
  ): Promise<void> {
    const answer = await ask(method, params);
    if (answer !== undefined) use(answer);
  }

  let opening = Promise.resolve();
  const open = () => {
    const fail = (error: unknown) => store.dispatch({ type: "failed", problem: errorMessage(error) });
    opening = host.request("open", {}).then(show).catch(fail);
    return opening;
  };

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
    ask,
    open() {
      store.dispatch({ type: "loading" });
      return open();
    },
    submit: async (text, delivery) => (await whenOpen()) && (await ask("submit", { text, delivery })) !== undefined,
    compact: async guidance => (await whenOpen()) && (await ask("compact", guidance ? { guidance } : {})) !== undefined,
    async takeBack(way) {
      if (!(await whenOpen())) return false;
      const { session } = store.get();
      const compactionId = undoable(session)[way];
      if (compactionId !== null) return (await ask(`${way}Compaction`, { compactionId })) !== undefined;
      say(session.hasOlder ? NOT_LOADED : noCompactionTo(way));
      return !session.hasOlder;
    },
    newSession: () => askThen("newSession", {}, show),
    openSession: id => askThen("openSession", { id }, show),
    async older() {
      const { sessionId, firstSeq, hasOlder } = store.get().session;
      if (!hasOlder || firstSeq === null) return;
      await askThen("older", { before: firstSeq }, answer => store.dispatch({ type: "older", sessionId, ...answer }));
    },
    details: async callId => (await host.request("details", { callId })).text,
    refreshContext() {
      const { sessionId } = store.get().session;
      return askThen("contextUse", {}, context => store.dispatch({ type: "context", sessionId, context }));
    },
    refreshChanges(turn) {
      const { sessionId } = store.get().session;
      return askThen("turnChanges", { turn }, told => store.dispatch({ type: "turnFiles", sessionId, turn, told }));
    },
    ...mentionRequests(ask, host),
    onFilesChanged: filesChanged.on,
    openFile: (path, line) => void ask("openFile", line === undefined ? { path } : { path, line }),
    act: action => void ask("action", { action }),
    say,
    compose: text => composed.tell({ type: "compose", op: "insert", text, focus: true }),
    onCompose: composed.on,
  };
}

type MentionRequests = Pick<Panel, "completeMention" | "mentionStates" | "mentionPlaces">;

function mentionRequests(ask: Panel["ask"], host: Host): MentionRequests {
  return {
    completeMention: query => ask("completeMention", { query }),
    mentionStates: mentions =>
      host.request("mentionStates", { mentions: [...mentions] }).then(
        ({ states }) => states,
        // Chips without a state are still true; a notice while somebody types is not worth it.
        () => undefined,
      ),
    mentionPlaces: async places => (await ask("mentionPlaces", { places: [...places] }))?.mentions,
  };
}

const NOT_LOADED =
  "In what is loaded of this conversation there is no such compaction. Scroll up to what came earlier, then send this again.";

interface ListenDeps {
  host: Host;
  store: Store;
  clock(): number;
  open(): Promise<void>;
  compose(compose: Compose): void;
  filesChanged(): void;
}

/** What the host sends by itself goes to the store, or into the composer. Records that were missed are fetched by opening again. */
function listen({ host, store, clock, open, compose, filesChanged }: ListenDeps): void {
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
    surroundings: store.dispatch,
    compose,
    filesChanged,
  };
  host.onMessage(message => (handlers[message.type] as (message: HostMessage) => void)(message));
  host.onBroken(problem => store.dispatch({ type: "notice", text: problem }));
}

/**
 * What a turn was about that ended with history starting afresh: the model has no word of it any more, so its text is given
 * back to be sent again.
 */
function textToRestore(
  { session }: PanelState,
  { sessionId, events }: Extract<HostMessage, { type: "events" }>,
): string | undefined {
  if (sessionId !== session.sessionId) return undefined;
  const ends = events.flatMap(event =>
    event.type === "record" && event.record.kind === "turnEnd" ? event.record : [],
  );
  const end = ends.find(({ error }) => error?.code === "context-reset");
  const items = end ? session.chunks.flatMap(chunk => chunk.items) : [];
  return items.filter(item => item.kind === "user").find(({ turn, steer }) => turn === end?.turn && !steer)?.text;
}
