/** The conversation of a log, part by part, for people: what was said, called, asked and answered, and what happened to it. */
import { answersOf } from "../../shared/answers";
import { compactionReport, withSent } from "../../shared/compactionLine";
import { plural, t } from "../../shared/l10n";
import type { LogRecord, RecordKind, RecordOf } from "../../shared/records";
import { rewindWords } from "../../shared/rewindWords";
import { oneLine } from "../ground/text/format";

/** A part of the conversation. */
export interface ReadablePart {
  kind: "person" | "agent" | "call" | "note";
  title: string;
  /** of a call: its output as it was; of others Markdown; "": nothing beside the title */
  text: string;
}

/** An output is there to follow the conversation by, not to keep. */
const MAX_OUTPUT_LINES = 60;
const MAX_OUTPUT_CHARS = 8_000;

type PartTable = { [K in RecordKind]?: (record: RecordOf<K>, log: Log) => ReadablePart[] };

interface Log {
  records: readonly LogRecord[];
  /** by call */
  results: ReadonlyMap<string, RecordOf<"result">>;
  /** the newest of each, which has the answer where there is one */
  questions: ReadonlyMap<string, RecordOf<"question">>;
}

const note = (title: string, text = ""): ReadablePart => ({ kind: "note", title, text });

/** Its headings are none of the conversation's. */
const quoted = (markdown: string) => markdown.replace(/^/gm, "> ");

/** What has no row says nothing to people, or stands in what has one. */
const table: PartTable = {
  message: messageParts,
  question: (record, { questions }) => (questions.get(record.questionId) === record ? questionParts(record) : []),
  attempt: ({ reason }) => [
    note(reason === "" ? t("This answer was cut off") : t("This answer was cut off: {0}", reason)),
  ],
  // The answer itself is the plan that was proposed; what was carried out is as a person left it.
  plan: ({ op, title, text }) =>
    op === "proposed"
      ? [note(title === "" ? t("Plan") : t("Plan: {0}", title))]
      : [note(t("Plan as it was carried out"), text)],
  planEnd: ({ title }) => [note(title === "" ? t("The plan was ended.") : t("The plan “{0}” was ended.", title))],
  // Of turn 0: another branch was gone over to.
  rewind: record => (record.phase === "done" && record.turn > 0 ? [note(rewindWords(record))] : []),
  compaction: (record, { records }) => {
    const { label, warnings, detail, text } = compactionReport(withSent(record, records));
    return [note(label, [...warnings, detail, quoted(text)].join("\n\n"))];
  },
  undo: () => [note(t("A compaction was undone: the model sees the originals again."))],
  redo: () => [note(t("A compaction was redone: the model sees its summary again."))],
  note: ({ level, text }) => (level === "info" ? [] : [note(text)]),
  turnEnd: ({ reason, error }) => {
    if (reason === "done") return [];
    return [note(error ? t("The turn ended early: {0}", error.message) : t("The turn ended early."))];
  },
};

/** @param records of one branch, oldest first */
export function partsOf(records: readonly LogRecord[]): ReadablePart[] {
  const results = new Map<string, RecordOf<"result">>();
  const questions = new Map<string, RecordOf<"question">>();
  for (const record of records) {
    if (record.kind === "result") results.set(record.callId, record);
    if (record.kind === "question") questions.set(record.questionId, record);
  }
  return records.flatMap(record => {
    const read = table[record.kind] as ((record: LogRecord, log: Log) => ReadablePart[]) | undefined;
    return read?.(record, { records, results, questions }) ?? [];
  });
}

/** Each question of the agent's with its answer; of a server's nobody kept the values. */
function questionParts({ form, answer }: RecordOf<"question">): ReadablePart[] {
  if (form.server === undefined)
    return answersOf({ form, answer }).map(([asked, answered]) => note(t("Question: {0}", asked), answered));
  const asked = form.message ?? form.fields.map(({ title }) => title).join(" ");
  const said = { accept: t("You answered."), decline: t("You declined."), cancel: t("Not answered") };
  return [note(t("{0} asks: {1}", form.server, asked), said[answer?.action ?? "cancel"])];
}

function messageParts({ message }: RecordOf<"message">, { results }: Log): ReadablePart[] {
  const isPerson = message.role === "user";
  // What stands there for the model alone is no part of the conversation.
  if (message.role === "system") return [];
  return message.parts.flatMap((part): ReadablePart[] => {
    const saying = { kind: isPerson ? "person" : "agent", title: isPerson ? t("You") : t("Agent") } as const;
    if (part.type === "text" && part.text.trim() !== "") return [{ ...saying, text: part.text }];
    if (part.type === "file") return [note(part.filename ? t("Picture: {0}", part.filename) : t("Picture"))];
    if (part.type !== "dynamic-tool") return [];
    const result = results.get(part.toolCallId);
    const title = oneLine(result?.digest ?? part.toolName, 200);
    return [{ kind: "call", title, text: shortened(result?.forms.shown ?? "") }];
  });
}

function shortened(output: string): string {
  const lines = output.trimEnd().split("\n");
  const kept = lines.slice(0, MAX_OUTPUT_LINES).join("\n").slice(0, MAX_OUTPUT_CHARS);
  const left = lines.length - kept.split("\n").length;
  if (left > 0) return `${kept}\n… ${plural(left, "1 more line", "{0} more lines")}`;
  return kept.length < output.trimEnd().length ? `${kept} …` : kept;
}
