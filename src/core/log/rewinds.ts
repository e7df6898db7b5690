/** What `rewind` records do to the conversation that goes on, beside the branch that it is on (branches.ts). */
import type { RecordOf } from "../../shared/records";
import type { Conversation } from "./conversation";

/** The request after it begins otherwise; of files that went back while the conversation stayed, the model is told. */
export function applyRewind(conversation: Conversation, record: RecordOf<"rewind">): void {
  const { phase, head, rewindId, undoes, turn, seq, paths = [] } = record;
  if (phase !== "done") return;
  if (head !== undefined) {
    conversation.rewound = true;
    return;
  }
  const direction = undoes === undefined ? "undo" : "redo";
  for (const path of paths) {
    const known = direction === "undo" ? "redo" : "undo";
    conversation.untold.set(`${undoes ?? rewindId} ${path}`, { path, turn, direction, seq, known });
  }
}
