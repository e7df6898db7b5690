/** Messages that were sent while a turn ran and that the model does not have yet (CONTEXT.md, section 9). */
import type { PendingMessage } from "./history/conversation";
import type { History } from "./history/history";
import type { Ids } from "./ports";

/** Joins the next step, or becomes the next turn. */
export type Delivery = PendingMessage["delivery"];

/** What a user asked for cannot be done now; its message is for them. */
export class SessionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SessionError";
  }
}

export class PendingMessages {
  constructor(
    private readonly history: History,
    private readonly ids: Ids,
  ) {}

  /** @returns its id, once it is on disk */
  async add(text: string, delivery: Delivery): Promise<string> {
    const pendingId = this.ids.next("pnd");
    await this.history.append({ kind: "pending", pendingId, op: "added", delivery, text });
    return pendingId;
  }

  /** Changed to nothing, it is removed. */
  async edit(pendingId: string, text: string): Promise<void> {
    const { delivery } = this.require(pendingId);
    if (!text.trim()) return this.remove(pendingId);
    await this.history.append({ kind: "pending", pendingId, op: "edited", delivery, text });
  }

  async remove(pendingId: string): Promise<void> {
    const { delivery, text } = this.require(pendingId);
    await this.history.append({ kind: "pending", pendingId, op: "removed", delivery, text });
  }

  /** It was held: now it joins the next step. */
  async steer(pendingId: string): Promise<void> {
    const { text } = this.require(pendingId);
    await this.history.append({ kind: "pending", pendingId, op: "added", delivery: "steer", text });
  }

  require(pendingId: string): PendingMessage {
    const pending = this.all.find(item => item.pendingId === pendingId);
    if (!pending) throw new SessionError("The message was already sent or removed.");
    return pending;
  }

  /** Those for the next step. */
  steering(): PendingMessage[] {
    return this.all.filter(pending => pending.delivery === "steer" && !pending.held);
  }

  /** The one for the next turn: also a steering message that came too late for the last one. */
  next(): PendingMessage | undefined {
    return this.all.find(pending => !pending.held);
  }

  private get all(): readonly PendingMessage[] {
    return this.history.conversation.pending;
  }
}
