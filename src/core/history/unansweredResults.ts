/** Calls that have no result, closed as what they are (CONTEXT.md, section 3). */
import type { NewRecord, TurnError } from "../../shared/records";
import type { ErrorCode } from "../../shared/toolResult";
import { type Conversation, openCalls } from "./conversation";

/** What a call reads like whose process died while it ran: in its record, and where there is none yet. */
export const INTERRUPTED = "The call was interrupted, its effect is unknown. Check before you repeat it.";

export const interruptedTurn: TurnError = {
  code: "interrupted",
  message: "The turn was cut off: the program or the machine stopped while it ran. Everything up to there is here.",
  actions: ["continue"],
};

/** Why a call has no result: it ran when the process died, or it never ran. */
type Why = "interrupted" | "not-run";

const words: Record<Why, { code: ErrorCode; message: string; digest: string }> = {
  interrupted: { code: "INTERRUPTED", message: INTERRUPTED, digest: "interrupted, effect unknown" },
  "not-run": {
    code: "ABORTED",
    message: "The call was not run: the turn was stopped before it.",
    digest: "not run",
  },
};

/** A result for each call of the newest turn that has none. */
export function unansweredResults(conversation: Conversation, why: Why): NewRecord[] {
  const { code, message, digest } = words[why];
  return openCalls(conversation).map(({ messageId, callId, toolName }) => ({
    kind: "result",
    messageId,
    callId,
    toolName,
    turn: conversation.turn,
    step: conversation.step,
    status: "error",
    digest: `${toolName} · ${digest}`,
    error: { code, message },
    durationMs: 0,
    forms: { shown: `${code}: ${message}` },
  }));
}
