/** The errors of the ports. */
import type { ErrorCode, FileChange, Stamp, ToolResult } from "../../../shared/toolResult";

/** An observation that tells the model what went wrong and what to do next. Caught in one place: agent/runTool.ts. */
export class ToolError extends Error {
  /** It says nothing of a file that the model does not know: the model may hear it unasked. */
  saysNothingNew = false;

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** facts for the kept form and for tests */
    readonly data: ToolResult["data"] = {},
    /** changes of files that were made before it failed */
    readonly done: { stamps?: { uri: string; stamp: Stamp }[]; changes?: FileChange[] } = {},
  ) {
    super(message);
    this.name = "ToolError";
  }
}

/** Its message is one sentence for the person who asked: nothing else needs to be said. */
export abstract class ErrorForPeople extends Error {}

/** By its code, who catches it knows what to do. */
export abstract class CodedError<Code extends string> extends ErrorForPeople {
  constructor(
    readonly code: Code,
    message: string,
  ) {
    super(message);
  }
}

/** What a user asked for cannot be done now. */
export class SessionError extends ErrorForPeople {
  override readonly name = "SessionError";
}

export class FileError extends CodedError<"NOT_FOUND" | "TOO_LARGE" | "IO" | "READ_ONLY"> {
  override readonly name = "FileError";
}

/** There was no room for what was to be written: nothing was. */
export class DiskFullError extends FileError {
  constructor(message: string) {
    super("IO", message);
  }
}

export class SearchError extends Error {
  override readonly name = "SearchError";
}

/** An extension refused or failed, in its words. */
export class CodeError extends ErrorForPeople {
  override readonly name = "CodeError";
}

/** Somebody stopped it: who waited for its start need not be told. */
export class ServerStopped extends ErrorForPeople {
  override readonly name = "ServerStopped";
}

/**
 * What is wrong with an answer that no server reports: silence, only signs of life, an end before the end, no end, nothing in it,
 * more calls than anybody means, a call of the text protocol that cannot be read, a call as text where calls are no text.
 */
export class AnswerError extends Error {
  constructor(
    readonly code:
      | "timeout"
      | "idle"
      | "cut"
      | "too-long"
      | "too-many-calls"
      | "empty"
      | "unreadable-call"
      | "written-call",
    message: string,
    /** why the model says it stopped, where it said so: an empty answer after `length` is no accident */
    readonly finishReason?: string,
  ) {
    super(message);
    this.name = "AnswerError";
  }
}

/** No model is set up: the person is told how to. */
export class NoModelError extends ErrorForPeople {
  override readonly name = "NoModelError";
}

type StorageCode = "NOT_FOUND" | "DISK_FULL" | "DENIED" | "LOST_LOCK" | "READ_ONLY" | "IN_USE" | "IO";

export class StorageError extends CodedError<StorageCode> {
  override readonly name = "StorageError";
}

/** For `catch`: what becomes of errors of this kind; all others are thrown again. */
export const onlyFor =
  <E, T>(kind: abstract new (...args: never[]) => E, act: (error: E) => T) =>
  (error: unknown): T => {
    if (error instanceof kind) return act(error);
    throw error;
  };
