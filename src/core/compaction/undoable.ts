/** Which compaction can be undone or redone now. */
import type { RecordOf } from "../../shared/records";
import type { History } from "../history/history";

/**
 * Undo: the newest one that has an effect, then the one before. Redo: the one undone last, while no other followed it.
 */
export function compactionsIn({ records, conversation }: Pick<History, "records" | "conversation">): {
  undo?: RecordOf<"compaction">;
  redo?: RecordOf<"compaction">;
} {
  const compactions = records.filter(record => record.kind === "compaction");
  const { undone } = conversation;
  const undo = compactions.findLast(({ id }) => !undone.has(id));
  // Undone ones that are newer than the newest with an effect; the oldest of them was undone last.
  const redo = compactions.find(({ id, seq }) => undone.has(id) && seq > (undo?.seq ?? 0));
  return { ...(undo ? { undo } : {}), ...(redo ? { redo } : {}) };
}
