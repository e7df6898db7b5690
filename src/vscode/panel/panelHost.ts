/**
 * The extension host's side of the panel (shared/panelProtocol): connections, what they are sent by themselves, and what
 * waits until one is there. A connection is whatever speaks the protocol: the webview, or a test.
 */
import { opensTurn } from "../../core/history/branches";
import type { Clock, Logger } from "../../core/ports";
import { addJoined } from "../../core/session/events";
import type { Session } from "../../core/session/session";
import type { AgentEvent } from "../../shared/events";
import type { HostToPanel } from "../../shared/panelProtocol";
import type { PanelSnapshot, PanelSurroundings, ReviewFile } from "../../shared/panelSnapshot";
import type { RecordOf } from "../../shared/records";
import { dispatch, type PanelHandlers } from "./dispatch";
import { type PreparedSnapshot, prepareSnapshot, toPanelRecord, toPanelSnapshot } from "./panelSnapshot";
import type { Sessions } from "./sessions";

export interface PanelConnection {
  /** takes what the panel sent, unparsed */
  receive(message: unknown): void;
  dispose(): void;
}

interface PanelHostDeps {
  sessions: Sessions;
  surroundings(): Promise<PanelSurroundings>;
  /** @param open makes the snapshot with which this panel goes over to a session, and takes the other panels along */
  handlers(open: (session: Session) => Promise<PanelSnapshot>): PanelHandlers;
  logger: Logger;
  clock: Clock;
}

type ComposeMessage = Extract<HostToPanel, { type: "compose" }>;
type QueuedMessage = ComposeMessage | Extract<HostToPanel, { type: "showServers" }>;

interface PanelConnectionState {
  post(message: HostToPanel): void;
  batch: ReturnType<typeof createBatch>;
  /** the session that it shows; undefined: it has not asked yet */
  sessionId: string | undefined;
}

export class PanelHost {
  private readonly panels = new Set<PanelConnectionState>();
  /** for the next panel that opens */
  private waiting: QueuedMessage[] = [];
  /** the sessions that wait for an answer, as the panels know them */
  private asking = "";
  /** what waits for a review, as the panels know it */
  private reviewed: { sessionId: string; files: readonly ReviewFile[] } | undefined;
  private readonly unsubscribe: readonly (() => void)[];

  constructor(private readonly deps: PanelHostDeps) {
    const { sessions } = deps;
    this.unsubscribe = [
      sessions.subscribe((session, event) => this.onEvent(session, event)),
      sessions.subscribeToAll((_, { type }) => type === "state" && this.sendWaiting()),
    ];
  }

  connect(post: (message: HostToPanel) => void): PanelConnection {
    const batch = createBatch(
      events => {
        if (panel.sessionId !== undefined) post({ type: "events", sessionId: panel.sessionId, events });
      },
      (callback, ms) => this.deps.clock.after(ms, callback),
    );
    const panel: PanelConnectionState = { post, batch, sessionId: undefined };
    this.panels.add(panel);
    const handlers = this.deps.handlers(session => this.open(panel, session));
    return {
      receive: message => void this.answer(panel, handlers, message),
      dispose: () => {
        batch.clear();
        this.panels.delete(panel);
      },
    };
  }

  /** Puts text into the composer; where no panel is open yet, into that of the next one. */
  compose(text: string): void {
    this.postOrKeep({ type: "compose", op: "insert", text, focus: true });
  }

  /** Shows the view of MCP servers; where no panel is open yet, in the next one. */
  showServers(): void {
    this.postOrKeep({ type: "showServers" });
  }

  private postOrKeep(message: QueuedMessage): void {
    if (this.openPanels().length === 0) this.waiting.push(message);
    this.post(message);
  }

  /** Empties the composer where this is all that stands in it: it is somewhere else now. */
  takeFromComposer(text: string): void {
    this.post({ type: "compose", op: "remove", text, focus: false });
  }

  /** Files came or went. */
  sendFilesChanged(): void {
    this.post({ type: "filesChanged" });
  }

  sendMcpChanged(): void {
    this.post({ type: "mcpChanged" });
  }

  /** The person changed a proposal in the diff editor. */
  sendRevised(revised: Omit<Extract<HostToPanel, { type: "revised" }>, "type">): void {
    this.post({ type: "revised", ...revised });
  }

  /** What waits for a review in a session. */
  sendReview(sessionId: string, files: readonly ReviewFile[]): void {
    const before = this.reviewed;
    this.reviewed = { sessionId, files };
    if (before?.sessionId === sessionId && JSON.stringify(before.files) === JSON.stringify(files)) return;
    for (const panel of this.openPanels())
      if (panel.sessionId === sessionId) panel.post({ type: "review", sessionId, files: [...files] });
  }

  /** Model, trust or folders changed. */
  async sendSurroundings(): Promise<void> {
    if (this.openPanels().length === 0) return;
    this.post({ type: "surroundings", surroundings: await this.deps.surroundings() });
  }

  /** Every panel starts over with a session: another one is shown, or this one changed as a whole. */
  async sendSnapshot(session: Session): Promise<void> {
    const prepared = await this.prepare(session);
    this.startOver(this.openPanels(), prepared);
  }

  dispose(): void {
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    for (const panel of this.panels) panel.batch.clear();
    this.panels.clear();
  }

  private sendWaiting(): void {
    const { waiting } = this.deps.sessions;
    if (waiting.join() === this.asking) return;
    this.asking = waiting.join();
    this.post({ type: "waiting", sessionIds: waiting });
  }

  private openPanels(): PanelConnectionState[] {
    return [...this.panels].filter(panel => panel.sessionId !== undefined);
  }

  private post(message: HostToPanel): void {
    for (const panel of this.openPanels()) panel.post(message);
  }

  private async answer(panel: PanelConnectionState, handlers: PanelHandlers, message: unknown): Promise<void> {
    const reply = await dispatch(message, handlers, this.deps.logger);
    if (!reply || !this.panels.has(panel)) return;
    panel.post(reply);
    if (panel.sessionId !== undefined) for (const message of this.waiting.splice(0)) panel.post(message);
  }

  private async open(panel: PanelConnectionState, opened: Session): Promise<PanelSnapshot> {
    const prepared = await this.prepare(opened);
    const others = this.openPanels().filter(other => other !== panel && other.sessionId !== prepared.session.id);
    this.startOver(others, prepared);
    return this.turnTo(panel, prepared);
  }

  /** Another session may be opened while something is waited for: panels show the one that the host works on. */
  private async prepare(opened: Session): Promise<PreparedSnapshot> {
    const { sessions, surroundings, logger } = this.deps;
    const shown = () => sessions.current ?? opened;
    const around = await surroundings();
    for (;;) {
      const session = shown();
      const prepared = await prepareSnapshot(session, around, logger);
      if (session === shown()) return prepared;
    }
  }

  private startOver(panels: readonly PanelConnectionState[], prepared: PreparedSnapshot): void {
    for (const panel of panels) panel.post({ type: "snapshot", snapshot: this.turnTo(panel, prepared) });
  }

  /** What is batched is in the snapshot already; what comes after it goes out after it. */
  private turnTo(panel: PanelConnectionState, prepared: PreparedSnapshot): PanelSnapshot {
    panel.batch.clear();
    panel.sessionId = prepared.session.id;
    const { waiting } = this.deps.sessions;
    const { sessionId, files = [] } = this.reviewed ?? {};
    const review = sessionId === panel.sessionId && files.length > 0 ? { review: [...files] } : {};
    return { ...toPanelSnapshot(prepared), ...(waiting.length > 0 ? { waiting } : {}), ...review };
  }

  private onEvent(session: Session, event: AgentEvent): void {
    const record = event.type === "record" ? event.record : undefined;
    const rewound = record?.kind === "rewind" && record.phase === "done" ? record : undefined;
    if (event.type === "session" || rewound) {
      if (rewound) this.takeBackWords(session, rewound);
      // The lock came or went, and with it records that another window wrote; or another branch is the conversation.
      this.sendSnapshot(session).catch(error =>
        this.deps.logger.log("error", "the panel could not be brought up to date", { error: String(error) }),
      );
      return;
    }
    const light: AgentEvent = event.type === "record" ? { ...event, record: toPanelRecord(event.record) } : event;
    for (const panel of this.panels) if (panel.sessionId === session.id) panel.batch.add(light);
    if (record && opensTurn(record)) this.sendForks(session);
  }

  /** The first message after a rewind makes a branch of it. */
  private sendForks({ id, rewind: { forks } }: Session): void {
    if (forks.length === 0) return;
    for (const panel of this.panels) if (panel.sessionId === id) panel.post({ type: "forks", sessionId: id, forks });
  }

  /** A rewind put the message into the composer, to be sent otherwise: with its undo it stands in the conversation again. */
  private takeBackWords({ history }: Session, { undoes, head, turn }: RecordOf<"rewind">): void {
    if (undoes === undefined || head === undefined) return;
    const said = history.records.filter(opensTurn).find(({ message }) => message.metadata.turn === turn);
    const texts = said?.message.parts.flatMap(part => (part.type === "text" && part.text !== "" ? part.text : []));
    if (texts) this.takeFromComposer(texts.join("\n\n"));
  }
}

/** ms: a frame at 60 Hz */
const FRAME_MS = 16;
/** characters of a tool's live output in one frame; a card shows the newest only */
const MAX_OUTPUT = 20_000;

/**
 * Events on their way to the panel: one message a frame, the deltas of a frame joined.
 * @param later calls back once after so many ms, and gives back what cancels it
 */
export function createBatch(
  send: (events: AgentEvent[]) => void,
  later: (callback: () => void, ms: number) => () => void,
) {
  let events: AgentEvent[] = [];
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel = undefined;
    send(events.splice(0));
  };
  return {
    add(event: AgentEvent): void {
      addJoined(events, event, MAX_OUTPUT);
      cancel ??= later(flush, FRAME_MS);
    },
    /** Forgets what waits: a snapshot holds it. */
    clear(): void {
      events = [];
      cancel?.();
      cancel = undefined;
    },
  };
}
