/** Time, ids, hashes, secrets, log lines, and what a collector is told. */
import type { Json } from "../../../shared/messages";
import type { Redact } from "../../../shared/redacted";

export interface WallClock {
  /** ms since the epoch */
  now(): number;
}

export interface Stopwatch {
  /** ms of a monotonic clock, for durations */
  steady(): number;
}

export interface Sleeper {
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Timer {
  /** Calls back after `ms`. Gives back what calls it off. @param aside no process stays alive for it */
  after(ms: number, call: () => void, aside?: "aside"): () => void;
}

export interface Clock extends WallClock, Stopwatch, Sleeper, Timer {}

/**
 * A signal that is aborted after so many ms, unless the wait was ended before.
 * @param reason what it is aborted with; absent: an AbortError
 */
export function timeLimit(ms: number, clock: Sleeper, reason?: Error): { signal: AbortSignal; end(): void } {
  const over = new AbortController();
  const ended = new AbortController();
  clock.sleep(ms, ended.signal).then(
    () => over.abort(reason),
    () => undefined, // it was ended
  );
  return { signal: over.signal, end: () => ended.abort() };
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
export interface TextRedactor {
  /** Secrets become stable placeholders. Idempotent. */
  redact: Redact;
}

export interface Redactor extends TextRedactor {
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
  /** The text of an `.env` file, as read or written: its secrets are known from now on. */
  learn(text: string): void;
  /** A text that was read or written: a line of a private key in it is known from now on where it stands alone, too. */
  learnKeys(text: string): void;
  /**
   * The redactor for one place, a session family in a workspace: its placeholders are restored only there, so they are worth
   * nothing in other files or sessions.
   * @param place asked each time
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
  read(): Promise<string | undefined>;
  /**
   * Replaces the text by the result of `change`, which may be called again after another process wrote meanwhile. Errors of
   * `change` come through.
   */
  update(change: (kept: string | undefined) => string): Promise<void>;
  /** Moves an unreadable text out of the way, if it is still the stored one. Resolves to its place, in words for a person. */
  setAside(text: string): Promise<string>;
}

/** What was done, how long it took and how it ended, for a collector of the person's own (docs/logs.md). */

/** A piece of work that has ended. */
export interface Span {
  /** what belongs together has the same; any text */
  trace: string;
  /** its own; any text */
  id: string;
  /** id of the span around it */
  parent?: string;
  name: string;
  /** client: a request to a server */
  kind: "internal" | "client";
  /** ms since the epoch */
  start: number;
  end: number;
  /** by the names of OpenTelemetry's conventions */
  attributes: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** why it failed, in a word */
  error?: string;
}

export interface Telemetry {
  readonly isOn: boolean;
  /** Never throws and never waits: what cannot be delivered is dropped. */
  record(span: Span): void;
}
