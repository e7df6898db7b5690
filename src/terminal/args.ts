/** The command line, parsed. Pure, and without zod, which `--help` need not load. */

import { parseArgs } from "node:util";
import { defined } from "../shared/defined";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";
import { nearestNames } from "../shared/nearestNames";
import {
  lineRange,
  parseAmount,
  parseCount,
  parseInput,
  parseMode,
  parseProvider,
  parseRequest,
  UsageError,
} from "./argValues";

export type RunCommand = ReturnType<typeof commands.run>;
export type CommandLine = ReturnType<(typeof commands)[keyof typeof commands]> | { kind: "help" } | { kind: "version" };
export type CommandOf<Kind extends CommandLine["kind"]> = Extract<CommandLine, { kind: Kind }>;
/** Those that need an agent. */
export type AgentCommand = RunCommand | CommandOf<"compact" | "rewind" | "serve">;
/** Those that need none. */
export type DirectCommand = Exclude<CommandLine, AgentCommand | { kind: "help" } | { kind: "version" }>;
/** Those that work with sessions without an agent. */
export type SessionCommand = Exclude<DirectCommand, CommandOf<"permit" | "mcp" | "models" | "skills" | "hooks">>;

export const needsAgent = (command: AgentCommand | DirectCommand): command is AgentCommand =>
  ["run", "compact", "rewind", "serve"].includes(command.kind);

const each = <const Name extends string, const Kind>(kind: Kind, names: readonly Name[]) =>
  Object.fromEntries(names.map(name => [name, kind])) as Record<Name, Kind>;

const options = {
  ...each({ type: "string" }, ["workspace", "storage", "prompt", "session", "turn", "plan", "mode", "call", "lines"]),
  ...each({ type: "string" }, ["model", "provider", "base-url", "max-steps", "to", "query", "request", "rule"]),
  ...each({ type: "string" }, ["out", "max-cost", "max-minutes", "max-tokens", "telegram-api"]),
  ...each({ type: "string" }, ["allow-call", "deny-call", "answer"]),
  ...each({ type: "string", multiple: true }, ["allow", "ask", "deny"]),
  ...each({ type: "boolean" }, ["continue", "carry-out", "trust", "yes", "force", "json"]),
  ...each({ type: "boolean" }, ["files", "conversation", "both", "undo", "preview", "permissions", "cost", "facts"]),
  ...each({ type: "boolean" }, ["size", "telegram", "atif", "for-session", "with-text", "version", "markdown"]),
  ...each({ type: "string" }, ["base", "patch", "log"]),
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parse>["values"];

/** @throws UsageError */
export function parseCommand(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  const [name, ...rest] = positionals;
  if (values.help || name === "help") return { kind: "help" };
  if (values.version) return { kind: "version" };
  if (name === undefined)
    throw new UsageError(t("Say what to do: run, list, show, compact, export, remove and others."));
  if (!Object.hasOwn(commands, name)) {
    const meant = nearestNames(name, Object.keys(commands))[0];
    throw new UsageError(
      meant ? t('There is no command "{0}". Did you mean {1}?', name, meant) : t('There is no command "{0}".', name),
    );
  }
  return commands[name as keyof typeof commands](values, rest);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: joinNegative(args), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(parseErrorWords(errorMessage(error)));
  }
}

/** `--request -1` would be taken for two options. */
function joinNegative(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const next = args[at + 1];
    if (arg === "--request" && next && /^-\d/.test(next)) return [`${arg}=${next}`];
    return args[at - 1] === "--request" && /^-\d/.test(arg) ? [] : [arg];
  });
}

/** Node's words tell of its API; these tell what to type. */
function parseErrorWords(message: string): string {
  const name = /'(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1];
  if (name === undefined) return message;
  if (message.startsWith("Unknown option")) {
    const known = Object.keys(options).map(option => `--${option}`);
    const [meant] = nearestNames(name, known);
    return meant
      ? t("There is no option {0}. Did you mean {1}?", name, meant)
      : t("There is no option {0}. Words that begin with a dash come after --.", name);
  }
  if (message.includes("does not take an argument")) return t("{0} takes no value.", name);
  return /ambiguous|argument missing/.test(message) ? t("{0} needs a value after it.", name) : message;
}

const commands = {
  run(values: Values, words: string[]) {
    const { session, out } = values;
    const reply = givenReply(values, words);
    if (!reply) refuse(words[0], t("Put the task in quotes after --prompt."));
    const [prompt, plan] = [values.prompt ?? "", plannedWork(values)];
    if (plan === undefined && !reply && !prompt.trim())
      throw new UsageError(
        t("The prompt is empty. Say what to do with --prompt TEXT, or with --prompt - by standard input."),
      );
    if ([session, values.continue || undefined, out].filter(given => given !== undefined).length > 1)
      throw new UsageError(t("--session, --continue and --out exclude each other."));
    if (out === "") throw new UsageError(t("Name the folder of results: --out DIR."));
    const mode = values.mode === undefined ? undefined : parseMode(values.mode);
    return defined({
      kind: "run" as const,
      ...agent(values),
      prompt,
      plan,
      reply,
      out,
      limits: runLimits(values),
      maxMinutes: values["max-minutes"] === undefined ? undefined : parseAmount(values["max-minutes"], "--max-minutes"),
      mode,
      continue: values.continue ?? false,
      session: session || undefined,
    });
  },
  /** By which channel; `telegramApi`: address of a Bot API server, absent: Telegram's */
  serve(values: Values, [unexpected]: string[]) {
    refuse(unexpected, t("It is strata serve --telegram."));
    if (!values.telegram) throw new UsageError(t("Say by which channel: strata serve --telegram."));
    const mode = values.mode === undefined ? undefined : parseMode(values.mode);
    return defined({ kind: "serve" as const, ...agent(values), mode, telegramApi: values["telegram-api"] });
  },
  /** What a turn did and why; absent: the newest. `rule`: whether these words were in view; "": which instructions were */
  explain(values: Values, rest: string[]) {
    const { rule, call } = values;
    if (rule === undefined && (call !== undefined || values.request !== undefined))
      throw new UsageError(t("--call and --request go with --rule WORDS."));
    return defined({
      kind: "explain" as const,
      ...common(values),
      session: onlySession(rest, "explain"),
      turn: values.turn === undefined ? undefined : parseCount(values.turn, "--turn"),
      request: values.request === undefined ? undefined : parseRequest(values.request),
      rule,
      call,
    });
  },
  /** `dirs`: folders of results, or folders of those */
  report(values: Values, dirs: string[]) {
    if (dirs.length === 0) throw new UsageError(t("Name the folders of results: strata report DIR..."));
    if (values.json && values.markdown) throw new UsageError(t("--json and --markdown exclude each other."));
    return { kind: "report" as const, ...common(values), dirs, markdown: values.markdown ?? false };
  },
  /** Prints the newest plan of a session. */
  plan: (values: Values, rest: string[]) => {
    return { kind: "plan" as const, ...common(values), session: onlySession(rest, "plan") };
  },
  /** `command`: as it would be typed; "": lists what is in force */
  permit(values: Values, words: string[]) {
    const command = words.join(" ");
    const mode = values.mode === undefined ? undefined : parseMode(values.mode);
    return defined({ kind: "permit" as const, ...common(values), ...rulesGiven(values), command, mode });
  },
  skills: listOrCheck("skills"),
  sessions: listSessions,
  list: listSessions,
  /** `words`: only those whose name or provider has them */
  models(values: Values, words: string[]) {
    return { kind: "models" as const, ...agent(values), words: words.map(word => word.toLowerCase()) };
  },
  /** `words`: what matters in the summary */
  compact(values: Values, [id, ...words]: string[]) {
    const session = requireSession(id, "compact");
    if (!values.preview) return runOf(values, session, `/compact ${words.join(" ")}`.trim());
    if (values.json) throw new UsageError(t("--preview prints text; it has no --json."));
    return { kind: "compact" as const, ...agent(values), session };
  },
  proof: parseProof,
  /** `turn` undefined: the newest rewind is undone */
  rewind(values: Values, rest: string[]) {
    const { to, files = false, conversation = false, both = false, preview = false, undo = false } = values;
    const turn = to === undefined ? undefined : parseCount(to, "--to");
    if ((turn === undefined) !== undo)
      throw new UsageError(t("Say how far back: strata rewind ID --to TURN, or strata rewind ID --undo."));
    if ([files, conversation, both].filter(Boolean).length > 1)
      throw new UsageError(t("Use one of --files, --conversation and --both."));
    const what = files ? ("files" as const) : conversation ? ("conversation" as const) : ("both" as const);
    return { kind: "rewind" as const, ...agent(values), session: onlySession(rest, "rewind"), turn, what, preview };
  },
  /** Of the newest turn's files. */
  undo: (values: Values, rest: string[]) => runOf(values, onlySession(rest, "undo"), "/undo"),
  redo: (values: Values, rest: string[]) => runOf(values, onlySession(rest, "redo"), "/redo"),
  /** `file`: "-" is standard output; absent: named by the session, in the current folder; `atif`: as a trajectory */
  export(values: Values, [id, file, unexpected]: string[]) {
    refuse(unexpected, t("Name one session and one file."));
    const [session, force] = [requireSession(id, "export"), values.force ?? false];
    const what = { session, file: file || undefined, force, atif: values.atif };
    return defined({ kind: "export" as const, ...common(values), ...what });
  },
  import(values: Values, [file, unexpected]: string[]) {
    refuse(unexpected, t("Import one file after the other."));
    if (!file || file === "-") throw new UsageError(t("Name the file: strata import FILE."));
    return { kind: "import" as const, ...common(values), file };
  },
  remove(values: Values, sessions: string[]) {
    requireSession(sessions[0], "remove");
    return { kind: "remove" as const, ...common(values), sessions: [...new Set(sessions)], yes: values.yes ?? false };
  },
  /** `request`: 1-based, negative from the end; absent: the conversation */
  show(values: Values, rest: string[]) {
    const session = onlySession(rest, "show");
    const request = values.request === undefined ? undefined : parseRequest(values.request);
    const { permissions, cost } = values;
    if ([permissions, cost, request].filter(value => value !== undefined).length > 1)
      throw new UsageError(t("--request, --permissions and --cost exclude each other."));
    return defined({ kind: "show" as const, ...common(values), session, request, permissions, cost });
  },
  hooks: listOrCheck("hooks"),
  mcp: parseMcp,
  verify: (values: Values, rest: string[]) => {
    const session = onlySession(rest, "verify");
    return defined({ kind: "verify" as const, ...common(values), session, facts: values.facts });
  },
  /** Either an output by its handle, with `lines` of it, or lines with words. */
  recall(values: Values, [handle, unexpected]: string[]) {
    const { session, query, lines } = values;
    refuse(unexpected, t("Put several words after --query in quotes."));
    if (!session) throw new UsageError(t("Name the session with --session ID. `strata list` lists them."));
    if (!handle === !query?.trim())
      throw new UsageError(
        t("Name a handle (strata recall obs:…) or words (strata recall --query WORDS), one of them."),
      );
    if (lines !== undefined && !handle) throw new UsageError(t("--lines counts in one output: name its handle too."));
    if (values.json) throw new UsageError(t("recall prints text as it was recorded; it has no --json."));
    return defined({
      kind: "recall" as const,
      ...common(values),
      session,
      handle: handle || undefined,
      query: query?.trim() ? query : undefined,
      lines: lines === undefined ? undefined : lineRange(lines),
    });
  },
};

/** A plan is carried out instead of a prompt. `file`: as it stands there; absent: as the session has it */
function plannedWork(values: Values): { file?: string } | undefined {
  const { plan: file, mode, prompt, session } = values;
  if (file === undefined && !values["carry-out"]) return undefined;
  if (prompt !== undefined)
    throw new UsageError(t("A plan is carried out without --prompt: write into the plan what is to be done."));
  if (mode === "plan")
    throw new UsageError(t("In plan mode nothing is carried out: --mode is one of ask, edits, auto."));
  if (file === "") throw new UsageError(t("Name the file with the plan: --plan FILE."));
  if (file === undefined && !session && !values.continue)
    throw new UsageError(
      t("Say which session's plan: --session ID, or --continue; --plan FILE takes one from a file."),
    );
  return file === undefined ? {} : { file };
}

/** The answer to what a session waits for: whether a call may run, or a question of the agent's. */
function givenReply(values: Values, [words, unexpected]: string[]) {
  const given = (["allow-call", "deny-call", "answer"] as const).filter(option => values[option] !== undefined);
  const [kind, second] = given;
  if (kind === undefined) {
    if (values["for-session"]) throw new UsageError(t("--for-session goes with --allow-call ID."));
    return undefined;
  }
  if (second !== undefined || values.prompt !== undefined)
    throw new UsageError(t("Answer one question at a time, without --prompt."));
  if (!values.session && !values.continue && values.out === undefined)
    throw new UsageError(t("Say whose question it is: --session ID, --continue or --out DIR."));
  refuse(unexpected ?? (kind === "allow-call" ? words : undefined), t("Put the answer's words in quotes."));
  if (kind === "answer" && !words?.trim())
    throw new UsageError(t("The answer is empty. Put its words behind the id: --answer ID TEXT."));
  return defined({ kind, id: values[kind] ?? "", words, forSession: values["for-session"] });
}

/** Of the run in all, in former processes too. */
function runLimits(values: Values) {
  const { "max-cost": cost, "max-tokens": tokens, "max-steps": steps } = values;
  if ((cost ?? tokens ?? steps) === undefined) return undefined;
  return defined({
    cost: cost === undefined ? undefined : parseAmount(cost, "--max-cost"),
    tokens: tokens === undefined ? undefined : parseCount(tokens, "--max-tokens"),
    steps: steps === undefined ? undefined : parseCount(steps, "--max-steps"),
  });
}

function refuse(unexpected: string | undefined, advice: string): void {
  if (unexpected !== undefined)
    throw new UsageError(t('"{0}" is not expected here. {1}', unexpected, advice).trimEnd());
}

function requireSession(session: string | undefined, command: string): string {
  if (!session) throw new UsageError(t("Name the session: strata {0} ID. `strata list` lists them.", command));
  return session;
}

/** Of a command that takes one session and nothing else: what it does is not to be guessed. */
function onlySession([session, unexpected]: readonly string[], command: string): string {
  refuse(unexpected, t("Name one session."));
  return requireSession(session, command);
}

/** `check`: the exit code says whether all can be used */
function listOrCheck<const Kind extends string>(kind: Kind) {
  return (values: Values, [what = "list", unexpected]: string[]) => {
    refuse(unexpected, "");
    if (what !== "list" && what !== "check")
      throw new UsageError(t("It is strata {0} list, or strata {0} check.", kind));
    return { kind, ...common(values), trust: values.trust ?? false, check: what === "check" };
  };
}

const mcpActions = ["list", "check", "login", "logout", "logs"] as const;
const isMcpAction = (text: string): text is (typeof mcpActions)[number] =>
  (mcpActions as readonly string[]).includes(text);

/** `place`: a server's name or address; `call`: a tool of it, and what it is given */
function parseMcp(values: Values, [action, place = "", json, unexpected]: string[]) {
  const base = { kind: "mcp" as const, ...common(values), trust: values.trust ?? false, place };
  if (action === undefined || !isMcpAction(action))
    throw new UsageError(
      t("Say what to do: strata mcp list, check NAME-OR-ADDRESS, login NAME, logout NAME, logs NAME."),
    );
  if (action === "list") refuse(place || undefined, "");
  else if (place === "")
    throw new UsageError(t("Name the server: strata mcp {0} NAME. `strata mcp list` lists them.", action));
  const takesInput = action === "check" && values.call !== undefined;
  refuse(takesInput ? unexpected : json, t("Put the input's JSON in quotes, behind --call TOOL."));
  const call = takesInput ? { tool: values.call ?? "", input: parseInput(json ?? "{}") } : undefined;
  return { ...base, action, call };
}

/** `check`: of a file that it wrote. `base`: a commit; `out`: a folder of `strata run --out`; `file` absent: named by the session */
function parseProof(values: Values, [what, file, unexpected]: string[]) {
  const { base, out, patch, log } = values;
  refuse(unexpected, t("Name one session and one file."));
  if (what === "check") {
    if (!file) throw new UsageError(t("Name the file: strata proof check FILE."));
    return defined({ kind: "proofCheck" as const, ...common(values), file, base, patch, log });
  }
  const session = requireSession(what, "proof");
  const [force, withText] = [values.force ?? false, values["with-text"] ?? false];
  const named = { file: file || undefined, base, out, patch };
  return defined({ kind: "proof" as const, ...common(values), session, force, withText, ...named });
}

/** A run of a session, with a prompt that works on it. */
const runOf = (values: Values, session: string, prompt: string): RunCommand => {
  return { kind: "run", ...agent(values), session, prompt, continue: false };
};

/** `size`: with what each takes on disk */
function listSessions(values: Values, [unexpected]: string[]) {
  refuse(unexpected, "");
  return { kind: "sessions" as const, ...common(values), size: values.size ?? false };
}

/** `workspace`: as given; "." where not */
const common = ({ workspace = ".", json = false, storage }: Values) =>
  defined({ workspace, json, storage: storage || undefined });

/** What an agent is built with. */
function agent(values: Values) {
  const { trust = false, model, provider, "base-url": baseUrl } = values;
  return defined({
    ...common(values),
    ...rulesGiven(values),
    trust,
    model: model || undefined,
    baseUrl: baseUrl || undefined,
    provider: provider ? parseProvider(provider) : undefined,
  });
}

/** Rules of this call, beside those of the settings. */
const rulesGiven = ({ allow = [], ask = [], deny = [] }: Values) =>
  allow.length + ask.length + deny.length > 0 ? { rules: { allow, ask, deny } } : {};
