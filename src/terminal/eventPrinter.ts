/**
 * Events as lines for a person: the answer goes to `out`, all that happens on the way to `err`, so that the answer can be
 * piped.
 */

import type { Timer, WallClock } from "../core/ground/ports";
import { oneLine } from "../core/ground/text/format";
import { costAndCache } from "../shared/cost";
import { endRemarks, entryOf } from "../shared/entry";
import type { AgentEvent, AgentEventOf } from "../shared/events";
import { eitherOf, formatDuration, inARow, inSentences } from "../shared/format";
import { HOOKS_WAIT } from "../shared/hooks";
import { countText, plural, t } from "../shared/l10n";
import { keyVariableNames } from "../shared/modelProviders";
import type { LogRecord, RecordKind, RecordOf } from "../shared/records";
import { visibleText } from "../shared/shown";
import { type BackgroundTaskInfo, taskEnding } from "../shared/tasks";
import type { Todo } from "../shared/toolResult";
import { toolTraits } from "../shared/toolTraits";
import type { TurnError } from "../shared/turnEnd";

export interface Streams {
  out(text: string): void;
  err(text: string): void;
}

export function createPrinter(streams: Streams, clock: WallClock & Timer): (event: AgentEvent) => void {
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
      line(t("! {0} Trying again in {1} s ({2} of {3}).", message, Math.ceil(delayMs / 1000), attempt + 1, attempts));
    },
    failure: ({ error }) => line(`! ${error.message}`),
    // How it began, and that the agent ended it, the results say; what ends with the run, the run says.
    task(task) {
      if (task.state === "exited" && !task.dismissed) line(t("· {0} is over: {1}", taskName(task), taskEnding(task)));
    },
    record({ record }) {
      const text = recordText(record);
      if (text) line(text);
      else if (open && record.kind === "message") line("");
    },
  };
  // An answer's unfinished line is left alone: a line end in it would be one of the answer's.
  const printProgress = progressPrinter(line, text => open || line(text), clock);
  return event => {
    (print[event.type] as ((event: AgentEvent) => void) | undefined)?.(event);
    printProgress(event);
  };
}

/** undefined: it prints nothing */
export function recordText(record: LogRecord): string | undefined {
  if (record.kind === "todo") return record.todos.map(todo => `  ${marks[todo.status]} ${todo.content}`).join("\n");
  if (record.kind === "turnEnd") return endLine(record);
  const entry = UNPRINTED.includes(record.kind) ? undefined : entryOf(record);
  if (entry === undefined) return undefined;
  const { title, lines, state } = entry;
  const below = lines.map(line => `  ${visibleText(line)}`);
  // The list itself was printed just before.
  if (record.kind === "result" && toolTraits(record.toolName).row === "failures" && state !== "error")
    return below.length > 0 ? below.join("\n") : undefined;
  const sign = record.kind === "result" && state === "error" ? "✗" : state === "info" ? "·" : "!";
  return [`${sign} ${visibleText(title)}`, ...nextSteps(record), ...below].join("\n");
}

/** How the agent's view of the past ages is told by `strata explain`. */
const UNPRINTED: readonly RecordKind[] = ["fold"];

/** What a person can do about it here. */
function nextSteps(record: LogRecord): string[] {
  if (record.kind === "note" && record.code === HOOKS_WAIT)
    return [`  ${t("Review them with {0}", "strata hooks list")}`];
  if (record.kind !== "plan" || record.op !== "proposed") return [];
  const steps = t(
    "`strata run --session ID --carry-out --mode edits` starts it; --plan FILE takes it as you edited it, `strata plan ID` prints it.",
  );
  return [`  ${steps}`];
}

/** "task_1 `npm run dev`" */
export const taskName = ({ taskId, command }: BackgroundTaskInfo) =>
  `${taskId} \`${visibleText(oneLine(command, 80))}\``;

const marks: Record<Todo["status"], string> = { completed: "☑", in_progress: "▸", pending: "☐" };

const endLine = (record: RecordOf<"turnEnd">): string =>
  [...endRemarks(record).map(remark => `! ${remark}`), countsLine(record)].join("\n");

function countsLine({ reason, error, steps, toolCalls, usage, durationMs }: RecordOf<"turnEnd">): string {
  const paid = costAndCache(usage);
  const counts = inARow([
    plural(steps, "1 step", "{0} steps"),
    plural(toolCalls, "1 tool call", "{0} tool calls"),
    plural(usage.input, "1 token in", "{0} tokens in"),
    t("{0} out", countText(usage.output)),
    ...(paid ? [paid] : []),
    formatDuration(durationMs),
  ]);
  if (error) {
    const message = error.code === "context-reset" ? contextReset() : error.message;
    return `! ${inSentences([message, error.details, failureAdvice(error)])}\n${t("({0})", counts)}`;
  }
  return reason === "stopped" ? t("Stopped. ({0})", counts) : t("({0})", counts);
}

/** In the panel the message is in the composer again, and a button brings all back. */
const contextReset = () =>
  t(
    "The model's server refused the conversation as too long, so Strata set it aside. Nothing is lost: strata compact ID undo brings it back. Send your message again to go on without it.",
  );

// What a person can do about a failure: the panel has buttons and pages for it.

/** undefined: its sentence says all */
const failureAdvice = ({ code, actions }: TurnError): string | undefined =>
  [code, ...actions].map(each => advice[each]?.()).find(text => text !== undefined);

/** By code or action. */
const advice: Record<string, (() => string) | undefined> = {
  "no-model": () =>
    t('Set STRATA_MODEL_NAME and {0}; "strata models" lists what can be asked.', eitherOf(keyVariableNames)),
  auth: () => t("The key is read from {0}.", eitherOf(keyVariableNames)),
  "unknown-model": () => t('The model is strata.model.name or --model; "strata models" lists what can be asked.'),
  refused: () => t("The address is strata.model.baseUrl or --base-url."),
  "set-time": () => t("The time is strata.model.timeoutSeconds."),
  "set-window": () => t("The window is strata.model.contextWindow."),
  "set-longest": () => t("The limit is strata.model.maxOutputTokens."),
  "set-largest": () => t("The limit is strata.model.maxAnswerMegabytes."),
  "set-protocol": () => t("The protocol is strata.model.protocol."),
};

// What takes long: a compaction, and the wait for a model.

const compactionBegins = (): Record<AgentEventOf<"compaction">["reason"], string> => ({
  manual: t("Compacting history"),
  threshold: t("The model's window is nearly full: compacting history"),
  "context-too-long": t("The model's server refused the request as too long: compacting history"),
});

/** What came of a compaction. undefined: it is under way, or its record says it all */
function compactionEnd({ phase, message = "", rounds }: AgentEventOf<"compaction">): string | undefined {
  if (phase === "cancelled") return t("· The compaction was cancelled. {0}", message).trimEnd();
  if (phase === "failed") return t("! The compaction failed, and history stays as it was. {0}", message).trimEnd();
  if (phase === "unneeded") return t("· Nothing was compacted. {0}", message);
  return phase === "done" && !rounds && message !== "" ? `· ${message}` : undefined;
}

/** ms: a summary takes up to two minutes, a first word of a slow model as long */
const TELL_EVERY = 10_000;

/** @param print gets lines without their ends @param wait as `print`; says nothing in the middle of an answer's line */
function progressPrinter(
  print: (line: string) => void,
  wait: (line: string) => unknown,
  clock: WallClock & Timer,
): (event: AgentEvent) => void {
  let end = (): void => undefined;
  let what = "";
  let since = 0;
  const tellAgain = () => {
    end = clock.after(TELL_EVERY, tellAgain, "aside");
    const silent = clock.now() - since;
    if (silent > TELL_EVERY / 2) wait(`· ${what}${t(", ")}${formatDuration(silent)}`);
  };
  const begin = (words: string) => {
    what = words;
    since = clock.now();
  };
  const start = (words: string) => {
    end();
    begin(words);
    end = clock.after(TELL_EVERY, tellAgain, "aside");
  };
  return event => {
    if (event.type === "request") start(t("Waiting for the model"));
    else if (event.type === "text") begin(t("Waiting for the model to go on"));
    else if (event.type === "reasoning") what = t("The model is thinking");
    else if (event.type === "callInput") what = t("The model is writing a call");
    else if (event.type === "compaction" && event.phase === "planning") {
      print(t("· {0}. Ctrl+C cancels it: history stays as it is.", compactionBegins()[event.reason]));
      start(t("Summarising"));
    } else if (isOver(event)) end();
    const last = event.type === "compaction" ? compactionEnd(event) : undefined;
    if (last) print(last);
  };
}

/** Nothing more comes of that request, or of that compaction. */
function isOver(event: AgentEvent): boolean {
  if (event.type === "record") return ["message", "attempt", "turnEnd"].includes(event.record.kind);
  if (event.type === "compaction") return ["done", "cancelled", "failed", "unneeded"].includes(event.phase);
  return ["retry", "failure", "toolStart"].includes(event.type);
}
