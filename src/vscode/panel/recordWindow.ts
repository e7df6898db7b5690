/**
 * Which part of a session's records the panel gets: it opens on the newest, and asks for older ones as the user scrolls, back
 * into what compactions moved to archives.
 */

import { type OlderRecords, olderRecords } from "../../core/history/findRecords";
import type { SessionLog } from "../../core/history/handles";
import type { LogRecord } from "../../shared/records";

/** At least so many records where there are; the window then begins at the user's message before them. */
const WINDOW_RECORDS = 200;
/** One long turn does not make the window longer than this. */
const MAX_RECORDS = 400;

/** The newest records. Rejects with StorageError. */
export function newestRecords(log: SessionLog): Promise<OlderRecords> {
  return recordsBefore(log, Number.MAX_SAFE_INTEGER);
}

/** The records before number `before`, as many as a window holds. Rejects with StorageError. */
export async function recordsBefore(log: SessionLog, before: number): Promise<OlderRecords> {
  const { records, hasOlder, missing } = await olderRecords(log, before, MAX_RECORDS);
  const start = windowStart(records, hasOlder);
  return { records: records.slice(start), hasOlder: hasOlder || start > 0, missing };
}

function windowStart(records: readonly LogRecord[], hasOlder: boolean): number {
  const least = Math.max(0, records.length - WINDOW_RECORDS);
  for (let at = least; at > 0; at -= 1) {
    const record = records[at];
    if (record && opensTurn(record)) return at;
  }
  return hasOlder ? least : 0;
}

function opensTurn(record: LogRecord): boolean {
  return record.kind === "message" && record.message.role === "user" && record.message.metadata.kind === "normal";
}
