/**
 * The conversation as a projection of the log: opening a session and appending to it apply records by the same table, so
 * memory and disk cannot disagree. Compactions, their undo and redo rewrite the live log, which is then read anew.
 */
import type { LogRecord, RecordOf } from "../../shared/records";
import { isWithin, leftBranches, onBranch } from "./branches";
import { Conversation } from "./conversation";
import { kindOf } from "./recordKinds";

/**
 * The conversation that records amount to. Of branches that were left, only what holds for all of them counts.
 * @param records oldest first
 */
export function project(records: readonly LogRecord[]): Conversation {
  const left = leftBranches(records);
  const conversation = new Conversation();
  conversation.undone = undoneCompactions(onBranch(records, left));
  for (const record of records) {
    if (isWithin(left, record.seq)) kindOf(record).elsewhere(conversation, record);
    else applyRecord(conversation, record);
  }
  return conversation;
}

export function applyRecord(conversation: Conversation, record: LogRecord): void {
  kindOf(record).project(conversation, record);
}

/** The compactions that have an effect on the branch whose newest record is `newest`. */
export function compactionsInEffect(records: readonly LogRecord[], newest?: number): RecordOf<"compaction">[] {
  const branch = onBranch(records, leftBranches(records, newest));
  const known = newest === undefined ? branch : branch.filter(({ seq }) => seq <= newest);
  const undone = undoneCompactions(known);
  return known.filter(record => record.kind === "compaction").filter(({ id }) => !undone.has(id));
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
