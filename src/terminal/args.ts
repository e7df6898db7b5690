/** The command line, parsed. Pure. */
import { parseArgs } from "node:util";
import { parseLines } from "../core/history/handles";
import { errorMessage } from "../shared/errorMessage";
import { type PermissionMode, permissionModeSchema } from "../shared/settings";

interface Common {
  /** as given; "." where not */
  workspace: string;
  storage?: string;
  json: boolean;
}

/** What an agent is built with. */
interface AgentOptions extends Common {
  model?: string;
  baseUrl?: string;
  maxSteps?: number;
  trust: boolean;
}

export interface RunCommand extends AgentOptions {
  kind: "run";
  prompt: string;
  session?: string;
  continue: boolean;
  mode?: PermissionMode;
}

export interface CompactCommand extends AgentOptions {
  kind: "compact";
  session: string;
  /** words for the summary; "" for none */
  guidance: string;
  /** only says what it would do */
  preview: boolean;
}

/** Of the newest compaction. */
export interface UndoCommand extends AgentOptions {
  kind: "undo" | "redo";
  session: string;
}

/** Those that need an agent. */
export type AgentCommand = RunCommand | CompactCommand | UndoCommand;

export interface ExportCommand extends Common {
  kind: "export";
  session: string;
  /** "-": standard output; absent: named by the session, in the current folder */
  file?: string;
  force: boolean;
}

export interface RemoveCommand extends Common {
  kind: "remove";
  sessions: string[];
  yes: boolean;
}

export interface SessionsCommand extends Common {
  kind: "sessions";
  /** with what each takes on disk */
  size: boolean;
}

/** Either an output by its handle, or lines with words. */
export interface RecallCommand extends Common {
  kind: "recall";
  session: string;
  handle?: string;
  /** 1-based; the last may be infinite */
  lines?: { first: number; last: number };
  query?: string;
}

/** Those that work with sessions as they stand, without an agent. */
export type SessionCommand =
  | ExportCommand
  | (Common & { kind: "import"; file: string })
  | RemoveCommand
  | SessionsCommand
  /** `request`: 1-based, negative from the end; absent: the conversation */
  | (Common & { kind: "show"; session: string; request?: number })
  | (Common & { kind: "verify"; session: string })
  | RecallCommand;

export type Command = AgentCommand | SessionCommand | { kind: "help" } | { kind: "version" };

/** The command line is wrong; the message says how. Exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

const options = {
  workspace: { type: "string" },
  prompt: { type: "string" },
  session: { type: "string" },
  continue: { type: "boolean" },
  model: { type: "string" },
  "base-url": { type: "string" },
  mode: { type: "string" },
  storage: { type: "string" },
  lines: { type: "string" },
  query: { type: "string" },
  "max-steps": { type: "string" },
  request: { type: "string" },
  preview: { type: "boolean" },
  force: { type: "boolean" },
  size: { type: "boolean" },
  trust: { type: "boolean" },
  yes: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

type Values = ReturnType<typeof parse>["values"];

function parse(args: readonly string[]) {
  return parseArgs({ args: joinNegative(args), options, allowPositionals: true, strict: true });
}

/** @throws UsageError */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parseOrThrow(args);
  const [name, ...rest] = positionals;
  if (values.help || name === "help") return { kind: "help" };
  if (values.version) return { kind: "version" };
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new UsageError(
      name ? `There is no command "${name}".` : "Say what to do: run, list, show, compact, export, remove and others.",
    );
  return command(values, rest);
}

/** `--request -1` would be taken for two options. */
function joinNegative(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const next = args[at + 1];
    if (arg === "--request" && next && /^-\d/.test(next)) return [`${arg}=${next}`];
    return args[at - 1] === "--request" && /^-\d/.test(arg) ? [] : [arg];
  });
}

function parseOrThrow(args: readonly string[]): ReturnType<typeof parse> {
  try {
    return parse(args);
  } catch (error) {
    throw new UsageError(parseErrorWords(errorMessage(error)));
  }
}

/** Node's words tell of its API; these tell what to type. */
function parseErrorWords(message: string): string {
  const name = /'(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1];
  if (name === undefined) return message;
  if (message.startsWith("Unknown option"))
    return `There is no option ${name}. Words that begin with a dash come after --.`;
  if (message.includes("does not take an argument")) return `${name} takes no value.`;
  return /ambiguous|argument missing/.test(message) ? `${name} needs a value after it.` : message;
}

const commands: Record<string, (values: Values, rest: string[]) => Command> = {
  run(values, rest) {
    if (rest.length > 0)
      throw new UsageError(`"${rest[0]}" is not expected here. Put the task in quotes after --prompt.`);
    const prompt = values.prompt ?? "";
    if (!prompt.trim()) throw new UsageError("The prompt is empty. Say what to do with --prompt TEXT.");
    if (values.session && values.continue) throw new UsageError("--session and --continue exclude each other.");
    return {
      kind: "run",
      ...agent(values),
      prompt,
      continue: values.continue ?? false,
      ...(values.session ? { session: values.session } : {}),
      ...(values.mode === undefined ? {} : { mode: parseMode(values.mode) }),
    };
  },
  sessions: (values, rest) => sessions(values, rest),
  list: (values, rest) => sessions(values, rest),
  compact(values, [session, ...words]) {
    const preview = values.preview ?? false;
    if (preview && values.json) throw new UsageError("--preview prints text; it has no --json.");
    const guidance = words.join(" ").trim();
    return { kind: "compact", ...agent(values), session: requireSession(session, "compact"), guidance, preview };
  },
  undo: (values, rest) => ({ kind: "undo", ...agent(values), session: onlySession(rest, "undo") }),
  redo: (values, rest) => ({ kind: "redo", ...agent(values), session: onlySession(rest, "redo") }),
  export(values, [session, file, unexpected]) {
    if (unexpected) throw new UsageError(`"${unexpected}" is not expected here. Name one session and one file.`);
    const force = values.force ?? false;
    return {
      kind: "export",
      ...common(values),
      session: requireSession(session, "export"),
      ...(file ? { file } : {}),
      force,
    };
  },
  import(values, [file, unexpected]) {
    if (unexpected) throw new UsageError(`"${unexpected}" is not expected here. Import one file after the other.`);
    if (!file || file === "-") throw new UsageError("Name the file: strata import FILE.");
    return { kind: "import", ...common(values), file };
  },
  remove(values, sessions) {
    requireSession(sessions[0], "remove");
    return { kind: "remove", ...common(values), sessions: [...new Set(sessions)], yes: values.yes ?? false };
  },
  show(values, rest) {
    const session = onlySession(rest, "show");
    const request = values.request === undefined ? {} : { request: parseRequest(values.request) };
    return { kind: "show", ...common(values), session, ...request };
  },
  verify: (values, rest) => ({ kind: "verify", ...common(values), session: onlySession(rest, "verify") }),
  recall(values, [handle, unexpected]) {
    const { session, query, lines } = values;
    if (unexpected)
      throw new UsageError(`"${unexpected}" is not expected here. Put several words after --query in quotes.`);
    if (!session) throw new UsageError("Name the session with --session ID. `strata list` lists them.");
    if (!handle === !query?.trim()) {
      throw new UsageError("Name a handle (strata recall obs:…) or words (strata recall --query WORDS), one of them.");
    }
    if (lines !== undefined && !handle) throw new UsageError("--lines counts in one output: name its handle too.");
    if (values.json) throw new UsageError("recall prints text as it was recorded; it has no --json.");
    return {
      kind: "recall",
      ...common(values),
      session,
      ...(handle ? { handle } : {}),
      ...(query?.trim() ? { query } : {}),
      ...(lines === undefined ? {} : { lines: lineRange(lines) }),
    };
  },
};

function requireSession(session: string | undefined, command: string): string {
  if (!session) throw new UsageError(`Name the session: strata ${command} ID. \`strata list\` lists them.`);
  return session;
}

/** Of a command that takes one session and nothing else: what it does is not to be guessed. */
function onlySession([session, unexpected]: readonly string[], command: string): string {
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here. Name one session.`);
  return requireSession(session, command);
}

function sessions(values: Values, [unexpected]: readonly string[]): SessionsCommand {
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`);
  return { kind: "sessions", ...common(values), size: values.size ?? false };
}

function lineRange(text: string): { first: number; last: number } {
  const range = parseLines(text);
  if (!range) throw new UsageError(`--lines takes 10-40, 10 or 10-, not "${text}".`);
  return range;
}

function common(values: Values): Common {
  return {
    workspace: values.workspace ?? ".",
    json: values.json ?? false,
    ...(values.storage ? { storage: values.storage } : {}),
  };
}

function agent(values: Values): AgentOptions {
  return {
    ...common(values),
    trust: values.trust ?? false,
    ...(values.model ? { model: values.model } : {}),
    ...(values["base-url"] ? { baseUrl: values["base-url"] } : {}),
    ...(values["max-steps"] === undefined ? {} : { maxSteps: parseCount(values["max-steps"]) }),
  };
}

function parseMode(text: string): PermissionMode {
  const mode = permissionModeSchema.safeParse(text);
  if (!mode.success) throw new UsageError(`--mode is one of plan, ask, edits, auto, not "${text}".`);
  return mode.data;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--max-steps takes a whole number from 1, not "${text}".`);
  return Number(text);
}

function parseRequest(text: string): number {
  if (!/^-?[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`--request takes a number: 1 is the first, -1 the last, not "${text}".`);
  }
  return Number(text);
}

// What `strata --help` prints.

export const USAGE = `strata: a coding agent, in the terminal.

  strata run --prompt TEXT [options]   do a task, print the answer
  strata list [--size] [--json]        list the sessions of a workspace; --size: what each takes on disk
  strata show ID [--json]              print a session
  strata show ID --request N [--json]  print its request N as it was sent; -1: the last one
  strata verify ID [--json]            prove that all its requests are there as they were sent
  strata recall HANDLE --session ID    print an output of a session, whole; --lines A-B: a part of it
  strata recall --query WORDS --session ID
                                       find lines in a session's messages and outputs
  strata compact ID [WORDS]            summarise the older rounds of a session now; WORDS: what matters in them
  strata compact ID --preview          only say what that would do
  strata undo ID                       take the newest compaction back; strata redo ID: do it again
  strata export ID [FILE] [--force]    write a session into one file; -: to standard output
  strata import FILE                   make a session of this workspace of an export, print its id
  strata remove ID... [--yes]          delete sessions, for good

Options
  --workspace DIR     the folder to work in (default: this one)
  --session ID        go on with a session; --continue: with the newest one
  --model NAME        model, as the server knows it        (STRATA_MODEL_NAME)
  --base-url URL      an OpenAI-compatible server           (STRATA_MODEL_BASE_URL, OPENAI_BASE_URL)
  --mode MODE         plan | ask | edits | auto: what runs without asking (default: ask)
  --trust             trust the workspace: load its rules and settings, allow edits and commands
  --max-steps N       model calls in one turn before it stops and asks
  --storage DIR       where sessions are kept
  --json              one event a line; of a request or a proof: one object
  --force             write over a file that is there
  --yes               ask nothing before sessions are deleted

The key is read from OPENAI_API_KEY.
Exit codes: 0 done, 1 error of model or agent, 2 usage, 3 an approval that nobody could give, 130 stopped.
`;
