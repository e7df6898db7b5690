/** What a session cannot do, and why, for people. */
import { defined } from "../../../shared/defined";
import { type AgentEvent, EVENT_VERSION } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import { SessionError } from "../../ground/ports";
import type { Conversation } from "../../log/conversation";

interface Writability {
  readOnly: boolean;
  /** why, where that is not another window */
  obstacle: string | undefined;
  deleted: true | undefined;
}

export const sessionEvent = ({
  id: sessionId,
  readOnly,
  obstacle,
  deleted,
}: Writability & { id: string }): AgentEvent => ({
  ...{ type: "session", version: EVENT_VERSION, sessionId, readOnly },
  ...defined({ obstacle, deleted }),
});

/** Throws SessionError. */
export function requireWritable(session: Writability): void {
  const why = whyNotWritable(session);
  if (why !== undefined) throw new SessionError(why);
}

function whyNotWritable({ deleted, readOnly, obstacle }: Writability): string | undefined {
  if (deleted) return t("This session was deleted in another window. Restore it, or start a new one.");
  if (!readOnly || obstacle !== undefined) return obstacle;
  return t(
    "This session is open in another window, so it can only be read here. Start a new session, or close it there.",
  );
}

/** Throws SessionError where the newest turn cannot go on. */
export function requireResumable(conversation: Conversation): void {
  const { turn, end, messages } = conversation;
  if (end?.turn === turn && end.reason === "done") {
    throw new SessionError(t("The turn is done. Send a message to go on."));
  }
  if (turn === 0) throw new SessionError(t("There is nothing to continue yet. Send a message first."));
  if (messages.length === 0) {
    throw new SessionError(
      t("The conversation was set aside, so nothing is left to continue. Send a message to go on."),
    );
  }
}
