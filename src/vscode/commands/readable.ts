/** A session for people who have no Strata: its conversation as Markdown. */

import type { SessionTextReader } from "../../core/ground/ports";
import { oneLine } from "../../core/ground/text/format";
import { onBranch } from "../../core/log/branches";
import { readWholeLog } from "../../core/log/readLog";
import { answersOf, entryOf } from "../../shared/entry";
import { fenceAfter, fenced } from "../../shared/fences";
import { locale, plural, t } from "../../shared/l10n";
import type { LogRecord, RecordKind, RecordOf } from "../../shared/records";
import type { Redact } from "../../shared/redacted";
import { visibleText } from "../../shared/shown";

interface ReadableDeps {
  /** the last thing that is done to a text before it is laid out */
  redact: Redact;
  title: string;
  now(): number;
}

/** Rejects with StorageError, NewerLogError, NotALogError. */
export async function exportMarkdown(files: SessionTextReader, { redact, title, now }: ReadableDeps): Promise<string> {
  const { records, missing } = await readWholeLog(files);
  const clean = (text: string): string => redact(visibleText(text));
  const blocks = partsOf(onBranch(records)).map(part => {
    const [heading, text] = [escapedMarkdown(clean(part.title)), clean(part.text)];
    if (part.kind === "call") return `**${heading}**${text && `\n\n${fenced(text)}`}`;
    if (part.kind === "note") return `*${heading}*${text && `\n\n${closed(text)}`}`;
    return `## ${heading}\n\n${closed(text)}`;
  });
  const lost = missing.length > 0 ? ` ${t("Some earlier messages are missing: their files cannot be read.")}` : "";
  const date = new Intl.DateTimeFormat(locale(), { dateStyle: "long" }).format(now());
  const about = `${t("Exported from Strata on {0}.", date)}${lost}`;
  return `${[`# ${escapedMarkdown(clean(title || t("Untitled session")))}`, about, ...blocks].join("\n\n")}\n`;
}

/** A block of code without an end would take what comes after it. */
function closed(text: string): string {
  let open: string | undefined;
  for (const line of text.split("\n")) open = fenceAfter(open, line);
  return open === undefined ? text : `${text}\n${open}`;
}

/** In one line of a heading. */
const escapedMarkdown = (text: string): string => oneLine(text, 300).replace(/[\\`*_[\]<>#]/g, "\\$&");

/** A part of the conversation. */
interface ReadablePart {
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
  attempt: eventParts,
  child: eventParts,
  // The answer itself is the plan that was proposed; what was carried out is as a person left it.
  plan: eventParts,
  planEnd: eventParts,
  rewind: eventParts,
  compaction: eventParts,
  undo: eventParts,
  redo: eventParts,
  note: record => (record.level === "info" ? [] : eventParts(record)),
  turnEnd: record => (record.reason === "done" && !record.claims && !record.wentOn ? [] : eventParts(record)),
};

function eventParts(record: LogRecord): ReadablePart[] {
  const entry = entryOf(record);
  if (entry === undefined) return [];
  const body = record.kind === "compaction" ? quoted(entry.body) : entry.body;
  return [note(entry.title, [...entry.lines, body].filter(text => text !== "").join("\n\n"))];
}

/** @param records of one branch, oldest first */
function partsOf(records: readonly LogRecord[]): ReadablePart[] {
  const results = new Map<string, RecordOf<"result">>();
  const questions = new Map<string, RecordOf<"question">>();
  for (const record of records) {
    if (record.kind === "result") results.set(record.callId, record);
    if (record.kind === "question") questions.set(record.questionId, record);
  }
  return records.flatMap(record => {
    const read = table[record.kind] as ((record: LogRecord, log: Log) => ReadablePart[]) | undefined;
    return read?.(record, { results, questions }) ?? [];
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
    const { title = part.toolName, body = "" } = (result && entryOf(result)) ?? {};
    return [{ kind: "call", title: oneLine(title, 200), text: shortened(body) }];
  });
}

function shortened(output: string): string {
  const lines = output.trimEnd().split("\n");
  const kept = lines.slice(0, MAX_OUTPUT_LINES).join("\n").slice(0, MAX_OUTPUT_CHARS);
  const left = lines.length - kept.split("\n").length;
  if (left > 0) return `${kept}\n… ${plural(left, "1 more line", "{0} more lines")}`;
  return kept.length < output.trimEnd().length ? `${kept} …` : kept;
}
