/** What `inject` records do to the conversation (CONTEXT.md, section 8). */
import type { StrataMessage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import type { Conversation } from "./conversation";

/** As user-role text in a reminder: not every provider takes system messages but the first. */
export function injectMessage(conversation: Conversation, record: RecordOf<"inject">): void {
  const { fingerprint, runId, messageId, source } = record;
  const message = injectedMessage(record);
  const at = record.place === "before" ? openingOf(conversation, record.turn) : -1;
  if (at < 0) conversation.messages.push(message);
  else conversation.messages.splice(at, 0, message);
  conversation.injected.set(fingerprint, runId);
  conversation.injections += 1;
  conversation.injectedMessages.set(messageId, source);
}

export function injectedMessage({ messageId, ts, turn, runId, text }: RecordOf<"inject">): StrataMessage {
  return {
    id: messageId,
    role: "user",
    parts: [{ type: "data-reminder", data: { name: "injected", text } }],
    metadata: { ts, turn, step: 0, runId, kind: "notice" },
  };
}

/** Where the user's message stands that opened the turn; -1: it is not there. */
function openingOf({ messages }: Conversation, turn: number): number {
  return messages.findIndex(({ metadata }) => metadata?.turn === turn && metadata.kind === "normal");
}
