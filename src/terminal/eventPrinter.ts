/**
 * Events as lines for a person: the answer goes to `out`, all that happens on the way to `err`, so that the answer can be
 * piped.
 */

import type { Timer, WallClock } from "../core/ports";
import { duration, oneLine } from "../core/text/format";
import { compactionLine } from "../shared/compactionLine";
import { costAndCache } from "../shared/cost";
import type { AgentEvent, AgentEventOf } from "../shared/events";
import { count, formatTokens } from "../shared/format";
import { HOOKS_WAIT } from "../shared/hookEvents";
import { hookLine } from "../shared/hooks";
import { t } from "../shared/l10n";
import { attachedAs } from "../shared/mentions/attachments";
import type { LogRecord, RecordKind, RecordOf } from "../shared/records";
import { rewindWords } from "../shared/rewindWords";
import { visibleLine, visibleText } from "../shared/shown";
import { taskEnding } from "../shared/taskEnding";
import type { BackgroundTaskInfo } from "../shared/tasks";
import type { Todo } from "../shared/toolResult";
import { toolTraits } from "../shared/toolTraits";
import { withoutAdvice } from "../shared/withoutAdvice";

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
      line(
        `! ${withoutAdvice(message)} Trying again in ${Math.ceil(delayMs / 1000)} s (${attempt + 1} of ${attempts}).`,
      );
    },
    failure: ({ error }) => line(`! ${error.message}`),
    // How it began, and that the agent ended it, the results say; what ends with the run, the run says.
    task(task) {
      if (task.state === "exited" && !task.dismissed) line(`· ${taskName(task)} is over: ${taskEnding(task)}`);
    },
    record({ record }) {
      const text = recordText(record);
      if (text) line(text);
      else if (open && record.kind === "message") line("");
    },
  };
  const printCompaction = compactionPrinter(line, clock);
  // An answer's unfinished line is left alone: a line end in it would be one of the answer's.
  const printWaiting = waitingPrinter(text => open || line(text), clock);
  return event => {
    (print[event.type] as ((event: AgentEvent) => void) | undefined)?.(event);
    printCompaction(event);
    printWaiting(event);
  };
}

/** undefined: it prints nothing */
export const recordText = (record: LogRecord): string | undefined =>
  (lines[record.kind] as (record: LogRecord) => string | undefined)(record);

/** "task_1 `npm run dev`" */
export const taskName = ({ taskId, command }: BackgroundTaskInfo) =>
  `${taskId} \`${visibleText(oneLine(command, 80))}\``;

const marks: Record<Todo["status"], string> = { completed: "☑", in_progress: "▸", pending: "☐" };

const silent = () => undefined;

/** What a record prints. */
const lines: { [K in RecordKind]: (record: RecordOf<K>) => string | undefined } = {
  message: silent,
  // The list itself was printed just before.
  result: record =>
    toolTraits(record.toolName).row === "failures" && record.status === "success"
      ? hookLines(record)
      : `${record.status === "error" ? "✗" : "·"} ${record.digest}${hookLines(record, "\n")}`,
  attempt: record => `! The answer above was cut off: ${record.reason}`,
  attachment: record =>
    `· ${record.empty ? `Nothing attached for ${attachedAs(record.name)}: ` : "Attached: "}${record.title}`,
  note: ({ level, code, text }) => {
    const remedy = code === HOOKS_WAIT ? ` ${t("Review them with {0}", "strata hooks list")}` : "";
    return `${level === "info" ? "·" : "!"} ${text}${remedy}`;
  },
  todo: record => record.todos.map(todo => `  ${marks[todo.status]} ${todo.content}`).join("\n"),
  turnEnd: endLine,
  compaction: record => `· ${compactionLine(record)}`,
  undo: () => "· The newest compaction was undone: the originals are back in the conversation.",
  redo: () => "· The undone compaction was redone: the summary is back in the conversation.",
  revert: revertLine,
  rewind: rewindLine,
  commandFiles: silent,
  review: reviewLine,
  intent: silent,
  plan: planLine,
  planEnd: ({ title }) => `· The plan${title === "" ? "" : ` “${title}”`} was ended.`,
  approval: silent,
  question: silent,
  modelLimits: silent,
  pending: silent,
  title: silent,
  mode: silent,
  model: silent,
  fold: silent,
  inject: silent,
  pin: silent,
  wordsMark: silent,
};

/** Of what went as it always does nothing is said. */
function hookLines({ hooks = [] }: RecordOf<"result">, before = ""): string {
  const news = hooks.filter(({ outcome, text }) => outcome !== "ok" || text);
  return news.length === 0 ? "" : before + news.map(run => `  ${visibleText(hookLine(run))}`).join("\n");
}

/** What was proposed stands above it, as the answer. */
function planLine({ op, title, steps }: RecordOf<"plan">): string {
  const name = `${title === "" ? "the plan" : `“${title}”`} (${count(steps, "step")})`;
  if (op === "carried-out") return `· Carrying out ${name}.`;
  return `· A plan: ${name}. \`strata run --session ID --carry-out --mode edits\` starts it; --plan FILE takes it as you edited it, \`strata plan ID\` prints it.`;
}

function revertLine({ direction, edits, path, turn }: RecordOf<"revert">): string {
  const what = `${edits.length === 1 ? "the edit" : `${edits.length} edits`} of ${visibleLine(path)} (turn ${turn})`;
  return direction === "undo" ? `· Undone: ${what}.` : `· Made again: ${what}.`;
}

export function rewindLine(record: RecordOf<"rewind">): string | undefined {
  const { phase, stayed = [] } = record;
  if (phase === "begun") return undefined;
  return [`· ${rewindWords(record)}`, ...stayed.map(line => `! ${visibleText(line)}`)].join("\n");
}

/** What is kept is as it was: nothing to say. */
function reviewLine({ action, changes, path }: RecordOf<"review">): string | undefined {
  if (action === "keep") return undefined;
  const what = `${count(changes, "change")} of ${visibleLine(path)}, in a review`;
  return action === "undo" ? `· Undone: ${what}.` : `· Put back: ${what}.`;
}

function endLine({ reason, error, steps, toolCalls, usage, durationMs }: RecordOf<"turnEnd">): string {
  const paid = costAndCache(usage);
  const counts = `${count(steps, "step")}, ${count(toolCalls, "tool call")}, ${usage.input} tokens in, ${usage.output} out${paid ? `, ${paid}` : ""}, ${(durationMs / 1000).toFixed(1)} s`;
  // Where the message speaks of what only the panel has, words for here.
  if (error) return `! ${error.code === "context-reset" ? CONTEXT_RESET : error.message}\n(${counts})`;
  return reason === "stopped" ? `Stopped. (${counts})` : `(${counts})`;
}

const CONTEXT_RESET =
  "The model's server refused the conversation as too long, however much of it was left out, so Strata set it aside: the session goes on empty, and your message was not answered. Nothing is lost: everything is in the session's archive, strata undo ID brings it back, Recall finds all of it. Send your message again to go on without it. If this happens often, set strata.model.contextWindow to the model's real size.";

// A compaction under way, as lines: how far it is, how long it takes, what came of it.

type CompactionEvent = AgentEventOf<"compaction">;

const why: Record<CompactionEvent["reason"], string> = {
  manual: "Compacting history",
  threshold: "The model's window is nearly full: compacting history",
  "context-too-long": "The model's server refused the request as too long: compacting history",
};

/** @param print gets lines without their ends */
function compactionPrinter(print: (line: string) => void, clock: WallClock & Timer): (event: AgentEvent) => void {
  let endTicks = (): void => undefined;
  /** its record was printed, and says it all */
  let recorded = false;
  const told: { [P in CompactionEvent["phase"]]: (event: CompactionEvent) => void } = {
    planning({ reason, tokens }) {
      recorded = false;
      print(`· ${why[reason]}: planning (${formatTokens(tokens.before)} tokens)`);
    },
    summarising({ startedAt, rounds }) {
      const what = rounds ? ` ${count(rounds.summarised, "turn")}` : "";
      print(`· Summarising${what}. Ctrl+C cancels it: history stays as it is.`);
      endTicks = tellAgain(clock, () => print(`· Summarising, ${duration(clock.now() - startedAt)}`));
    },
    checking: ({ startedAt }) => print(`· Checking the summary, after ${duration(clock.now() - startedAt)}`),
    committing: () => undefined,
    done({ tokens, message = "Done." }) {
      if (recorded) return;
      const after =
        tokens.after === undefined ? "" : ` ${formatTokens(tokens.before)} → ${formatTokens(tokens.after)} tokens.`;
      print(`· ${message}${after}`);
    },
    cancelled: ({ message = "" }) => print(`· The compaction was cancelled. ${message}`.trimEnd()),
    failed: ({ message = "" }) => print(`! The compaction failed, and history stays as it was. ${message}`.trimEnd()),
    unneeded: ({ message = "There is nothing to compact." }) => print(`· Nothing was compacted. ${message}`),
  };
  return event => {
    if (event.type === "record" && event.record.kind === "compaction") recorded = true;
    if (event.type !== "compaction") return;
    endTicks();
    told[event.phase](event);
  };
}

/** A summary takes up to two minutes, a first word of a slow model as long: often enough to show that something happens. */
const TELL_EVERY = 10_000;

/** Tells now and then that something still goes on. @returns what ends that */
function tellAgain(clock: WallClock & Timer, tell: () => void): () => void {
  const again = () => {
    end = clock.after(TELL_EVERY, again, "aside");
    tell();
  };
  let end = clock.after(TELL_EVERY, again, "aside");
  return () => end();
}

/** @param print gets lines without their ends */
function waitingPrinter(print: (line: string) => unknown, clock: WallClock & Timer): (event: AgentEvent) => void {
  let end = (): void => undefined;
  let what = "";
  let since = 0;
  const tell = () => {
    const silent = clock.now() - since;
    if (silent > TELL_EVERY / 2) print(`· ${what}, ${duration(silent)}`);
  };
  const begin = (words: string) => {
    what = words;
    since = clock.now();
  };
  return event => {
    if (event.type === "request") {
      end();
      begin("Waiting for the model");
      end = tellAgain(clock, tell);
    } else if (event.type === "text") begin("Waiting for the model to go on");
    else if (event.type === "reasoning") what = "The model is thinking";
    else if (event.type === "callInput") what = `The model is writing a call of ${visibleLine(event.toolName)}`;
    else if (isOver(event)) end();
  };
}

/** Nothing more comes of that request. */
function isOver(event: AgentEvent): boolean {
  if (event.type === "record") return ["message", "attempt", "turnEnd"].includes(event.record.kind);
  return ["retry", "failure", "toolStart", "compaction"].includes(event.type);
}
