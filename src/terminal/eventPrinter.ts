/**
 * Events as lines for a person: the answer goes to `out`, all that happens on the way to `err`, so that the answer can be
 * piped.
 */
import { oneLine } from "../core/text/format";
import { compactionLine } from "../shared/compactionLine";
import type { AgentEvent } from "../shared/events";
import type { LogRecord, RecordKind, RecordOf, TurnError } from "../shared/records";
import { taskEnding } from "../shared/taskEnding";
import type { BackgroundTaskInfo } from "../shared/tasks";
import type { Todo } from "../shared/toolResult";
import { compactionPrinter, realTimer } from "./compact";

export interface Streams {
  out(text: string): void;
  err(text: string): void;
}

export function createPrinter(streams: Streams, timer = realTimer): (event: AgentEvent) => void {
  /** the answer's last line has no end yet */
  let open = false;
  const line = (text: string) => {
    if (open) streams.out("\n");
    open = false;
    streams.err(`${text}\n`);
  };
  const print: { [T in AgentEvent["type"]]?: (event: Extract<AgentEvent, { type: T }>) => void } = {
    text({ delta }) {
      streams.out(delta);
      open = !delta.endsWith("\n");
    },
    retry({ message, attempt, attempts, delayMs }) {
      line(`! ${message} Trying again in ${Math.ceil(delayMs / 1000)} s (${attempt + 1} of ${attempts}).`);
    },
    failure: ({ error }) => line(`! ${error.message}`),
    // How it began, and that the agent ended it, the results say; what ends with the run, the run says.
    task(task) {
      if (task.state === "exited" && !task.dismissed) line(`· ${taskName(task)} is over: ${taskEnding(task)}`);
    },
    record({ record }) {
      const text = recordLines(record);
      if (text) line(text);
      else if (open && record.kind === "message") line("");
    },
  };
  const printCompaction = compactionPrinter(line, timer);
  return event => {
    (print[event.type] as ((event: AgentEvent) => void) | undefined)?.(event);
    printCompaction(event);
  };
}

/** "task_1 `npm run dev`" */
export const taskName = ({ taskId, command }: BackgroundTaskInfo) => `${taskId} \`${oneLine(command, 80)}\``;

const marks: Record<Todo["status"], string> = { completed: "☑", in_progress: "▸", pending: "☐" };

const lines: { [K in RecordKind]?: (record: RecordOf<K>) => string } = {
  // The list itself was printed just before.
  result: record =>
    record.toolName === "TodoWrite" && record.status === "success"
      ? ""
      : `${record.status === "error" ? "✗" : "·"} ${record.digest}`,
  attempt: record => `! The answer above was cut off: ${record.reason}`,
  attachment: record => `· ${record.empty ? `Nothing attached for @${record.name}: ` : "Attached: "}${record.title}`,
  note: record => `${record.level === "info" ? "·" : "!"} ${record.text}`,
  todo: record => record.todos.map(todo => `  ${marks[todo.status]} ${todo.content}`).join("\n"),
  turnEnd: endLine,
  compaction: record => `· ${compactionLine(record)}`,
  undo: () => "· The newest compaction was undone: the originals are back in the conversation.",
  redo: () => "· The compaction that was undone stands again.",
  revert: revertLine,
};

function recordLines(record: LogRecord): string | undefined {
  return (lines[record.kind] as ((record: LogRecord) => string) | undefined)?.(record);
}

function revertLine({ direction, edits, path, turn }: RecordOf<"revert">): string {
  const what = `${edits.length === 1 ? "the edit" : `${edits.length} edits`} of ${path} (turn ${turn})`;
  return direction === "undo" ? `· Undone: ${what}.` : `· Made again: ${what}.`;
}

function endLine({ reason, error, steps, toolCalls, usage, durationMs }: RecordOf<"turnEnd">): string {
  const counts = `${steps} ${steps === 1 ? "step" : "steps"}, ${toolCalls} tool ${toolCalls === 1 ? "call" : "calls"}, ${usage.input} tokens in, ${usage.output} out, ${(durationMs / 1000).toFixed(1)} s`;
  if (error) return `! ${errorWords(error)}\n(${counts})`;
  return reason === "stopped" ? `Stopped. (${counts})` : `(${counts})`;
}

/** Where the message speaks of what only the panel has, words for here. */
function errorWords({ code, message }: TurnError): string {
  return code === "context-reset" ? CONTEXT_RESET : message;
}

const CONTEXT_RESET =
  "The model's server refused the conversation as too long, however much of it was left out, so Strata set it aside: the session goes on empty, and your message was not answered. Nothing is lost: everything is in the session's archive, strata undo ID brings it back, Recall finds all of it. Send your message again to go on without it. If this happens often, set strata.model.contextWindow to the model's real size.";
