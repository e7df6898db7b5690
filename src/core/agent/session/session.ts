/**
 * A session: one conversation, one turn at a time. Concurrency only (submit, steer, queue, stop, resume, close); what a turn
 * does is in agent/turnRunner.ts, what is remembered in history/.
 */
import type { ApprovalAnswer } from "../../../shared/approval";
import type { KeptPicture } from "../../../shared/attachProtocol";
import { defined } from "../../../shared/defined";
import type { Caller } from "../../../shared/delegation";
import type { AgentEvent, SessionState } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import type { QuestionReply } from "../../../shared/question";
import { type SessionModel, sameModel } from "../../../shared/sessionModel";
import { modeAfter, type PermissionMode } from "../../../shared/settingValues";
import { SessionReview } from "../../changes/review/sessionReview";
import { Intents } from "../../changes/timeline/intents";
import { Restorer, type RestorerDeps } from "../../changes/timeline/restorer";
import { SessionEdits } from "../../changes/timeline/sessionEdits";
import { Timeline } from "../../changes/timeline/timeline";
import type { BackgroundTasks } from "../../commands/background";
import { type Logger, SessionError } from "../../ground/ports";
import type { Report } from "../../ground/text/report";
import type { KnownSkills } from "../../guidance/skills/knownSkills";
import { suspendedCalls } from "../../log/conversation";
import type { History } from "../../log/history";
import type { Proposal } from "../../tool/tool";
import { openQuestion, type Questions, TurnSuspended } from "../questions";
import { requireResumable } from "../turnEnds";
import { type TurnRunner, turnFailure } from "../turnRunner";
import type { Children } from "./children";
import type { Events } from "./events";
import { SessionCompaction, SessionContext, type SessionGate, whyNotWritable } from "./sessionContext";
import { SessionPlans } from "./sessionPlans";
import { type RewindPorts, SessionRewind } from "./sessionRewind";
import type { Delivery, Extras, UserMessages } from "./userMessages";

interface SessionDeps {
  history: History;
  runner: TurnRunner;
  messages: UserMessages;
  questions: Questions;
  /** commands that run behind the turns: Stop leaves them alone */
  background: BackgroundTasks;
  children: Session["children"];
  /** of a child: for whom it works, and where its changes are reviewed, if not in its own tree */
  caller?: Caller & { changes?(): Pick<Session, "edits" | "review"> };
  events: Events;
  skills: KnownSkills;
  edits: Pick<RestorerDeps, "files" | "snapshots" | "disk">;
  rewind: RewindPorts;
  logger: Logger;
  /** as set, or the default of sessions */
  mode(): PermissionMode;
  costs(): Promise<Report>;
  /** why a mode cannot be chosen; undefined: it can */
  whyNotMode(mode: PermissionMode): string | undefined;
  /** after a turn: the lists of sessions and of turns have it. Never rejects. */
  onTurnEnd(): void;
  /** Ends background work. Never rejects. */
  onClose(): Promise<void>;
}

export class Session {
  readonly history: History;
  readonly background: BackgroundTasks;
  readonly messages: UserMessages;
  readonly edits: SessionEdits;
  /** changes that wait for a review */
  readonly review: SessionReview;
  readonly compaction: SessionCompaction;
  readonly context: SessionContext;
  /** going back to before a message, and to other branches */
  readonly rewind: SessionRewind;
  readonly plans: SessionPlans;
  readonly skills: KnownSkills;
  readonly caller: Caller | undefined;
  /** agents that work for it */
  readonly children: Children<Session>;

  private readonly intents: Intents;
  private running: { controller: AbortController; done: Promise<void> } | undefined;
  private stopping = false;
  private closing = false;
  /** another window wrote, and it is not read yet: counts how often that was, 0 where all is read */
  private behind = 0;

  constructor(private readonly deps: SessionDeps) {
    this.history = deps.history;
    this.background = deps.background;
    this.messages = deps.messages;
    this.skills = deps.skills;
    this.children = deps.children;
    this.caller = deps.caller;
    const requireWritable = () => this.requireWritable();
    const { history } = deps;
    const timeline = new Timeline(history);
    this.intents = new Intents({ ...deps.edits, history });
    const restorer = new Restorer({ ...deps.edits, history, timeline, intents: this.intents });
    const changes = { ...deps.edits, history, timeline, restorer, requireWritable };
    // What a child changes in the workspace is the root's to review.
    const root = deps.caller?.changes?.();
    this.edits = root?.edits ?? new SessionEdits(changes);
    this.review = root?.review ?? new SessionReview(changes);
    const gate: SessionGate = {
      requireWritable,
      requireIdle: () => this.requireIdle(),
      whileBusy: work => this.whileBusy(work),
    };
    this.compaction = new SessionCompaction(deps.history, deps.runner.compactor, gate);
    this.context = new SessionContext(deps.history, deps.runner.compactor);
    const running = () => this.background.list().flatMap(task => (task.state === "running" ? [task.taskId] : []));
    const alone: SessionGate["whileBusy"] = work =>
      this.whileBusy(signal => this.children.stop().then(() => work(signal)));
    this.rewind = new SessionRewind({ ...deps.rewind, ...gate, timeline, running, whileBusy: alone });
    this.plans = new SessionPlans(deps.history, {
      ...gate,
      requireMode: mode => this.requireMode(mode),
      open: (text, along) => this.start(signal => deps.messages.open({ text }, signal, undefined, along)),
    });
  }

  get id(): string {
    return this.history.files.id;
  }
  get readOnly(): boolean {
    return !this.history.files.writable || this.behind > 0;
  }
  get obstacle(): string | undefined {
    return this.readOnly ? this.history.files.obstacle : undefined;
  }
  get deleted(): true | undefined {
    return this.history.files.isGone || undefined;
  }
  get mode(): PermissionMode {
    return this.deps.mode();
  }
  /** as it was chosen here; empty: as the settings have it */
  get model(): SessionModel {
    return this.history.conversation.model ?? {};
  }
  get state(): SessionState {
    if (this.stopping) return "stopping";
    // A child's, in the background.
    if (this.deps.questions.open > 0) return "asking";
    return this.running ? "running" : "idle";
  }

  /** Rejects with StorageError. */
  costs = (): Promise<Report> => this.deps.costs();
  subscribe(listener: (event: AgentEvent) => void): () => void {
    return this.deps.events.subscribe(listener);
  }
  live(): AgentEvent[] {
    return this.deps.events.live();
  }
  hello(): AgentEvent {
    const { id: sessionId, readOnly, obstacle, deleted } = this;
    return { type: "session", version: 1, sessionId, readOnly, ...defined({ obstacle, deleted }) };
  }
  announce(): void {
    this.deps.events.emit({ type: "state", state: this.state });
  }

  /**
   * Takes a message: starts a turn, or, while one runs, steers it or queues the message for the next one. Resolves when the
   * message is on disk. Rejects with SessionError or StorageError: then nothing was taken, and the text is the caller's.
   */
  async submit(text: string, delivery: Delivery = "steer", pictures: readonly KeptPicture[] = [], more: Extras = {}) {
    const { piped, task, pendingId: key } = more;
    if (!text.trim() && pictures.length === 0)
      throw new SessionError(t("The message is empty. Type what the agent should do."));
    this.requireWritable();
    if (pictures.length > 0) await this.deps.messages.requirePictures(pictures);
    if (this.stopping) await this.idle();
    if (this.closing) throw new SessionError(t("This session is being closed. Send the message in another one."));
    if (!this.running)
      return this.start(signal =>
        this.deps.messages.open({ text, pictures, piped, ...defined({ task }) }, signal, key),
      );
    const pendingId = await this.deps.messages.add({ text, pictures }, delivery, key);
    // The turn may have ended while the message was written: held it, or came before it.
    if (this.stopping) await this.idle();
    if (!this.running && this.deps.messages.isDue(pendingId))
      await this.start(signal => this.deps.messages.openPending(pendingId, signal));
  }

  /** Rejects with SessionError where it cannot be sent, with StorageError. */
  keepPicture(name: string, bytes: Uint8Array): Promise<KeptPicture> {
    this.requireWritable();
    return this.deps.messages.keepPicture(name, bytes);
  }

  /** Sends a message now that was held: it starts a turn, or joins the one that runs with its next step. */
  async sendPending(pendingId: string): Promise<void> {
    this.requireWritable();
    this.deps.messages.require(pendingId);
    if (this.stopping) await this.idle();
    if (this.running) await this.deps.messages.steer(pendingId);
    else await this.start(signal => this.deps.messages.openPending(pendingId, signal));
  }

  /** The person is done changing a message, or all: what would have been sent meanwhile is sent now. */
  endEdit(pendingId?: string): void {
    if (this.deps.messages.endEdit(pendingId)) this.sendDue();
  }

  /** Sends the next queued message, where no turn runs. One that cannot be sent stays, and an event says why. */
  sendDue(): void {
    if (!this.running && !this.closing && !this.readOnly) void this.occupy(signal => this.runQueued(signal));
  }

  /** Continues the newest turn, without a new message: after an error, a stop, a limit or a crash. */
  async resume(): Promise<void> {
    this.requireWritable();
    if (this.running) throw new SessionError(t("The agent is already working."));
    requireResumable(this.history.conversation);
    await this.start(async () => undefined);
  }

  /** Ends the turn that runs, and all that works for it; resolves when they have ended. The queue is held. */
  async stop(): Promise<void> {
    await Promise.all([this.end(new DOMException("The user stopped the turn.", "AbortError")), this.children.stop()]);
  }

  /**
   * Ends what runs, since this process or its lock ends. A turn that waits for an answer is left as the log has it,
   * and continues where the session is opened next.
   */
  leave(): Promise<void> {
    if (!this.deps.questions.suspends) return this.stop();
    return Promise.all([this.end(new TurnSuspended()), this.children.stop()]).then(() => undefined);
  }

  private async end(reason: Error): Promise<void> {
    if (!this.running) return;
    const { controller, done } = this.running;
    if (!this.stopping) {
      this.stopping = true;
      this.announce();
      controller.abort(reason);
    }
    await done;
  }

  async idle(): Promise<void> {
    while (this.running) await this.running.done;
  }

  proposal(approvalId: string): Proposal | undefined {
    return this.deps.questions.findProposal(approvalId);
  }

  /** @param text what the person made of the proposal: with an allow, it is what is done */
  answer(approvalId: string, answer: Omit<ApprovalAnswer, "by" | "edited">, text?: string): void {
    if (!this.deps.questions.answer(approvalId, { ...answer, by: "user" }, text))
      throw new SessionError(t("This question was already answered, or the turn was stopped."));
  }

  /** Answers a question that allows nothing. Throws SessionError where it is not open any more, or the answer does not fit. */
  reply(questionId: string, reply: QuestionReply): void {
    this.requireWritable();
    this.deps.questions.reply(questionId, reply);
  }

  get question(): { questionId: string } | undefined {
    return openQuestion(this.history.conversation);
  }

  async setMode(mode: PermissionMode): Promise<void> {
    this.requireWritable();
    this.requireMode(mode);
    if (mode !== this.mode) await this.history.append({ kind: "mode", mode });
  }

  nextMode = () => this.setMode(modeAfter(this.mode, mode => this.deps.whyNotMode(mode) === undefined));

  async setModel(model: SessionModel): Promise<void> {
    this.requireWritable();
    if (!sameModel(model, this.model)) await this.history.append({ kind: "model", ...model });
  }

  /** Takes over from another window: what it wrote is read before anything is changed here. Rejects with what `read` does. */
  async takeOver(read: () => Promise<void>): Promise<void> {
    this.behind += 1;
    const time = this.behind;
    await read();
    if (time === this.behind) this.behind = 0;
  }

  /**
   * An open question to the person waits for its answer again; all else that was left open ends as calls whose effect is unknown,
   * and a turn that was interrupted.
   */
  async settleOpenTurn(): Promise<void> {
    const { conversation, files } = this.history;
    if (!files.writable || this.running) return;
    await this.intents.closeInterrupted(begun => this.rewind.close(begun));
    if (conversation.children.size > 0) await this.children.settle();
    if (!conversation.turnOpen) return;
    const isAsked = this.question !== undefined || (this.deps.questions.waits && conversation.asked.size > 0);
    if (isAsked && suspendedCalls(conversation).length > 0) this.waitForAnswer();
    else await this.deps.runner.closeInterrupted();
  }

  /** Ends what runs, in the background too, and gives the session's lock back, behind this last work. Rejects as that does. */
  async close(last?: () => Promise<void>): Promise<void> {
    this.closing = true;
    await this.leave();
    await this.children.close();
    await this.deps.onClose();
    await this.background.close();
    const { files } = this.history;
    await (last ? last().finally(() => files.close()) : files.close());
  }

  requireWritable(): void {
    const why = whyNotWritable(this);
    if (why !== undefined) throw new SessionError(why);
  }

  private requireMode(mode: PermissionMode): void {
    const why = this.deps.whyNotMode(mode);
    if (why !== undefined) throw new SessionError(why);
  }

  private requireIdle(): void {
    this.requireWritable();
    if (this.running) throw new SessionError(t("The agent is working. Stop it, or let it finish first."));
  }

  /** Runs a turn and then the queued ones. Resolves when it has begun: its message is on disk for good. Rejects as `begin` does. */
  private async start(begin: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const begun = Promise.withResolvers<unknown>();
    const done = this.occupy(async signal => {
      try {
        await this.rewind.noteUnnoted();
        await begin(signal);
      } catch (error) {
        return begun.resolve(error);
      }
      // The turn builds its request meanwhile, which waits for the same.
      void this.history.synced().then(() => begun.resolve(undefined), begun.resolve);
      await this.runTurn(signal);
      await this.runQueued(signal);
    });
    const failure = await begun.promise;
    if (failure) {
      await done;
      throw failure;
    }
  }

  private waitForAnswer(): void {
    this.start(signal => this.deps.questions.reopen(signal)).catch(error => {
      if (!(error instanceof TurnSuspended)) this.tellFailure(error);
    });
  }

  private async whileBusy(work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    let failure: unknown;
    const fail = (error: unknown) => {
      failure = error;
    };
    await this.occupy(signal => work(signal).then(() => this.runQueued(signal), fail));
    if (failure) throw failure;
  }

  private async runTurn(signal: AbortSignal): Promise<void> {
    await this.deps.runner.run(signal, this.deps.messages);
    this.deps.onTurnEnd();
  }

  /** Never rejects. */
  private async runQueued(signal: AbortSignal): Promise<void> {
    try {
      await this.rewind.noteUnnoted();
      while (await this.deps.messages.openNext(signal)) await this.runTurn(signal);
    } catch (error) {
      // It is still pending; the person sees why it was not sent.
      this.tellFailure(error);
    }
  }

  private tellFailure(error: unknown): void {
    this.deps.events.emit({ type: "failure", error: turnFailure(error, this.deps.logger) });
  }

  /** The session is busy until this ends; Stop aborts the signal. @param work never rejects */
  private occupy(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.running) throw new SessionError(t("The agent is working already."));
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
