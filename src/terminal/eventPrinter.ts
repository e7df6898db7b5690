/**
 * Events as lines for a person: the answer goes to `out`, all that happens on the way to `err`, so that the answer can be
 * piped.
 */

import type { Timer, WallClock } from "../core/ground/ports";
import { oneLine } from "../core/ground/text/format";
import { compactionLine } from "../shared/compactionLine";
import { costAndCache } from "../shared/cost";
import type { AgentEvent, AgentEventOf } from "../shared/events";
import { formatDuration, formatTokens, inARow, inSentences } from "../shared/format";
import { HOOKS_WAIT } from "../shared/hookEvents";
import { hookLine } from "../shared/hooks";
import { locale, plural, t } from "../shared/l10n";
import { attachedAs } from "../shared/mentions/attachments";
import { outcomeSaid } from "../shared/outcomeSaid";
import type { LogRecord, RecordKind, RecordOf } from "../shared/records";
import { rewindWords } from "../shared/rewindWords";
import { visibleLine, visibleText } from "../shared/shown";
import { taskEnding } from "../shared/taskEnding";
import type { BackgroundTaskInfo } from "../shared/tasks";
import type { Todo } from "../shared/toolResult";
import { toolTraits } from "../shared/toolTraits";
import { failureAdvice } from "./failureAdvice";

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
      : `${record.status === "error" ? "✗" : "·"} ${outcomeSaid(record.digest)}${hookLines(record, "\n")}`,
  attempt: record => t("! The answer above was cut off: {0}", record.reason),
  attachment: record =>
    `· ${record.empty ? t("Nothing attached for {0}: {1}", attachedAs(record.name), record.title) : t("Attached: {0}", record.title)}`,
  note: ({ level, code, text }) => {
    const remedy = code === HOOKS_WAIT ? ` ${t("Review them with {0}", "strata hooks list")}` : "";
    return `${level === "info" ? "·" : "!"} ${text}${remedy}`;
  },
  todo: record => record.todos.map(todo => `  ${marks[todo.status]} ${todo.content}`).join("\n"),
  turnEnd: endLine,
  compaction: record => `· ${compactionLine(record)}`,
  undo: () => t("· The newest compaction was undone: the originals are back in the conversation."),
  redo: () => t("· The undone compaction was redone: the summary is back in the conversation."),
  revert: revertLine,
  rewind: rewindLine,
  commandFiles: silent,
  review: reviewLine,
  intent: silent,
  plan: planLine,
  planEnd: ({ title }) => (title === "" ? t("· The plan was ended.") : t("· The plan “{0}” was ended.", title)),
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
  const plan = title === "" ? t("the plan") : t("the plan “{0}”", title);
  const name = plural(steps, "{1} (1 step)", "{1} ({0} steps)", plan);
  if (op === "carried-out") return t("· Carrying out {0}.", name);
  return t(
    "· A plan: {0}. `strata run --session ID --carry-out --mode edits` starts it; --plan FILE takes it as you edited it, `strata plan ID` prints it.",
    name,
  );
}

function revertLine({ direction, edits, path, turn }: RecordOf<"revert">): string {
  const where = [visibleLine(path), turn] as const;
  return direction === "undo"
    ? plural(edits.length, "· Undone: the edit of {1} (turn {2}).", "· Undone: {0} edits of {1} (turn {2}).", ...where)
    : plural(
        edits.length,
        "· Made again: the edit of {1} (turn {2}).",
        "· Made again: {0} edits of {1} (turn {2}).",
        ...where,
      );
}

export function rewindLine(record: RecordOf<"rewind">): string | undefined {
  const { phase, stayed = [] } = record;
  if (phase === "begun") return undefined;
  return [`· ${rewindWords(record)}`, ...stayed.map(line => `! ${visibleText(line)}`)].join("\n");
}

/** What is kept is as it was: nothing to say. */
function reviewLine({ action, changes, path }: RecordOf<"review">): string | undefined {
  if (action === "keep") return undefined;
  const name = visibleLine(path);
  return action === "undo"
    ? plural(changes, "· Undone: 1 change of {1}, in a review.", "· Undone: {0} changes of {1}, in a review.", name)
    : plural(
        changes,
        "· Put back: 1 change of {1}, in a review.",
        "· Put back: {0} changes of {1}, in a review.",
        name,
      );
}

function endLine({ reason, error, steps, toolCalls, usage, durationMs }: RecordOf<"turnEnd">): string {
  const paid = costAndCache(usage);
  const counts = inARow([
    plural(steps, "1 step", "{0} steps"),
    plural(toolCalls, "1 tool call", "{0} tool calls"),
    plural(usage.input, "1 token in", "{0} tokens in"),
    t("{0} out", usage.output.toLocaleString(locale())),
    ...(paid ? [paid] : []),
    formatDuration(durationMs),
  ]); // Where the message speaks of what only the panel has, words for here.
  if (error)
    return `! ${inSentences([error.code === "context-reset" ? contextReset() : error.message, failureAdvice(error.code)])}\n${t("({0})", counts)}`;
  return reason === "stopped" ? t("Stopped. ({0})", counts) : t("({0})", counts);
}

const contextReset = () =>
  t(
    "The model's server refused the conversation as too long, however much of it was left out, so Strata set it aside: the session goes on empty, and your message was not answered. Nothing is lost: everything is in the session's archive, strata compact ID undo brings it back, Recall finds all of it. Send your message again to go on without it. If this happens often, set strata.model.contextWindow to the model's real size.",
  );

// A compaction under way, as lines: how far it is, how long it takes, what came of it.

type CompactionEvent = AgentEventOf<"compaction">;

const why = (): Record<CompactionEvent["reason"], string> => ({
  manual: t("Compacting history"),
  threshold: t("The model's window is nearly full: compacting history"),
  "context-too-long": t("The model's server refused the request as too long: compacting history"),
});

/** @param print gets lines without their ends */
function compactionPrinter(print: (line: string) => void, clock: WallClock & Timer): (event: AgentEvent) => void {
  let endTicks = (): void => undefined;
  /** its record was printed, and says it all */
  let recorded = false;
  const told: { [P in CompactionEvent["phase"]]: (event: CompactionEvent) => void } = {
    planning({ reason, tokens }) {
      recorded = false;
      print(t("· {0}: planning ({1} tokens)", why()[reason], formatTokens(tokens.before)));
    },
    summarising({ startedAt, rounds }) {
      print(
        rounds
          ? plural(
              rounds.summarised,
              "· Summarising 1 turn. Ctrl+C cancels it: history stays as it is.",
              "· Summarising {0} turns. Ctrl+C cancels it: history stays as it is.",
            )
          : t("· Summarising. Ctrl+C cancels it: history stays as it is."),
      );
      endTicks = tellAgain(clock, () => print(t("· Summarising, {0}", formatDuration(clock.now() - startedAt))));
    },
    checking: ({ startedAt }) => print(t("· Checking the summary, after {0}", formatDuration(clock.now() - startedAt))),
    committing: () => undefined,
    done({ tokens, message = t("Done.") }) {
      if (recorded) return;
      const { before, after } = tokens;
      print(
        after === undefined
          ? `· ${message}`
          : t("· {0} {1} → {2} tokens.", message, formatTokens(before), formatTokens(after)),
      );
    },
    cancelled: ({ message = "" }) => print(t("· The compaction was cancelled. {0}", message).trimEnd()),
    failed: ({ message = "" }) =>
      print(t("! The compaction failed, and history stays as it was. {0}", message).trimEnd()),
    unneeded: ({ message = t("There is nothing to compact.") }) => print(t("· Nothing was compacted. {0}", message)),
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
    if (silent > TELL_EVERY / 2) print(`· ${what}${t(", ")}${formatDuration(silent)}`);
  };
  const begin = (words: string) => {
    what = words;
    since = clock.now();
  };
  return event => {
    if (event.type === "request") {
      end();
      begin(t("Waiting for the model"));
      end = tellAgain(clock, tell);
    } else if (event.type === "text") begin(t("Waiting for the model to go on"));
    else if (event.type === "reasoning") what = t("The model is thinking");
    else if (event.type === "callInput") what = t("The model is writing a call of {0}", visibleLine(event.toolName));
    else if (isOver(event)) end();
  };
}

/** Nothing more comes of that request. */
function isOver(event: AgentEvent): boolean {
  if (event.type === "record") return ["message", "attempt", "turnEnd"].includes(event.record.kind);
  return ["retry", "failure", "toolStart", "compaction"].includes(event.type);
}
