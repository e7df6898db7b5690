/**
 * What a tool is. A call runs in two steps: `prepare` finds out what would happen and changes nothing; then, if the
 * policy (and the person, where it asks) allows, `applyChange` does it. An approval is bound to what `prepare` found.
 */
import type { z } from "zod";
import type { ApprovalAction, ApprovalAnswer } from "../../shared/records";
import type { FileChange, Stamp, Todo, ToolResult } from "../../shared/toolResult";
import type { StandingRead } from "../history/conversation";
import type { Effect } from "../permissions/policy";
import type { FileRef } from "../ports";

export interface Image {
  mediaType: string;
  bytes: Uint8Array;
  path: string;
}

/** What `applyChange` gives back: the envelope and what the session has to remember of it. */
export interface ToolOutcome {
  result: ToolResult;
  /** Where the shown text is not all of the output: a blob that holds all of it, already written. */
  raw?: { sha256: string; bytes: number };
  /** versions of files as this call read or left them */
  stamps?: { uri: string; stamp: Stamp }[];
  changes?: FileChange[];
  images?: Image[];
  todos?: Todo[];
  /** the command runs on as this background task */
  taskId?: string;
  /** Text of a file that the shown text has whole: lines (cells of a notebook) `first` to `last`, from 1. */
  reads?: { uri: string; sha256: string; first: number; last: number }[];
  /** The shown text only says that the text stands in this earlier result. */
  restates?: StandingRead;
}

/** The base moved between `prepare` and `applyChange`: nothing was done, prepare again. */
export const MOVED = Symbol("moved");

/** A file's text before a change and after it, as it is: it stays in this process and is never logged. */
export interface Proposal {
  ref: FileRef;
  /** null: the file is new */
  before: string | null;
  after: string;
  /** what the model proposed, where `after` is what a person made of it */
  proposed?: string | undefined;
}

export interface PreparedCall {
  /** every file or folder the call touches, for protected paths */
  targets: readonly FileRef[];
  /** what it does now, for the card: "Run `npm test`", "Read src/a.ts" */
  title: string;
  /** what a person would be asked; `binds` is added by runTool from `binding` */
  detail: ApprovalAction["detail"];
  /** the exact bytes that an approval binds: hashed by runTool */
  binding: string;
  /** what a person can look at and change before they accept it */
  proposal?: Proposal;
  /**
   * The same call with the text that a person made of the proposal, in the line ends of the file; undefined: the file would
   * stay as it is.
   */
  revise?(text: string): PreparedCall | undefined;
  perform(run: RunContext): Promise<ToolOutcome | typeof MOVED>;
}

/** What a call knows of its session. */
export interface CallContext {
  /** aborted on Stop */
  signal: AbortSignal;
  /** the stamp of the last time this session read or wrote the file; undefined: never */
  stampOf(uri: string): Stamp | undefined;
  /** why a file is always asked about; undefined: it is not */
  protectedBecause(ref: FileRef): string | undefined;
  /** Secrets → placeholders, for text that is cut before it becomes the result: half a secret is not found any more. */
  redact(text: string): string;
  /** Text of the file that earlier steps of this turn read and that stands whole in the request, oldest first. */
  standing(uri: string): readonly StandingRead[];
}

/**
 * Text for the model that nobody typed (CONTEXT.md, section 8). It joins the history as a message of its own: before the
 * turn's first request in front of the user's message, later at the end, never between a call and its result.
 */
export interface Inject {
  /**
   * Rules and other words of Strata's own.
   * @param fingerprint the same one is injected once in a run
   * @param source what it is, for manifests and people: `rules:src/AGENTS.md`
   * @returns false: dropped, since there is no text or this run has it already
   * @throws InjectionLimitError (agent/injections.ts), a ToolError: the run has had its 120
   */
  injectSystemOnce(text: string, fingerprint: string, source: string): boolean;
}

export interface RunContext extends CallContext {
  callId: string;
  /** what the person answered to this call's question; absent: nobody had to be asked */
  answer?: ApprovalAnswer;
  inject: Inject;
  /** The rules of the folders around a file that was opened are injected where the request does not have them. */
  bringRules(file: FileRef): Promise<void>;
  /** Live output for the card. */
  output(stream: "stdout" | "stderr", text: string): void;
}

export interface Tool<Input = unknown> {
  readonly name: string;
  /** what the model reads: prompts/tools/<name>.md */
  readonly description: string;
  /** its descriptions are what the model reads */
  readonly input: z.ZodType<Input>;
  readonly effect: Effect;
  /** The same call may have another answer a moment later: repeating it is no sign of a model that is stuck. */
  readonly isPolled?: boolean;
  /** Throws ToolError for what cannot be done. Must not change anything. */
  prepare(input: Input, call: CallContext): Promise<PreparedCall>;
}

/** Keeps the input type of a tool next to its schema. */
export function defineTool<Input>(tool: Tool<Input>): Tool<Input> {
  return tool;
}
