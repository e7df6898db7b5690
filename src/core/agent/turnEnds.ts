/** How a turn ends, in words for a person. */
import { plural, t } from "../../shared/l10n";
import type { ToolCallPart } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import type { TurnError } from "../../shared/turnError";
import type { History } from "../log/history";
import { errorResult, type Observation } from "./observation";

/** So many answers in a row whose call was cut off: the model does not manage in parts. */
export const MAX_CUTS = 3;

/** How a turn ended; what it counted is derived from its records. */
export interface TurnOutcome {
  reason: RecordOf<"turnEnd">["reason"];
  error?: TurnError;
}

export function repeatedCallOutcome({ toolName }: ToolCallPart, times: number): TurnOutcome {
  const message = t(
    "The agent made the same {0} call {1} times in a row, so Strata stopped it. Tell it what to do differently, or let it continue.",
    toolName,
    times,
  );
  return { reason: "limit", error: { code: "repeated-call", message, actions: ["continue"] } };
}

export function notRunObservation(call: ToolCallPart): Observation {
  const words =
    "The call was not run: the turn was stopped before it. Do not repeat what did not work; try another way.";
  return errorResult(call, "ABORTED", words);
}

export function stepLimitOutcome(steps: number): TurnOutcome {
  const message = plural(
    steps,
    "The agent took 1 step in this turn, the limit. Let it continue, or tell it what to do.",
    "The agent took {0} steps in this turn, the limit. Let it continue, or tell it what to do.",
  );
  return { reason: "limit", error: { code: "max-steps", message, actions: ["continue"] } };
}

export function cutCallsOutcome({ toolName }: ToolCallPart): TurnOutcome {
  const message = t(
    '{0} answers of the model in a row ended in the middle of a call of {1}, at the limit of tokens for one answer. Nothing of these calls was done. Allow more ("Longest answer" in the settings), or ask for the work in smaller parts.',
    MAX_CUTS,
    toolName,
  );
  return { reason: "limit", error: { code: "cut-calls", message, actions: ["continue"] } };
}

export function haltedOutcome(why: string): TurnOutcome {
  const error = {
    code: "hook-stopped",
    message: t("A hook stopped the turn: {0}", why),
    actions: ["continue" as const],
  };
  return { reason: "limit", error };
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
  const message = t(
    "Something changed while the question waited, so it was not asked again. Continue to look at it again.",
  );
  return { code: "question-gone", message, actions: ["continue"] };
}

export async function noteCutAnswer(finishReason: string, goesOn: boolean, history: History): Promise<void> {
  const text = goesOn ? goesOnText() : cutAnswers()[finishReason];
  if (text) await history.append({ kind: "note", level: "warning", code: `finish-${finishReason}`, text });
}

const goesOnText = () => t("The answer reached the limit of tokens, so the model goes on in a second one.");
const cutAnswers = (): Record<string, string> => ({
  length: t(
    'The answer reached the limit of tokens again and is cut off. Ask the model to go on, or allow more: "Longest answer" in the settings.',
  ),
  "tool-calls": t(
    'The answer announced a tool call twice, but no call came, so nothing more ran. If there was more to do, tell it to go on, start the server with its parser for tool calls (vLLM: --enable-auto-tool-choice --tool-call-parser, llama.cpp: --jinja), or choose "react" as the protocol in the settings.',
  ),
  "content-filter": t(
    "The model or its provider's content filter broke off the answer above. Put the request in other words, or choose another model.",
  ),
});
