/** What `inject` records do to the conversation (CONTEXT.md, section 8). */
import type { StrataMessage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import type { Conversation } from "./conversation";

export function injectMessage(conversation: Conversation, record: RecordOf<"inject">): void {
  const { fingerprint, runId, messageId, source } = record;
  const message = injectedMessage(record);
  const at = record.place === "before" ? openingOf(conversation, record.turn) : -1;
  if (at < 0) conversation.messages.push(message);
  else conversation.messages.splice(at, 0, message);
  conversation.injected.set(fingerprint, runId);
  // The user's message that opened the run may be in an archive: then this is the first that is heard of it.
  conversation.injections = runId === conversation.runId ? conversation.injections + 1 : 1;
  conversation.runId = runId;
  conversation.injectedMessages.set(messageId, source);
}

/**
 * As user-role text: not every provider takes system messages but the first. The record has its reminder tags: this is a part
 * of the format on disk (compose.ts).
 */
export function injectedMessage({ messageId, ts, turn, runId, source, text }: RecordOf<"inject">): StrataMessage {
  return {
    id: messageId,
    role: "user",
    parts: [{ type: "data-reminder", data: { name: source, text } }],
    metadata: { ts, turn, step: 0, runId, kind: "notice" },
  };
}

/** Where the user's message stands that opened the turn; -1: it is not there. */
function openingOf({ messages }: Conversation, turn: number): number {
  return messages.findIndex(
    ({ role, metadata }) => role === "user" && metadata?.turn === turn && metadata.kind === "normal",
  );
}
