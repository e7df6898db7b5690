/** KillBash: ends a background task with all that it started. */
import * as z from "zod";
import description from "../../../prompts/tools/killBash.md";
import type { BackgroundTasks } from "../commands/background";
import type { BackgroundTask } from "../commands/backgroundTask";
import { duration } from "../text/format";
import { defineTool, type Tool, type ToolOutcome } from "../toolkit/tool";
import { newOutputText, taskReport } from "./taskReport";

const input = z.object({ shell_id: z.string().min(1) });
export type KillBashInput = z.infer<typeof input>;

export function killBashTool({ tasks }: { tasks: Pick<BackgroundTasks, "get"> }): Tool<KillBashInput> {
  return defineTool({
    name: "KillBash",
    description: description.trim(),
    input,
    // It only ends what the agent itself was allowed to start.
    effect: "session",
    async prepare({ shell_id }) {
      const task = tasks.get(shell_id);
      return {
        targets: [],
        title: `End ${task.taskId}`,
        detail: { type: "read", paths: [] },
        binding: JSON.stringify(["KillBash", shell_id]),
        perform: async () => end(task),
      };
    },
  });
}

async function end(task: BackgroundTask): Promise<ToolOutcome> {
  const wasRunning = task.running;
  await task.stop("agent");
  const reading = await task.output.read();
  task.seen = true;
  return taskReport(task, reading, {
    toolName: "KillBash",
    head: `${task.taskId} ${wasRunning ? "is over" : "had ended already"}: ${task.state}; ${newOutputText(reading)}`,
    outcome: wasRunning ? `ended after ${duration(task.durationMs)}` : `had ended already: ${task.state}`,
  });
}
