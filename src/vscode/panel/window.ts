/**
 * Which part of a session's records the panel gets: it opens on the newest, and asks for older ones as the user scrolls.
 * Pure.
 */
import type { LogRecord, RecordOf } from "../../shared/records";

/** At least so many records where there are; the window then begins at the user's message before them. */
const WINDOW_RECORDS = 200;
/** One long turn does not make the window longer than this. */
const MOST_RECORDS = 400;
/** So many records, the newest before those that the panel has, show where a page of older ones begins. */
export const PAGE_RECORDS = MOST_RECORDS + 1;

export interface RecordWindow {
  /** oldest first */
  records: LogRecord[];
  hasOlder: boolean;
}

/**
 * The newest records, behind those older ones that still count and have no place in the conversation: the todo list and
 * messages that wait.
 * @param archived some records are in archives: what stands between those of the live log comes with the older ones
 */
export function newestRecords(all: readonly LogRecord[], archived = false): RecordWindow {
  const start = Math.max(windowStart(all, all.length), archived ? lastGap(all) : 0);
  return { records: [...stillCounting(all, start), ...all.slice(start)], hasOlder: start > 0 || archived };
}

/** A page of older records. @param newest as many as there are, `PAGE_RECORDS` at most; @param hasOlder more are before them */
export function olderPage(newest: readonly LogRecord[], hasOlder: boolean): RecordWindow {
  const start = windowStart(newest, newest.length);
  return { records: newest.slice(start), hasOlder: start > 0 || hasOlder };
}

/** Where the records begin of which none is missing up to the newest. */
function lastGap(all: readonly LogRecord[]): number {
  for (let at = all.length - 1; at > 0; at -= 1) {
    if ((all[at]?.seq ?? 0) !== (all[at - 1]?.seq ?? 0) + 1) return at;
  }
  return 0;
}

function windowStart(all: readonly LogRecord[], end: number): number {
  const least = Math.max(0, end - WINDOW_RECORDS);
  const most = Math.max(0, end - MOST_RECORDS);
  for (let at = least; at > most; at -= 1) {
    const record = all[at];
    if (record && opensTurn(record)) return at;
  }
  return most === 0 ? 0 : least;
}

function opensTurn(record: LogRecord): boolean {
  return record.kind === "message" && record.message.role === "user" && record.message.metadata.kind === "normal";
}

function stillCounting(all: readonly LogRecord[], start: number): LogRecord[] {
  const waiting = new Map<string, RecordOf<"pending">>();
  let todo: RecordOf<"todo"> | undefined;
  for (const record of all.slice(0, start)) {
    if (record.kind === "todo") todo = record;
    else if (record.kind === "pending") {
      if (record.op === "removed") waiting.delete(record.pendingId);
      // As one that was added: the record that it edits is not sent.
      else waiting.set(record.pendingId, { ...record, op: "added" });
    } else if (record.kind === "message" && record.message.metadata.pendingId) {
      waiting.delete(record.message.metadata.pendingId);
    }
  }
  return [...waiting.values(), ...(todo ? [todo] : [])].sort((a, b) => a.seq - b.seq);
}
