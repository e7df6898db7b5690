/** A shell that plays what a test wrote down. */

import type { BashPorts, CommandSandbox } from "../../src/core/commands/bash";
import type { Shell, ShellOutcome, ShellRun } from "../../src/core/ground/ports";

/** Nobody looks at files around commands. */
export const noObserver = {
  filesToAskAbout: async () => [],
  observe: (_observed, _run, command) => command(),
} satisfies Partial<BashPorts["observer"]> as unknown as BashPorts["observer"];

export interface ShellScript extends Partial<ShellOutcome> {
  output?: readonly (readonly ["stdout" | "stderr", string | Uint8Array])[];
  /** Waits for this before it does anything. */
  before?: Promise<void>;
  /** What it does to files, after its output. */
  does?: () => unknown;
  /** Stays after its output until it is stopped. */
  hangs?: boolean;
  /** The test says what it prints and when it ends. */
  held?: HeldCommand;
  /** The shell itself does not start. */
  fails?: Error;
}

/** A session's sandbox as `fake` has it; it is missing where nothing else is said. */
export function noSandbox(fake: Partial<CommandSandbox> = {}): CommandSandbox {
  return {
    mode: () => "auto",
    kept: () => [],
    policy: () => ({ kind: "sandbox", network: [], access: "write" }),
    state: async () => ({ kind: "missing", why: "There is no sandbox here." }),
    ...fake,
  };
}

/** A command in the hands of a test: from when it was started, until the test or a stop ends it. */
export class HeldCommand {
  readonly started: Promise<ShellRun>;
  private begin: (run: ShellRun) => void = () => undefined;
  private readonly over = Promise.withResolvers<Partial<ShellOutcome>>();

  constructor() {
    this.started = new Promise(resolve => {
      this.begin = resolve;
    });
  }

  /** Resolves when it was taken. */
  async print(text: string | Uint8Array, stream: "stdout" | "stderr" = "stdout"): Promise<void> {
    const run = await this.started;
    await run.onOutput(stream, typeof text === "string" ? Buffer.from(text, "utf8") : text);
  }

  exit(outcome: Partial<ShellOutcome> = {}): void {
    this.over.resolve(outcome);
  }

  async run(run: ShellRun): Promise<Partial<ShellOutcome>> {
    this.begin(run);
    return Promise.race([this.over.promise, stopped(run.signal).then(() => ({}))]);
  }
}

export class ScriptedShell implements Shell {
  readonly name = "bash";
  readonly runs: ShellRun[] = [];

  /** By command; `*` is every other one. */
  constructor(private readonly scripts: Record<string, ShellScript>) {}

  /** From now on. */
  add(command: string, script: ShellScript): void {
    this.scripts[command] = script;
  }

  async run(run: ShellRun): Promise<ShellOutcome> {
    this.runs.push(run);
    const found = this.scripts[run.command] ?? this.scripts["*"];
    if (!found) throw new Error(`no script for ${run.command}`);
    let script = found;
    if (script.fails) throw script.fails;
    await script.before;
    for (const [stream, data] of script.output ?? []) {
      await run.onOutput(stream, typeof data === "string" ? Buffer.from(data, "utf8") : data);
    }
    await script.does?.();
    if (script.hangs) await stopped(run.signal);
    if (script.held) script = { ...script, ...(await script.held.run(run)) };
    const ended = run.signal.aborted ? "aborted" : (script.ended ?? "exited");
    const natural = ended === "exited";
    return {
      exitCode: natural ? (script.exitCode === undefined ? 0 : script.exitCode) : null,
      signal: natural ? (script.signal ?? null) : "SIGKILL",
      ended,
      durationMs: script.durationMs ?? 100,
      cwd: script.cwd ?? run.cwd,
      leftBehind: script.leftBehind ?? false,
      mayRunOn: script.mayRunOn ?? false,
      ...(script.running && { running: script.running }),
      ...(script.refused && { refused: script.refused }),
      ...(script.refusedHosts && { refusedHosts: script.refusedHosts }),
    };
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener("abort", () => resolve(), { once: true }));
}
