/** What a crash left open, closed as what it is (CONTEXT.md, section 3). */
import type { NewRecord, TurnError } from "../../shared/records";
import { type Conversation, openCalls } from "./conversation";

export const interruptedTurn: TurnError = {
  code: "interrupted",
  message: "The turn was cut off: VS Code or the machine stopped while it ran. Everything up to there is here.",
  actions: ["continue"],
};

/** A result for each call of the newest turn that has none. */
export function interruptedCalls(conversation: Conversation): NewRecord[] {
  const message = "The call was interrupted, its effect is unknown. Check before you repeat it.";
  const shown = `INTERRUPTED: ${message}`;
  return openCalls(conversation).map(({ messageId, callId, toolName }) => ({
    kind: "result",
    messageId,
    callId,
    toolName,
    turn: conversation.turn,
    step: conversation.step,
    status: "error",
    digest: `${toolName} · interrupted, effect unknown`,
    error: { code: "INTERRUPTED", message },
    durationMs: 0,
    forms: { shown },
  }));
}
