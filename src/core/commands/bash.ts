/** Bash: a command in the workspace's shell. */
import * as z from "zod";
import description from "../../../prompts/tools/bash.md";
import { defined } from "../../shared/defined";
import { errorMessage } from "../../shared/errorMessage";
import { pathInRoots } from "../../shared/filePlace";
import type { SandboxMode } from "../../shared/settingValues";
import type { Files, Sandbox, SandboxPolicy, Shell, ShellOutcome, ShellRun, TextWriter } from "../ground/ports";
import { ToolError } from "../ground/ports";
import { missingWords, NO_SANDBOX } from "../ground/ports/shell";
import { duration, oneLine, size, wordStart } from "../ground/text/format";
import { decodingNotes, OutputDecoder } from "../ground/text/outputDecoder";
import { type CommandFacts, printedTrust } from "../permissions/commandFacts";
import { changesOf } from "../permissions/denials";
import { LineRedactor } from "../secrets/lineRedactor";
import { type Confinement, defineTool, MOVED, type RunContext, type ToolOutcome, type UnaskedRun } from "../tool/tool";
import type { BackgroundTask, BackgroundTasks } from "./background";
import { commandFailure, commandResult, nulNotes, portsNote } from "./commandEnd";
import type { CommandObserver } from "./commandObserver";
import { planCommand } from "./commandPlan";
import type { Stream } from "./output/outputDigest";
import { CommandOutput, type OutputReading } from "./taskOutput";
import { commandForms, taskReport } from "./taskTools";

const MAX_TIMEOUT_MS = 600_000;

const input = z.object({
  command: z.string().min(1),
  timeout: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe("ms"),
  description: z.string().optional().describe("What it does, in 5 to 10 words"),
  run_in_background: z.boolean().optional().describe("Returns at once, with an id for BashOutput"),
  outside_sandbox: z.boolean().optional().describe("After the sandbox refused what is needed: the user is asked"),
});
type BashInput = z.infer<typeof input>;

const NO_FOLDER = "Commands need a folder, and none is open.";

export interface BashPorts {
  shell: Shell;
  files: Files;
  /** Where outputs go that are too long to be shown. */
  blobs(): TextWriter;
  /** The working directory of the session, kept between calls; absolute. At creation: where it falls back to. */
  cwd: { get(): string; set(path: string): void };
  sandbox: CommandSandbox;
  /** the limit of a call that names none */
  bashTimeoutMs(): number;
  tasks: BackgroundTasks;
  /** sees what commands do to files */
  observer: CommandObserver;
  /** Keys in files that a command names are known before it prints a part of one. */
  learnFrom(command: string, cwd: string): Promise<void>;
  /** Keys of the workspace are known before an output leaves that may have a part of one. */
  learnFromOutput(text: string, signal: AbortSignal): Promise<void>;
}

/** What confines commands where they have to be confined. */
export interface CommandSandbox extends Sandbox {
  /** `strata.bash.sandbox` */
  mode(): SandboxMode;
  /** how it would confine one now */
  policy(): SandboxPolicy;
  /** what denied calls would have changed: absolute; no command in it changes that */
  kept(): readonly string[];
}

export function bashTool(ports: BashPorts) {
  const home = ports.cwd.get();
  const { observer } = ports;
  return defineTool({
    name: "Bash",
    description,
    input,
    effect: "command",
    forms: commandForms,
    async prepare(asked, { redact, inSandbox }) {
      if (asked.command.trim() === "") throw new ToolError("INVALID_INPUT", "The command is empty. Name one to run.");
      const cwd = ports.cwd.get();
      if (cwd === "") throw new ToolError("INVALID_INPUT", NO_FOLDER);
      const { command, run_in_background: background = false } = asked;
      const sandbox = inSandbox ? await confinedBy(ports.sandbox, asked) : NO_SANDBOX;
      const begin = background ? runInBackground : runCommand;
      const unsaved = await observer.filesToAskAbout();
      const plan = isPosix(ports.shell.name) ? await planCommand(command, cwd, ports.files, ports.shell) : undefined;
      const paths = unsaved.map(({ path }) => path);
      return {
        targets: [],
        ...defined({ command: plan?.facts, dependsOn: plan?.scripts }),
        canConfine: () => canConfine(ports.sandbox, asked, inSandbox),
        title: `Run \`${oneLine(redact(command), 200)}\`${background ? " in the background" : ""}`,
        detail: {
          type: "command",
          command,
          cwd,
          ...defined({
            place: pathInRoots(`${cwd}/`, ports.files.roots)?.replace(/[:/]$/, ""),
            background: background ? background : undefined,
            sandbox: sandbox.kind !== "none" ? { ...sandbox } : undefined,
            unsaved: paths.length > 0 ? paths : undefined,
          }),
        },
        binding: JSON.stringify(["Bash", command, cwd, sandbox, ...(background ? ["background"] : []), ...paths]),
        // What was approved is this command in this folder, so confined, and that these files are saved or left.
        perform: async run => {
          const confined = inSandbox || run.unasked === "read" || run.unasked === "write";
          const policy = confined ? await confinedBy(ports.sandbox, asked) : NO_SANDBOX;
          const isSame = ports.cwd.get() === cwd && (!inSandbox || JSON.stringify(policy) === JSON.stringify(sandbox));
          if (!isSame) return MOVED;
          await ports.learnFrom(command, cwd);
          const facts = plan?.facts;
          const trust = printedTrust(facts);
          const all = policy.kind === "sandbox" ? ports.sandbox.kept() : [];
          const keeps = all.length > 0 && run.unasked === undefined ? keptFrom(all, command, cwd, facts) : all;
          const kept = keeps.length > 0 ? { ...policy, keeps } : policy;
          const place = { cwd, home, trust, writes: facts?.writes, ...ranAs(kept, run.unasked, facts) };
          const execute = () => begin(ports, asked, place, run);
          const isCertain = plan !== undefined && plan.facts.uncertain === undefined;
          return observer.observe({ asked: unsaved, mayWrite: !place.onlyReads && !isCertain }, run, execute);
        },
      };
    },
  });
}

/** PowerShell has a grammar of its own, which is not read. */
const isPosix = (shell: string) => !/powershell|pwsh|cmd/i.test(shell);

/** Of what is kept, what a person did not allow this very command to change. */
function keptFrom(kept: readonly string[], command: string, cwd: string, facts: CommandFacts | undefined) {
  const changes = changesOf({ targets: [], detail: { type: "command", command, cwd }, ...defined({ command: facts }) });
  return kept.filter(path => !changes.has(path) && !changes.hasWithin(path));
}

/** Where a person was asked, or a rule allows it, a command runs as they would run it. */
async function canConfine(
  sandbox: CommandSandbox,
  { outside_sandbox }: BashInput,
  inSandbox: boolean,
): Promise<Confinement> {
  if (!inSandbox && (outside_sandbox || sandbox.mode() === "off")) return { kind: "no" };
  const state = await sandbox.state();
  if (state.kind === "missing") return { kind: "no", ...defined({ remedy: state.command }) };
  const policy = sandbox.policy();
  return { kind: policy.kind === "sandbox" && policy.network.length > 0 ? "online" : "offline" };
}

/** @throws ToolError where commands cannot be confined, or this one is not to be */
async function confinedBy(sandbox: CommandSandbox, { outside_sandbox }: BashInput): Promise<SandboxPolicy> {
  if (outside_sandbox && sandbox.mode() === "required")
    throw new ToolError(
      "INVALID_INPUT",
      "The user lets commands run in the sandbox only. Call without outside_sandbox.",
    );
  const state = await sandbox.state();
  if (state.kind === "ready") return sandbox.policy();
  const why = "Nothing ran: commands have to run in the sandbox here, and it does not work.";
  throw new ToolError("IO", `${why} ${missingWords(state)} Tell the user; until then do without commands.`);
}

/** What only reads changes nothing: by the sandbox, or since it is certain. */
function ranAs(policy: SandboxPolicy, unasked: UnaskedRun | undefined, facts: CommandFacts | undefined): RunOptions {
  if (unasked !== "read" && unasked !== "certain") return { sandbox: policy };
  if (policy.kind === "sandbox") return { sandbox: { ...policy, access: "read" }, onlyReads: true, disarmsGit: [] };
  const { gitFolders } = facts ?? {};
  return { sandbox: policy, onlyReads: true, ...defined({ disarmsGit: gitFolders }) };
}
type RunOptions = Pick<ShellRun, "sandbox" | "onlyReads" | "disarmsGit">;

/** As it was approved: the folder, the one to fall back to, and what confines the command. */
interface CommandPlace extends RunOptions {
  cwd: string;
  home: string;
  /** whose text it prints */
  trust: ReturnType<typeof printedTrust>;
  /** what it writes to, as far as that is known */
  writes: CommandFacts["writes"] | undefined;
}

/** The result comes while the command runs. Rejects with ToolError. */
async function runInBackground(ports: BashPorts, { command }: BashInput, place: CommandPlace, run: RunContext) {
  run.signal.throwIfAborted();
  const { home: _, writes: __, ...runs } = place;
  const what = { command, ...runs, callId: run.callId };
  return started(ports, place, async () => {
    const task = await ports.tasks.start(what);
    const { outcome } = task;
    if (task.running || !outcome) return taskStarted(task, await task.output.read(), ports.sandbox.mode());
    return endedAtOnce(task, outcome, (await task.output.read()) ?? (await new CommandOutput(ports.blobs).reading()));
  });
}

async function runCommand(ports: BashPorts, asked: BashInput, place: CommandPlace, run: RunContext) {
  run.signal.throwIfAborted();
  const timeoutMs = Math.min(asked.timeout ?? ports.bashTimeoutMs(), MAX_TIMEOUT_MS);
  const printed = new CommandOutput(ports.blobs);
  const live = liveOutput(run.output);
  const { encoding } = ports.shell;
  const decoders = { stdout: new OutputDecoder(encoding), stderr: new OutputDecoder(encoding) };
  // Before lines are cut: half a secret is not found any more.
  const lines = { stdout: new LineRedactor(run.redact), stderr: new LineRedactor(run.redact) };
  const onOutput = (stream: Stream, chunk: Uint8Array) => {
    const text = decoders[stream].push(chunk);
    live(stream, text);
    return printed.push(stream, lines[stream].push(text));
  };
  try {
    const { home: _, trust: __, writes, ...runs } = place;
    const { cwd, sandbox } = place;
    const { command } = asked;
    const what = { command, ...runs, timeoutMs, signal: run.signal, onOutput };
    const outcome = await started(ports, place, () => ports.shell.run(what));
    for (const stream of ["stdout", "stderr"] as const) {
      const rest = decoders[stream].end();
      live(stream, rest);
      await printed.push(stream, lines[stream].push(rest) + lines[stream].end());
    }
    const moved = outcome.ended === "exited" && outcome.cwd !== cwd;
    if (moved) ports.cwd.set(outcome.cwd);
    const failure = commandFailure(outcome, { timeoutMs, most: MAX_TIMEOUT_MS });
    const reading = await printed.reading(failure !== undefined);
    const mode = sandbox.kind === "none" ? undefined : ports.sandbox.mode();
    const notes = [
      ...decodingNotes(decoders),
      ...(moved ? [`The working directory is now ${outcome.cwd}.`] : []),
      ...nulNotes(writes),
    ];
    const { redact } = run;
    const done = commandResult({ command, outcome, reading, failure, notes, sandbox, mode, redact, moved });
    await ports.learnFromOutput(done.result.text, run.signal);
    return done;
  } finally {
    await printed.discard();
  }
}

async function started<T>(ports: BashPorts, { cwd, home }: CommandPlace, begin: () => Promise<T>): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const words = `The shell could not start in ${cwd}: ${errorMessage(error)}`;
    if (cwd === home) throw new ToolError("IO", words);
    // The folder may be gone: the next call must not fail for the same reason.
    ports.cwd.set(home);
    throw new ToolError(
      "IO",
      `${words.replace(/\.$/, "")}. The working directory is ${home} again; run the command anew.`,
    );
  }
}

/** characters of one call's live output: no more than a person can follow */
const MAX_LIVE = 256 * 1024;

/** A command's output on its way to its card, as it comes. */
function liveOutput(output: RunContext["output"]): RunContext["output"] {
  let left = MAX_LIVE;
  return (stream, text) => {
    if (text === "" || left <= 0) return;
    const isMore = text.length > left;
    // Half a secret may not be known as one.
    const part = isMore ? text.slice(0, wordStart(text, left)) : text;
    left -= isMore ? left : part.length;
    if (part !== "") output(stream, part);
    if (left <= 0) output(stream, `\n… more than ${size(MAX_LIVE)}: the rest goes into the result only.\n`);
  };
}

function taskStarted(task: BackgroundTask, reading: OutputReading | undefined, mode: SandboxMode): ToolOutcome {
  const { taskId, sandbox } = task.what;
  const ways = `BashOutput {"bash_id":"${taskId}"} reads what it prints, with "kill":true it ends it.`;
  const sofar = reading ? "So far it printed:" : "It has printed nothing yet.";
  const report = taskReport(task, reading, {
    toolName: "Bash",
    head: [`Started in the background as ${taskId}. ${ways}`, ...portsNote(sandbox, mode), sofar].join(" "),
    outcome: `started as ${taskId}`,
  });
  return { ...report, taskId };
}

/** A command like any other, with the result of one. */
function endedAtOnce(task: BackgroundTask, outcome: ShellOutcome, reading: OutputReading): ToolOutcome {
  task.seen = true;
  const failure = commandFailure(outcome);
  const ok = `It ended at once (exit code 0 after ${duration(outcome.durationMs)}): nothing runs in the background.`;
  const failed = failure?.message.replace(/\.$/, ": it ended at once, and nothing runs in the background.");
  const { info, redact, output } = task;
  const { sandbox, trust } = task.what;
  const what = { command: info.command, outcome, reading, failure, head: failed ?? ok, notes: output.decoding };
  const result = commandResult({ ...what, sandbox, mode: undefined, redact, inBackground: true });
  return trust === undefined || reading.text === "" ? result : { ...result, trust };
}
