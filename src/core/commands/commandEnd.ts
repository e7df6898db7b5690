/** The result of a command that has ended. */
import { defined } from "../../shared/defined";
import type { Redact } from "../../shared/redacted";
import type { SandboxMode } from "../../shared/settingValues";
import type { CommandEnd, ErrorCode } from "../../shared/toolResult";
import type { SandboxPolicy, ShellOutcome } from "../ground/ports";
import { digestLine, duration, oneLine } from "../ground/text/format";
import type { ToolOutcome } from "../tool/tool";
import { endNotes } from "./commandNotes";
import type { OutputReading } from "./taskOutput";

interface EndedCommand {
  command: string;
  outcome: ShellOutcome;
  reading: OutputReading;
  failure: CommandFailure | undefined;
  /** before the output; absent: what failed */
  head?: string;
  /** sentences below the output beside those of `reading` and of the end */
  notes: readonly string[];
  sandbox: SandboxPolicy;
  /** undefined: it ran outside */
  mode: SandboxMode | undefined;
  redact: Redact;
  /** Later commands run where it ended. */
  moved?: boolean;
  inBackground?: boolean;
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
