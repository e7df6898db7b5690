/** The user's messages on their way into the conversation: opening a turn, or joining the one that runs. */
import type { NewRecord } from "../../shared/records";
import type { History } from "../history/history";
import type { Clock, Ids } from "../ports";
import type { ComposedMessage } from "./composeMessage";
import type { PendingMessages } from "./pendingMessages";

export interface UserMessagesDeps {
  clock: Clock;
  ids: Ids;
  /** The user's words as the parts of a message: redacted, with the reminder for the files they mention; and what they attach. */
  compose(text: string, signal: AbortSignal): Promise<ComposedMessage>;
}

export class UserMessages {
  constructor(
    private readonly history: History,
    private readonly pending: PendingMessages,
    private readonly deps: UserMessagesDeps,
  ) {}

  /** The user's message, durable: a turn has begun. @param signal Stop: what takes long is not attached any more */
  async open(text: string, signal: AbortSignal, pendingId?: string): Promise<void> {
    const turn = this.history.conversation.turn + 1;
    await this.append(text, { turn, runId: this.deps.ids.next("run"), kind: "normal", pendingId }, signal);
  }

  /** The same with a message that waited. false: it was removed meanwhile. */
  openPending(pendingId: string, signal: AbortSignal): Promise<boolean> {
    return this.pending.send(pendingId, text => this.open(text, signal, pendingId));
  }

  /** Steering messages that came meanwhile join the turn, each a message of its own. How many. */
  async takeSteering(signal: AbortSignal): Promise<number> {
    const { conversation } = this.history;
    let taken = 0;
    for (const { pendingId } of this.pending.steering()) {
      const { turn, runId } = conversation;
      const join = (text: string) => this.append(text, { turn, runId, kind: "steer", pendingId }, signal);
      if (await this.pending.send(pendingId, join)) taken += 1;
    }
    return taken;
  }

  /** The message and what it attaches: all of it, or nothing. */
  private async append(text: string, place: MessagePlace, signal: AbortSignal): Promise<void> {
    const { clock, ids, compose } = this.deps;
    const { parts, attached } = await compose(text, signal);
    const { turn, runId, kind, pendingId } = place;
    const metadata = { ts: clock.now(), turn, step: 0, runId, kind, ...(pendingId ? { pendingId } : {}) };
    const id = ids.next("msg");
    const parentId = this.history.conversation.messages.at(-1)?.id ?? null;
    await this.history.appendAll([
      { kind: "message", parentId, message: { id, role: "user", parts, metadata } },
      ...attached.map((each): NewRecord => {
        return { kind: "attachment", messageId: ids.next("msg"), parentId: id, turn, runId, ...each };
      }),
    ]);
  }
}

interface MessagePlace {
  turn: number;
  runId: string;
  kind: "normal" | "steer";
  pendingId?: string | undefined;
}
