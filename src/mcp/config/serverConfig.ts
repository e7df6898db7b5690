/** A server as its file names it. Nothing is filled in yet: variables stand as they are written. */

import * as z from "zod";
import { defined } from "../../shared/defined";
import { isObject } from "../../shared/isObject";
import { issueWords } from "../../shared/issueWords";
import { t } from "../../shared/l10n";
import { plainEntry } from "./dialects";
import type { ConfigOrigin } from "./places";

export interface ServerConfig {
  /** letters, digits and `_ . -`: what rules and people call it */
  name: string;
  origin: ConfigOrigin;
  launch: ServerLaunch;
  inputs: ReadonlyMap<string, InputSpec>;
  /** It starts in the sandbox; absent: outside, or it is at an address. */
  isConfined?: true;
  /** what of its entry does nothing here: sentences; absent: nothing */
  notes?: readonly string[];
}

type ServerLaunch = (ProcessLaunch | AddressLaunch) & { tools?: ToolChoice };

/** Which of its tools its entry offers, by the server's own names for them. */
export interface ToolChoice {
  /** absent: all */
  only?: readonly string[];
  without?: readonly string[];
}

export interface ProcessLaunch {
  type: "stdio";
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  envFile?: string;
  cwd?: string;
  /** whether it starts in the sandbox; absent: as a workspace's does where there is one */
  sandbox?: boolean;
}

export interface AddressLaunch {
  /** `http`: streamable HTTP, and the older SSE where the server knows no other; `sse`: that alone */
  type: "http" | "sse";
  url: string;
  headers: Readonly<Record<string, string>>;
  oauth?: OAuthClient;
}

/** What the server's authorization server was told of this client beforehand; absent parts are found out. */
export interface OAuthClient {
  clientId?: string;
  clientSecret?: string;
  /** where the browser comes back to: `http://localhost:PORT/callback`; absent: any free port of 127.0.0.1 */
  callbackPort?: number;
  /** asked for in place of what the server names; separated by spaces */
  scopes?: string;
}

/** What a person is asked for, once. */
export interface InputSpec {
  id: string;
  description: string;
  secret: boolean;
  /** what can be chosen; absent: anything may be typed */
  options?: readonly string[];
  default?: string;
}

/** An entry, or a whole file, that cannot be used: a sentence for people. */
export interface ConfigProblem {
  /** for people */
  file: string;
  /** absent: the file */
  entry?: string;
  why: string;
}

export function problemText({ file, entry, why }: ConfigProblem): string {
  const words = /[.?]$/.test(why) ? why : `${why}.`;
  return entry === undefined
    ? t("{0} cannot be used: {1}", file, words)
    : t('{0}: the entry "{1}" cannot be used: {2}', file, entry, words);
}

const MAX_NAME = 50;
const text = z.string().max(10_000);
/** VS Code takes numbers too, and null for what is not to be set. */
const values = z.record(z.string().max(500), z.union([text, z.number(), z.boolean(), z.null()]));

const processSchema = z.object({
  command: text.min(1, { error: () => t("the command is empty") }),
  args: z
    .array(z.union([text, z.number(), z.boolean()]))
    .max(500)
    .optional(),
  env: values.optional(),
  envFile: text.optional(),
  cwd: text.optional(),
  sandbox: z.boolean().optional(),
});

const oauthSchema = z.object({
  clientId: text.min(1).optional(),
  clientSecret: text.min(1).optional(),
  callbackPort: z.int().min(1).max(65_535).optional(),
  scopes: text.min(1).optional(),
});

const addressSchema = z.object({
  url: text.min(1, { error: () => t("the address is empty") }),
  headers: values.optional(),
  oauth: oauthSchema.optional(),
});

const inputSchema = z.object({
  id: z.string().min(1).max(200),
  type: z.enum(["promptString", "pickString"]),
  description: text.optional(),
  password: z.boolean().optional(),
  default: text.optional(),
  options: z
    .array(z.union([text, z.looseObject({ value: text })]))
    .max(200)
    .optional(),
});

const PROCESS = ["stdio", "local"];
/** By their letters: `streamable-http`, `streamableHttp`. */
const ADDRESS: Readonly<Record<string, AddressLaunch["type"]>> = {
  http: "http",
  streamablehttp: "http",
  remote: "http",
  sse: "sse",
};
const letters = (word: string) => word.toLowerCase().replace(/[^a-z]/g, "");

interface ParsedServer {
  launch: ServerLaunch;
  notes: readonly string[];
  /** it is switched off in its file */
  off: boolean;
}

/** @returns a sentence where the entry cannot be used */
export function parseServer(entry: unknown): ParsedServer | string {
  if (!isObject(entry)) return t("it is not an object");
  const { fields, notes } = plainEntry(entry);
  const off = fields.off === true;
  const { type, ...given } = isObject(fields.type) ? { ...fields.type, ...fields, type: fields.type.type } : fields;
  const kind = typeof type === "string" ? letters(type) : type;
  const isAddress = kind === undefined && given.url !== undefined;
  const launch =
    isAddress || (typeof kind === "string" && Object.hasOwn(ADDRESS, kind))
      ? parsedAddress(given, isAddress ? "http" : (ADDRESS[String(kind)] ?? "http"))
      : kind === undefined || PROCESS.includes(String(kind))
        ? parsedProcess(given)
        : t("its type is {0}, not stdio, http or sse", JSON.stringify(type));
  // What may have been meant says more than what is missing.
  if (typeof launch === "string") return [launch, ...notes.filter(note => note.endsWith("meant?"))].join("; ");
  return { launch: { ...launch, ...toolChoice(fields) }, notes: [...notes, ...idle(given, launch)], off };
}

/** What is meant for the other kind of server. */
function idle(given: Record<string, unknown>, { type }: ServerLaunch): string[] {
  const ofOther =
    type === "stdio" ? ["url", "headers", "oauth"] : ["command", "args", "env", "envFile", "cwd", "sandbox"];
  const found = ofOther.filter(name => given[name] !== undefined);
  return found.map(name =>
    type === "stdio"
      ? t("`{0}` does nothing for a server that is a command.", name)
      : t("`{0}` does nothing for a server at an address.", name),
  );
}

function parsedAddress(given: Record<string, unknown>, type: AddressLaunch["type"]): AddressLaunch | string {
  if (given.url === undefined) return t("it names no address (url)");
  const parsed = addressSchema.safeParse(given, { error: issueWords });
  if (!parsed.success) return complaint(parsed.error);
  const { url, headers, oauth } = parsed.data;
  return { type, url, headers: plainValues(headers), ...defined({ oauth: oauth && present(oauth) }) };
}

function parsedProcess(given: Record<string, unknown>): ProcessLaunch | string {
  const line = commandLine(given);
  if (line.command === undefined) return t("it names neither a command nor an address (url)");
  const parsed = processSchema.safeParse({ ...given, ...line, env: environment(given.env) }, { error: issueWords });
  if (!parsed.success) return complaint(parsed.error);
  const { command, args = [], env, envFile, cwd, sandbox } = parsed.data;
  return {
    type: "stdio",
    command: fromHome(command),
    args: args.map(String),
    env: plainValues(env),
    ...(envFile !== undefined && { envFile: fromHome(envFile) }),
    ...(cwd !== undefined && { cwd: fromHome(cwd) }),
    ...(sandbox !== undefined && { sandbox }),
  };
}

/** As a shell would take it. An argument is the server's own to read. */
const fromHome = (path: string) => path.replace(/^~(?=[\\/])/, "$${userHome}");

/** `"command": ["npx", "-y", "x"]`, `"command": {"path": "npx", "args": […]}` */
function commandLine({ command, args }: Record<string, unknown>): { command?: unknown; args?: unknown } {
  if (isObject(command)) return { command: command.path ?? command.command, args: args ?? command.args };
  if (!Array.isArray(command)) return { command, args };
  const [program, ...words] = command;
  return { command: program, args: [...words, ...(Array.isArray(args) ? args : [])] };
}

/** `["NAME=value"]`, as containers are given theirs */
function environment(given: unknown): unknown {
  if (!Array.isArray(given) || !given.every(each => typeof each === "string")) return given;
  return Object.fromEntries(
    given.map((each: string) => [each.replace(/=.*$/s, ""), each.includes("=") ? each.replace(/^[^=]*=/s, "") : null]),
  );
}

function toolChoice({ only, without }: { only?: unknown; without?: unknown }): { tools?: ToolChoice } {
  const offered = Array.isArray(only) && !only.includes("*") ? { only } : {};
  const hidden = Array.isArray(without) && without.length > 0 ? { without } : {};
  const tools: ToolChoice = { ...offered, ...hidden };
  return Object.keys(tools).length > 0 ? { tools } : {};
}

/** @returns a sentence where it cannot be used */
export function parseInput(entry: unknown): InputSpec | string {
  const parsed = inputSchema.safeParse(entry, { error: issueWords });
  if (!parsed.success) return complaint(parsed.error);
  const { id, description = id, password = false, options } = parsed.data;
  return {
    id,
    description,
    secret: password,
    ...defined({
      options: options?.map(option => (typeof option === "string" ? option : option.value)),
      default: parsed.data.default,
    }),
  };
}

/** As rules can name it: what else stands in a name becomes `_`. */
export function cleanName(name: string): string {
  const clean = name.replace(/[^\p{L}\p{N}_.-]+/gu, "_").replace(/^_+|_+$/g, "");
  return clean.slice(0, MAX_NAME) || "server";
}

function plainValues(given: z.infer<typeof values> = {}): Record<string, string> {
  const kept = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** Without what is undefined. */
const present = (oauth: z.infer<typeof oauthSchema>): OAuthClient =>
  Object.fromEntries(Object.entries(oauth).filter(([, value]) => value !== undefined));

function complaint(error: z.ZodError): string {
  const [first] = error.issues;
  const where = first?.path.length ? `${first.path.join(".")}: ` : "";
  return `${where}${first?.message ?? ""}`;
}
