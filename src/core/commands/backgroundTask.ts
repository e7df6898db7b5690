/** One command that runs on while the agent does other things: from its start to its end. */
import { taskEnding } from "../../shared/taskEnding";
import type { BackgroundTaskInfo } from "../../shared/tasks";
import type { Shell, ShellOutcome } from "../ports";
import { duration } from "../text/format";
import { TaskOutput, type TaskOutputDeps } from "./taskOutput";

export interface TaskDeps extends TaskOutputDeps {
  shell: Pick<Shell, "run">;
}

/** Who follows a task's output. */
export interface TaskFollower {
  output(text: string): void;
  /** Called once, also where it had ended before. */
  ended(info: BackgroundTaskInfo): void;
}

type EndedBy = NonNullable<BackgroundTaskInfo["endedBy"]>;
type What = Pick<BackgroundTaskInfo, "taskId" | "callId" | "command" | "cwd">;

export class BackgroundTask {
  readonly output: TaskOutput;
  /** Resolves when it ended and all of its output is taken. Never rejects. */
  readonly ended: Promise<void>;
  /** why the shell could not run it */
  failure: unknown;
  /** The agent has been told how it ended. */
  seen = false;
  /** Processes that it left running were ended with it. */
  leftBehind = false;
  /** Processes that it started may still run. */
  mayRunOn = false;
  private readonly controller = new AbortController();
  private readonly startedAt: number;
  private ending: Pick<BackgroundTaskInfo, "exitCode" | "signal" | "endedAt"> | undefined;
  private endedBy: EndedBy | undefined;

  /** @param onPrinted called whenever it printed lines */
  constructor(
    private readonly what: What,
    private readonly deps: TaskDeps,
    onPrinted: () => void,
  ) {
    this.startedAt = deps.clock.now();
    this.output = new TaskOutput(deps, onPrinted);
    this.ended = this.run();
  }

  get taskId(): string {
    return this.what.taskId;
  }
  get running(): boolean {
    return this.ending === undefined;
  }
  /** It ended, and the agent does not know how. */
  get isNews(): boolean {
    return !this.running && !this.seen;
  }
  get info(): BackgroundTaskInfo {
    const { what, startedAt, ending, endedBy, output } = this;
    const state = ending === undefined ? "running" : endedBy === undefined ? "exited" : "killed";
    const how = state === "exited" ? ending : { endedAt: ending?.endedAt };
    return {
      ...what,
      command: this.deps.redactor.redact(what.command),
      state,
      ...(how?.endedAt === undefined ? {} : how),
      ...(state === "killed" && endedBy ? { endedBy } : {}),
      startedAt,
      lines: output.lines,
    };
  }
  /** ms that it ran, so far */
  get durationMs(): number {
    return Math.max(0, (this.ending?.endedAt ?? this.deps.clock.now()) - this.startedAt);
  }
  /** "running for 3 min 5 s", "exit 1 after 3 min 5 s" */
  get state(): string {
    const time = duration(this.durationMs);
    return this.running ? `running for ${time}` : `${taskEnding(this.info)} after ${time}`;
  }

  /** Ends it with all that it started; resolves when that is gone. Nothing happens where it has ended. */
  async stop(by: EndedBy): Promise<void> {
    if (this.running) {
      this.endedBy ??= by;
      this.controller.abort();
    }
    await this.ended;
  }

  /** @returns what came before, as far as it is kept (`dropped` characters are not), and what ends the calls */
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
    let outcome: ShellOutcome | undefined;
    try {
      outcome = await this.deps.shell.run({
        command: this.what.command,
        cwd: this.what.cwd,
        signal: this.controller.signal,
        onOutput: (stream, chunk) => this.output.push(stream, chunk),
      });
    } catch (error) {
      this.failure = error;
    }
    await this.output.end();
    // It may have ended by itself the moment before it was to be stopped.
    if (outcome?.ended === "exited") this.endedBy = undefined;
    this.leftBehind = outcome?.leftBehind ?? false;
    this.mayRunOn = outcome?.mayRunOn ?? false;
    this.ending = {
      exitCode: outcome?.exitCode ?? null,
      ...(outcome?.signal ? { signal: outcome.signal } : {}),
      endedAt: this.deps.clock.now(),
    };
  }
}
