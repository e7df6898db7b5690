/**
 * A session: one conversation, one turn at a time. Concurrency only (steer, queue, stop, resume, approvals); what a turn
 * does is in agent/loop.ts, what is remembered in history/.
 */
import type { AgentEvent, SessionState } from "../shared/events";
import { EVENT_VERSION } from "../shared/events";
import type { LoggedMessage } from "../shared/messages";
import type { ApprovalAnswer, RecordOf } from "../shared/records";
import type { PermissionMode } from "../shared/settings";
import type { TurnOutcome } from "./agent/loop";
import type { Approvals } from "./approvals";
import type { Events } from "./events";
import type { History } from "./history/history";
import { turnTotals } from "./history/totals";
import { interruptedTurn, unansweredResults } from "./history/unanswered";
import { type Delivery, PendingMessages, SessionError } from "./pendingMessages";
import type { Clock, Ids, Logger } from "./ports";
import { turnFailure } from "./turnFailure";

export { type Delivery, SessionError } from "./pendingMessages";

export interface SessionDeps {
  history: History;
  approvals: Approvals;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** mode of a session that never had one set */
  defaultMode(): PermissionMode;
  /** The user's words as the parts of a message: redacted, with the reminder for the files they mention. */
  compose(text: string): Promise<LoggedMessage["parts"]>;
  /** Runs the newest turn to its end. */
  run(
    turn: { turn: number; runId: string },
    takeSteering: () => Promise<number>,
    signal: AbortSignal,
  ): Promise<TurnOutcome>;
  /** the events of the session, for listeners */
  events: Events;
  /** after a turn: the list of sessions shows it */
  onTurnEnd(): void;
}

export class Session {
  private running: { controller: AbortController; done: Promise<void> } | undefined;
  private stopping = false;
  private closing = false;

  private readonly pending: PendingMessages;

  constructor(private readonly deps: SessionDeps) {
    this.pending = new PendingMessages(deps.history, deps.ids);
  }

  get id(): string {
    return this.deps.history.files.id;
  }
  get readOnly(): boolean {
    return !this.deps.history.files.writable;
  }
  get history(): History {
    return this.deps.history;
  }
  get mode(): PermissionMode {
    return this.deps.history.conversation.mode ?? this.deps.defaultMode();
  }
  get state(): SessionState {
    if (!this.running) return "idle";
    if (this.stopping) return "stopping";
    return this.deps.approvals.open > 0 ? "asking" : "running";
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    return this.deps.events.subscribe(listener);
  }
  /** what has streamed and is in no record yet */
  live(): AgentEvent[] {
    return this.deps.events.live.snapshot();
  }
  /** First event of a stream. */
  hello(): AgentEvent {
    return { type: "session", version: EVENT_VERSION, sessionId: this.id, readOnly: this.readOnly };
  }
  /** Called when what `state` says may have changed. */
  announce(): void {
    this.deps.events.emit({ type: "state", state: this.state });
  }

  /**
   * Takes a message: starts a turn, or, while one runs, steers it or queues the message for the next one. Resolves when the
   * message is on disk. Rejects with SessionError or StorageError: then nothing was taken, and the text is the caller's.
   */
  async submit(text: string, delivery: Delivery = "steer"): Promise<void> {
    if (!text.trim()) throw new SessionError("The message is empty. Type what the agent should do.");
    this.requireWritable();
    if (this.stopping) await this.idle();
    if (this.closing) throw new SessionError("This session is being closed. Send the message in another one.");
    if (!this.running) return this.start(() => this.openTurn(text));
    const pendingId = await this.pending.add(text, delivery);
    // The turn may have ended while the message was written.
    if (!this.running) await this.start(() => this.openTurn(text, pendingId));
  }

  /** Goes on with the newest turn, without a new message: after an error, a stop, a limit or a crash. */
  async resume(): Promise<void> {
    this.requireWritable();
    if (this.running) throw new SessionError("The agent is already working.");
    const { turn, end } = this.history.conversation;
    if (end?.turn === turn && end.reason === "done") {
      throw new SessionError("The turn is done. Send a message to go on.");
    }
    if (turn === 0) throw new SessionError("There is nothing to continue yet. Send a message first.");
    await this.start(async () => undefined);
  }

  /** Ends the turn that runs; resolves when it has ended. What was logged stays, the queue is held. */
  async stop(): Promise<void> {
    if (!this.running) return;
    const { controller, done } = this.running;
    if (!this.stopping) {
      this.stopping = true;
      this.announce();
      controller.abort(new DOMException("The user stopped the turn.", "AbortError"));
    }
    await done;
  }

  /** Resolves when no turn runs. */
  async idle(): Promise<void> {
    while (this.running) await this.running.done;
  }

  answer(approvalId: string, answer: Omit<ApprovalAnswer, "by">): void {
    if (!this.deps.approvals.answer(approvalId, { ...answer, by: "user" })) {
      throw new SessionError("This question was already answered, or the turn was stopped.");
    }
  }

  async setMode(mode: PermissionMode): Promise<void> {
    this.requireWritable();
    if (mode !== this.mode) await this.history.append({ kind: "mode", mode });
  }

  editPending(pendingId: string, text: string): Promise<void> {
    return this.pending.edit(pendingId, text);
  }

  removePending(pendingId: string): Promise<void> {
    return this.pending.remove(pendingId);
  }

  /** Sends a message now that was held: it starts a turn, or joins the one that runs with its next step. */
  async sendPending(pendingId: string): Promise<void> {
    this.requireWritable();
    const { text } = this.pending.require(pendingId);
    if (this.running) await this.pending.steer(pendingId);
    else await this.start(() => this.openTurn(text, pendingId));
  }

  /** What a crash left open becomes what it is: calls whose effect is unknown, a turn that was interrupted. */
  async closeInterrupted(): Promise<void> {
    const { conversation } = this.history;
    if (!conversation.turnOpen || this.readOnly || this.running) return;
    await this.history.appendAll([
      ...unansweredResults(conversation, "interrupted"),
      // It ended when its last record was written, not now.
      this.turnEnd({ reason: "interrupted", error: interruptedTurn }, this.history.records.at(-1)?.ts),
    ]);
  }

  /** Ends what runs and gives the session's lock back. */
  async close(): Promise<void> {
    this.closing = true;
    await this.stop();
    await this.history.files.close();
  }

  private requireWritable(): void {
    if (this.readOnly) {
      throw new SessionError(
        "This session is open in another window, so it can only be read here. Start a new session, or close it there.",
      );
    }
  }

  /** Resolves when the turn has begun: its message is on disk. */
  private async start(begin: () => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const beginning = Promise.withResolvers<unknown>();
    const done = this.runTurns(begin, beginning.resolve, controller.signal).finally(() => {
      this.running = undefined;
      this.stopping = false;
      this.announce();
    });
    this.running = { controller, done };
    this.announce();
    const failure = await beginning.promise;
    if (failure) {
      await done;
      throw failure;
    }
  }

  /** One turn, and the queued messages after it. Never rejects. */
  private async runTurns(
    begin: () => Promise<void>,
    begun: (failure: unknown) => void,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await begin();
    } catch (error) {
      begun(error);
      return;
    }
    begun(undefined);
    for (;;) {
      const outcome = await this.runTurn(signal);
      const next = this.pending.next();
      if (outcome.reason !== "done" || !next || signal.aborted) return;
      try {
        await this.openTurn(next.text, next.pendingId);
      } catch (error) {
        // It is still pending; the person sees why it was not sent.
        this.deps.events.emit({ type: "failure", error: turnFailure(error, this.deps.logger) });
        return;
      }
    }
  }

  /** The user's message, durable: a turn has begun. */
  private async openTurn(text: string, pendingId?: string): Promise<void> {
    await this.appendUser(text, this.history.conversation.turn + 1, this.deps.ids.next("run"), "normal", pendingId);
  }

  private async appendUser(
    text: string,
    turn: number,
    runId: string,
    kind: "normal" | "steer",
    pendingId?: string,
  ): Promise<void> {
    const { history, clock, ids } = this.deps;
    const parts = await this.deps.compose(text);
    const metadata = { ts: clock.now(), turn, step: 0, runId, kind, ...(pendingId ? { pendingId } : {}) };
    await history.append({
      kind: "message",
      parentId: history.conversation.messages.at(-1)?.id ?? null,
      message: { id: ids.next("msg"), role: "user", parts, metadata },
    });
  }

  /** Steering messages that came meanwhile join the turn, each a message of its own. */
  private takeSteering = async (): Promise<number> => {
    const { conversation } = this.history;
    const steering = this.pending.steering();
    for (const { text, pendingId } of steering) {
      await this.appendUser(text, conversation.turn, conversation.runId, "steer", pendingId);
    }
    return steering.length;
  };

  private async runTurn(signal: AbortSignal): Promise<TurnOutcome> {
    const { turn, runId } = this.history.conversation;
    const outcome = await this.deps.run({ turn, runId }, this.takeSteering, signal).catch(
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
    this.deps.onTurnEnd();
    return outcome;
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
