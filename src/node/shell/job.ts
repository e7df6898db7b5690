/** One command from its start to the end of its last process. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Clock, ShellOutcome, ShellRun } from "../../core/ground/ports";
import { errorMessage } from "../../shared/errorMessage";
import { errno } from "../errno";
import { isFolder, withSlashes } from "../paths";
import { withoutInherited } from "../processes";
import { hasLeftSome, hasStarted } from "../sandbox/bubblewrap";
import type { ConfinedRun } from "../sandbox/watchedCommands";
import { CommandProcesses, type LiveCommands } from "./commandProcesses";
import type { Launch } from "./launcher";
import { type OutputPipes, OutputPump, type PipeSupply } from "./output";

export interface JobOptions {
  /** the sandbox around it; absent: none */
  confinement?: ConfinedRun | undefined;
  supply: PipeSupply;
  /** `inheritedDescriptors` of this process */
  inherited: readonly number[];
  env: NodeJS.ProcessEnv;
  killAfterMs: number;
  graceMs: number;
  outputMs: number;
  clock: Clock;
  /** holds the command's processes while they live */
  live: LiveCommands;
}

/** A shell writes one line there; what a command writes into it beyond that is passed over. */
const REPORT_LIMIT = 16_384;

/** bytes that are kept back until the sandbox reports that it is set up */
const MAX_HELD = 16_384;

/** ms for the pipes of a command whose processes are gone to say so; a busy machine needs a few */
const CLOSING_MS = 20;

/** Rejects where the shell cannot start (SandboxError: the sandbox around it), and with what `onOutput` threw. */
export async function runJob(run: ShellRun, launch: Launch, options: JobOptions): Promise<ShellOutcome> {
  try {
    return await runOnce(run, launch, options);
  } finally {
    await options.confinement?.end();
  }
}

async function runOnce(run: ShellRun, launch: Launch, options: JobOptions): Promise<ShellOutcome> {
  const started = options.clock.steady();
  // What has input is a program that answers on what it inherited (a hook): named pipes would cost it a process more.
  const pipes = run.input === undefined ? await options.supply.take() : undefined;
  if (run.signal.aborted) {
    pipes?.discard();
    const nothing = { leftBehind: false, mayRunOn: false };
    return { exitCode: null, signal: null, ended: "aborted", durationMs: 0, cwd: run.cwd, ...nothing };
  }
  // Tells the command's processes from all others (processes.ts).
  const commandId = randomUUID();
  const variable = `STRATA_COMMAND_ID=${commandId}`;
  const { confinement, clock } = options;
  // bash reads ~/.bashrc where it is the first shell and its input is a socket, as Node's pipes are.
  const first = run.input === undefined ? {} : { SHLVL: "1" };
  const env = { ...first, ...options.env, ...run.env, STRATA_COMMAND_ID: commandId };
  options.live.expect(variable, confinement !== undefined);
  const child = spawnCommand(launch, run, env, pipes, options);
  const exit = waitForExit(child);
  if (child.pid === undefined) {
    pipes?.discard();
    await exit;
    throw new Error("The command was not run: the shell did not start.");
  }
  const processes = new CommandProcesses(child.pid, variable, clock, confinement !== undefined);
  options.live.add(processes);
  try {
    const stopper = new Stopper(processes, options);
    confinement?.whenBreached(() => stopper.refuse());
    const pump = new OutputPump(clock, () => stopper.stop("aborted"));
    const report = takeStreams(child, { pipes, pump, run, confinement });
    const { code, signal } = await stopper.watch(exit, run);
    const { leftBehind, allGone } = await endLeftovers(processes, stopper, pump, options);
    const allClosed = await pump.drained(options.outputMs);
    if (child.exitCode === null && child.signalCode === null) child.unref();
    const reported = await launch.endedIn(report.text);
    if (pump.failure) throw pump.failure.error;
    if (confinement && stopper.ended === "exited" && !report.started)
      throw new SandboxError(bytesOf(report.held).toString("utf8"));
    const refused = await confinement?.end();
    return {
      exitCode: code,
      signal,
      ended: refused?.length ? "refused" : stopper.ended,
      durationMs: Math.round(options.clock.steady() - started),
      // Where the command removed the folder it ended in, the next one starts where this one did.
      cwd: reported && isFolder(reported) ? withSlashes(reported) : run.cwd,
      leftBehind: leftBehind || (stopper.ended === "exited" && confinement !== undefined && hasLeftSome(report.text)),
      mayRunOn: !allGone || !allClosed,
      ...(!(allGone && allClosed) && { running: processes.running() }),
      ...(refused?.length && { refused }),
    };
  } finally {
    options.live.delete(processes);
  }
}

/** Nothing was run and nothing printed. */
export class SandboxError extends Error {
  /** @param complaint bubblewrap's output */
  constructor(complaint: string) {
    super(`The command was not run: the sandbox could not be put around it (${complaint.trim() || "without a word"}).`);
  }
}

function spawnCommand(
  launch: Launch,
  { cwd, input }: ShellRun,
  env: NodeJS.ProcessEnv,
  pipes: OutputPipes | undefined,
  { confinement, inherited }: JobOptions,
): ChildProcess {
  const opened: number[] = [];
  try {
    for (const path of confinement?.files ?? []) opened.push(openSync(path, "r"));
    const given = input === undefined ? "ignore" : "pipe";
    const out: readonly (number | "pipe")[] = pipes?.writers ?? ["pipe", "pipe"];
    const options = { cwd, env: { ...env, ...launch.env }, windowsHide: true };
    const child = withoutInherited(
      [given, ...out, "pipe", ...opened],
      stdio => spawn(launch.program, launch.args, { ...options, detached: process.platform !== "win32", stdio }),
      inherited,
    );
    // A program that does not read to the end closes it: that is no failure.
    child.stdin?.on("error", () => undefined).end(input);
    return child;
  } catch (error) {
    pipes?.discard();
    throw cannotStart(error);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

function cannotStart(error: unknown): Error {
  const why =
    errno(error) === "E2BIG"
      ? "it is longer than the system allows. Write it into a file and run that."
      : `the shell could not be started (${errorMessage(error)}).`;
  return new Error(`The command was not run: ${why}`);
}

interface ProcessExit {
  code: number | null;
  signal: string | null;
}

const waitForExit = (child: ChildProcess): Promise<ProcessExit> =>
  new Promise((resolve, reject) => {
    child.on("exit", (code, signal) => resolve({ code, signal }));
    child.on("error", error => reject(cannotStart(error)));
  });

interface RunningJob {
  pipes: OutputPipes | undefined;
  pump: OutputPump;
  run: ShellRun;
  confinement: ConfinedRun | undefined;
}

interface StartReport {
  text: string;
  /** The sandbox, if any, is set up. Once true it stays so: the command is never run twice. */
  started: boolean;
  /** output from before the sandbox was set up: it may not be the command's */
  held: [stream: "stdout" | "stderr", chunk: Uint8Array][];
}

const bytesOf = (held: StartReport["held"]) => Buffer.concat(held.map(([, chunk]) => chunk));

function takeStreams(child: ChildProcess, { pipes, pump, run, confinement }: RunningJob): StartReport {
  const report: StartReport = { text: "", started: confinement === undefined, held: [] };
  const [out, err] = pipes?.streams() ?? [child.stdout, child.stderr];
  const give = async () => {
    for (const [stream, chunk] of report.held.splice(0)) await run.onOutput(stream, chunk);
  };
  const take = async (stream: "stdout" | "stderr", chunk: Uint8Array) => {
    if (!report.started && bytesOf(report.held).length < MAX_HELD)
      return void report.held.push([stream, Buffer.from(chunk)]);
    await give();
    await run.onOutput(stream, chunk);
  };
  if (out) pump.add(out, chunk => take("stdout", chunk));
  if (err) pump.add(err, chunk => take("stderr", chunk));
  const descriptor3 = child.stdio[3] as Readable | null | undefined;
  if (descriptor3) {
    pump.add(descriptor3, async chunk => {
      const text = report.text + Buffer.from(chunk).toString("utf8");
      report.started ||= hasStarted(text);
      report.text = text.slice(-REPORT_LIMIT);
      if (report.started) await give();
    });
  }
  return report;
}

/** Ends a command once, for the first reason that comes up. */
class Stopper {
  ended: ShellOutcome["ended"] = "exited";
  /** resolves when its processes are gone, or to false */
  stopping: Promise<boolean> | undefined;
  private exited = false;
  private readonly unended = Promise.withResolvers<ProcessExit>();

  constructor(
    private readonly processes: CommandProcesses,
    private readonly options: JobOptions,
  ) {}

  /** Hard, and before this returns. */
  refuse(): void {
    this.processes.kill();
    this.stop("refused");
  }

  stop(why: "timeout" | "aborted" | "refused"): void {
    if (this.stopping) return;
    if (!this.exited) this.ended = why;
    this.stopping = this.processes.end(this.options.killAfterMs, "detached");
    // The kernel may hold a process, or it is another user's (sudo): it is not waited for.
    this.stopping.then(allGone => !allGone && this.unended.resolve({ code: null, signal: null }), this.unended.reject);
  }

  /** Resolves when the shell has ended, or cannot be ended; stops the command on time-out and abort. */
  async watch(exit: Promise<ProcessExit>, run: ShellRun): Promise<ProcessExit> {
    // A timer would take an endless time for one that is over at once.
    const cancel =
      run.timeoutMs === undefined ? undefined : this.options.clock.after(run.timeoutMs, () => this.stop("timeout"));
    const abort = () => this.stop("aborted");
    run.signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([exit, this.unended.promise]);
    } finally {
      this.exited = true;
      cancel?.();
      run.signal.removeEventListener("abort", abort);
    }
  }
}

/**
 * What the shell leaves behind gets a moment to end by itself, then is ended (`leftBehind`). What made a session of its own
 * is a daemon (of a build tool, say) and stays.
 */
async function endLeftovers(processes: CommandProcesses, stopper: Stopper, pump: OutputPump, options: JobOptions) {
  if (stopper.stopping) return { leftBehind: false, allGone: await stopper.stopping };
  // Children inherit a stream, so closed streams save a look at all processes.
  const nothing = !processes.groupExists() && (await pump.closedSoon(CLOSING_MS, options.graceMs));
  if (nothing || (await processes.gone(options.graceMs, "session"))) return { leftBehind: false, allGone: true };
  return { leftBehind: true, allGone: await processes.end(options.killAfterMs, "session") };
}
