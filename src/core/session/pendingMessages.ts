/** Messages that were sent while a turn ran and that the model does not have yet (CONTEXT.md, section 9). */
import type { NewRecord } from "../../shared/records";
import type { PendingMessage } from "../history/conversation";
import type { History } from "../history/history";
import { type Ids, SessionError } from "../ports";

/** Joins the next step, or becomes the next turn. */
export type Delivery = PendingMessage["delivery"];

export const ALREADY_SENT = "The message was already sent or removed.";
export const OPEN_ELSEWHERE =
  "This session is open in another window, so it can only be read here. Start a new session, or close it there.";

export class PendingMessages {
  /** the one that is being sent: from there on it is as it is */
  private sending: string | undefined;
  /** The changes that are being written: what is sent has them. */
  private changes: Promise<unknown> = Promise.resolve();

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
    await this.change({ pendingId, op: "edited", delivery, text });
  }

  async remove(pendingId: string): Promise<void> {
    const { delivery, text } = this.require(pendingId);
    await this.change({ pendingId, op: "removed", delivery, text });
  }

  /** It was held: now it joins the next step. */
  async steer(pendingId: string): Promise<void> {
    const { text } = this.require(pendingId);
    await this.change({ pendingId, op: "added", delivery: "steer", text });
  }

  /**
   * Sends one, with all that was changed of it. false: it is not there any more. Rejects with what `send` rejects with: then
   * it is pending as before.
   */
  async send(pendingId: string, send: (text: string) => Promise<void>): Promise<boolean> {
    await this.changes;
    const pending = this.find(pendingId);
    if (!pending) return false;
    this.sending = pendingId;
    try {
      await send(pending.text);
      return true;
    } finally {
      this.sending = undefined;
    }
  }

  /** It is pending and nobody holds it. */
  isDue(pendingId: string): boolean {
    return this.find(pendingId)?.held === false;
  }

  private async change(change: Omit<Extract<NewRecord, { kind: "pending" }>, "kind">): Promise<void> {
    const written = this.history.append({ kind: "pending", ...change });
    this.changes = Promise.allSettled([this.changes, written]);
    await written;
  }

  require(pendingId: string): PendingMessage {
    const pending = this.find(pendingId);
    if (!pending || pendingId === this.sending) throw new SessionError(ALREADY_SENT);
    return pending;
  }

  private find(pendingId: string): PendingMessage | undefined {
    return this.all.find(item => item.pendingId === pendingId);
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
