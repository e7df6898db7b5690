/** The user's messages on their way into the conversation: opening a turn, or joining the one that runs. */
import type { LoggedMessage } from "../shared/messages";
import type { History } from "./history/history";
import type { PendingMessages } from "./pendingMessages";
import type { Clock, Ids } from "./ports";

export interface UserMessagesDeps {
  clock: Clock;
  ids: Ids;
  /** The user's words as the parts of a message: redacted, with the reminder for the files they mention. */
  compose(text: string): Promise<LoggedMessage["parts"]>;
}

export class UserMessages {
  constructor(
    private readonly history: History,
    private readonly pending: PendingMessages,
    private readonly deps: UserMessagesDeps,
  ) {}

  /** The user's message, durable: a turn has begun. */
  async open(text: string, pendingId?: string): Promise<void> {
    await this.append(text, this.history.conversation.turn + 1, this.deps.ids.next("run"), "normal", pendingId);
  }

  /** The same with a message that waited. false: it was removed meanwhile. */
  openPending(pendingId: string): Promise<boolean> {
    return this.pending.send(pendingId, text => this.open(text, pendingId));
  }

  /** Steering messages that came meanwhile join the turn, each a message of its own. How many. */
  takeSteering = async (): Promise<number> => {
    const { conversation } = this.history;
    let taken = 0;
    for (const { pendingId } of this.pending.steering()) {
      const join = (text: string) => this.append(text, conversation.turn, conversation.runId, "steer", pendingId);
      if (await this.pending.send(pendingId, join)) taken += 1;
    }
    return taken;
  };

  private async append(
    text: string,
    turn: number,
    runId: string,
    kind: "normal" | "steer",
    pendingId?: string,
  ): Promise<void> {
    const { clock, ids, compose } = this.deps;
    const parts = await compose(text);
    const metadata = { ts: clock.now(), turn, step: 0, runId, kind, ...(pendingId ? { pendingId } : {}) };
    await this.history.append({
      kind: "message",
      parentId: this.history.conversation.messages.at(-1)?.id ?? null,
      message: { id: ids.next("msg"), role: "user", parts, metadata },
    });
  }
}
