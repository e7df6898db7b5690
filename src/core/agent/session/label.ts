/** What a person calls a session, and whether it stands at the top of lists: in its log, as all that is known of it. */
import { defined } from "../../../shared/defined";
import { titleFrom } from "../../../shared/title";
import type { Session } from "./session";

export interface SessionLabel {
  title?: string | undefined;
  pinned?: boolean | undefined;
}

/** What is absent stays. Rejects with SessionError where another window writes it, and with StorageError. */
export async function setLabel(session: Session, { title, pinned }: SessionLabel): Promise<void> {
  session.requireWritable();
  const named = titleFrom(title ?? "") || session.history.conversation.title;
  await session.history.append({ kind: "title", title: named, ...defined({ pinned }) });
}
