/** A message that is sent before a model is there waits in its session, on disk, and goes out once one is ready. */
import type * as vscode from "vscode";
import type { Logger } from "../../core/ports";
import type { Session } from "../../core/session/session";
import type { Delivery } from "../../core/session/userMessages";
import type { KeptPicture } from "../../shared/attachProtocol";
import type { Sessions } from "./sessions";

/** under it is kept in which sessions one waits; an earlier version kept one id */
const WAITS = "strata.waitsForModel";

interface ModelWaitDeps {
  sessions: Pick<Sessions, "current" | "subscribe">;
  /** remembers across reloads */
  state: Pick<vscode.Memento, "get" | "update">;
  /** whether a model can be asked now */
  isReady(): Promise<boolean>;
  logger: Logger;
}

type WaitingSession = Pick<Session, "id" | "readOnly" | "state" | "submit" | "messages">;

export class ModelWait implements vscode.Disposable {
  /** as it was seen last */
  private ready = false;
  private readonly unsubscribe: () => void;

  constructor(private readonly deps: ModelWaitDeps) {
    // Another session may be shown now, in which one waits.
    this.unsubscribe = deps.sessions.subscribe((_, { type }) => type === "state" && this.sendLater());
  }

  /** As `Session.submit`, where a model is there; else the message waits. Rejects as that does. */
  async submit(
    session: WaitingSession,
    text: string,
    delivery?: Delivery,
    pictures: readonly KeptPicture[] = [],
  ): Promise<void> {
    const isForNow = session.state !== "idle" || session.readOnly || text.trim() === "";
    if (isForNow || this.ready || (await this.deps.isReady())) return session.submit(text, delivery, pictures);
    await session.messages.add({ text, pictures }, "queue");
    await this.keep([...this.waiting.filter(id => id !== session.id), session.id]);
    // One may have come while it was written.
    this.sendLater();
  }

  /** Somebody looked whether a model is there. */
  saw(state: "none" | "ready"): void {
    this.ready = state === "ready";
    this.sendLater();
  }

  get isReady(): boolean {
    return this.ready;
  }

  dispose(): void {
    this.unsubscribe();
  }

  private get waiting(): readonly string[] {
    const kept = this.deps.state.get<string | readonly string[]>(WAITS) ?? [];
    return typeof kept === "string" ? [kept] : kept;
  }

  private async keep(ids: readonly string[]): Promise<void> {
    await this.deps.state.update(WAITS, ids.length > 0 ? ids : undefined);
  }

  private sendLater(): void {
    const { sessions, logger } = this.deps;
    const session = sessions.current;
    if (!this.ready || session === undefined || !this.waiting.includes(session.id)) return;
    const isFree = session.state === "idle" && !session.readOnly;
    const first = session.history.conversation.pending.find(({ held }) => !held);
    if (!isFree) return;
    void this.keep(this.waiting.filter(id => id !== session.id));
    if (!first) return;
    // The turn takes the others behind it.
    session
      .sendPending(first.pendingId)
      .catch(error =>
        logger.log("warning", "a message that waited for a model could not be sent", { error: String(error) }),
      );
  }
}
