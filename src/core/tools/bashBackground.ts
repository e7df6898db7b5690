/** Bash with run_in_background: the command is started, and its result comes while it runs. */
import type { BackgroundTasks } from "../commands/background";
import type { BackgroundTask } from "../commands/backgroundTask";
import { exitFailure } from "../commands/exitFailure";
import type { Reading } from "../commands/unread";
import { duration } from "../text/format";
import type { Performed } from "../toolkit/tool";
import { taskReport } from "./taskReport";

/** Rejects with ToolError, and with what the shell says where it cannot start. */
export async function startInBackground(
  tasks: Pick<BackgroundTasks, "start">,
  what: { command: string; cwd: string; callId: string },
): Promise<Performed> {
  const task = await tasks.start(what);
  const reading = await task.output.read();
  return task.running ? started(task, reading) : endedAtOnce(task, reading);
}

function started(task: BackgroundTask, reading: Reading | undefined): Performed {
  const { taskId } = task;
  const ways = `BashOutput {"bash_id":"${taskId}"} reads what it prints, KillBash {"shell_id":"${taskId}"} ends it.`;
  const sofar = reading ? "So far it printed:" : "It has printed nothing yet.";
  const report = taskReport(task, reading, {
    toolName: "Bash",
    head: `Started in the background as ${taskId}. ${ways} ${sofar}`,
    outcome: `started as ${taskId}`,
  });
  return { ...report, taskId };
}

/** A command like any other, with the result of one. */
function endedAtOnce(task: BackgroundTask, reading: Reading | undefined): Performed {
  task.seen = true;
  const after = duration(task.durationMs);
  const failure = exitFailure({ ...task.info, durationMs: task.durationMs });
  const head = failure
    ? `${failure.words}: it ended at once, and nothing runs in the background.`
    : `It ended at once (exit code 0 after ${after}): nothing runs in the background.`;
  const report = taskReport(task, reading, {
    toolName: "Bash",
    head: reading ? head : `${head}\n(no output)`,
    outcome: `${failure?.short ?? "exit 0"} · ${after}`,
  });
  const { task: _, ...data } = report.result.data as Record<string, never>;
  const error = failure && { code: "EXIT" as const, message: head };
  return { ...report, result: { ...report.result, data, ...(error ? { status: "error", error } : {}) } };
}
