/**
 * Records as the panel gets them: what it shows, without the long texts, which come on demand (`details`, `openDiff`). Pure.
 */
import type { Json, LoggedMessage, MessagePart } from "../../shared/messages";
import type { LogRecord, RecordKind, RecordOf } from "../../shared/records";

const SHOWN_CHARS = 400;
const REMINDER_CHARS = 200;
/** Longer strings in a call's input (a whole file that is written) are cut: a card shows their beginning at most. */
const INPUT_CHARS = 2_000;
/** The diff of an edit as its card shows it; the whole is in the diff editor. */
const DIFF_CHARS = 4_000;

type LightTable = { [K in RecordKind]: (record: RecordOf<K>) => RecordOf<K> };

const table: LightTable = {
  message: record => ({ ...record, message: lightMessage(record.message) }),
  result({ stamps: _, images: __, ...record }) {
    const forms = { shown: cut(record.forms.shown, SHOWN_CHARS) };
    const changes = record.changes?.map(change => ({ ...change, diff: cutDiff(change.diff) }));
    return { ...record, forms, ...(changes ? { changes } : {}) };
  },
  attempt: record => ({ ...record, parts: record.parts.map(lightPart) }),
  approval: record => (record.answer ? withoutDiffs(record) : record),
  turnEnd: record => record,
  pending: record => record,
  todo: record => record,
  title: record => record,
  mode: record => record,
  note: record => record,
  fold: record => record,
  // what was injected is for the model
  inject: record => ({ ...record, text: cut(record.text, REMINDER_CHARS) }),
  // what was attached comes on demand
  attachment: ({ raw: _, ...record }) => ({ ...record, text: "" }),
  pin: record => record,
  compaction: lightCompaction,
  undo: record => record,
  redo: record => record,
  revert: record => record,
};

/** The same record, a few hundred bytes beside what people wrote and read. An open question keeps its diff whole. */
export function toPanelRecord(record: LogRecord): LogRecord {
  const lighten = table[record.kind] as (record: LogRecord) => LogRecord;
  return lighten(record);
}

/** The mark in the conversation needs its numbers and which turns went; what was left out comes on demand. */
function lightCompaction(record: RecordOf<"compaction">): RecordOf<"compaction"> {
  const { title, turn, turnOpen, runId, step, pins } = record.snapshot;
  const lists = { todos: [], pending: [], grants: [], fingerprints: [], nestedRules: [], changed: [] };
  const snapshot = { title, turn, turnOpen, runId, step, pins, stamps: {}, goal: "", ...lists };
  const summaries = record.summaries.slice(-1).map(summary => ({ ...summary, text: "" }));
  return { ...record, removed: [], folded: [], summaries, snapshot };
}

function lightMessage(message: LoggedMessage): LoggedMessage {
  return { ...message, parts: message.parts.map(lightPart) };
}

function lightPart(part: MessagePart): MessagePart {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text };
    case "data-reminder":
      return { ...part, data: { ...part.data, text: cut(part.data.text, REMINDER_CHARS) } };
    case "file":
      return part;
    case "dynamic-tool": {
      const { callProviderMetadata: _, ...call } = part;
      return { ...call, input: cutStrings(call.input) };
    }
  }
}

/** What was asked stays to be seen; the diff comes with the result. */
function withoutDiffs(record: RecordOf<"approval">): RecordOf<"approval"> {
  const { action, answer } = record;
  const { detail } = action;
  if (detail.type !== "edit") return record;
  const changes = detail.changes.map(change => ({ ...change, diff: "" }));
  const light = { ...record, action: { ...action, detail: { type: "edit" as const, changes } } };
  return answer?.edited ? { ...light, answer: { ...answer, edited: { ...answer.edited, diff: "" } } } : light;
}

/** At a line's end, with the format's own kind of note. */
function cutDiff(diff: string): string {
  if (diff.length <= DIFF_CHARS) return diff;
  const kept = diff.slice(0, diff.lastIndexOf("\n", DIFF_CHARS));
  const left = diff.slice(kept.length + 1).split("\n").length;
  return `${kept}\n\\ ${left} more lines: open the diff to see them`;
}

function cutStrings(value: Json): Json {
  if (typeof value === "string") return cut(value, INPUT_CHARS);
  if (Array.isArray(value)) return value.map(cutStrings);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutStrings(item)]));
}

/** Never cuts a surrogate pair in two. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
