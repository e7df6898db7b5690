/**
 * The children of a session: agents that work on its tasks, each a session of its own whose files lie below the caller's. Who
 * begins one, what it may take, what its caller's log says, and its end. Stop, a crash and a close of the caller end them.
 */

import { SerialQueue } from "../../../shared/async";
import { addUsage } from "../../../shared/cost";
import { defined } from "../../../shared/defined";
import type { Budget } from "../../../shared/delegation";
import { errorMessage } from "../../../shared/errorMessage";
import type { AgentEvent } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import type { Usage } from "../../../shared/messages";
import type { RecordOf } from "../../../shared/records";
import { asLogged } from "../../../shared/redacted";
import { SessionError, ToolError } from "../../ground/ports";
import { oneLine, toHandle } from "../../ground/text/format";
import type { AgentType } from "../../guidance/skills/agentType";
import type { KnownSkills } from "../../guidance/skills/knownSkills";
import { type Child, openCalls } from "../../log/conversation";
import type { History } from "../../log/history";
import { keepText } from "../../log/recordedTexts";
import { type RunContext, success, type Tool, type ToolOutcome } from "../../tool/tool";
import { kindsOf, REVIEW, readingKind } from "../delegation/kinds";
import { type Delegation, type Offer, type TaskInput, taskOutcome, taskTool } from "../delegation/taskTool";
import { type ChildSession, Slots, type TreeRoot } from "./childPorts";
import { Offers } from "./offers";
import { type ChildOutcome, OpenChild, timeOver } from "./openChild";
import { portsOfChild } from "./portsOfChild";
import type { AgentPorts, PlacedWorktree } from "./sessionTools";

const NOTHING: Usage = { input: 0, output: 0 };

interface ChildrenDeps<S> {
  ports: AgentPorts;
  history: History;
  skills: KnownSkills;
  root: TreeRoot;
  tools(): ReadonlyMap<string, Tool>;
  emit(event: AgentEvent): void;
  make(ports: AgentPorts, id: string): Promise<S>;
  open(ports: AgentPorts, id: string): Promise<S>;
}

/** What a child is begun with. */
interface ChildTask {
  kind: AgentType;
  budget: Budget;
  title: string;
  prompt: string;
  messageId: string;
  callId: string;
  background: boolean;
}

export class Children<S extends ChildSession> implements Delegation {
  private readonly opened = new Map<string, OpenChild<S>>();
  private readonly slots: Slots;
  private made: { key: string; tool: Tool } | undefined;
  private readonly offers: Offers;
  /** writers in the workspace: one at a time */
  private readonly writing: Slots;
  /** opening and closing */
  private readonly doors = new SerialQueue();

  constructor(private readonly deps: ChildrenDeps<S>) {
    const { caller, settings } = deps.ports;
    this.slots = caller?.slots ?? new Slots(() => settings.get()["agents.atOnce"]);
    // A writer that waits for its own children holds its caller's place.
    this.writing = new Slots(() => 1);
    this.offers = new Offers({ ...deps, kinds: () => this.kinds });
  }

  get kinds(): readonly AgentType[] {
    return kindsOf(this.deps.skills.current.agents);
  }

  /** undefined: it is not offered here */
  get tool(): Tool | undefined {
    const { settings, caller } = this.deps.ports;
    const when = settings.get()["agents.enabled"];
    const hasNone = when === "auto" && !caller && this.deps.skills.current.agents.length === 0;
    if (when === "off" || hasNone || caller?.budget.children === 0) return undefined;
    const key = this.kinds.map(({ name, description }) => `${name} ${description}`).join("\n");
    if (this.made?.key !== key) this.made = { key, tool: taskTool(this) };
    return this.made.tool;
  }

  /** what they took that the log does not have yet */
  readonly unlogged = (): Usage =>
    [...this.opened.values()].reduce((sum, child) => addUsage(sum, child.unlogged()), NOTHING);

  get tokensInFlight(): number {
    return [...this.opened.values()].reduce((sum, child) => sum + child.tokensInFlight, 0);
  }

  get uncounted(): number {
    return [...this.opened.values()].reduce((sum, child) => sum + child.uncounted, 0);
  }

  get atWork(): boolean {
    return [...this.opened.values()].some(({ session }) => session?.state !== "idle");
  }

  offer = (kind: AgentType, input: TaskInput, callId: string): Promise<Offer> => this.offers.offer(kind, input, callId);

  async run(
    kind: AgentType,
    input: TaskInput,
    offer: Offer,
    { callId, signal }: Pick<RunContext, "callId" | "signal">,
  ): Promise<ToolOutcome> {
    this.offers.sign(offer);
    const { history, ports } = this.deps;
    const messageId = openCalls(history.conversation).find(({ call }) => call.toolCallId === callId)?.messageId ?? "";
    // Where the session ends with its turn, its report would reach no reader.
    const background = (input.background ?? kind.background ?? false) && !ports.caller && ports.titles === true;
    const task = {
      kind,
      budget: offer.budget,
      title: oneLine(input.description, 100),
      prompt: input.prompt,
      messageId,
      callId,
      background,
    };
    const child = await this.begin(task, signal);
    if (!background) {
      const ended = await this.work(child, task, signal);
      const { spent, ended: record } = child.known;
      return taskOutcome({
        ...ended,
        agent: kind.name,
        title: task.title,
        id: child.id,
        spent,
        tree: record?.keepsTree && child.tree,
      });
    }
    void this.work(child, task, new AbortController().signal).catch(error =>
      ports.logger.log("error", "the end of an agent is not in its caller's log", { error: String(error) }),
    );
    const text = `It works in the background as ${child.id}. You are told when it has ended.`;
    return success({ data: { agent: kind.name, outcome: "begun" }, text, digest: `Task ${kind.name}: ${task.title}` });
  }

  /**
   * A task that a person gives: what they sign by it, and what begins it; that resolves when it has ended. Rejects with SessionError
   * where none can be given, with StorageError.
   */
  async task(name: string, title: string, prompt: string) {
    const kind = this.kinds.find(each => each.name === name);
    if (!kind || this.deps.ports.settings.get()["agents.enabled"] === "off")
      throw new SessionError(t('Agents are switched off (setting "Agents: Enabled").'));
    const { budget, price } = await this.offers.priced(kind);
    return { price, begin: (signal: AbortSignal) => this.give(kind, budget, { title, prompt }, signal) };
  }

  private async give(
    kind: AgentType,
    budget: Budget,
    { title, prompt }: { title: string; prompt: string },
    signal: AbortSignal,
  ) {
    const task = { kind, budget, title, prompt, messageId: "", callId: "", background: false };
    return this.work(await this.begin(task, signal), task, signal);
  }

  /** Its record is on disk before its files are. */
  private async begin(task: ChildTask, signal: AbortSignal): Promise<OpenChild<S>> {
    const { history, ports } = this.deps;
    const { kind, budget, title, messageId, callId, background } = task;
    const childId = ports.ids.next("ses");
    const tree = budget.files === "worktree" ? await this.addTree(childId, signal) : undefined;
    const about = { childId, messageId, callId, turn: history.conversation.turn, agent: kind.name, title };
    const worktree = tree && { path: tree.path, branch: tree.branch };
    try {
      await history.append({
        ...{ kind: "child", phase: "begun", ...about, budget },
        ...defined({ background: background || undefined, worktree }),
      });
    } catch (error) {
      await tree?.close();
      await tree?.removeIfClean();
      throw error;
    }
    this.deps.root.begun.count += 1;
    const known = history.conversation.children.get(childId);
    if (!known) throw new Error(`${childId} was not begun`);
    const child = new OpenChild<S>(known, this.deps, tree);
    this.opened.set(childId, child);
    child.tell();
    return child;
  }

  private async addTree(childId: string, signal: AbortSignal): Promise<PlacedWorktree> {
    const { worktrees, caller } = this.deps.ports;
    if (!worktrees || caller) throw new ToolError("INVALID_INPUT", "There can be no working tree of its own here.");
    return worktrees.add(childId.toLowerCase().replace(/[^a-z0-9]+/g, "-"), signal);
  }

  private work(child: OpenChild<S>, task: ChildTask, signal: AbortSignal): Promise<ChildOutcome> {
    const done = this.workToEnd(child, task, AbortSignal.any([signal, child.stopping]));
    child.done = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  private async workToEnd(child: OpenChild<S>, task: ChildTask, signal: AbortSignal): Promise<ChildOutcome> {
    // A child that waits for its own gives its place to them.
    const takeBack = this.deps.ports.caller?.lend();
    const alone =
      task.budget.files === "workspace" ? await this.writing.take(signal).catch(() => "stopped" as const) : undefined;
    try {
      await this.workNow(child, task, signal);
    } catch (error) {
      child.stopped ??= signal.aborted ? { reason: "stopped" } : { reason: "error", why: errorMessage(error) };
    } finally {
      if (alone !== "stopped" && task.budget.files === "workspace") this.writing.give();
      takeBack?.();
    }
    return this.end(child);
  }

  private async workNow(
    child: OpenChild<S>,
    { kind, prompt, title, budget }: ChildTask,
    signal: AbortSignal,
  ): Promise<void> {
    await this.slots.take(signal);
    child.hasPlace = true;
    const stop = () => void child.session?.stop();
    const watch = (minutes: number) => {
      over = this.deps.ports.clock.after(Math.ceil(minutes * 60_000), () => {
        const left = budget.minutes - child.minutes;
        if (left > 0) return watch(Math.min(budget.minutes, left));
        child.stopped = { reason: "limit", why: timeOver(budget.minutes) };
        stop();
      });
    };
    let over: () => void = () => undefined;
    watch(budget.minutes);
    try {
      const session = await this.deps.make(this.portsOf(child, kind), child.id);
      child.follow(session);
      signal.throwIfAborted();
      signal.addEventListener("abort", stop);
      await session.history.append({ kind: "title", title });
      const task = kind.name === REVIEW ? { attach: "@changes" } : {};
      await session.submit(`${title}\n\n${prompt}`, "steer", [], { task });
      if (signal.aborted || child.stopped) stop();
      await session.idle();
    } finally {
      over();
      signal.removeEventListener("abort", stop);
      if (child.hasPlace) this.slots.give();
      child.hasPlace = false;
    }
  }

  /** How it ended is in its caller's log. */
  private async end(child: OpenChild<S>): Promise<ChildOutcome> {
    const { history } = this.deps;
    try {
      await child.settled();
      await child.tree?.close();
      const keepsTree = child.tree && !(await child.tree.removeIfClean()) ? (true as const) : undefined;
      const ended = child.outcome();
      const report = child.known.background && (await keepText(asLogged(ended.report), history));
      const { reason, why, trust, findings } = ended;
      await this.record(child, {
        reason,
        ...defined({ why, trust, findings, keepsTree, report: report || undefined }),
      });
      return ended;
    } finally {
      child.onIdle = () => this.wroteOn(child);
      await this.doors.run(async () => (child.isViewed ? undefined : child.session?.close()));
      if (!child.session) this.opened.delete(child.id);
    }
  }

  private async record(child: OpenChild<S>, facts: Partial<RecordOf<"child">>): Promise<void> {
    const { history, ports } = this.deps;
    const { childId, messageId, callId, agent, title, startedAt, ended } = child.known;
    const { turn } = history.conversation;
    const about = { childId, messageId, callId, turn, agent, title };
    child.toldEnd = child.newestEnd;
    const took = { usage: child.unlogged(), durationMs: Math.max(0, ports.clock.now() - (ended?.ts ?? startedAt)) };
    await history.append({ kind: "child", phase: "ended", ...about, ...took, ...facts });
    child.tell(true);
  }

  /** A person wrote to one that had ended. */
  private wroteOn(child: OpenChild<S>): void {
    if (child.newestEnd === child.toldEnd) return;
    const { reason, why } = child.outcome();
    this.record(child, { reason, ...defined({ why }) }).catch(error =>
      this.deps.ports.logger.log("error", "what an agent took is not in its caller's log", { error: String(error) }),
    );
  }

  private portsOf(child: OpenChild<S>, kind: AgentType, isReopened = false): AgentPorts {
    const { children } = this.deps.history.files;
    if (!children) throw new ToolError("IO", "This session can have no agents: it is on no disk.");
    const given = { slots: this.slots, closed: () => void this.opened.delete(child.id) };
    return portsOfChild(child, kind, { ...this.deps, storage: children, isReopened, ...given });
  }

  /** For a person: the one at work, or as its files have it. undefined: no such child. Rejects as opening a session does. */
  open(id: string): Promise<S | undefined> {
    return this.doors.run(async () => {
      const about = this.deps.history.conversation.children.get(id);
      if (!about) return undefined;
      const child = this.opened.get(id) ?? (await this.reopen(about));
      child.isViewed = true;
      return child.session;
    });
  }

  private async reopen(about: Child): Promise<OpenChild<S>> {
    const child = new OpenChild<S>(about, this.deps, undefined);
    const { agent } = about;
    const reads = readingKind(agent);
    const known = this.kinds.find(({ name }) => name === agent) ?? reads;
    const kind = about.worktree ? { ...known, tools: reads.tools } : known;
    child.follow(await this.deps.open(this.portsOf(child, kind, true), about.childId));
    this.opened.set(about.childId, child);
    child.onIdle = () => this.wroteOn(child);
    return child;
  }

  /** Resolves when they have ended. */
  async stop(id?: string): Promise<void> {
    const some = [...this.opened.values()].filter(child => id === undefined || child.id === id);
    await Promise.all(some.map(child => child.stop().then(() => child.done)));
  }

  /** What a crash left open has ended, with all that it took. Rejects with StorageError. */
  async settle(): Promise<void> {
    for (const about of this.deps.history.conversation.children.values()) {
      if (about.ended || this.opened.has(about.childId)) continue;
      const child = await this.reopen(about).catch(error => {
        // Damaged, or of a newer version: its caller is not to suffer from it.
        this.deps.ports.logger.log("warning", "an agent's session could not be opened", { error: String(error) });
        return new OpenChild<S>(about, this.deps, undefined);
      });
      child.copyMissed();
      await child.settled();
      await this.record(child, { reason: "interrupted", ...(about.worktree && { keepsTree: true }) });
      await child.session?.close();
    }
  }

  async close(): Promise<void> {
    await this.stop();
    await Promise.all([...this.opened.values()].map(({ session }) => session?.close()));
  }

  /** For the tail: what of those in the background ended, in this turn or the one before. */
  reminder(): string | undefined {
    const { conversation } = this.deps.history;
    const lines = [...conversation.children.values()].flatMap(({ background, ended, agent, title, childId }) => {
      if (!background) return [];
      if (!ended) return [`Agent ${childId} (${agent}: ${title}) works in the background.`];
      if (ended.turn < conversation.turn - 1 || !ended.report) return [];
      return [
        `Agent ${childId} (${agent}: ${title}) has ended (${ended.reason}). Its report: Recall {"handle":"${toHandle(ended.report.sha256)}"}`,
      ];
    });
    return lines.length > 0 ? lines.join("\n") : undefined;
  }
}
