/** Why a call failed, for the model. */
import { ToolError } from "../../core/ports";
import { errorMessage } from "../../shared/errorMessage";
import type { Connection } from "../connection/connect";
import { lastWords } from "../connection/failures";
import type { ToolName } from "./definition";

/**
 * @param connection that the call went over, as it is now; `isLive`: it is still the server's
 * @param timeoutMs that it had without a sign of progress
 */
export function callFailure(
  { server, named: { tool, name } }: { server: string; named: ToolName },
  error: unknown,
  { connection, isLive, timeoutMs }: { connection: Connection; isLive: boolean; timeoutMs: number },
): ToolError {
  const code = (error as { code?: unknown }).code;
  const words = errorMessage(error);
  if (code === "REQUEST_TIMEOUT")
    return new ToolError(
      "TIMEOUT",
      `${name} gave no answer within ${Math.round(timeoutMs / 1000)} s. Its effect is unknown.`,
    );
  const ended = connection.ended();
  if (!isLive || ended !== undefined || code === "CONNECTION_CLOSED" || code === "NOT_CONNECTED") {
    const printed = lastWords(connection.printed());
    const said = printed === "" ? "" : ` It printed: ${printed}`;
    return new ToolError(
      "IO",
      `The MCP server ${server} is gone (${ended ?? "the connection broke"}) and gave no answer. The call's effect is unknown: check before you repeat it. The next call starts it again.${said}`,
    );
  }
  if (code === -32602) return new ToolError("INVALID_INPUT", `${name} does not take this input: ${words}`);
  if (code === -32601) return new ToolError("NOT_FOUND", `The MCP server ${server} has no ${tool.name} now: ${words}`);
  return new ToolError("IO", `${name} failed: ${words}`);
}
