/** The result of a command that has ended, and what it says beside the output: of what was left running, and of what the sandbox refused. */
import { defined } from "../../shared/defined";
import { fileName, folderOf } from "../../shared/paths";
import type { Redact } from "../../shared/redacted";
import type { SandboxMode } from "../../shared/settingValues";
import type { CommandEnd, ErrorCode } from "../../shared/toolResult";
import type { FileRef, SandboxAccess, SandboxPolicy, ShellOutcome } from "../ground/ports";
import { codeSpan, digestLine, duration, oneLine } from "../ground/text/format";
import type { ToolOutcome } from "../tool/tool";
import type { OutputReading } from "./taskOutput";

interface EndedCommand extends Omit<RanCommand, "output"> {
  command: string;
  outcome: ShellOutcome;
  reading: OutputReading;
  failure: CommandFailure | undefined;
  /** before the output; absent: what failed */
  head?: string;
  /** sentences below the output beside those of `reading` and of the end */
  notes: readonly string[];
  /** Later commands run where it ended. */
  moved?: boolean;
}

export function commandResult(ended: EndedCommand): ToolOutcome {
  const { command, outcome, reading, failure, moved, redact } = ended;
  const { exitCode, signal, durationMs, cwd } = outcome;
  const { text: output, facts, blob } = reading;
  const head = ended.head ?? failure?.message;
  const isConfined = ended.sandbox.kind !== "none";
  const how = `${failure?.short ?? `exit ${exitCode}`}${isConfined && outcome.ended !== "refused" ? " · in the sandbox" : ""}`;
  const said = facts.point === undefined ? [] : [oneLine(facts.point, 160)];
  const notes = [...ended.notes, ...reading.notes, ...endNotes({ ...ended, output })];
  return {
    result: {
      status: failure ? "error" : "success",
      data: {
        ...{ command, exitCode, signal, durationMs, ...facts },
        ...(moved && { cwd }),
        ...(isConfined && { sandbox: true }),
      },
      text: [head, output === "" ? "(no output)" : output, ...notes].filter(part => part !== undefined).join("\n"),
      digest: digestLine([`Bash ${oneLine(redact(command), 300)} ${how}`, duration(durationMs), ...said].join(" · ")),
      ...defined({ error: failure && { code: failure.code, message: head ?? failure.message } }),
    },
    ended: commandEnd(outcome, {
      ...reading.counted,
      ...defined({ point: failure && facts.point }),
      printed: printedLines(head === undefined ? 0 : 1, output),
    }),
    ...defined({ raw: blob }),
  };
}

/** @param before lines of the shown form that stand before the output */
export const printedLines = (before: number, output: string): CommandEnd["printed"] => ({
  first: before,
  count: output === "" ? 0 : output.split("\n").length,
});

interface CommandFailure {
  code: ErrorCode;
  /** one line */
  message: string;
  short: string;
}

/** undefined: it did not fail. Both limits in ms; absent: it had none */
export function commandFailure(
  { ended, exitCode, signal, durationMs }: ShellOutcome,
  limits?: { timeoutMs: number; most: number },
): CommandFailure | undefined {
  const output = "What it printed until then:";
  const after = `after ${duration(durationMs)}`;
  if (ended === "aborted") {
    const message = `Stopped by the user ${after}; the command was ended. ${output}`;
    return { code: "ABORTED", message, short: "stopped" };
  }
  if (ended === "timeout" && limits) {
    const { timeoutMs, most } = limits;
    const longer = timeoutMs < most ? `a longer timeout (at most ${most} ms) or less to do` : "less to do";
    const message = `Ended after the limit of ${duration(timeoutMs)}. Give it ${longer}. ${output}`;
    return { code: "TIMEOUT", message, short: "timed out" };
  }
  if (ended === "refused") {
    const message = `The sandbox ended the command ${after}. ${output}`;
    return { code: "EXIT", message, short: "ended by the sandbox" };
  }
  if (exitCode === 0) return undefined;
  if (exitCode !== null) return { code: "EXIT", message: `Exit code ${exitCode} ${after}.`, short: `exit ${exitCode}` };
  const by = signal ?? "a signal";
  return { code: "EXIT", message: `Killed by ${by} ${after}.`, short: `killed by ${by}` };
}

function commandEnd(
  { ended, exitCode, signal }: ShellOutcome,
  told: Pick<CommandEnd, "tests" | "errors" | "point" | "printed">,
): CommandEnd {
  const by = ended === "timeout" ? ("limit" as const) : ended === "refused" ? ("sandbox" as const) : undefined;
  return { ...defined({ exitCode: exitCode ?? undefined, signal: signal ?? undefined, by }), ...told };
}

const LEFT_BEHIND =
  "Processes that the command left running were ended with it. What is to stay (a server, a watcher) needs run_in_background.";
const TASK_LEFT_BEHIND =
  "Processes that it left running were ended with it: what is to stay must not be sent behind with &.";
const MAY_RUN_ON =
  "A process that it started may still run: one that detached itself (setsid, a daemon) or belongs to another user.";
const MAX_RUNNING_NAMED = 5;

interface RanCommand {
  /** undefined: it runs on */
  outcome: ShellOutcome | undefined;
  /** as the model reads it */
  output: string;
  sandbox: SandboxPolicy;
  /** undefined: it ran outside, or as if it were `auto` */
  mode?: SandboxMode | undefined;
  redact: Redact;
  inBackground?: boolean;
}

/** What it left running, and what the sandbox refused it. */
export function endNotes(ran: RanCommand): string[] {
  const { outcome, redact, inBackground = false } = ran;
  const notes: string[] = [];
  if (outcome?.leftBehind) notes.push(inBackground ? TASK_LEFT_BEHIND : LEFT_BEHIND);
  if (outcome?.mayRunOn) notes.push(stillRunning(outcome.running ?? [], redact));
  return [...notes, ...sandboxNotes(ran)];
}

function stillRunning(running: NonNullable<ShellOutcome["running"]>, redact: Redact): string {
  if (running.length === 0) return MAY_RUN_ON;
  const named = running
    .slice(0, MAX_RUNNING_NAMED)
    .map(({ pid, command }) => `${codeSpan(oneLine(redact(command), 80))} (${pid})`);
  const more = running.length > MAX_RUNNING_NAMED ? ` and ${running.length - MAX_RUNNING_NAMED} more` : "";
  return `Still running, detached from the command: ${named.join(", ")}${more}. What it prints from now on is not kept; kill ends it.`;
}

/** `2>nul`: only cmd.exe discards output sent there. @param writes what the command writes to */
export function nulNotes(writes: readonly FileRef[] = []): string[] {
  const nul = writes.find(({ absolute }) => fileName(absolute).toLowerCase() === "nul");
  return nul
    ? [
        `${nul.path} is a file to this shell, and the command made or filled it: delete it, and write /dev/null instead.`,
      ]
    : [];
}

// What the sandbox refused is read from what the command printed, so it is said as what may be.

/** Said whether the command failed or not: nothing but the sandbox makes folders read-only so often. */
const READ_ONLY = /\bRead-only file system\b|\bEROFS\b/i;
const DENIED = /\bPermission denied\b|\bEACCES\b|\bOperation not permitted\b|\bEPERM\b/i;
/** Said whether the command failed or not: Git continues without the files it could not replace. */
const BUSY = /\bDevice or resource busy\b|\bEBUSY\b/i;
const SERVICES =
  /\bCannot connect to the Docker daemon\b|\bno new privileges\b|\bmust be owned by uid 0\b|\bFailed to connect to (?:the )?(?:system |user scope |session )?bus\b/i;
const GONE = /\bNo such file or directory\b|\bENOENT\b/i;
const HOME = /~\/|\/(?:home|root|Users|mnt|media|srv|Volumes)\//;
const NETWORK =
  /\bNetwork is unreachable\b|\bENETUNREACH\b|\bCould not resolve\b|\bTemporary failure in name resolution\b|\bEAI_AGAIN\b|\bENOTFOUND\b|\bName or service not known\b|\bNo address associated with hostname\b|\bunable to resolve host\b|\bdial tcp\b|\bCONNECT tunnel failed\b|\bstrata\.bash\.network\b/i;

/** @returns a sentence for each, and one about what to do */
function sandboxNotes({ sandbox, output, outcome, mode }: RanCommand): string[] {
  if (sandbox.kind === "none") return [];
  const { refused = [], refusedHosts = [] } = outcome ?? {};
  const failed = outcome?.exitCode !== 0;
  const found = [
    ...refusals(refused),
    refusedHosts.length > 0 ? `It did not let commands reach ${refusedHosts.join(", ")}.` : "",
    READ_ONLY.test(output) ? WRITES[sandbox.access] : "",
    failed && output.split("\n").some(line => GONE.test(line) && HOME.test(line))
      ? "Of home folders and mounted disks it shows what tools need, and what the user names in strata.bash.read."
      : "",
    BUSY.test(output)
      ? "It keeps .git/hooks, .git/config, .vscode, rules files, workflows and the like as they are: Git that switches to other versions of them stops half-way, so look at git status, and run that command outside."
      : failed && DENIED.test(output)
        ? "It hides secrets (.env, keys and the like) and keeps .git/hooks, .git/config, .vscode and rules files as they are."
        : "",
    failed && SERVICES.test(output)
      ? "It reaches no services of this machine (docker, D-Bus), and gives no privileges."
      : "",
    failed && refusedHosts.length === 0 && NETWORK.test(output) ? network(sandbox) : "",
  ].filter(Boolean);
  if (found.length === 0) return [];
  const way =
    mode === "required"
      ? "The user lets commands run in it only."
      : "Where the command needs more than that, call Bash again with outside_sandbox: true; the user is asked.";
  return [`This ran in the sandbox. ${found.join(" ")} ${way}`];
}

/** A server is of no use where neither the user nor other commands reach it. @returns for a command that runs on */
export function portsNote(sandbox: SandboxPolicy, mode: SandboxMode): string[] {
  if (sandbox.kind === "none") return [];
  const way =
    mode === "required"
      ? "The user lets commands run in it only: check in the call that starts it."
      : "Where something has to, end it and start it with outside_sandbox: true; the user is asked.";
  return [`It runs in the sandbox: neither other commands nor the user's browser reach a port of it. ${way}`];
}

type MovedFiles = NonNullable<ShellOutcome["refused"]>;

const refusal = ({ path, now }: MovedFiles[number]) =>
  now === path
    ? `It must not make or change ${path}: what stands there counts for nothing until the user has saved it.`
    : `It must not make ${path}${now === "" ? "" : `; what was made lies in ${now}`}.`;

/** with more of them one sentence says it of all */
const MAX_TOLD = 50;
const MAX_NAMED = 10;

function refusals(refused: MovedFiles): string[] {
  if (refused.length <= MAX_TOLD) return refused.map(refusal);
  const names = refused.slice(0, MAX_NAMED).map(({ path }) => path);
  const folders = [...new Set(refused.flatMap(({ path, now }) => (now === path ? [] : folderOf(now))))].filter(Boolean);
  const more = folders.length > 3 ? ", and the rest beside its place" : "";
  const where = folders.length === 0 ? "" : `; what was made lies in ${folders.slice(0, 3).join(", ")}${more}`;
  return [`It must not make or change ${names.join(", ")} and ${refused.length - names.length} more${where}.`];
}

const WRITES: Record<SandboxAccess, string> = {
  read: "A command that was taken for one that only reads writes nothing but in a /tmp of its own.",
  write: "In it commands write only in the workspace and in a /tmp of their own.",
};

const network = ({ access, network: hosts }: Extract<SandboxPolicy, { kind: "sandbox" }>) =>
  hosts.length === 0 || access === "read"
    ? "It reaches no network."
    : `It reaches no network but ${hosts.slice(0, 20).join(", ")}.`;
