/** What compilers and linters in the editor say of files. A terminal has none. */
import type { FileRef } from "./files";

/** The worst first. */
export const severities = ["error", "warning", "info", "hint"] as const;
export type Severity = (typeof severities)[number];

export interface Problem {
  severity: Severity;
  message: string;
  /** as its checker numbers it: "2304", "no-undef" */
  code?: string;
  /** who found it: "ts", "eslint" */
  source?: string;
  /** 1-based, the end behind the last character, as editors show them */
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  /** of a notebook: the cell, from 1, of which these are the lines */
  cell?: number;
}

export interface FileProblems {
  ref: FileRef;
  problems: readonly Problem[];
}

/** A file that is about to be edited. */
export interface DiagnosticsWatch {
  /** what was listed before the edit */
  readonly before: readonly Problem[];
  /** false: no checker may have looked at the file yet, so there may be problems that are older than the edit */
  readonly complete: boolean;
  /**
   * To be asked once the edit is made. Waits until a checker has reported on the file since it changed and has been quiet
   * for a moment; undefined: none did in `maxMs`, or in the shorter time after which that is known to be in vain, or
   * `signal` was aborted. `text` is what the problems are about: others may have gone on editing.
   */
  settled(
    maxMs: number,
    signal: AbortSignal,
  ): Promise<{ problems: readonly Problem[]; text: string | undefined } | undefined>;
}

/** Nothing here rejects. Only files that a checker has looked at have problems listed: for most languages, open ones. */
export interface Diagnostics {
  of(ref: FileRef): Promise<readonly Problem[]>;
  /** Files with problems, in no order. */
  all(): Promise<FileProblems[]>;
  /** Begins to watch a file: before it is edited, since a checker may report before the edit is done and saved. */
  watch(ref: FileRef): Promise<DiagnosticsWatch>;
  /**
   * Has a checker look at a file that is not open, and waits as `settled` does where none has reported since it was opened
   * or changed. Whether one has.
   */
  look(ref: FileRef, maxMs: number, signal: AbortSignal): Promise<boolean>;
}
