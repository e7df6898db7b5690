/** Which compaction can be undone or redone now. */
import type { LogRecord, RecordOf } from "../../shared/records";
import type { History } from "../history/history";

/**
 * Undo: the newest one that has an effect, then the one before. Redo: the one undone last, while no other followed it.
 */
export function undoableCompactions({ records, conversation }: Pick<History, "records" | "conversation">): {
  undo?: RecordOf<"compaction">;
  redo?: RecordOf<"compaction">;
} {
  const compactions = new Map(records.flatMap(record => (record.kind === "compaction" ? [[record.id, record]] : [])));
  const undo = [...compactions.values()].findLast(({ id }) => !conversation.undone.has(id));
  const redo = compactions.get(lastUndone(records) ?? "");
  return { ...(undo ? { undo } : {}), ...(redo ? { redo } : {}) };
}

/** Id of the compaction that was undone last and not redone since, where none followed. */
function lastUndone(records: readonly LogRecord[]): string | undefined {
  let undone: string[] = [];
  for (const record of records) {
    if (record.kind === "compaction") undone = [];
    if (record.kind === "undo") undone.push(record.compactionId);
    if (record.kind === "redo") undone = undone.filter(id => id !== record.compactionId);
  }
  return undone.at(-1);
}
