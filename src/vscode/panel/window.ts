/**
 * Which part of a session's records the panel gets: it opens on the newest, and asks for older ones as the user scrolls.
 * Pure.
 */
import type { LogRecord, RecordOf } from "../../shared/records";

/** At least so many records where there are; the window then begins at the user's message before them. */
const WINDOW_RECORDS = 200;
/** One long turn does not make the window longer than this. */
const MOST_RECORDS = 400;

export interface RecordWindow {
  /** oldest first */
  records: LogRecord[];
  hasOlder: boolean;
}

/**
 * The newest records, behind those older ones that still count and have no place in the conversation: the todo list and
 * messages that wait.
 */
export function newestRecords(all: readonly LogRecord[]): RecordWindow {
  const start = windowStart(all, all.length);
  return { records: [...stillCounting(all, start), ...all.slice(start)], hasOlder: start > 0 };
}

/** The records before number `before`, as many as a window holds. */
export function olderRecords(all: readonly LogRecord[], before: number): RecordWindow {
  const found = all.findIndex(record => record.seq >= before);
  const end = found < 0 ? all.length : found;
  const start = windowStart(all, end);
  return { records: all.slice(start, end), hasOlder: start > 0 };
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
