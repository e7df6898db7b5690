/** What a session cannot do, and why, for people. */
import { t } from "../../shared/l10n";
import type { Conversation } from "../history/conversation";
import { SessionError } from "../ports";

/** undefined: it can be written */
export function whyNotWritable({
  deleted,
  readOnly,
  obstacle,
}: {
  deleted: true | undefined;
  readOnly: boolean;
  obstacle: string | undefined;
}): string | undefined {
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
