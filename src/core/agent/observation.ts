/** What a call gives back to the loop. */
import type { ToolCallPart } from "../../shared/messages";
import type { ErrorCode, ToolResult } from "../../shared/toolResult";
import type { ToolOutcome } from "../toolkit/tool";

export interface Observation extends ToolOutcome {
  /** Somebody had to be asked and nobody was there. */
  unanswered?: boolean;
  /** ms that the call took, not counting the time a person took to answer */
  durationMs?: number;
}

/** The result of a call that gave none. */
export function errorResult(
  call: Pick<ToolCallPart, "toolName">,
  code: ErrorCode,
  message: string,
  data: ToolResult["data"],
): Observation {
  const line = message.split("\n", 1)[0] ?? "";
  return {
    result: {
      status: "error",
      data,
      text: `${code}: ${message}`,
      digest: `${call.toolName} · ${line}`.slice(0, 500),
      error: { code, message },
    },
  };
}
