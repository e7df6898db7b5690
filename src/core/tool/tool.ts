/**
 * What a tool is. A call runs in two steps: `prepare` finds out what would happen and changes nothing; then, if the
 * policy (and the person, where it asks) allows, `perform` does it. An approval is bound to what `prepare` found.
 */
import * as z from "zod";
import type { ApprovalAction, ApprovalAnswer } from "../../shared/approval";
import type { Trust } from "../../shared/manifest";
import type { Json } from "../../shared/messages";
import type { QuestionAnswer, QuestionForm } from "../../shared/question";
import type { Redact } from "../../shared/redacted";
import type { CommandEnd, FileChange, Stamp, Todo, ToolResult } from "../../shared/toolResult";
import type { OwnToolName } from "../../shared/toolTraits";
import type { FileRef, SandboxAccess } from "../ground/ports";
import { digestLine } from "../ground/text/format";
import type { ResultFacts } from "../ground/text/json";
import type { StandingRead } from "../log/conversation";
import type { CommandFacts } from "../permissions/commandFacts";
import type { Effect } from "../permissions/verdict";
import type { ResultForms } from "./resultForms";

/**
 * A tool: its description for the model, its work, the forms of its results. Ours and foreign ones alike.
 * Everything decided by its name alone (rules, folding, searches, rows of the panel) is `toolTraits(name)` in shared/.
 */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** what the model reads: prompts/tools/<name>.md */
  readonly description: string;
  readonly input: ToolInput<Input>;
  readonly effect: Effect;
  /** The same call may have another answer a moment later: repeating it is no sign of a model that is stuck. */
  readonly isPolled?: boolean;
  /** how its results are kept and folded; absent: as any text */
  readonly forms?: ResultForms;
  /** where the content of its results comes from; absent: "outside" for files outside the workspace, else "tool" */
  readonly trust?: Trust;
  /** What `prepare` looks at: where that is protected and `prepare` throws, the person is asked before the model hears why. */
  places?(input: Input): Promise<FileRef[]>;
  /** Throws ToolError for what cannot be done. Must not change anything. */
  prepare(input: Input, call: CallContext): Promise<PreparedCall>;
}

/** Tools of servers; none is started to list them. */
export interface ForeignTools {
  /** Before a turn: reads the present setup. Never rejects. */
  refresh(): Promise<void>;
  /**
   * Always in the same order, as long as they are the same.
   * @param found names of tools that this session looked for and found
   */
  list(found: ReadonlySet<string>): readonly Tool[];
}

type OwnTool<Input> = Omit<Tool<Input>, "input" | "name"> & { name: OwnToolName; input: z.ZodType<Input> };

/** A tool of ours: its input is described, checked and typed by one schema, and its name has a row of traits. */
export function defineTool<Input>(tool: OwnTool<Input>): Tool<Input> {
  return { ...tool, description: tool.description.trim(), input: zodInput(tool.input) };
}

/** What a tool takes. A foreign tool brings its JSON Schema and a check of its own; ours have theirs from zod. */
interface ToolInput<Input> {
  /** its descriptions are what the model reads */
  readonly jsonSchema: Json;
  /** `complaint`: the problem, for the model */
  parse(input: unknown): { value: Input } | { complaint: string };
}

export function zodInput<Input>(schema: z.ZodType<Input>): ToolInput<Input> {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io: "input",
    // Bounds that no model would break cost tokens in every session. They are still checked.
    override: ({ jsonSchema }) => {
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if (jsonSchema.minItems === 1) delete jsonSchema.minItems;
      if (jsonSchema.minimum !== undefined && jsonSchema.minimum <= 1) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return {
    jsonSchema: jsonSchema as Json,
    parse(input) {
      const parsed = schema.safeParse(input);
      return parsed.success ? { value: parsed.data } : { complaint: z.prettifyError(parsed.error) };
    },
  };
}

/** What a call knows of its session. */
export interface CallContext {
  signal: AbortSignal;
  callId: string;
  /** the stamp of the last time this session read or wrote the file; undefined: never */
  stampOf(uri: string): Stamp | undefined;
  /** why a file is always asked about; undefined: it is not */
  protectedBecause(ref: FileRef): string | undefined;
  /** Secrets → placeholders, for text that is cut before it becomes the result: half a secret is not found any more. */
  redact: Redact;
  /** A command has to run in the sandbox: what was prepared so never runs outside of it. */
  inSandbox: boolean;
  turn: number;
  /** Text of the file that earlier steps of the turn read and that is whole in the request, oldest first. */
  standing(uri: string): readonly StandingRead[];
}

export interface PreparedCall {
  /** every file or folder the call touches, for protected paths */
  targets: readonly FileRef[];
  /** what it does now, for the card: "Run `npm test`", "Read src/a.ts" */
  title: string;
  /** what a person would be asked */
  detail: ApprovalAction["detail"];
  /** the exact bytes that an approval binds: `ApprovalAction.binds` is their hash */
  binding: string;
  /** what its command would do, as far as that can be read */
  command?: CommandFacts;
  /** Can it run in the sandbox, and is there a network in it? Absent or "no": it runs as the person would run it. */
  canConfine?(): Promise<Confinement>;
  /** What an allowance for the session depends on beside `detail`: the scripts that the command starts. */
  dependsOn?: string;
  /** Why a person always has to allow it. */
  mustAsk?: string;
  /** It is part of what a person allowed: the mode does not ask again. */
  isSigned?: boolean;
  /** what a person can look at and change before they accept it */
  proposal?: Proposal;
  /** every file that it changes, where those are several */
  changes?: readonly Proposal[];
  /**
   * The same call with the text that a person made of the proposal, in the line ends of the file; undefined: the file would
   * stay as it is.
   */
  revise?(text: string): PreparedCall | undefined;
  perform(run: RunContext): Promise<ToolOutcome | typeof MOVED>;
}

/** In the sandbox, with this access; `certain`: outside of it, since it surely only reads what it names. */
export type UnaskedRun = SandboxAccess | "certain";

/** `remedy`: a command that gets the sandbox, to be run by a person */
export type Confinement = { kind: "no"; remedy?: string } | { kind: "offline" | "online" };

/** A call that only looks: what it is about is bound, `targets` where nothing else is named. */
export function lookingCall(
  toolName: string,
  {
    title,
    targets = [],
    about = targets.map(({ uri }) => uri),
  }: { title: string; targets?: FileRef[]; about?: Json[] },
  perform: PreparedCall["perform"],
): PreparedCall {
  const detail = { type: "read" as const, paths: targets.map(({ path }) => path) };
  return { targets, title, detail, binding: JSON.stringify([toolName, ...about]), perform };
}

/** A file's text before a change and after it, with its secrets: it stays in this process and is never logged. */
export interface Proposal {
  ref: FileRef;
  /** null: the file is new */
  before: string | null;
  after: string;
  /** what the model proposed, where `after` is what a person made of it */
  proposed?: string | undefined;
}

/** What was prepared is not what would be done any more: nothing was done, prepare again. */
export const MOVED = Symbol("moved");

export interface RunContext extends CallContext {
  /** where a command without permission runs; absent: it was allowed, and runs as the person would run it */
  unasked?: UnaskedRun;
  /** the person's answer to this call's question; absent: none was asked */
  answer?: ApprovalAnswer;
  inject: Inject;
  /** The rules of the folders around a file that was opened are injected where the request does not have them. */
  bringRules(file: FileRef): Promise<void>;
  /**
   * Asks the person a question that grants no permission, without a time limit. Without a person, that is the answer. Rejects
   * with StorageError, or with the reason of the call's signal.
   * @param taken aborted when the asker withdraws the question: that is the answer then
   */
  ask(form: QuestionForm, taken?: AbortSignal): Promise<QuestionAnswer>;
  /** Live output for the card. */
  output(stream: "stdout" | "stderr", text: string): void;
}

/**
 * Text for the model that was not typed (docs/context.md). It joins the history as a message of its own: before the turn's
 * first request in front of the user's message, later at the end, never between a call and its result.
 */
export interface Inject {
  /**
   * @param fingerprint the same one is injected once in a run
   * @param source what it is, for manifests and people: `rules:src/AGENTS.md`
   * @returns false: dropped, since there is no text or this run has it already
   */
  injectSystemOnce(text: string, fingerprint: string, source: string): boolean;
}

/** What `perform` gives back: the envelope and what the session has to remember of it. */
export interface ToolOutcome {
  result: ToolResult;
  /** Where the shown text is a part of the output: a blob with the whole output, already written. */
  raw?: { sha256: string; bytes: number };
  /** versions of files as this call read or left them */
  stamps?: { uri: string; stamp: Stamp }[];
  changes?: FileChange[];
  images?: Image[];
  todos?: Todo[];
  /** the command runs on as this background task */
  taskId?: string;
  /** how a command ended, for people */
  ended?: CommandEnd;
  /** what the command changed is noted by itself, once that is found out */
  watched?: true;
  /** names of tools that the model may call from the next request on, and keeps */
  foundTools?: string[];
  /** whose text it is, where that is neither the tool's nor to be told from its files */
  trust?: Trust;
  /** Text of a file that the shown text has whole: lines (cells of a notebook) `first` to `last`, from 1. */
  reads?: { uri: string; sha256: string; first: number; last: number }[];
  /** The shown text only points to this earlier result. */
  restates?: StandingRead;
}

export interface Image {
  mediaType: string;
  bytes: Uint8Array;
  path: string;
}

type Success = { data: ResultFacts; text: string; digest: string; partial?: boolean } & Omit<ToolOutcome, "result">;

/**
 * @param digest begins with the tool's name, then what it works on: a card shows both itself and takes them off
 * @param partial something is missing that was asked for
 */
export function success({ data, text, digest, partial, ...remembered }: Success): ToolOutcome {
  const status = partial ? "partial" : "success";
  return { result: { status, data, text, digest: digestLine(digest) }, ...remembered };
}
