/** What went out with a user's message beside its words: problems, a selection, … */
import type { RecordOf } from "../../../src/shared/records";
import { replace } from "./chunks";
import type { Session } from "./state";

export interface Attached {
  messageId: string;
  /** "problems" */
  name: string;
  /** "2 errors in 1 file", or a sentence that says why there is nothing */
  title: string;
  empty: boolean;
}

/** It stands with the message that names it; where that is not loaded, it comes again with it. */
export function applyAttachment(session: Session, record: RecordOf<"attachment">): Session {
  const { messageId, parentId, name, title, empty = false } = record;
  const chunks = replace(session.chunks, parentId, item =>
    item.kind === "user" ? { ...item, attachments: [...item.attachments, { messageId, name, title, empty }] } : item,
  );
  return { ...session, chunks };
}
