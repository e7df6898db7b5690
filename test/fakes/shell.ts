/** A shell that plays what a test wrote down. */
import type { Shell, ShellOutcome, ShellRun } from "../../src/core/ports";

export interface ShellScript extends Partial<ShellOutcome> {
  output?: readonly (readonly ["stdout" | "stderr", string | Uint8Array])[];
  /** Waits for this before it does anything. */
  before?: Promise<void>;
  /** Stays after its output until it is stopped. */
  hangs?: boolean;
  /** The shell itself does not start. */
  fails?: Error;
}

export class ScriptedShell implements Shell {
  readonly name = "bash";
  readonly runs: ShellRun[] = [];

  /** By command; `*` is every other one. */
  constructor(private readonly scripts: Record<string, ShellScript>) {}

  async run(run: ShellRun): Promise<ShellOutcome> {
    this.runs.push(run);
    const script = this.scripts[run.command] ?? this.scripts["*"];
    if (!script) throw new Error(`no script for ${run.command}`);
    if (script.fails) throw script.fails;
    await script.before;
    for (const [stream, data] of script.output ?? []) {
      await run.onOutput(stream, typeof data === "string" ? Buffer.from(data, "utf8") : data);
    }
    if (script.hangs) await stopped(run.signal);
    const ended = run.signal.aborted ? "aborted" : (script.ended ?? "exited");
    const natural = ended === "exited";
    return {
      exitCode: natural ? (script.exitCode === undefined ? 0 : script.exitCode) : null,
      signal: natural ? (script.signal ?? null) : "SIGKILL",
      ended,
      durationMs: script.durationMs ?? 100,
      cwd: script.cwd ?? run.cwd,
      leftBehind: script.leftBehind ?? false,
    };
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener("abort", () => resolve(), { once: true }));
}
