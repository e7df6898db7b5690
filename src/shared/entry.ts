/**
 * Records as people read them, made once: a terminal prints an entry, the export and reports lay it out, the panel shows its words.
 * Pure.
 */
import type { Rounds, Summary } from "./compaction";
import { formatTokens, inARow, inSentences } from "./format";
import { hookLine } from "./hooks";
import { locale, plural, t } from "./l10n";
import { attachedAs } from "./mentions/parse";
import { callSaid } from "./outcomeSaid";
import type { QuestionAnswer, QuestionForm } from "./question";
import type { LogRecord, RecordKind, RecordOf } from "./records";
import { visibleLine, visibleText } from "./shown";
import type { TurnClaim, WentOn } from "./turnEnd";

interface Entry {
  /** a sentence, or a few words */
  title: string;
  /** a sentence each, below the title; texts of others among them */
  lines: readonly string[];
  /** a longer text that belongs to it: Markdown, of a call its output; "": none */
  body: string;
  state: "info" | "warning" | "error";
}

const inState =
  (state: Entry["state"]) =>
  (title: string, lines: readonly string[] = [], body = ""): Entry => ({ title, lines, body, state });
const info = inState("info");
const warning = inState("warning");

const table: { [K in RecordKind]?: (record: RecordOf<K>) => Entry | undefined } = {
  result: record =>
    inState(record.status === "error" ? "error" : "info")(callSaid(record), hookLines(record), record.forms.shown),
  attempt: ({ reason }) =>
    warning(reason === "" ? t("This answer was cut off") : t("This answer was cut off: {0}", reason)),
  attachment: ({ empty, name, title }) =>
    info(empty ? t("Nothing attached for {0}: {1}", attachedAs(name), title) : t("Attached: {0}", title)),
  note: ({ level, text }) => inState(level)(text),
  plan: ({ op, title, text }) =>
    op === "proposed"
      ? info(title === "" ? t("Plan") : t("Plan: {0}", title))
      : info(title === "" ? t("Carrying out the plan") : t("Carrying out the plan “{0}”", title), [], text),
  planEnd: ({ title }) => info(title === "" ? t("The plan was ended.") : t("The plan “{0}” was ended.", title)),
  child: ({ phase, agent, title, reason = "done", why, usage }) =>
    phase === "begun"
      ? undefined
      : (reason === "done" ? info : warning)(t("Agent {0}, “{1}”: {2}", agent, title, turnEndWords(reason, {})), [
          ...(why === undefined ? [] : [why]),
          ...(usage ? [t("{0} in, {1} out", formatTokens(usage.input), formatTokens(usage.output))] : []),
        ]),
  denial: ({ denialIds = [], by }) =>
    by === undefined ? undefined : info(plural(denialIds.length, "A denial was lifted.", "{0} denials were lifted.")),
  compaction: record => compactionEntry(record),
  fold: record => info(foldWords(record)),
  undo: () => info(t("A compaction was undone: the model sees the originals again.")),
  redo: () => info(t("A compaction was redone: the model sees its summary again.")),
  revert: ({ direction, edits, path }) => changesEntry(direction === "undo", edits.length, path),
  // Of turn 0: another branch was gone over to, and its messages say so.
  rewind: record =>
    record.phase === "begun" || record.turn === 0 ? undefined : info(rewindWords(record), record.stayed),
  // Changes that are kept are as they were.
  review: ({ action, changes, path }) =>
    action === "keep" ? undefined : changesEntry(action === "undo", changes, path),
  turnEnd: record => {
    const { reason, error, claims } = record;
    const remarks = endRemarks(record);
    if (error) return inState("error")(`${turnEndWords(reason, error)}: ${error.message}`, remarks);
    return (reason === "done" && !claims ? info : warning)(turnEndWords(reason), remarks);
  },
};

/** undefined: the record says nothing to people by itself */
export const entryOf = (record: LogRecord): Entry | undefined =>
  (table[record.kind] as ((record: LogRecord) => Entry | undefined) | undefined)?.(record);

/** What the last answer of a turn says and the log does not show. */
export function claimWords({ kind, words, sentence = "", file = "" }: TurnClaim): string {
  const said = visibleLine(words);
  if (kind === "failed") return t("“{0}”: the last run failed", said);
  if (kind === "stale") return t("“{0}”: files changed after the last run", said);
  if (kind === "notRun") return t("“{0}”: this session has no such run", said);
  if (kind === "noSuchFile") return t("{0}: nothing in this session wrote it", said);
  return t("Not run: {0} ({1}: “{2}”)", said, visibleLine(file), visibleLine(sentence));
}

export function wentOnWords({ why, words }: WentOn): string {
  const said = visibleLine(words);
  if (why === "check") return t("Sent on once: {0} had not run", said);
  if (why === "said") return t("Asked once to check “{0}”", said);
  return t("Sent on once after “{0}”", said);
}

/** A sentence each. */
export const endRemarks = ({ claims = [], wentOn }: Partial<RecordOf<"turnEnd">>): string[] => [
  ...(wentOn ? [wentOnWords(wentOn)] : []),
  ...claims.map(claimWords),
];

/** In one word, wherever it is told: row, line, list, status bar, notification. */
export type WorkPhase = "running" | "waiting" | "paused" | "failed" | "finished";

export const stateWord = (state: WorkPhase | "stopped"): string =>
  ({
    running: t("running"),
    waiting: t("waiting"),
    paused: t("paused"),
    stopped: t("stopped"),
    failed: t("failed"),
    finished: t("finished"),
  })[state];

/** How a turn ended, without its error's own words. */
export const turnEndWords = (reason: RecordOf<"turnEnd">["reason"], error?: object | null): string =>
  ({
    done: t("Finished"),
    stopped: t("Stopped"),
    limit: error ? t("Paused") : t("Paused at the step limit"),
    error: t("Failed"),
    interrupted: t("Cut off when the window closed or crashed"),
  })[reason];

/** A hook that went as always says nothing. */
const hookLines = ({ hooks = [] }: { hooks?: RecordOf<"result">["hooks"] }): string[] =>
  hooks.filter(({ outcome, text }) => outcome !== "ok" || text).map(hookLine);

const compactionEntry = ({ failure, ...record }: CompactionRecord): Entry => ({
  title: t("{0}, {1}.", compactionLine(record), compactionReason(record)),
  lines: [...(failure ? [failure.message] : []), turnsWords(record)],
  body: newestSummary(record),
  state: failure ? "warning" : "info",
});

/** "The model sees 12 outputs shortened. Nothing is lost." */
function foldWords({ results, settled, brief }: RecordOf<"fold">): string {
  const last = brief?.at(-1)?.turn;
  if (last !== undefined)
    return t("Of turns up to {0} the model sees what was said and one line. Nothing is lost.", last);
  if (settled !== undefined) return t("The model sees outputs up to turn {0} shortened. Nothing is lost.", settled);
  return plural(
    results.length,
    "The model sees 1 output shortened. Nothing is lost.",
    "The model sees {0} outputs shortened. Nothing is lost.",
  );
}

const changesEntry = (isUndo: boolean, changes: number, path: string): Entry =>
  info(
    isUndo
      ? plural(changes, "Undone: 1 change of {1}", "Undone: {0} changes of {1}", visibleLine(path))
      : plural(changes, "Redone: 1 change of {1}", "Redone: {0} changes of {1}", visibleLine(path)),
  );

/** What a rewind did; where it was cut off, how far it came. */
export function rewindWords(record: RecordOf<"rewind">): string {
  const { undoes, cutOff, turn, message, files = 0 } = record;
  if (cutOff) {
    const put = plural(files, "1 file restored", "{0} files restored");
    return undoes === undefined
      ? t("Going back to before turn {0} was cut off: {1}", turn, put)
      : t("The undo was cut off: {0}", put);
  }
  const done =
    undoes !== undefined
      ? t("Undid going back")
      : message === undefined
        ? t("Went back to before turn {0}", turn)
        : t("Went back to before “{0}”", message);
  return [done, ...scopeWords(record)].join(" · ");
}

function scopeWords({ files, head }: RecordOf<"rewind">): string[] {
  const what: string[] = [];
  if (files !== undefined && files > 0) what.push(plural(files, "1 file restored", "{0} files restored"));
  if (files === 0) what.push(t("no file had to change"));
  if (files !== undefined && head === undefined) what.push(t("the conversation stays"));
  if (files === undefined) what.push(t("the conversation alone"));
  return what;
}

// What was answered, in words.

interface QuestionCall {
  form: QuestionForm;
  answer?: QuestionAnswer | undefined;
}

/** In a word or two; undefined: none of the agent's, or not answered yet */
export function answeredWords(question: QuestionCall | null): string | undefined {
  if (!question?.answer || question.form.server !== undefined) return undefined;
  const { action, by, values = {}, words } = question.answer;
  if (by !== "user" || action === "cancel") return t("not answered");
  if (action === "decline") return t("left to the agent");
  const asked = question.form.fields.length;
  const answered = words === undefined ? Object.keys(values).length : asked;
  return answered === asked
    ? t("answered")
    : plural(asked, "{1} of 1 question answered", "{1} of {0} questions answered", answered);
}

/** Each question with its answer; words of the person's own answer all of them together. */
export function answersOf({ form, answer }: QuestionCall): [asked: string, answered: string][] {
  const { action = "cancel", by = "nobody", values = {}, words = "" } = answer ?? {};
  const left =
    action === "decline"
      ? t("You let the agent decide")
      : by === "stop"
        ? t("Not answered: you stopped")
        : t("Not answered");
  if (words.trim() !== "")
    return [[form.fields.map(({ title }) => visibleText(title)).join(" "), visibleText(words.trim())]];
  return form.fields.map(({ name, title }) => {
    const said = [values[name] ?? []].flat().map(String).join(", ");
    return [visibleText(title), action === "accept" && said !== "" ? visibleText(said) : left];
  });
}

// Compactions, in one line; which can be undone.

export type CompactionRecord = RecordOf<"compaction">;
type Compaction = Omit<CompactionRecord, "id" | "kind">;

interface CompactionFigures {
  tokens: { before: number; after: number };
  /** in the provider's count */
  counted?: { before: number; after: number } | undefined;
  rounds: Rounds;
  /** said where no turn was summarised */
  folded?: CompactionRecord["folded"];
}

/** "History compacted: 148k → 41k tokens, 12 turns summarised, 10 kept" */
export function compactionLine({ tokens, counted = tokens, rounds, folded = [] }: CompactionFigures): string {
  const [before, after] = [formatTokens(counted.before), formatTokens(counted.after)];
  const counts = compactedParts({ tokens, rounds, folded }).reduce((first, next) => t("{0}, {1}", first, next));
  return t("History compacted: {0} → {1} tokens, {2}", before, after, counts);
}

/** Why, after a comma. */
export function compactionReason({ reason, guidance }: Compaction): string {
  if (reason === "manual") return guidance === undefined ? t("as you asked") : t("as you asked: “{0}”", guidance);
  if (reason === "threshold") return t("because the context was nearly full");
  return t("because the model's server rejected the request as too long");
}

export const turnsText = (from: number, to: number): string =>
  from === to ? t("turn {0}", to) : t("turns {0} to {1}", from, to);

/** "Summarised: turns 1 to 12 (9:00 – 9:40). Kept: turns 13 to 21, the newest · turn 22, under way · turn 3, pinned." */
export function turnsWords({ rounds, summaries, snapshot: { turn: newest, turnOpen, pins } }: Compaction): string {
  const summary = summaries.at(-1);
  const from = (summary?.turns.to ?? 0) + 1;
  const to = turnOpen ? newest - 1 : newest;
  const pinned = pins.length === 1 ? t("turn {0}", pins[0] ?? 0) : t("turns {0}", inARow(pins.map(String)));
  const current = from > newest ? t("the end of turn {0}", newest) : t("turn {0}", newest);
  const kept: [isKept: boolean, turns: string, why: string][] = [
    [rounds.kept > 0 && from <= to, turnsText(from, to), t("the newest")],
    [turnOpen && rounds.kept + rounds.pinned > 0, current, t("under way")],
    [rounds.pinned > 0 && pins.length > 0, pinned, t("pinned")],
  ];
  const parts = kept.flatMap(([isKept, turns, why]) => (isKept ? [t("{0}, {1}", turns, why)] : []));
  return inSentences([
    summary && t("Summarised: {0} ({1}).", turnsText(summary.turns.from, summary.turns.to), timesText(summary)),
    parts.length === 0 ? t("No turn was kept.") : t("Kept: {0}.", parts.join(" · ")),
  ]);
}

const timesText = ({ startTs, cutoffTs }: Summary): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).formatRange(startTs, cutoffTs);

/** The summary that it made, as the model reads it. Markdown. */
export const newestSummary = ({ summaries }: Compaction): string => summaries.at(-1)?.text ?? t("(no summary)");

/** "12 turns summarised", "10 kept", "1 pinned" */
export const compactedParts = ({ rounds, folded = [] }: CompactionFigures): string[] => [
  ...(rounds.summarised > 0 || folded.length === 0
    ? [plural(rounds.summarised, "1 turn summarised", "{0} turns summarised"), t("{0} kept", rounds.kept)]
    : [
        plural(folded.length, "1 observation shortened", "{0} observations shortened"),
        plural(rounds.kept, "1 turn kept", "{0} turns kept"),
      ]),
  ...(rounds.pinned > 0 ? [t("{0} pinned", rounds.pinned)] : []),
];

/**
 * Ids of the compactions that can be undone and redone now: the newest one with an effect; and the one undone last, while no
 * other followed it.
 * @param changes oldest first
 */
export function undoableCompactions(
  changes: Iterable<{ kind: "compaction"; id: string } | { kind: "undo" | "redo"; compactionId: string }>,
): { undo: string | undefined; redo: string | undefined } {
  const all: string[] = [];
  const undone = new Set<string>();
  /** since the newest compaction */
  let redoable: string[] = [];
  for (const change of changes) {
    if (change.kind === "compaction") {
      all.push(change.id);
      redoable = [];
      continue;
    }
    const { kind, compactionId } = change;
    redoable = redoable.filter(id => id !== compactionId);
    if (kind === "redo") undone.delete(compactionId);
    else {
      undone.add(compactionId);
      redoable.push(compactionId);
    }
  }
  return { undo: all.findLast(id => !undone.has(id)), redo: redoable.at(-1) };
}

export const noCompactionTo = (way: "undo" | "redo") =>
  t(way === "undo" ? "There is no compaction to undo." : "There is no compaction to redo.");
