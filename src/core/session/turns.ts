/** Turn after turn: the one that was begun, then the queued messages. What a turn does is in agent/loop.ts. */
import { errorMessage } from "../../shared/errorMessage";
import type { RecordOf, TurnError } from "../../shared/records";
import type { TurnOutcome } from "../agent/loop";
import { interruptedTurn, unansweredResults } from "../history/conversation";
import type { History } from "../history/history";
import { turnTotals } from "../history/runs";
import { type Clock, type Ids, type Logger, NoModelError, StorageError } from "../ports";
import type { Events } from "./events";
import type { PendingMessages } from "./pendingMessages";
import type { UserMessages } from "./userMessages";

export interface TurnsDeps {
  history: History;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Runs the newest turn to its end. */
  run(
    turn: { turn: number; runId: string },
    takeSteering: () => Promise<number>,
    signal: AbortSignal,
  ): Promise<TurnOutcome>;
  /** the events of the session, for listeners */
  events: Events;
  /** after a turn: the lists of sessions and of turns have it. Never rejects. */
  onTurnEnd(): Promise<void>;
}

export class Turns {
  constructor(
    private readonly pending: PendingMessages,
    private readonly messages: UserMessages,
    private readonly deps: TurnsDeps,
  ) {}

  private get history(): History {
    return this.deps.history;
  }

  /** What a crash left open becomes what it is: calls whose effect is unknown, a turn that was interrupted. */
  async closeInterrupted(): Promise<void> {
    await this.history.appendAll([
      ...unansweredResults(this.history.conversation, "interrupted"),
      // It ended when its last record was written, not now.
      this.turnEnd({ reason: "interrupted", error: interruptedTurn }, this.history.records.at(-1)?.ts),
    ]);
  }

  /** One turn, and the queued messages after it. Never rejects. */
  async run(
    begin: (signal: AbortSignal) => Promise<void>,
    begun: (failure: unknown) => void,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await begin(signal);
    } catch (error) {
      begun(error);
      return;
    }
    begun(undefined);
    await this.runTurn(signal);
    await this.runQueued(signal);
  }

  /** The queued messages. A turn that does not end well holds those that it finds: what is left came later. Never rejects. */
  async runQueued(signal: AbortSignal): Promise<void> {
    while (await this.openNext(signal)) await this.runTurn(signal);
  }

  /** The queued message that is next opens its turn; false: there is none, or it could not be sent. */
  private async openNext(signal: AbortSignal): Promise<boolean> {
    try {
      for (;;) {
        const next = this.pending.next();
        // A turn whose end could not be written holds nothing: it waits for the person all the same.
        if (!next || signal.aborted || this.history.conversation.turnOpen) return false;
        if (await this.messages.openPending(next.pendingId, signal)) return true;
      }
    } catch (error) {
      // It is still pending; the person sees why it was not sent.
      this.deps.events.emit({ type: "failure", error: turnFailure(error, this.deps.logger) });
      return false;
    }
  }

  private async runTurn(signal: AbortSignal): Promise<void> {
    const { turn, runId } = this.history.conversation;
    const steer = () => this.messages.takeSteering(signal);
    const outcome = await this.deps.run({ turn, runId }, steer, signal).catch(
      (error): TurnOutcome => ({
        reason: "error",
        error: turnFailure(error, this.deps.logger),
      }),
    );
    try {
      const why = outcome.reason === "stopped" ? "not-run" : "interrupted";
      await this.history.appendAll([...unansweredResults(this.history.conversation, why), this.turnEnd(outcome)]);
    } catch (error) {
      // The disk refuses even this: the live event says what happened, the log is closed as interrupted when it opens again.
      this.deps.logger.log("error", "the end of a turn could not be written", { error: String(error) });
      this.deps.events.emit({ type: "failure", error: outcome.error ?? turnFailure(error, this.deps.logger) });
    }
    await this.deps.onTurnEnd();
  }

  private turnEnd(outcome: TurnOutcome, ended = this.deps.clock.now()): Omit<RecordOf<"turnEnd">, "id" | "seq" | "ts"> {
    const { turn, runId } = this.history.conversation;
    return {
      kind: "turnEnd",
      turn,
      runId,
      ...outcome,
      ...turnTotals(this.history.records, turn, ended),
    };
  }
}

/** Whatever ended a turn by an exception, in words for a person (DESIGN.md, rule 7). A fault of ours is logged with its stack. */
export function turnFailure(error: unknown, logger: Logger): TurnError {
  const message = errorMessage(error);
  if (error instanceof NoModelError) return { code: "no-model", message, actions: ["choose-model", "set-key"] };
  if (error instanceof StorageError) {
    return { code: `storage-${error.code.toLowerCase()}`, message, actions: ["retry", "show-log"] };
  }
  logger.log("error", "the turn failed", { error: error instanceof Error ? (error.stack ?? message) : message });
  return {
    code: "internal",
    message: `The turn ended by a fault in Strata: ${message}`,
    actions: ["retry", "show-log"],
  };
}
