/** What a panel is sent of a session: its newest part on opening, older records as the user scrolls, without long texts. */

import type { Session } from "../../../core/agent/session/session";
import type { Logger } from "../../../core/ground/ports";
import { isWithin, leftBranches, onBranch, opensTurn } from "../../../core/log/branches";
import { type OlderRecords, olderRecords } from "../../../core/log/findRecords";
import type { SessionLog } from "../../../core/log/handles";
import { defined, some } from "../../../shared/defined";
import { plural } from "../../../shared/l10n";
import type { Json, MessagePart } from "../../../shared/messages";
import type { ContextUsage, PanelSnapshot, PanelSurroundings } from "../../../shared/panelSnapshot";
import { PANEL_PROTOCOL_VERSION } from "../../../shared/panelSnapshot";
import type { LogRecord, RecordKind, RecordOf } from "../../../shared/records";
import { logged } from "../../platform/async";

/** All that takes time; what comes while it is made is added by `toPanelSnapshot`. */
export type PreparedSnapshot = { session: Session; surroundings: PanelSurroundings; window: OlderRecords };

/** Without a wait: events that come after it go on where it ends. */
export function toPanelSnapshot({ session, surroundings, window }: PreparedSnapshot): PanelSnapshot {
  const { id: sessionId, history, readOnly, obstacle, deleted, mode, state, caller } = session;
  const { title, pending, todos, pins, denials } = history.conversation;
  const { underWay } = session.plans;
  const { forks, undoable } = session.rewind;
  const byCaller = caller && { caller: { id: caller.id, title: caller.title, agent: caller.agent } };
  const edge = window.records.at(-1)?.seq ?? 0;
  const since = onBranch(history.records).filter(record => record.seq > edge);
  return {
    version: PANEL_PROTOCOL_VERSION,
    sessionId,
    readOnly,
    title,
    mode,
    state,
    surroundings,
    records: [...window.records, ...since].map(toPanelRecord),
    hasOlder: window.hasOlder,
    live: session.live(),
    pending: pending.map(({ pendingId, delivery, text }) => ({ pendingId, delivery, text })),
    held: pending.filter(message => message.held).map(message => message.pendingId),
    plan: underWay ? { turn: underWay.turn, title: underWay.title } : null,
    todos: [...todos],
    pins: [...pins],
    denials: denials.map(({ denialId, title, ts }) => ({ denialId, title, ts })),
    ...byCaller,
    ...defined({ obstacle, deleted, rewound: undoable?.rewindId, missing: some(window.missing) }),
    ...defined({ forks: some(forks), tasks: some(session.background.list()) }),
  };
}

/** How full the context would be with the next request. undefined: nothing was said yet, or it cannot be known; then the panel shows none until a request leaves. */
export async function readContextUse(session: Session, logger: Logger): Promise<ContextUsage | undefined> {
  if (session.history.conversation.turn === 0) return undefined;
  return session.compaction.use().catch(logged(logger, "warning", "how full the context is could not be told"));
}

/** At least so many records where there are; the window then begins at the user's message before them. */
const WINDOW_RECORDS = 200;
/** One long turn does not make the window longer than this. */
const MAX_RECORDS = 400;

/** The newest records. Rejects with StorageError. */
export const newestRecords = (log: SessionLog): Promise<OlderRecords> => recordsBefore(log, Number.MAX_SAFE_INTEGER);

/**
 * The records of the branch that is shown before number `before`, as many as a window holds, from archives too. With `until`
 * all those down to that number, and a window before it. Rejects with StorageError.
 */
export async function recordsBefore(log: SessionLog, before: number, until = before): Promise<OlderRecords> {
  const left = leftBranches(log.records);
  const isShown = ({ seq }: LogRecord) => !isWithin(left, seq);
  if (until < before) {
    const near = await olderRecords(log, before, Number.MAX_SAFE_INTEGER, isShown, until);
    const far = await recordsBefore(log, until);
    const missing = [...new Set([...far.missing, ...near.missing])];
    return { records: [...far.records, ...near.records], hasOlder: far.hasOlder, missing };
  }
  const { records, hasOlder, missing } = await olderRecords(log, before, MAX_RECORDS, isShown);
  const latest = Math.max(0, records.length - WINDOW_RECORDS);
  const opening = records.slice(0, latest + 1).findLastIndex(opensTurn);
  const start = opening > 0 ? opening : hasOlder ? latest : 0;
  return { records: records.slice(start), hasOlder: hasOlder || start > 0, missing };
}

const SHOWN_CHARS = 400;
const REMINDER_CHARS = 200;
/** Longer strings in a call's input (a whole file that is written) are cut: a card shows their beginning at most. */
const INPUT_CHARS = 2_000;
/** The diff of an edit as its card shows it; the whole is in the diff editor. */
const DIFF_CHARS = 4_000;

/** What a card shows of records with long texts, which come on demand (`printed`, `openDiff`). */
const lighten: { [K in RecordKind]?: (record: RecordOf<K>) => RecordOf<K> } = {
  message: record => ({ ...record, message: { ...record.message, parts: record.message.parts.map(lightPart) } }),
  result({ stamps: _, images: __, ...record }) {
    const forms = { shown: cut(record.forms.shown, SHOWN_CHARS) };
    return { ...record, forms, ...cutDiffs(record.changes) };
  },
  child: record => ({ ...record, ...cutDiffs(record.changes) }),
  attempt: record => ({ ...record, parts: record.parts.map(lightPart) }),
  // An open question keeps its diff whole.
  approval: record => (record.answer ? withoutDiffs(record) : record),
  // What was injected is for the model.
  inject: record => ({ ...record, text: cut(record.text, REMINDER_CHARS) }),
  attachment: ({ raw: _, ...record }) => ({ ...record, text: "" }),
  compaction: lightCompaction,
  // It is read in the editor.
  plan: record => ({ ...record, text: "" }),
  review: ({ text: _, ...record }) => record,
};

/** The same record, a few hundred bytes beside what people wrote and read. */
export function toPanelRecord(record: LogRecord): LogRecord {
  const light = lighten[record.kind] as ((record: LogRecord) => LogRecord) | undefined;
  return light?.(record) ?? record;
}

/** The mark in the conversation has its numbers, which turns stay, and the summary; what was left out comes on demand. */
function lightCompaction(record: RecordOf<"compaction">): RecordOf<"compaction"> {
  const { title, turn, turnOpen, runId, step, pins } = record.snapshot;
  const lists = { todos: [], pending: [], grants: [], fingerprints: [], nestedRules: [], changed: [] };
  const snapshot = { title, turn, turnOpen, runId, step, pins, stamps: {}, goal: "", ...lists };
  return { ...record, removed: [], folded: [], summaries: record.summaries.slice(-1), ledger: [], snapshot };
}

function lightPart(part: MessagePart): MessagePart {
  if (part.type === "text" || part.type === "reasoning") return { type: part.type, text: part.text };
  if (part.type === "data-reminder")
    return { ...part, data: { ...part.data, text: cut(part.data.text, REMINDER_CHARS) } };
  if (part.type === "file") return part;
  const { callProviderMetadata: _, ...call } = part;
  return { ...call, input: cutStrings(call.input) };
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

const cutDiffs = (changes: RecordOf<"child">["changes"]) =>
  defined({ changes: changes?.map(change => ({ ...change, diff: cutDiff(change.diff) })) });

/** At a line's end, with the format's own kind of note. */
function cutDiff(diff: string): string {
  if (diff.length <= DIFF_CHARS) return diff;
  const kept = diff.slice(0, diff.lastIndexOf("\n", DIFF_CHARS));
  const left = diff.slice(kept.length + 1).split("\n").length;
  const note = plural(left, "1 more line: open the diff to see it", "{0} more lines: open the diff to see them");
  return `${kept}\n\\ ${note}`;
}

function cutStrings(value: Json): Json {
  if (typeof value === "string") return cut(value, INPUT_CHARS);
  if (Array.isArray(value)) return value.map(cutStrings);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutStrings(item)]));
}

/** Never cuts a surrogate pair in two. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
