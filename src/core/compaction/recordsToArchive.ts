/** Which records go to the archive with the messages that a compaction removes. Pure. */
import type { LogRecord } from "../../shared/records";

/**
 * Ids of the records that go. What belongs to a message goes with it; what stands between messages (questions, notes, todos:
 * the snapshot has what they said) goes with the message before it, or, at the beginning, with the first one.
 * @param records the live log, oldest first
 */
export function recordsToArchive(records: readonly LogRecord[], removed: ReadonlySet<string>): Set<string> {
  const goes = new Set<string>();
  const first = records.map(owningMessageId).find(id => id !== undefined);
  let going = first !== undefined && removed.has(first);
  for (const record of records) {
    const messageId = owningMessageId(record);
    if (record.kind !== "result" && messageId !== undefined) going = removed.has(messageId);
    const own = messageId === undefined ? going && !staysInLog(record, removed) : removed.has(messageId);
    if (own) goes.add(record.id);
  }
  return goes;
}

/** The message that a record is, or belongs to. */
function owningMessageId(record: LogRecord): string | undefined {
  if (record.kind === "message") return record.message.id;
  if (record.kind === "inject" || record.kind === "attachment" || record.kind === "result") return record.messageId;
  return undefined;
}

/** Records that say something about messages that stay, wherever they stand themselves. */
function staysInLog(record: LogRecord, removed: ReadonlySet<string>): boolean {
  if (record.kind === "undo" || record.kind === "redo") return true;
  const folded = record.kind === "fold" ? record.results : record.kind === "compaction" ? record.folded : [];
  return folded.some(({ messageId }) => !removed.has(messageId));
}
