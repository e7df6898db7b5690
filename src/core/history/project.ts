/**
 * The conversation as a projection of the log: opening a session and appending to it apply records by the same table, so
 * memory and disk cannot disagree. Compactions, their undo and redo rewrite the live log, which is then read anew.
 */
import type { LogRecord } from "../../shared/records";
import { type Conversation, emptyConversation } from "./conversation";
import { kindOf } from "./recordKinds";

/**
 * The conversation that records amount to.
 * @param records oldest first
 * @param without numbers of records, both ends included, that are left out, as if it had never happened: a branch that was left, turns that were taken back
 */
export function project(
  records: readonly LogRecord[],
  { without = [] }: { without?: readonly { from: number; to: number }[] } = {},
): Conversation {
  const counted = records.filter(({ seq }) => !without.some(({ from, to }) => from <= seq && seq <= to));
  const conversation: Conversation = { ...emptyConversation(), undone: undoneCompactions(counted) };
  for (const record of counted) applyRecord(conversation, record);
  return conversation;
}

export function applyRecord(conversation: Conversation, record: LogRecord): void {
  kindOf(record).project(conversation, record);
}

/** Compactions without an effect, from their undo and redo records. Known before the first record is applied. */
function undoneCompactions(records: readonly LogRecord[]): Set<string> {
  const undone = new Set<string>();
  for (const record of records) {
    if (record.kind === "undo") undone.add(record.compactionId);
    if (record.kind === "redo") undone.delete(record.compactionId);
  }
  return undone;
}
