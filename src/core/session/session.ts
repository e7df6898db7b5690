/**
 * A session: one conversation, one turn at a time. Concurrency only (steer, queue, stop, resume, approvals); what a turn
 * does is in agent/loop.ts, what is remembered in history/.
 */
import { noCompactionTo } from "../../shared/compactionLine";
import { type AgentEvent, EVENT_VERSION, type SessionState } from "../../shared/events";
import type { ApprovalAnswer, RecordOf } from "../../shared/records";
import type { PermissionMode } from "../../shared/settings";
import type { Approvals } from "../agent/approvals";
import type { BackgroundTasks } from "../commands/background";
import type { Compactor } from "../compaction/compactor";
import type { ContextUse } from "../compaction/contextUse";
import type { CompactionPlan } from "../compaction/plan";
import { undoableCompactions } from "../compaction/undoable";
import { SessionEdits, type SessionEditsDeps } from "../edits/sessionEdits";
import type { History } from "../history/history";
import { SessionError } from "../ports";
import type { Proposal } from "../toolkit/tool";
import { ALREADY_SENT, type Delivery, OPEN_ELSEWHERE, PendingMessages } from "./pendingMessages";
import { Turns, type TurnsDeps } from "./turns";
import { UserMessages, type UserMessagesDeps } from "./userMessages";

export type { Delivery } from "./pendingMessages";

export interface SessionDeps extends TurnsDeps {
  approvals: Approvals;
  compactor: Compactor;
  background: BackgroundTasks;
  edits: Omit<SessionEditsDeps, "requireWritable">;
  /** mode of a session that never had one set */
  defaultMode(): PermissionMode;
  /** The user's words as the parts of a message, and what they attach. */
  compose: UserMessagesDeps["compose"];
}

export class Session {
  private running: { controller: AbortController; done: Promise<void> } | undefined;
  private stopping = false;
  private closing = false;
  /** another window wrote, and it is not read yet: counts how often that was, 0 where all is read */
  private behind = 0;

  private readonly pending: PendingMessages;
  private readonly messages: UserMessages;
  private readonly turns: Turns;
  /** what turns changed, and its undo */
  readonly edits: SessionEdits;

  constructor(private readonly deps: SessionDeps) {
    this.edits = new SessionEdits({ ...deps.edits, requireWritable: () => this.requireWritable() });
    this.pending = new PendingMessages(deps.history, deps.ids);
    this.messages = new UserMessages(deps.history, this.pending, deps);
    this.turns = new Turns(this.pending, this.messages, deps);
  }

  get id(): string {
    return this.deps.history.files.id;
  }
  get readOnly(): boolean {
    return !this.deps.history.files.writable || this.behind > 0;
  }
  get history(): History {
    return this.deps.history;
  }
  /** commands that run behind the turns: Stop leaves them alone */
  get background(): BackgroundTasks {
    return this.deps.background;
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
    if (!this.running) return this.start(signal => this.messages.open(text, signal));
    const pendingId = await this.pending.add(text, delivery);
    // The turn may have ended while the message was written: held it, or came before it.
    if (this.stopping) await this.idle();
    if (!this.running && this.pending.isDue(pendingId)) await this.start(signal => this.open(pendingId, signal));
  }

  /** Goes on with the newest turn, without a new message: after an error, a stop, a limit or a crash. */
  async resume(): Promise<void> {
    this.requireWritable();
    if (this.running) throw new SessionError("The agent is already working.");
    const { turn, end, messages } = this.history.conversation;
    if (end?.turn === turn && end.reason === "done") {
      throw new SessionError("The turn is done. Send a message to go on.");
    }
    if (turn === 0) throw new SessionError("There is nothing to continue yet. Send a message first.");
    if (messages.length === 0) {
      throw new SessionError(
        "The conversation was set aside, so nothing is left to continue. Send a message to go on.",
      );
    }
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

  /** What an open question would change; undefined: it is not open, or no edit. */
  proposal(approvalId: string): Proposal | undefined {
    return this.deps.approvals.findProposal(approvalId);
  }

  /** @param text what the person made of the proposal: with an allow, it is what is done */
  answer(approvalId: string, answer: Omit<ApprovalAnswer, "by" | "edited">, text?: string): void {
    if (!this.deps.approvals.answer(approvalId, { ...answer, by: "user" }, text)) {
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

  /**
   * Compacts history by hand. Resolves when it ended: events told how. Messages sent meanwhile go out after it.
   * Rejects with SessionError, or with StorageError: then nothing changed.
   */
  async compact(guidance?: string): Promise<void> {
    this.requireIdle("compacted");
    let failure: unknown;
    const { compactor } = this.deps;
    await this.occupy(async signal => {
      const asked = { reason: "manual" as const, ...(guidance?.trim() ? { guidance: guidance.trim() } : {}) };
      await compactor.compact(asked, signal).catch(error => {
        failure = error;
      });
      if (failure === undefined) await this.turns.runQueued(signal);
    });
    if (failure !== undefined) throw failure;
  }

  /** History stays as it was; a turn that waits for it goes on. */
  cancelCompaction(): void {
    this.deps.compactor.cancel();
  }

  /** What `undoCompaction` and `redoCompaction` would take back. */
  get compactions(): { undo?: RecordOf<"compaction">; redo?: RecordOf<"compaction"> } {
    return undoableCompactions(this.history);
  }

  /** Puts the originals of the newest compaction back. Rejects with SessionError or StorageError: then nothing changed. */
  async undoCompaction(): Promise<void> {
    this.requireIdle("changed");
    const { undo } = this.compactions;
    if (!undo) throw new SessionError(noCompactionTo("undo"));
    await this.history.undoCompaction(undo);
  }

  async redoCompaction(): Promise<void> {
    this.requireIdle("changed");
    const { redo } = this.compactions;
    if (!redo) throw new SessionError(noCompactionTo("redo"));
    await this.history.redoCompaction(redo);
  }

  /** A pinned round is left as it is by every compaction. */
  async pin(turn: number, pinned: boolean): Promise<void> {
    this.requireWritable();
    if (this.history.conversation.pins.has(turn) !== pinned) await this.history.append({ kind: "pin", turn, pinned });
  }

  /** What `applyCompaction` would do now. */
  previewCompaction(): Promise<CompactionPlan> {
    return this.deps.compactor.preview();
  }

  /** How full the model's window is. */
  contextUse(): Promise<ContextUse> {
    return this.deps.compactor.use();
  }

  /** Sends a message now that was held: it starts a turn, or joins the one that runs with its next step. */
  async sendPending(pendingId: string): Promise<void> {
    this.requireWritable();
    this.pending.require(pendingId);
    if (this.stopping) await this.idle();
    if (this.running) await this.pending.steer(pendingId);
    else await this.start(signal => this.open(pendingId, signal));
  }

  /** Takes over from another window: what it wrote is read before anything is changed here. Rejects with what `read` does. */
  async takeOver(read: () => Promise<void>): Promise<void> {
    this.behind += 1;
    const turn = this.behind;
    await read();
    if (turn === this.behind) this.behind = 0;
  }

  /** What a crash left open becomes what it is: calls whose effect is unknown, a turn that was interrupted. */
  async closeInterrupted(): Promise<void> {
    if (this.history.conversation.turnOpen && this.history.files.writable && !this.running)
      await this.turns.closeInterrupted();
  }

  /** Ends what runs, in the background too, and gives the session's lock back. */
  async close(): Promise<void> {
    this.closing = true;
    await this.stop();
    await this.deps.background.close();
    await this.history.files.close();
  }

  private async open(pendingId: string, signal: AbortSignal): Promise<void> {
    if (!(await this.messages.openPending(pendingId, signal))) throw new SessionError(ALREADY_SENT);
  }

  private requireWritable(): void {
    if (this.readOnly) throw new SessionError(OPEN_ELSEWHERE);
  }

  private requireIdle(done: string): void {
    this.requireWritable();
    if (this.running) {
      throw new SessionError(`The agent is working. Stop it, or let it finish: then the history can be ${done}.`);
    }
  }

  /** Resolves when the turn has begun: its message is on disk. */
  private async start(begin: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const beginning = Promise.withResolvers<unknown>();
    const done = this.occupy(signal => this.turns.run(begin, beginning.resolve, signal));
    const failure = await beginning.promise;
    if (failure) {
      await done;
      throw failure;
    }
  }

  /** The session is busy until this ends; Stop aborts the signal. */
  private occupy(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const done = work(controller.signal).finally(() => {
      this.running = undefined;
      this.stopping = false;
      this.announce();
    });
    this.running = { controller, done };
    this.announce();
    return done;
  }
}
