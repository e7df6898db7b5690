/** Time, ids, hashes, secrets, log lines, and errors in words for their reader. */

import type { Json } from "../../shared/messages";
import type { Redact } from "../../shared/redacted";
import type { ErrorCode, FileChange, Stamp, ToolResult } from "../../shared/toolResult";

export interface Clock {
  /** ms since the epoch */
  now(): number;
  /** ms since some moment, by a clock that nobody sets: for how long something takes */
  steady(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls back after `ms`. Gives back what calls it off.
   * @param aside no process stays alive for it
   */
  after(ms: number, call: () => void, aside?: "aside"): () => void;
}

export interface Ids {
  /** A new id, unique on this machine, without meaning: `msg_…`, `run_…`. */
  next(prefix: string): string;
}

export interface Hash {
  /** lower-case hex; text is hashed as UTF-8 */
  sha256(data: string | Uint8Array): string;
}

/** sha256 of what comes in pieces. */
export interface RunningHash {
  /** text is hashed as UTF-8: no piece may end within a character */
  update(data: string | Uint8Array): void;
  /** lower-case hex; ends it */
  digest(): string;
}

/** Stands before everything that is logged, hashed or sent (docs/context.md). */
export interface Redactor {
  /** Secrets become stable placeholders. Idempotent. */
  redact: Redact;
  /** How much of a text that goes on can be passed on: behind that, a secret with blanks in it may have begun. */
  safeEnd(text: string): number;
  /** Placeholders that were handed out here become the secrets again: only for what is written into files. */
  restore(text: string): string;
  /**
   * Placeholders in a text that `restore` leaves standing: "unknown": not handed out here; "lines": a key over several lines
   * (or cut off), of which the exact text is not known.
   */
  standing(text: string): { mark: string; why: "unknown" | "lines" }[];
  /**
   * Brings what is known of `.env` files up to date: "workspace" before a turn, "known" before a request and before what a
   * tool gave back is redacted. Never rejects.
   */
  refresh(scope: "workspace" | "known"): Promise<void>;
  /** The text of an `.env` file, as somebody read or wrote it: what is secret in it is known from now on. */
  learn(text: string): void;
  /** A text that somebody read or wrote: a line of a private key in it is known from now on where it stands alone, too. */
  learnKeys(text: string): void;
  /**
   * The same redactor for one place, a session family in a workspace: what it hands out is restored there alone, so that a
   * placeholder which others learned of is worth nothing in a file or a session of theirs.
   * @param place asked anew each time
   */
  within(place: () => string): Redactor;
}

export interface Logger {
  log(level: "debug" | "info" | "warning" | "error", message: string, fields?: Record<string, Json>): void;
}

// Where secrets come from, and where placeholders keep what they stand for (docs/context.md).

/** A variable of an `.env` file or of the environment. */
export interface NamedValue {
  name: string;
  value: string;
}

/** The `.env` files and private keys of the workspace, trusted or not: reading them only hides what is in them. */
export interface EnvFiles {
  /**
   * Their texts; what has not changed is not read again, and is the same string. Never rejects.
   * @param scope "workspace": looks for files anew; "known": only where some were found, and in the roots
   */
  read(scope: "workspace" | "known"): Promise<readonly string[]>;
}

/** One text in a place that only the user can read. Its methods reject where the place cannot be used. */
export interface SecretVault {
  /** undefined: nothing was kept yet */
  read(): Promise<string | undefined>;
  /**
   * Replaces the text by what `change` makes of it, without losing what another process writes at the same time: so it
   * may call `change` several times. What `change` throws comes through.
   */
  update(change: (kept: string | undefined) => string): Promise<void>;
  /**
   * Moves a text that makes no sense out of the way, if it is still the one that is kept. Resolves to where such texts are,
   * in words for a person.
   */
  setAside(text: string): Promise<string>;
}

// Errors whose message is written for its reader: a model, or the person who asked for something.

/** An observation that tells the model what went wrong and what to do next. Caught in one place: agent/runTool.ts. */
export class ToolError extends Error {
  /** It says nothing of a file that the model does not know: nobody has to be asked before it hears it. */
  saysNothingNew = false;

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

/** Its message is one sentence for the person who asked: nothing else needs to be said. */
export abstract class ErrorForPeople extends Error {}

/** What a user asked for cannot be done now. */
export class SessionError extends ErrorForPeople {
  override readonly name = "SessionError";
}
