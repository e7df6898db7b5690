/** Which records go with the messages that a compaction removes. */
import type { LogRecord } from "../../shared/records";
import { kindOf } from "./recordKinds";

/** The message that a record is, or belongs to. */
export function owningMessageId(record: LogRecord): string | undefined {
  const { archive } = kindOf(record);
  return typeof archive === "object" && "messageId" in archive ? archive.messageId(record) : undefined;
}

/**
 * Ids of the records that go to an archive with the messages that a compaction removes. What stands between messages
 * (questions, notes, todos: the snapshot has what they said) goes with the message before it, or, at the beginning, with
 * the first one.
 * @param records the live log, oldest first
 */
export function recordsToArchive(records: readonly LogRecord[], removed: ReadonlySet<string>): Set<string> {
  const toArchive = new Set<string>();
  const first = records.map(owningMessageId).find(id => id !== undefined);
  let isArchiving = first !== undefined && removed.has(first);
  for (const record of records) {
    const messageId = owningMessageId(record);
    if (record.kind !== "result" && messageId !== undefined) isArchiving = removed.has(messageId);
    const own = messageId === undefined ? isArchiving && !staysInLog(record, removed) : removed.has(messageId);
    if (own) toArchive.add(record.id);
  }
  return toArchive;
}

function staysInLog(record: LogRecord, removed: ReadonlySet<string>): boolean {
  const { archive } = kindOf(record);
  if (typeof archive === "string") return archive === "stays";
  return "about" in archive && archive.about(record).some(({ messageId }) => !removed.has(messageId));
}
