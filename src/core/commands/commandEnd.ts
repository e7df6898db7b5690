/** How a command ended: in words for the model, and in facts for people. */
import { defined } from "../../shared/defined";
import type { CommandEnd, ErrorCode } from "../../shared/toolResult";
import type { ShellOutcome } from "../ground/ports";
import { duration } from "../ground/text/format";
import { exitFailure } from "./taskTools";

interface CommandFailure {
  code: ErrorCode;
  /** one line */
  message: string;
  short: string;
}

/** undefined: it did not fail. Both limits in ms */
export function commandFailure(
  outcome: ShellOutcome,
  { timeoutMs, most }: { timeoutMs: number; most: number },
): CommandFailure | undefined {
  const output = "What it printed until then:";
  if (outcome.ended === "aborted") {
    const message = `Stopped by the user after ${duration(outcome.durationMs)}; the command was ended. ${output}`;
    return { code: "ABORTED", message, short: "stopped" };
  }
  if (outcome.ended === "timeout") {
    const longer = timeoutMs < most ? `a longer timeout (at most ${most} ms) or less to do` : "less to do";
    const message = `Ended after the limit of ${duration(timeoutMs)}. Give it ${longer}. ${output}`;
    return { code: "TIMEOUT", message, short: "timed out" };
  }
  if (outcome.ended === "refused") {
    const message = `The sandbox ended the command after ${duration(outcome.durationMs)}. ${output}`;
    return { code: "EXIT", message, short: "ended by the sandbox" };
  }
  const failure = exitFailure(outcome);
  return failure && { code: "EXIT", message: `${failure.words}.`, short: failure.short };
}

type CommandEnding = {
  exitCode?: number | null | undefined;
  signal?: string | null | undefined;
  ended?: ShellOutcome["ended"];
};

export function commandEnd(
  { ended, exitCode, signal }: CommandEnding,
  told: Pick<CommandEnd, "tests" | "errors" | "point" | "printed">,
): CommandEnd {
  const by = ended === "timeout" ? ("limit" as const) : ended === "refused" ? ("sandbox" as const) : undefined;
  return { ...defined({ exitCode: exitCode ?? undefined, signal: signal ?? undefined, by }), ...told };
}
