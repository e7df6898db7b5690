/**
 * The background tasks of a session: commands that run on while turns come and go. They live in this process alone: they
 * outlive Stop, and end with the session, the window, the program. What a later process reads of them in the log is over.
 */
import type { AgentEvent } from "../../shared/events";
import type { Trust } from "../../shared/manifest";
import type { Redact } from "../../shared/redacted";
import type { BackgroundTaskInfo } from "../../shared/tasks";
import { type Shell, type ShellOutcome, type ShellRun, ToolError } from "../ground/ports";
import { codeSpan, counted, duration, oneLine, sanitizeText } from "../ground/text/format";
import { TaskOutput, type TaskOutputDeps } from "./taskOutput";

export interface BackgroundTasksDeps extends Omit<TaskOutputDeps, "encoding"> {
  shell: Shell;
  emit(event: AgentEvent): void;
  /** number of the newest task that the session's log knows; 0: none */
  lastNumber(): number;
}

const MAX_RUNNING = 8;
/** ended tasks whose output is kept in memory: older ones are forgotten */
const MAX_ENDED = 20;
/** ms in which a command that fails at once does so */
const FIRST_MOMENT = 500;
/** ms between two events about what a task printed */
const EVENT_PAUSE = 1000;

interface ListedTask {
  task: BackgroundTask;
  /** It outlived its first moment: before that it is a command like any other. */
  isListed: boolean;
  /** The user has seen how it ended, and lists have it no more. */
  isDismissed: boolean;
  /** calls off that what it printed is told */
  pause: (() => void) | undefined;
}

export class BackgroundTasks {
  private readonly entries = new Map<string, ListedTask>();
  private last = 0;
  private closed = false;

  constructor(private readonly deps: BackgroundTasksDeps) {}

  /**
   * Starts a command and gives it a moment: one that fails at once has failed when this resolves (it is not listed then, and
   * cannot be found by its id). Rejects with ToolError, and with what the shell says where it cannot start.
   */
  async start(what: Omit<StartedCommand, "taskId">): Promise<BackgroundTask> {
    this.requireRoom();
    this.last = Math.max(this.last, this.deps.lastNumber()) + 1;
    const taskId = `task_${this.last}`;
    const task = new BackgroundTask({ ...what, taskId }, this.deps, () => this.printed(taskId));
    const entry: ListedTask = { task, isListed: false, isDismissed: false, pause: undefined };
    this.entries.set(taskId, entry);
    const moment = new AbortController();
    const over = this.deps.clock.sleep(FIRST_MOMENT, moment.signal).catch(() => undefined);
    await Promise.race([task.ended, over]);
    moment.abort();
    if (!task.running) {
      this.entries.delete(taskId);
      if (task.failure !== undefined) throw task.failure;
      return task;
    }
    entry.isListed = true;
    this.tell(entry);
    void task.ended.then(() => this.ended(entry));
    return task;
  }

  /** undefined: there never was one, it ended at once, or is forgotten */
  find(taskId: string): BackgroundTask | undefined {
    const entry = this.entries.get(taskId);
    return entry?.isListed ? entry.task : undefined;
  }

  /** @throws ToolError NOT_FOUND that names those there are */
  get(taskId: string): BackgroundTask {
    const found = this.find(taskId);
    if (found) return found;
    const known = taskNames(this.listed);
    const there = known ? `There are: ${known}.` : "There are none now.";
    throw new ToolError(
      "NOT_FOUND",
      `There is no background task ${taskId}. ${there} Tasks end with the window (or the run) that they were started in, and long after their end they are forgotten.`,
    );
  }

  /** For people: running ones, and ended ones until they are dismissed. */
  list(): BackgroundTaskInfo[] {
    return this.listed.filter(({ isDismissed }) => !isDismissed).map(({ task }) => task.info);
  }

  get running(): BackgroundTaskInfo[] {
    return this.list().filter(({ state }) => state === "running");
  }

  /** One runs, or ended in a way that neither the agent nor the user has taken note of: closing the session would lose it. */
  get needed(): boolean {
    return [...this.entries.values()].some(({ task, isDismissed }) => task.running || !(task.seen || isDismissed));
  }

  /** For the tail of a request; undefined: there is nothing to say. */
  reminder(): string | undefined {
    const tasks = this.listed.map(({ task }) => ({ ...task.info, news: task.output.news, seen: task.seen }));
    return taskReminder(tasks, { now: this.deps.clock.now() });
  }

  /** Takes one that ended off the lists of people. The agent can still read it. */
  dismiss(taskId: string): void {
    const entry = this.entries.get(taskId);
    if (!entry || entry.task.running) return;
    entry.isDismissed = true;
    this.tell(entry);
  }

  /** Ends all of them; resolves when they are gone. None starts any more. */
  async close(): Promise<void> {
    this.closed = true;
    const all = [...this.entries.values()];
    await Promise.all(all.map(({ task }) => task.stop("session")));
    await Promise.all(all.map(({ task }) => task.output.discard()));
  }

  private get listed(): ListedTask[] {
    return [...this.entries.values()].filter(({ isListed }) => isListed);
  }

  private requireRoom(): void {
    if (this.closed) throw new ToolError("ABORTED", "The session is being closed. Nothing was started.");
    const running = [...this.entries.values()].filter(({ task }) => task.running);
    if (running.length < MAX_RUNNING) return;
    throw new ToolError(
      "INVALID_INPUT",
      `${counted(MAX_RUNNING, "background task")} run already, and no more may: ${taskNames(running)}. End one (BashOutput with kill), or run this command without run_in_background.`,
    );
  }

  private tell({ task, isDismissed }: ListedTask): void {
    this.deps.emit({ type: "task", ...task.info, ...(isDismissed ? { dismissed: true } : {}) });
  }

  /** Told at once, and then as often as a person can follow. */
  private printed(taskId: string): void {
    const entry = this.entries.get(taskId);
    if (!entry?.isListed || entry.pause) return;
    entry.pause = this.deps.clock.after(EVENT_PAUSE, () => {
      entry.pause = undefined;
      this.tell(entry);
    });
  }

  private ended(entry: ListedTask): void {
    entry.pause?.();
    this.tell(entry);
    const [oldest, ...others] = this.listed.filter(({ task }) => !task.running);
    if (!oldest || others.length < MAX_ENDED) return;
    this.entries.delete(oldest.task.what.taskId);
    void oldest.task.output.discard();
    if (!oldest.isDismissed) this.tell({ ...oldest, isDismissed: true });
  }
}

const taskNames = (entries: readonly ListedTask[]) =>
  entries.map(({ task: { info } }) => `${info.taskId} \`${oneLine(info.command, 60)}\``).join(", ");

export interface TaskNews extends BackgroundTaskInfo {
  /** what the agent has not read */
  news: { any: boolean; lines: number };
  /** It has been told how the task ended. */
  seen: boolean;
}

/**
 * What the tail of a request says of background tasks: those that run, and those whose end the agent has not read; undefined:
 * nothing. Times in minutes: the text is to be the same from step to step where nothing happens.
 */
export function taskReminder(tasks: readonly TaskNews[], { now }: { now: number }): string | undefined {
  const lines = tasks.filter(task => task.state === "running" || !task.seen).map(task => taskLine(task, now));
  return lines.length > 0 ? ["Background tasks (BashOutput reads them):", ...lines].join("\n") : undefined;
}

function taskLine(task: TaskNews, now: number): string {
  const command = codeSpan(oneLine(sanitizeText(task.command), 80));
  const line = `- ${task.taskId} ${command}: `;
  if (task.state !== "running") return `${line}${endingForModel(task)}, not read yet`;
  const { any, lines } = task.news;
  const news = lines > 0 ? counted(lines, "new line") : any ? "new output" : "";
  return `${line}running for ${minutes(now - task.startedAt)}${news && `, ${news}`}`;
}

function minutes(ms: number): string {
  const whole = Math.floor(ms / 60_000);
  if (whole < 1) return "less than a minute";
  return whole < 120 ? `${whole} min` : `${Math.floor(whole / 60)} h`;
}

/** Who follows a task's output. */
export interface TaskFollower {
  output(text: string): void;
  /** Called once, also where it had ended before. */
  ended(info: BackgroundTaskInfo): void;
}

type EndedBy = NonNullable<BackgroundTaskInfo["endedBy"]>;
interface StartedCommand extends Pick<ShellRun, "command" | "cwd" | "sandbox" | "onlyReads" | "disarmsGit"> {
  taskId: string;
  callId: string;
  /** the trust of its output, where that is foreign */
  trust?: Trust | undefined;
}

/** One command that runs on while the agent does other things: from its start to its end. */
export class BackgroundTask {
  readonly output: TaskOutput;
  /** Resolves when all of its output is taken. Never rejects. */
  readonly ended: Promise<void>;
  /** why the shell could not run it */
  failure: unknown;
  /** The agent has been told how it ended. */
  seen = false;
  /** undefined: it runs, or could not */
  outcome: ShellOutcome | undefined;
  private readonly controller = new AbortController();
  private readonly startedAt: number;
  private ending: Pick<BackgroundTaskInfo, "exitCode" | "signal" | "endedAt"> | undefined;
  private endedBy: EndedBy | undefined;

  /** @param onPrinted called whenever it printed lines */
  constructor(
    readonly what: StartedCommand,
    private readonly deps: Omit<BackgroundTasksDeps, "emit" | "lastNumber">,
    onPrinted: () => void,
  ) {
    this.startedAt = deps.clock.now();
    this.output = new TaskOutput({ ...deps, encoding: deps.shell.encoding }, onPrinted);
    this.ended = this.run();
  }

  get running(): boolean {
    return this.ending === undefined;
  }
  get redact(): Redact {
    return this.deps.redactor.redact;
  }
  get info(): BackgroundTaskInfo {
    const {
      what: { sandbox, onlyReads: _, disarmsGit: __, trust: ___, ...what },
      startedAt,
      ending,
      endedBy,
      output,
    } = this;
    const state = ending === undefined ? "running" : endedBy === undefined ? "exited" : "killed";
    const how = endedBy && ending ? { endedAt: ending.endedAt, endedBy } : ending;
    const command = this.deps.redactor.redact(what.command);
    const place = sandbox.kind === "none" ? {} : { sandbox: true as const };
    return { ...what, ...place, command, state, ...how, startedAt, lines: output.lines };
  }
  /** ms that it ran, so far */
  get durationMs(): number {
    return Math.max(0, (this.ending?.endedAt ?? this.deps.clock.now()) - this.startedAt);
  }
  /** "running for 3 min 5 s", "exit 1 after 3 min 5 s" */
  get state(): string {
    const time = duration(this.durationMs);
    return this.running ? `running for ${time}` : `${endingForModel(this.info)} after ${time}`;
  }

  /** Ends it with all that it started; resolves when that is gone. Nothing happens where it has ended. */
  async stop(by: EndedBy): Promise<void> {
    if (this.running) {
      this.endedBy ??= by;
      this.controller.abort();
    }
    await this.ended;
  }

  /** @returns the earlier output, as far as it is kept (`dropped` characters are not), and `stop`, which ends the calls */
  watch(follower: TaskFollower): { text: string; dropped: number; stop(): void } {
    let follows = true;
    const watched = this.output.watch(text => follower.output(text));
    const stop = () => {
      follows = false;
      watched.stop();
    };
    void this.ended.then(() => follows && follower.ended(this.info));
    return { ...watched, stop };
  }

  private async run(): Promise<void> {
    try {
      const { taskId: _, callId: __, trust: ___, ...what } = this.what;
      this.outcome = await this.deps.shell.run({
        ...what,
        signal: this.controller.signal,
        onOutput: (stream, chunk) => this.output.push(stream, chunk),
      });
    } catch (error) {
      this.failure = error;
    }
    await this.output.end();
    const { outcome } = this;
    // It may have ended by itself the moment before it was to be stopped.
    if (outcome?.ended === "exited") this.endedBy = undefined;
    this.ending = {
      exitCode: outcome?.exitCode ?? null,
      ...(outcome?.signal ? { signal: outcome.signal } : {}),
      endedAt: this.deps.clock.now(),
    };
  }
}

const killed: Record<NonNullable<BackgroundTaskInfo["endedBy"]>, string> = {
  agent: "ended by you",
  user: "ended by the user",
  session: "ended with its session",
};

/** "exit 1", "killed by SIGSEGV", "ended by the user": one that has ended. */
function endingForModel({ state, exitCode, signal, endedBy = "session" }: BackgroundTaskInfo): string {
  if (state === "killed") return killed[endedBy];
  return typeof exitCode === "number" ? `exit ${exitCode}` : `killed by ${signal ?? "a signal"}`;
}
