/** BashOutput: what a background task printed since the last look, and how it is. */
import * as z from "zod";
import description from "../../../prompts/tools/bashOutput.md";
import type { BackgroundTasks } from "../commands/background";
import type { BackgroundTask } from "../commands/backgroundTask";
import type { LineFilter, OutputReading } from "../commands/unreadOutput";
import { PatternError, type Patterns, ToolError } from "../ports";
import { counted } from "../text/format";
import { defineTool, type Tool, type ToolOutcome } from "../toolkit/tool";
import { newOutputText, taskReport } from "./taskReport";

const input = z.object({
  bash_id: z.string().min(1),
  filter: z.string().min(1).optional().describe("Regular expression: only lines that match; the others count as read"),
});
export type BashOutputInput = z.infer<typeof input>;

export interface BashOutputPorts {
  tasks: Pick<BackgroundTasks, "get">;
  patterns: Patterns;
}

export function bashOutputTool(ports: BashOutputPorts): Tool<BashOutputInput> {
  return defineTool({
    name: "BashOutput",
    description: description.trim(),
    input,
    effect: "session",
    isPolled: true,
    async prepare(asked) {
      const task = ports.tasks.get(asked.bash_id);
      return {
        targets: [],
        title: `Read the output of ${task.taskId}`,
        detail: { type: "read", paths: [] },
        binding: JSON.stringify(["BashOutput", asked]),
        perform: async () =>
          readOutput(task, asked.filter === undefined ? undefined : compileFilter(asked.filter, ports.patterns)),
      };
    },
  });
}

async function readOutput(task: BackgroundTask, filter: LineFilter | undefined): Promise<ToolOutcome> {
  // As it is before its output is taken: what it says of its end includes all that it printed.
  const hasEnded = !task.running;
  const reading = await task.output.read(filter);
  if (hasEnded) task.seen = true;
  const waiting = reading || hasEnded ? "" : " Do something else meanwhile, or wait with sleep in Bash.";
  return taskReport(task, reading, {
    toolName: "BashOutput",
    head: `${task.taskId}: ${task.state}; ${newOutputText(reading)}${waiting}`,
    outcome: `${task.state}, ${newLines(reading)}`,
  });
}

function newLines(reading: OutputReading | undefined): string {
  if (!reading) return "nothing new";
  if (reading.filtered) return `${reading.filtered.lines} of ${counted(reading.filtered.of, "new line")}`;
  return counted(reading.facts.lines, "new line");
}

function compileFilter(pattern: string, patterns: Patterns): LineFilter {
  return lines => {
    try {
      return patterns.matching(pattern, lines);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      const how = error.code === "slow" ? `The filter ${pattern} is too slow` : `The filter ${pattern} is not valid`;
      throw new ToolError("INVALID_INPUT", `${how}: ${error.message}. Nothing counts as read: try a simpler one.`);
    }
  };
}
