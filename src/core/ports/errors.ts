/** Errors whose message is written for its reader: a model, or the person who asked for something. */
import type { ErrorCode, FileChange, Stamp, ToolResult } from "../../shared/toolResult";

/** An observation that tells the model what went wrong and what to do next. Caught in one place: agent/runTool.ts. */
export class ToolError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** facts for the kept form and for tests */
    readonly data: ToolResult["data"] = {},
    /** what was done to files all the same, and the session has to know */
    readonly done: { stamps?: { uri: string; stamp: Stamp }[]; changes?: FileChange[] } = {},
  ) {
    super(message);
    this.name = "ToolError";
  }
}

/** What a user asked for cannot be done now; its message is for them. */
export class SessionError extends Error {
  override readonly name = "SessionError";
}
