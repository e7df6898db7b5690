/** What the model is told of a background task: how it is, and what it printed since it was last asked. */
import { errorMessage } from "../../shared/errorMessage";
import type { BackgroundTask } from "../commands/backgroundTask";
import type { OutputReading } from "../commands/unreadOutput";
import { counted, digestLine, oneLine } from "../text/format";
import type { ToolOutcome } from "../toolkit/tool";
import { success } from "../toolkit/toolResults";

/** of a command, in the background or not */
export const MAY_RUN_ON =
  "A process that it started may still run: one that detached itself (setsid, a daemon) or belongs to another user.";

export interface TaskReport {
  toolName: "Bash" | "BashOutput" | "KillBash";
  /** before the output */
  head: string;
  /** how it is, for the card */
  outcome: string;
}

/** @param reading what is new; undefined: nothing is */
export function taskReport(task: BackgroundTask, reading: OutputReading | undefined, report: TaskReport): ToolOutcome {
  const { taskId, command, state, exitCode, signal } = task.info;
  const { durationMs } = task;
  const { toolName, outcome } = report;
  const name = oneLine(command, 300);
  // The card of the call that started it is about the command; those that look at it are about the task.
  const line = toolName === "Bash" ? `${name} ${outcome}` : `${taskId} ${outcome} · ${name}`;
  return {
    result: success({
      data: {
        task: taskId,
        command,
        state,
        ...(state === "exited" ? { exitCode: exitCode ?? null, signal: signal ?? null } : {}),
        durationMs,
        ...reading?.facts,
      },
      text: [report.head, ...(reading?.text ? [reading.text] : []), ...notes(task)].join("\n"),
      digest: digestLine(`${toolName} ${line}`),
    }),
    ...(reading?.blob && { raw: reading.blob }),
  };
}

/** "; new since the last look:", "; nothing new." */
export function newOutputText(reading: OutputReading | undefined): string {
  if (!reading) return "nothing new since the last look.";
  if (!reading.filtered) return "new since the last look:";
  const { lines, of } = reading.filtered;
  const news = counted(of, "new line");
  return lines === 0 ? `none of ${news} matches.` : `${lines} of ${news} match:`;
}

function notes(task: BackgroundTask): string[] {
  const out: string[] = [];
  if (!task.running && task.failure !== undefined) {
    const words = errorMessage(task.failure);
    out.push(`Its output could not be read to the end: ${words}`);
  }
  if (task.leftBehind) {
    out.push("Processes that it left running were ended with it: what is to stay must not be sent behind with &.");
  }
  if (task.mayRunOn) out.push(MAY_RUN_ON);
  return out;
}
