/**
 * The extension host's side of the panel (shared/panelProtocol): connections, what they are sent by themselves, and what
 * waits until one is there. A connection speaks the protocol: the webview's, or a test's.
 */

import { addJoined } from "../../../core/agent/session/events";
import type { Session } from "../../../core/agent/session/session";
import type { Clock, Logger } from "../../../core/ground/ports";
import { opensTurn } from "../../../core/log/branches";
import { defined } from "../../../shared/defined";
import type { AgentEvent } from "../../../shared/events";
import type { HostToPanel, PanelSubview } from "../../../shared/panelProtocol";
import type { Draft, PanelSnapshot, PanelSurroundings, ReviewFile } from "../../../shared/panelSnapshot";
import type { RecordOf } from "../../../shared/records";
import type { SessionPage, Sessions, WindowPlace } from "../sessions/sessions";
import { dispatch, type PanelHandlers } from "./dispatch";
import type { PreparedSnapshot } from "./panelSnapshot";
import { newestRecords, readContextUse, toPanelRecord, toPanelSnapshot } from "./panelSnapshot";

export interface PanelConnection {
  /** takes what the panel sent, unparsed */
  receive(message: unknown): void;
  /** a person went there */
  activate(): void;
  dispose(): void;
}

interface PanelHostDeps {
  sessions: Sessions;
  surroundings(): Promise<PanelSurroundings>;
  handlers(at: PanelAt): PanelHandlers;
  /** what was typed for a session and not sent */
  draftOf(sessionId: string): Draft | undefined;
  keepDraft(sessionId: string, draft: Draft): void;
  logger: Logger;
  clock: Clock;
}

/** The panel that asks. */
export interface PanelAt {
  /** where it shows its session */
  place(): WindowPlace;
  /** Makes the snapshot with which this panel goes over to a session, and takes those of the same place along. */
  open(session: Session): Promise<PanelSnapshot>;
  /** This panel sent a text: other composers of the session that hold exactly it are emptied. */
  sent(sessionId: string, text: string): void;
  /** As the host's. */
  draftMoved(sessionId: string): void;
}

type ComposeMessage = Extract<HostToPanel, { type: "compose" }>;
type QueuedMessage = ComposeMessage | Extract<HostToPanel, { type: "show" | "find" | "reveal" }>;

interface PanelConnectionState {
  post(message: HostToPanel): void;
  batch: ReturnType<typeof createBatch>;
  /** the session that it shows; undefined: it has not asked yet */
  sessionId: string | undefined;
  place(): WindowPlace;
  /** A page about the session shows no conversation, so it has no composer and nothing to scroll. */
  hasComposer: boolean;
  tellTitle(title: string): void;
}

export class PanelHost {
  private readonly panels = new Set<PanelConnectionState>();
  /** how often the surroundings changed */
  private changes = 0;
  /** for the next panel that opens */
  private waiting: QueuedMessage[] = [];
  /** the sessions that wait for an answer, as the panels know them */
  private asking = "";
  /** ends the wait for more changes of the list of sessions */
  private listing: (() => void) | undefined;
  /** what waits for a review, as the panels know it, by session */
  private readonly reviewed = new Map<string, readonly ReviewFile[]>();
  private readonly subscriptions: readonly { dispose(): void }[];

  constructor(private readonly deps: PanelHostDeps) {
    const { sessions } = deps;
    this.subscriptions = [
      sessions.subscribeToAll((session, event) => this.onEvent(session, event)),
      sessions.subscribeToAll((_, { type }) => type === "state" && this.sendWaiting()),
      sessions.subscribe(session => this.followActive(session)),
    ];
  }

  /** @param shows a page with a session of its own; "active": one about the session that a person is at; absent: the side bar */
  connect(post: (message: HostToPanel) => void, shows: Partial<SessionPage> | "active" = {}): PanelConnection {
    const { sessions, clock } = this.deps;
    const page = shows === "active" ? {} : shows;
    const own = page.tab && page.last && sessions.addPlace(page.last, page.tab);
    const place = () => own ?? (shows === "active" ? sessions.active : sessions.side);
    const batch = createBatch(
      events => {
        if (panel.sessionId !== undefined) post({ type: "events", sessionId: panel.sessionId, events });
      },
      (callback, ms) => clock.after(ms, callback),
    );
    const tellTitle = (title: string) => page.onTitle?.(title);
    const hasComposer = shows !== "active";
    const panel: PanelConnectionState = { post, batch, sessionId: undefined, place, hasComposer, tellTitle };
    this.panels.add(panel);
    const handlers = this.deps.handlers({
      place,
      open: session => this.open(panel, session),
      sent: (id, text) => this.emptyComposers(id, text, panel),
      draftMoved: id => this.draftMoved(id),
    });
    return {
      receive: message => void this.answer(panel, handlers, message),
      activate: () => sessions.activate(place()),
      dispose: () => {
        batch.clear();
        this.panels.delete(panel);
        if (own) sessions.removePlace(own);
      },
    };
  }

  /** Puts what a command names into the composer; where no panel is open yet, into that of the next one. */
  compose(text: string): void {
    this.postOrKeep({ type: "compose", op: "mention", text, focus: true });
  }

  /** Shows something in the conversation's place; where no panel is open yet, in the next one. */
  show(view: PanelSubview): void {
    this.postOrKeep({ type: "show", view });
  }

  /** Opens the find bar, where the person is. */
  find(): void {
    this.postOrKeep({ type: "find" });
  }

  /** Scrolls to an item of the conversation, where the person is. @param seq number of its record */
  async reveal(key: string, seq: number): Promise<void> {
    this.postOrKeep({ type: "reveal", key, seq });
    await this.deps.sessions.active.reveal();
  }

  private postOrKeep(message: QueuedMessage): void {
    const panels = this.activePanels();
    if (panels.length === 0) this.waiting.push(message);
    for (const panel of panels) panel.post(message);
  }

  private activePanels(): PanelConnectionState[] {
    return this.openPanels().filter(panel => this.isActive(panel));
  }

  private isActive({ place, hasComposer }: PanelConnectionState): boolean {
    return hasComposer && place() === this.deps.sessions.active;
  }

  /** Empties the composer where it holds this text alone: that is somewhere else now. */
  takeFromComposer(text: string, panels = this.activePanels()): void {
    for (const panel of panels) panel.post({ type: "compose", op: "remove", text, focus: false });
  }

  /** A place that comes up has the text typed for a session now. */
  draftMoved(id: string): void {
    this.emptyComposers(id, this.deps.draftOf(id)?.draft);
  }

  /** Of one session there may be several composers. @param but keeps its text */
  private emptyComposers(id: string, text: string | undefined, but?: PanelConnectionState): void {
    if (!text) return;
    for (const panel of this.openPanels())
      if (panel !== but && panel.hasComposer && panel.sessionId === id)
        panel.post({ type: "compose", op: "moved", text, focus: false });
  }

  /** What the list of sessions shows is not so any more: said once for all that changes about now. */
  sendSessionsChanged(): void {
    this.listing ??= this.deps.clock.after(LISTING_MS, () => {
      this.listing = undefined;
      this.post({ type: "sessionsChanged" });
    });
  }

  /** What waits for a review in a session. */
  sendReview(sessionId: string, files: readonly ReviewFile[]): void {
    const before = this.reviewed.get(sessionId);
    for (const id of this.reviewed.keys()) if (!this.deps.sessions.placeOf(id)) this.reviewed.delete(id);
    this.reviewed.set(sessionId, files);
    if (before && JSON.stringify(before) === JSON.stringify(files)) return;
    this.postAbout(sessionId, { type: "review", sessionId, files: [...files] });
  }

  /** Model, trust or folders changed. */
  async sendSurroundings(): Promise<void> {
    this.changes += 1;
    const change = this.changes;
    if (this.openPanels().length === 0) return;
    const surroundings = await this.surroundingsNow();
    // Of two changes at once the later one tells.
    if (change === this.changes) this.post({ type: "surroundings", surroundings });
  }

  /** As they are now: where they changed meanwhile, they are read again. */
  private async surroundingsNow(): Promise<PanelSurroundings> {
    for (;;) {
      const seen = this.changes;
      const surroundings = await this.deps.surroundings();
      if (seen === this.changes) return surroundings;
    }
  }

  /** Every panel that shows it starts over: it changed as a whole, or is shown in a place that showed another one. */
  async sendSnapshot(session: Session): Promise<void> {
    const panels = this.openPanels().filter(panel => panel.place().session?.id === session.id);
    for (const [place, those] of Map.groupBy(panels, panel => panel.place()))
      this.startOver(those, await this.prepare(session, place));
  }

  dispose(): void {
    this.listing?.();
    for (const each of this.subscriptions) each.dispose();
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

  /** To every panel that is open. */
  post(message: HostToPanel): void {
    for (const panel of this.openPanels()) panel.post(message);
  }

  private postAbout(sessionId: string, message: HostToPanel): void {
    for (const panel of this.panels) if (panel.sessionId === sessionId) panel.post(message);
  }

  private async answer(panel: PanelConnectionState, handlers: PanelHandlers, message: unknown): Promise<void> {
    const reply = await dispatch(message, handlers, this.deps.logger);
    if (!reply || !this.panels.has(panel)) return;
    panel.post(reply);
    if (panel.sessionId === undefined || !this.isActive(panel)) return;
    for (const message of this.waiting.splice(0)) panel.post(message);
  }

  private async open(panel: PanelConnectionState, opened: Session): Promise<PanelSnapshot> {
    const place = panel.place();
    const prepared = await this.prepare(opened, place);
    const others = this.openPanels().filter(
      other => other !== panel && other.place() === place && other.sessionId !== prepared.session.id,
    );
    this.startOver(others, prepared);
    return this.turnTo(panel, prepared);
  }

  /** Pages about the session that a person is at go along. */
  private followActive(session: Session): void {
    const { active } = this.deps.sessions;
    const late = this.openPanels().filter(({ place, sessionId }) => place() === active && sessionId !== session.id);
    if (late.length > 0) this.sendSnapshot(session).catch(this.failed);
  }

  /** Another session may be opened there while something is waited for: panels show the one that the host works on. */
  private async prepare(opened: Session, place: WindowPlace): Promise<PreparedSnapshot> {
    const shown = () => place.session ?? opened;
    const surroundings = await this.surroundingsNow();
    for (;;) {
      const session = shown();
      const window = await newestRecords(session.history);
      if (session === shown()) return { session, surroundings, window };
    }
  }

  private startOver(panels: readonly PanelConnectionState[], prepared: PreparedSnapshot): void {
    for (const panel of panels) panel.post({ type: "snapshot", snapshot: this.turnTo(panel, prepared) });
  }

  /** What is batched is in the snapshot already; what comes after it goes out after it. */
  private turnTo(panel: PanelConnectionState, prepared: PreparedSnapshot): PanelSnapshot {
    panel.batch.clear();
    const { id } = prepared.session;
    panel.sessionId = id;
    panel.tellTitle(prepared.session.history.conversation.title);
    this.deps.clock.after(COUNTING_MS, () => void this.tellContext(panel, prepared.session));
    const { waiting } = this.deps.sessions;
    const files = this.reviewed.get(id) ?? [];
    return {
      ...toPanelSnapshot(prepared),
      ...(waiting.length > 0 ? { waiting } : {}),
      ...(files.length > 0 ? { review: [...files] } : {}),
      ...defined({ draft: this.deps.draftOf(id) }),
    };
  }

  private async tellContext(panel: PanelConnectionState, session: Session): Promise<void> {
    // Closed or turned to another session meanwhile: nothing is counted for it.
    const isShown = () => this.panels.has(panel) && panel.sessionId === session.id;
    const use = isShown() ? await readContextUse(session, this.deps.logger) : undefined;
    if (use && isShown()) panel.post({ type: "counted", sessionId: session.id, use });
  }

  private onEvent(session: Session, event: AgentEvent): void {
    const record = event.type === "record" ? event.record : undefined;
    const isListed = record ? record.kind === "title" || opensTurn(record) : /^(state|task)$/.test(event.type);
    if (isListed) this.sendSessionsChanged();
    const rewound = record?.kind === "rewind" && record.phase === "done" ? record : undefined;
    if (event.type === "session" || rewound) {
      if (rewound) this.takeBackWords(session, rewound);
      // The lock came or went, and with it records that another window wrote; or another branch is the conversation.
      this.sendSnapshot(session).catch(this.failed);
      return;
    }
    const light: AgentEvent = event.type === "record" ? { ...event, record: toPanelRecord(event.record) } : event;
    const { title } = session.history.conversation;
    for (const panel of this.panels) {
      if (panel.sessionId !== session.id) continue;
      panel.batch.add(light);
      if (record) panel.tellTitle(title);
    }
    if (record && opensTurn(record)) this.sendForks(session);
  }

  private readonly failed = (error: unknown) =>
    this.deps.logger.log("error", "the panel could not be brought up to date", { error: String(error) });

  /** The first message after a rewind makes a branch. */
  private sendForks({ id, rewind: { forks } }: Session): void {
    if (forks.length > 0) this.postAbout(id, { type: "forks", sessionId: id, forks });
  }

  /** A rewind put the message into the composer, to be sent otherwise: with its undo it is in the conversation again. */
  private takeBackWords({ id, history }: Session, { undoes, head, turn }: RecordOf<"rewind">): void {
    if (undoes === undefined || head === undefined) return;
    const said = history.records.filter(opensTurn).find(({ message }) => message.metadata.turn === turn);
    const texts = said?.message.parts.flatMap(part => (part.type === "text" && part.text !== "" ? part.text : []));
    const panels = this.openPanels().filter(({ sessionId, hasComposer }) => sessionId === id && hasComposer);
    if (texts) this.takeFromComposer(texts.join("\n\n"), panels);
  }
}

/** ms in which changes of the list of sessions are one */
const LISTING_MS = 300;

/** ms behind a snapshot: a long conversation takes a while to count, and is read meanwhile */
const COUNTING_MS = 50;

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
