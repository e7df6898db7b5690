/**
 * Which sessions this window shows: one in the side bar, and one in each tab of its own. A session that is left while it runs
 * goes on in the background and gives its lock back when its turn and its background tasks have ended. A child's conversation is
 * opened from its caller's, which stays open for it.
 */

import { type AgentPorts, createSession, openSession } from "../../../core/agent/session/openSession";
import type { Session } from "../../../core/agent/session/session";
import { SessionError, StorageError } from "../../../core/ground/ports";
import { oneLine } from "../../../core/ground/text/format";
import { NewerLogError, NotALogError } from "../../../core/log/codec";
import { SerialQueue } from "../../../shared/async";
import { defined } from "../../../shared/defined";
import type { AgentEvent } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import type { SessionSummary } from "../../../shared/sessionsProtocol";
import { titleFrom } from "../../../shared/title";
import { logged } from "../../platform/async";

type Listener = (session: Session, event: AgentEvent) => unknown;

/** Remembers across reloads which session was shown. */
export interface ShownMemory {
  get(): string | undefined;
  set(id: string): void;
}

interface PlaceSigns {
  /** Brings it to the front. */
  reveal(): Promise<void>;
  /** a person can see it */
  inSight(): boolean;
}

/** The side bar, or a tab: where one session at a time is shown. Two may show the same one. */
export interface WindowPlace extends PlaceSigns {
  /** undefined: none was opened yet */
  readonly session: Session | undefined;
}

/** A page that shows a session: which one, and what it is told of it. */
export interface SessionPage {
  /** the one to begin with, and where it is remembered */
  last: ShownMemory;
  /** of a tab; absent: the side bar, whose place is there anyway */
  tab?: PlaceSigns;
  /** what the session that it shows is called now; "": it has no name yet */
  onTitle?(title: string): void;
}

/** What becomes of what was typed for a session, when that goes from a place or comes to it. */
export interface DraftKeeper {
  /** An empty session was left: it is gone, and what was typed for it goes to the next new one. */
  left(id: string): void;
  /** Where that was left; what pictures it has are in the files there. */
  readonly waiting: string | undefined;
  /** @param instead of which it was made, where that is lost */
  begun(id: string, instead?: string): void;
}

interface PlaceState extends WindowPlace {
  session: Session | undefined;
  readonly last: ShownMemory;
}

interface SessionsDeps {
  last: ShownMemory;
  side: PlaceSigns;
  drafts: DraftKeeper;
  /** A person went to another place. */
  onPlace?(inTab: boolean): void;
  /** The session shown before cannot be opened any more; `why` is for the user. */
  onLost(why: string): void;
}

export class Sessions {
  readonly side: WindowPlace;
  private readonly places = new Set<PlaceState>();
  private focused: PlaceState;
  /** every session that is open here: those that are shown, and those in which something still runs */
  private readonly open = new Map<string, { session: Session; unsubscribe: () => void }>();
  private readonly listeners = new Set<Listener>();
  /** Opening, creating and closing happen one after the other. */
  private readonly queue = new SerialQueue();

  constructor(
    private readonly ports: AgentPorts,
    private readonly deps: SessionsDeps,
  ) {
    this.focused = { ...deps.side, session: undefined, last: deps.last };
    this.side = this.focused;
    this.places.add(this.focused);
  }

  /** Hears every event of the session that a person is at. */
  subscribe(listener: Listener) {
    return this.subscribeToAll((session, event) => session === this.current && listener(session, event));
  }

  /** Hears every event of every session that is open here, and of a change of those shown by their state. */
  subscribeToAll(listener: Listener) {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** ids of those that wait for an answer */
  get waiting(): string[] {
    // What a child asks its caller asks.
    return this.all.flatMap(({ id, state, caller }) => (state === "asking" && !caller ? id : []));
  }

  /** where a person is, or was last: commands are about its session */
  get active(): WindowPlace {
    return this.focused;
  }

  /** the session of the place that is active; undefined: none was opened yet */
  get current(): Session | undefined {
    return this.focused.session;
  }

  /** A tab for a session of its own. */
  addPlace(last: ShownMemory, signs: PlaceSigns): WindowPlace {
    const place: PlaceState = { ...signs, session: undefined, last };
    this.places.add(place);
    return place;
  }

  /** The tab was closed. */
  removePlace(place: WindowPlace): void {
    if (place === this.side) return;
    const { session } = place;
    this.places.delete(place as PlaceState);
    if (this.focused === place) this.activate(this.side);
    if (session) this.leave(session);
  }

  /** A person went there. */
  activate(place: WindowPlace): void {
    if (place === this.focused || !this.places.has(place as PlaceState)) return;
    const before = this.current;
    this.focused = place as PlaceState;
    this.deps.onPlace?.(place !== this.side);
    const { session } = place;
    if (session && session !== before)
      for (const listener of this.listeners) listener(session, { type: "state", state: session.state });
  }

  /** a place that shows it, the active one first */
  placeOf(id: string): WindowPlace | undefined {
    return [this.focused, ...this.places].find(({ session }) => session?.id === id);
  }

  isShown({ id }: Session): boolean {
    return this.placeOf(id) !== undefined;
  }

  isInSight(id: string): boolean {
    return [...this.places].some(place => place.session?.id === id && place.inSight());
  }

  /** The session that is shown there; at first the one shown last, else a new one. Rejects with StorageError. */
  show(place: WindowPlace = this.focused): Promise<Session> {
    return this.queue.run(async () => place.session ?? this.switchTo(place, await this.lastOrNew(place)));
  }

  /** A new session; the one that is shown where it is still empty. @param place absent: the side bar, where the person goes */
  create(place?: WindowPlace): Promise<Session> {
    return this.queue.run(async () => {
      const at = place ?? this.side;
      const { session } = at;
      const shown = session && isNew(session) ? session : await this.switchTo(at, await this.newSession());
      if (!place) this.activate(at);
      return shown;
    });
  }

  /** @param place absent: where it is shown already, else the side bar; the person goes there. Rejects with StorageError, NewerLogError, NotALogError: then the one shown stays. */
  openById(id: string, place?: WindowPlace): Promise<Session> {
    return this.queue.run(async () => {
      const at = place ?? this.placeOf(id) ?? this.side;
      const shown = at.session?.id === id ? at.session : await this.switchTo(at, await this.opened(id));
      if (!place) this.activate(at);
      return shown;
    });
  }

  /** Newest first; sessions in which nothing was said are left out. */
  async list(): Promise<SessionSummary[]> {
    const sessions = await this.ports.storage.list();
    return sessions
      .filter(({ turns, newer }) => turns > 0 || newer)
      .map(summary => {
        const session = this.open.get(summary.id)?.session;
        const tasks = session?.background.running.length ?? 0;
        const running = session !== undefined && (session.state !== "idle" || worksFor(session));
        const asks = session?.state === "asking" ? questionOf(session) : undefined;
        return { ...summary, running, ...defined({ asks, tasks: tasks || undefined }) };
      });
  }

  /** Names or pins one, open or not; what is absent stays. Rejects with SessionError where another window writes it, StorageError, NewerLogError. */
  label(id: string, { title, pinned }: { title?: string | undefined; pinned?: boolean | undefined }): Promise<void> {
    return this.queue.run(async () => {
      const open = this.open.get(id)?.session;
      const session = open ?? (await openSession(this.ports, id));
      try {
        session.requireWritable();
        const named = titleFrom(title ?? "") || session.history.conversation.title;
        await session.history.append({ kind: "title", title: named, ...defined({ pinned }) });
      } finally {
        if (!open) await session.close();
      }
    });
  }

  /**
   * Puts one into the trash. Where it was shown, a new one is.
   * @returns its key there, and the ids of those that are shown instead. Rejects with SessionError while it works, and StorageError.
   */
  trash(id: string): Promise<{ key: string; shown: string[] }> {
    return this.queue.run(async () => {
      const session = this.open.get(id)?.session;
      if (session && !this.isQuiet(session))
        throw new SessionError(t("This session is working. Stop it, then delete it."));
      const places = [...this.places].filter(place => this.rootOf(place.session) === id);
      for (const child of this.below(id)) await this.release(child);
      if (session) await this.release(session);
      let key: string;
      try {
        key = await this.ports.storage.trash(id);
      } catch (error) {
        for (const place of places) place.session = undefined;
        for (const place of places) await this.switchTo(place, await this.opened(id));
        throw error;
      }
      for (const place of places) place.session = undefined;
      const shown: string[] = [];
      for (const place of places) shown.push((await this.switchTo(place, await this.newSession())).id);
      return { key, shown };
    });
  }

  /** Ends what runs, gives every lock back. */
  close(): Promise<void> {
    return this.queue.run(async () => {
      for (const place of this.places) place.session = undefined;
      const { all } = this;
      for (const { unsubscribe } of this.open.values()) unsubscribe();
      this.open.clear();
      await Promise.all(all.flatMap(session => (session.caller ? session.close() : [])));
      await Promise.all(all.flatMap(session => (session.caller ? [] : session.close())));
    });
  }

  /** Does something with the conversation of a child; it need not be shown. */
  async withChild(childId: string, work: (child: Session) => Promise<void>): Promise<void> {
    const child = await this.queue.run(() => this.opened(childId));
    if (!this.open.has(childId)) this.listen(child);
    await work(child).finally(() => this.leave(child));
  }

  private get all(): Session[] {
    return [...this.open.values()].map(({ session }) => session);
  }

  private async opened(id: string): Promise<Session> {
    const known = this.open.get(id)?.session;
    if (known) return known;
    const above = this.all.find(({ history }) => history.conversation.children.has(id));
    return (await above?.children.open(id)) ?? openSession(this.ports, id);
  }

  /** Those open here that work for it, or for one that does; the last below come first. */
  private below(id: string): Session[] {
    const own = this.all.filter(({ caller }) => caller?.id === id);
    return own.flatMap(child => [...this.below(child.id), child]);
  }

  /** The id of the session that a person began. */
  private rootOf(session: Session | undefined): string | undefined {
    const { caller } = session ?? {};
    return caller ? (this.rootOf(this.open.get(caller.id)?.session) ?? caller.id) : session?.id;
  }

  /** Nothing goes on in it that would end with it, and no end of a background task is left that nobody knows of. */
  private isQuiet(session: Session): boolean {
    const above = this.open.get(session.caller?.id ?? "")?.session;
    const isAtWork = worksFor(session) || (above && worksFor(above, session.id));
    return session.state === "idle" && !session.background.needed && !isAtWork;
  }

  private async newSession(instead?: string): Promise<Session> {
    const session = (instead === undefined && (await this.leftWithPictures())) || (await createSession(this.ports));
    this.deps.drafts.begun(session.id, instead);
    return session;
  }

  /** An empty session that was left is gone, but for one with pictures of its draft. */
  private async leftWithPictures(): Promise<Session | undefined> {
    const id = this.deps.drafts.waiting;
    if (id === undefined || this.open.has(id)) return undefined;
    const session = await openSession(this.ports, id).catch(() => undefined);
    if (session === undefined) return undefined;
    const { lastTurn, pending } = session.history.conversation;
    if (lastTurn === 0 && pending.length === 0 && !session.readOnly) return session;
    await session.close();
    return undefined;
  }

  private async lastOrNew(place: WindowPlace): Promise<Session> {
    const id = (place as PlaceState).last.get();
    if (id === undefined) return this.newSession();
    try {
      return await this.opened(id);
    } catch (error) {
      if (!isLost(error)) throw error;
      if (!(error instanceof StorageError)) this.deps.onLost(error.message);
      return this.newSession(id);
    }
  }

  private async switchTo(to: WindowPlace, session: Session): Promise<Session> {
    const place = to as PlaceState;
    const left = place.session;
    if (!this.open.has(session.id)) this.listen(session);
    // The tab was closed meanwhile.
    if (!this.places.has(place)) {
      this.leave(session);
      return session;
    }
    place.session = session;
    place.last.set(this.rootOf(session) ?? session.id);
    // Whoever follows the session's state follows the other one from here on.
    const event = { type: "state", state: session.state } as const;
    for (const listener of this.listeners) listener(session, event);
    if (left && left !== session) this.leave(left);
    return session;
  }

  private listen(session: Session): void {
    const unsubscribe = session.subscribe(event => {
      for (const listener of this.listeners) listener(session, event);
      const ofChild = event.type === "record" && event.record.kind === "child" ? event.record : undefined;
      const child = ofChild && this.open.get(ofChild.childId);
      if (child) this.leave(child.session);
      if (session !== this.current && (ofChild || event.type === "state" || event.type === "task")) this.leave(session);
    });
    this.open.set(session.id, { session, unsubscribe });
  }

  /**
   * Where it is shown nowhere and does nothing. The user may have come back to it, or sent it a message, by the time it is its
   * turn.
   */
  private leave(session: Session): void {
    const isLeft = () => !this.isShown(session) && this.isQuiet(session) && this.below(session.id).length === 0;
    if (!isLeft()) return;
    const release = async () => {
      if (!isLeft() || !this.open.has(session.id)) return;
      await this.release(session);
      const above = session.caller && this.open.get(session.caller.id)?.session;
      if (above) this.leave(above);
    };
    const failed = logged(this.ports.logger, "warning", "a session that was left could not be closed");
    this.queue.run(release).catch(failed);
  }

  private async release(session: Session): Promise<void> {
    this.open.get(session.id)?.unsubscribe();
    this.open.delete(session.id);
    if (session.history.conversation.turn === 0 && !session.caller) this.deps.drafts.left(session.id);
    await session.close();
  }
}

/** Nothing was said in it, or what waits for a model is all: without a turn it is in no list, and would be lost. */
const isNew = ({ history: { records, conversation }, readOnly, caller }: Session) =>
  !readOnly && !caller && (records.length === 0 || (conversation.lastTurn === 0 && conversation.pending.length > 0));

/** In a line: what waits for the person. */
function questionOf({ history: { conversation } }: Session): string | undefined {
  const [approval] = conversation.asked.values();
  const [question] = conversation.questions.values();
  const text = approval?.title ?? question?.form.message ?? question?.form.fields[0]?.title;
  return text && oneLine(text, 120);
}

/** Another agent is at work for it, or its end is not in the log yet. @param childId this one; absent: any */
const worksFor = (session: Session, childId?: string): boolean =>
  (childId === undefined && session.children.atWork) ||
  session.live().some(event => event.type === "child" && (childId ?? event.childId) === event.childId);

/** The log is gone or cannot be read by this version: there is nothing to wait for. */
function isLost(error: unknown): error is Error {
  if (error instanceof StorageError) return error.code === "NOT_FOUND";
  return error instanceof NewerLogError || error instanceof NotALogError;
}
