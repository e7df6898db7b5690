/** How a turn ends, in words for a person. */
import { t } from "../../shared/l10n";
import type { ToolCallPart } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import type { TurnAction, TurnError } from "../../shared/turnEnd";
import { SessionError } from "../ground/ports";
import type { Conversation } from "../log/conversation";
import type { History } from "../log/history";
import { errorResult, type Observation } from "./observation";

/** So many answers in a row whose call was cut off: the model does not manage in parts. */
export const MAX_CUTS = 3;

/** How a turn ended; what it counted is derived from its records. */
export interface TurnOutcome {
  reason: RecordOf<"turnEnd">["reason"];
  error?: TurnError;
}

const limit = (code: string, message: string, ...more: TurnAction[]): TurnOutcome => ({
  reason: "limit",
  error: { code, message, actions: ["continue", ...more] },
});

export const repeatedCallOutcome = ({ toolName }: ToolCallPart, times: number): TurnOutcome =>
  limit(
    "repeated-call",
    t("The agent made the same {0} call {1} times in a row, so Strata stopped it.", toolName, times),
  );

export const haltedOutcome = (why: string): TurnOutcome =>
  limit("hook-stopped", t("A hook stopped the turn: {0}", why));

export function notRunObservation(call: ToolCallPart): Observation {
  const words =
    "The call was not run: the turn was stopped before it. Do not repeat what did not work; try another way.";
  return errorResult(call, "ABORTED", words);
}

export function cutCallsOutcome({ toolName }: ToolCallPart): TurnOutcome {
  const message = t(
    "{0} answers in a row reached the limit of tokens in the middle of a call of {1}, so none was done.",
    MAX_CUTS,
    toolName,
  );
  return limit("cut-calls", message, "set-longest");
}

/** @param what the call that needed an approval */
export const needsApproval = (what: string): string =>
  t(
    "Nobody was there to allow: {0}. Run it where you can answer: in a terminal without --json, or in the editor. What a mode allows does not ask (--mode edits, --mode auto), but protected files always do.",
    what,
  );

export const needsApprovalError = ({ toolName }: ToolCallPart): TurnError => ({
  code: "approval-needed",
  message: needsApproval(toolName),
  actions: ["continue"],
});

export function questionGoneError(): TurnError {
  const message = t("Something changed while the question waited, so it was not asked again.");
  return { code: "question-gone", message, actions: ["continue"] };
}

export async function noteCutAnswer(finishReason: string, goesOn: boolean, history: History): Promise<void> {
  const text = goesOn ? goesOnText() : cutAnswers()[finishReason];
  if (text) await history.append({ kind: "note", level: "warning", code: `finish-${finishReason}`, text });
}

const goesOnText = () => t("The answer reached the limit of tokens, so the model goes on in a second one.");
const cutAnswers = (): Record<string, string> => ({
  length: t("The answer reached the limit of tokens again and is cut off."),
  "tool-calls": t(
    "The answer announced a tool call twice, but none came: its server may need its parser for tool calls (vLLM: --enable-auto-tool-choice --tool-call-parser; llama.cpp: --jinja).",
  ),
  "content-filter": t("The provider's content filter broke off the answer above: other words may pass."),
});

/** Throws SessionError where the newest turn cannot be continued. */
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
