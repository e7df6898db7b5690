/**
 * Which session this window shows. One at a time; a session that is left while it runs goes on in the background and
 * gives its lock back when its turn and its background tasks have ended.
 */
import { NewerLogError, NotALogError } from "../../core/history/codec";
import { StorageError } from "../../core/ports";
import { type AgentPorts, createSession, openSession } from "../../core/session/openSession";
import type { Session } from "../../core/session/session";
import { SerialQueue } from "../../shared/async";
import type { AgentEvent } from "../../shared/events";
import type { SessionSummary } from "../../shared/panelSnapshot";

type Listener = (session: Session, event: AgentEvent) => void;

export class Sessions {
  private shown: Session | undefined;
  /** every session that is open here: the shown one, and those in which something still runs */
  private readonly open = new Map<string, { session: Session; unsubscribe: () => void }>();
  private readonly listeners = new Set<Listener>();
  private readonly listenersToAll = new Set<Listener>();
  /** Opening, creating and closing happen one after the other. */
  private readonly queue = new SerialQueue();

  constructor(
    private readonly ports: AgentPorts,
    /** remembers across reloads which session was shown */
    private readonly last: { get(): string | undefined; set(id: string): void },
    /** The session shown before cannot be opened any more; `why` is for the user. */
    private readonly onLost: (why: string) => void,
  ) {}

  /** Hears every event of the session that is shown. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Hears every event of every session that is open here, and of a change of the one shown by its state. */
  subscribeToAll(listener: Listener): () => void {
    this.listenersToAll.add(listener);
    return () => this.listenersToAll.delete(listener);
  }

  /** ids of those that wait for an answer */
  get waiting(): string[] {
    return [...this.open.values()].filter(({ session }) => session.state === "asking").map(({ session }) => session.id);
  }

  /** undefined: none was opened yet */
  get current(): Session | undefined {
    return this.shown;
  }

  /** The session that is shown; at first the one shown last, else a new one. Rejects with StorageError. */
  show(): Promise<Session> {
    return this.queue.run(async () => this.shown ?? this.switchTo(await this.lastOrNew()));
  }

  /** A new session; the one that is shown where it is still empty. */
  create(): Promise<Session> {
    return this.queue.run(async () => {
      if (this.shown && !this.shown.readOnly && this.shown.history.records.length === 0) return this.shown;
      return this.switchTo(await createSession(this.ports));
    });
  }

  /** Rejects with StorageError, NewerLogError, NotALogError: then the one shown stays. */
  openById(id: string): Promise<Session> {
    return this.queue.run(async () => {
      if (this.shown?.id === id) return this.shown;
      return this.switchTo(this.open.get(id)?.session ?? (await openSession(this.ports, id)));
    });
  }

  /** Newest first; sessions in which nothing was said are left out. */
  async list(): Promise<SessionSummary[]> {
    const sessions = await this.ports.storage.list();
    return sessions
      .filter(({ turns }) => turns > 0)
      .map(summary => {
        const session = this.open.get(summary.id)?.session;
        const tasks = session?.background.running.length ?? 0;
        const running = session !== undefined && session.state !== "idle";
        return { ...summary, running, ...(tasks > 0 ? { tasks } : {}) };
      });
  }

  /** Ends what runs, gives every lock back. */
  close(): Promise<void> {
    return this.queue.run(async () => {
      this.shown = undefined;
      const all = [...this.open.values()];
      this.open.clear();
      for (const { unsubscribe } of all) unsubscribe();
      await Promise.all(all.map(({ session }) => session.close()));
    });
  }

  private async lastOrNew(): Promise<Session> {
    const id = this.last.get();
    if (id === undefined) return createSession(this.ports);
    try {
      return await openSession(this.ports, id);
    } catch (error) {
      if (!isLost(error)) throw error;
      if (!(error instanceof StorageError)) this.onLost(error.message);
      return createSession(this.ports);
    }
  }

  private async switchTo(session: Session): Promise<Session> {
    const left = this.shown;
    if (!this.open.has(session.id)) this.listen(session);
    this.shown = session;
    this.last.set(session.id);
    // Whoever follows the session's state follows the other one from here on.
    const event = { type: "state", state: session.state } as const;
    for (const listener of [...this.listeners, ...this.listenersToAll]) listener(session, event);
    if (left && left !== session && isQuiet(left)) this.releaseLater(left);
    return session;
  }

  private listen(session: Session): void {
    const unsubscribe = session.subscribe(event => {
      for (const listener of this.listenersToAll) listener(session, event);
      if (session === this.shown) for (const listener of this.listeners) listener(session, event);
      else if ((event.type === "state" || event.type === "task") && isQuiet(session)) this.releaseLater(session);
    });
    this.open.set(session.id, { session, unsubscribe });
  }

  /** The user may have come back to it, or sent it a message, by the time it is its turn. */
  private releaseLater(session: Session): void {
    this.queue
      .run(async () => {
        if (session !== this.shown && isQuiet(session)) await this.release(session);
      })
      .catch(error =>
        this.ports.logger.log("warning", "a session that was left could not be closed", { error: String(error) }),
      );
  }

  private async release(session: Session): Promise<void> {
    this.open.get(session.id)?.unsubscribe();
    this.open.delete(session.id);
    await session.close();
  }
}

/** Nothing goes on in it that would end with it, and no end of a background task is left that nobody knows of. */
function isQuiet({ state, background }: Session): boolean {
  return state === "idle" && !background.needed;
}

/** The log is gone or cannot be read by this version: there is nothing to wait for. */
function isLost(error: unknown): error is Error {
  return (
    error instanceof NewerLogError ||
    error instanceof NotALogError ||
    (error instanceof StorageError && error.code === "NOT_FOUND")
  );
}
