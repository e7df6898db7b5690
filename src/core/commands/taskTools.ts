/** BashOutput, and what the model reads about a command that runs in the background. */
import * as z from "zod";
import outputDescription from "../../../prompts/tools/bashOutput.md";
import { defined } from "../../shared/defined";
import { errorMessage } from "../../shared/errorMessage";
import { counted, duration, oneLine } from "../ground/text/format";
import { list, number, pick, type ResultFacts, text } from "../ground/text/json";
import { moreNote, type ResultForms } from "../tool/resultForms";
import { defineTool, lookingCall, success, type ToolOutcome } from "../tool/tool";
import type { BackgroundTask, BackgroundTasks } from "./background";
import { endNotes, printedLines } from "./commandEnd";
import type { OutputReading } from "./taskOutput";

const NAME = "BashOutput";

const outputInput = z.object({
  bash_id: z.string().min(1),
  kill: z.boolean().optional().describe("End it first, with all that it started"),
});

export const bashOutputTool = (ports: { tasks: BackgroundTasks }) =>
  defineTool({
    name: NAME,
    description: outputDescription,
    input: outputInput,
    effect: "session",
    forms: commandForms,
    isPolled: true,
    async prepare({ bash_id, kill = false }) {
      const task = ports.tasks.get(bash_id);
      const { taskId } = task.what;
      // It only ends what the agent itself was allowed to start.
      const call = kill
        ? { title: `End ${taskId}`, about: [taskId, "kill"] }
        : { title: `Read the output of ${taskId}`, about: [taskId] };
      return lookingCall(NAME, call, () => look(task, kill));
    },
  });

async function look(task: BackgroundTask, kill: boolean): Promise<ToolOutcome> {
  const isEnded = kill && task.running;
  if (kill) await task.stop("agent");
  // As it is before its output is taken: what it says of its end includes all that it printed.
  const hasEnded = !task.running;
  const reading = await task.output.read();
  if (hasEnded) task.seen = true;
  const waiting = reading || hasEnded ? "" : " Do something else meanwhile, or wait with sleep in Bash.";
  const news = reading ? counted(reading.facts.lines, "new line") : "nothing new";
  const since = reading ? "new since the last look:" : "nothing new since the last look.";
  return taskReport(task, reading, {
    toolName: NAME,
    head: `${task.what.taskId}: ${task.state}; ${since}${waiting}`,
    outcome: isEnded ? `ended after ${duration(task.durationMs)}` : `${task.state}, ${news}`,
  });
}

interface TaskReport {
  toolName: "Bash" | typeof NAME;
  /** before the output */
  head: string;
  /** how it is, for the card */
  outcome: string;
}

/** @param reading the new output, if any */
export function taskReport(task: BackgroundTask, reading: OutputReading | undefined, report: TaskReport): ToolOutcome {
  const { taskId, command, state, exitCode, signal } = task.info;
  const { durationMs, what } = task;
  const { toolName, outcome } = report;
  const name = oneLine(command, 300);
  // The card of the call that started it is about the command; those that look at it are about the task.
  const isConfined = what.sandbox.kind !== "none";
  const line = toolName === "Bash" ? `${name} ${outcome}` : `${taskId} ${outcome} · ${name}`;
  const told = success({
    data: {
      task: taskId,
      command,
      state,
      ...defined({ sandbox: isConfined || undefined }),
      ...(state === "exited" ? { exitCode: exitCode ?? null, signal: signal ?? null } : {}),
      durationMs,
      ...reading?.facts,
    },
    text: [
      report.head,
      ...(reading?.text ? [reading.text] : []),
      ...(reading?.notes ?? []),
      ...notes(task, reading?.text),
    ].join("\n"),
    ended: { printed: printedLines(report.head.split("\n").length, reading?.text ?? "") },
    digest: `${toolName} ${line}${isConfined && toolName === "Bash" ? " · in the sandbox" : ""}`,
    ...defined({ raw: reading?.blob ? reading.blob : undefined }),
  });
  return what.trust === undefined || !reading ? told : { ...told, trust: what.trust };
}

function notes(
  { output: { decoding }, running, failure, outcome, what: { sandbox }, redact }: BackgroundTask,
  output = "",
) {
  const unread =
    !running && failure !== undefined ? [`Its output could not be read to the end: ${errorMessage(failure)}`] : [];
  return [...decoding, ...unread, ...endNotes({ outcome, output, sandbox, redact, inBackground: true })];
}

/** of a command's results, in the background or not */
export const commandForms: ResultForms = {
  kept: (facts, { handle }) => ({
    ...pick(facts, "task", "command", "state", "exitCode"),
    signal: facts.signal ?? undefined,
    ...pick(facts, "durationMs", "stdoutLines", "stderrLines"),
    point: pointBeside(facts),
    stdout: [
      ...list(facts, "stdoutFirst"),
      ...leftNote(number(facts, "stdoutLeft"), handle),
      ...list(facts, "stdoutLast"),
    ],
    notable: orNone(list(facts, "notable")),
    stderr: orNone([...leftNote(number(facts, "stderrLeft"), handle), ...list(facts, "stderrLast")]),
    ...pick(facts, "filesChanged", "cwd"),
  }),
  folded: facts =>
    [
      text(facts, "task"),
      text(facts, "state") === "exited" ? "" : text(facts, "state"),
      facts.exitCode === null || facts.exitCode === undefined
        ? text(facts, "signal")
        : `exit ${number(facts, "exitCode")}`,
      counted(number(facts, "lines"), "line"),
    ]
      .filter(Boolean)
      .join(", "),
};

/** Of a command that failed: why, where none of its lines that are kept says so. */
function pointBeside(facts: ResultFacts): string | undefined {
  const point = text(facts, "point");
  const failed = facts.exitCode !== undefined && facts.exitCode !== 0;
  const lines = ["stdoutFirst", "stdoutLast", "notable", "stderrLast"].flatMap(key => list(facts, key));
  return failed && point !== "" && !lines.some(line => line.includes(point)) ? point : undefined;
}

const leftNote = (lines: number, handle: string): string[] => [moreNote(lines, "line", handle) ?? []].flat();

const orNone = (lines: string[]): string[] | undefined => (lines.length > 0 ? lines : undefined);
