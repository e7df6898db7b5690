/** A server as its file names it, variables as they are written. `timeout` has no effect: it is seconds in some clients and milliseconds in others. */
import * as z from "zod";
import { defined, some } from "../../shared/defined";
import { isObject } from "../../shared/isObject";
import { issueWords } from "../../shared/issueWords";
import { t } from "../../shared/l10n";
import { isTrueField } from "../../shared/nearestNames";
import type { ConfigOrigin } from "./places";

export interface ServerConfig {
  /** letters, digits and `_ . -`: what rules and people call it */
  name: string;
  origin: ConfigOrigin;
  launch: ServerLaunch;
  inputs: ReadonlyMap<string, InputSpec>;
  /** It starts in the sandbox; absent: outside, or it is at an address. */
  isConfined?: true;
  /** Of its `envFile`, as it was read with the entry. `problem`: why it cannot be, a sentence */
  envFile?: { text: string; problem?: string } | undefined;
  /** files of the workspace that its command names, each with its hash */
  scripts?: readonly string[];
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
/** VS Code takes numbers too, and null for an unset variable. */
const values = z.record(z.string().max(500), z.union([text, z.number(), z.boolean(), z.null()]));

const processSchema = z.object({
  command: text.min(1, { error: () => t("the command is empty") }),
  args: z.optional(z.array(z.union([text, z.number(), z.boolean()])).max(500)),
  env: values.optional(),
  envFile: text.optional(),
  cwd: text.optional(),
  sandbox: z.boolean().optional(),
});

const oauthSchema = z.object({
  clientId: text.min(1).optional(),
  clientSecret: text.min(1).optional(),
  /** where the browser comes back to: `http://localhost:PORT/callback`; absent: any free port of 127.0.0.1 */
  callbackPort: z.int().min(1).max(65_535).optional(),
  /** asked for in place of what the server names; separated by spaces */
  scopes: text.min(1).optional(),
});
/** What the server's authorization server was told of this client beforehand; absent parts are found out. */
export type OAuthClient = z.infer<typeof oauthSchema>;

const addressSchema = z.object({
  url: text.min(1, { error: () => t("the address is empty") }),
  headers: values.optional(),
  oauth: oauthSchema.optional(),
});

const choiceSchema = z.object({ tools: z.array(text).optional(), excludeTools: z.array(text).optional() });

const inputSchema = z.object({
  id: z.string().min(1).max(200),
  type: z.enum(["promptString", "pickString"]),
  description: text.optional(),
  password: z.boolean().optional(),
  default: text.optional(),
  options: z.optional(z.array(z.union([text, z.looseObject({ value: text })])).max(200)),
});

const ADDRESS: Readonly<Record<string, AddressLaunch["type"]>> = {
  http: "http",
  "streamable-http": "http",
  sse: "sse",
};
const EITHER = ["type", "tools", "excludeTools", "disabled", "enabled"];
const FIELDS = {
  stdio: [...EITHER, "command", "args", "env", "envFile", "cwd", "sandbox", "sandboxEnabled"],
  address: [...EITHER, "url", "headers", "oauth"],
};
/** They are for people, or for a list of servers. */
const SAYS_NOTHING = /^(?:[$_].*|\/\/.*|name|title|description|version|gallery)$/;
/** Other clients' words that narrow what a server offers: an entry with one is refused, so that it never offers more. */
const NARROWS = /tools$|active$|abled$/i;
const MAX_NOTES = 20;
const MAX_SHOWN_NAME = 60;

/** @returns a sentence where the entry cannot be used */
export function parseServer(entry: unknown) {
  if (!isObject(entry)) return t("it is not an object");
  // VS Code writes null for an unset field.
  const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
  const { type = given.url === undefined ? "stdio" : "http" } = given;
  const address = typeof type === "string" && Object.hasOwn(ADDRESS, type) ? ADDRESS[type] : undefined;
  if (!address && type !== "stdio") return t("its type is {0}, not stdio, http or sse", JSON.stringify(type));
  const known = FIELDS[address ? "address" : "stdio"];
  const inOAuth = Object.keys(isObject(given.oauth) ? given.oauth : {}).filter(name => !(name in oauthSchema.shape));
  const unknown = [
    ...Object.keys(given).filter(name => !known.includes(name) && !SAYS_NOTHING.test(name)),
    ...inOAuth.map(name => `oauth.${name}`),
  ];
  const narrowing = unknown.find(name => NARROWS.test(name) && !FIELDS.stdio.includes(name));
  if (narrowing !== undefined)
    return t(
      "`{0}` is not known: `tools` and `excludeTools` say which tools count, `disabled` switches it off",
      narrowing,
    );
  const notes = unknown.slice(0, MAX_NOTES).map(name => t("`{0}` has no effect here.", name.slice(0, MAX_SHOWN_NAME)));
  if (!address && isObject(given.sandbox))
    notes.push(t("`{0}` is true or false here: its rules have no effect.", "sandbox"));
  const launch = address ? parsedAddress(given, address) : parsedProcess(given);
  const tools = toolChoice(given);
  if (typeof tools === "string") return tools;
  if (typeof launch === "string") return launch;
  const off = isTrueField(given.disabled) || (given.enabled !== undefined && !isTrueField(given.enabled));
  return { launch: { ...launch, ...tools }, notes, off };
}

function parsedAddress(given: Record<string, unknown>, type: AddressLaunch["type"]): AddressLaunch | string {
  if (given.url === undefined) return t("it names no address (url)");
  const parsed = addressSchema.safeParse(given, { error: issueWords });
  if (!parsed.success) return complaint(parsed.error);
  const { url, headers, oauth } = parsed.data;
  return { type, url, headers: plainValues(headers), ...defined({ oauth: oauth && defined(oauth) }) };
}

function parsedProcess(given: Record<string, unknown>): ProcessLaunch | string {
  if (given.command === undefined) return t("it names neither a command nor an address (url)");
  // VS Code's `sandbox` has rules, and `sandboxEnabled` beside it says whether.
  const sandboxed = isObject(given.sandbox) ? given.sandboxEnabled : (given.sandbox ?? given.sandboxEnabled);
  const parsed = processSchema.safeParse({ ...given, sandbox: sandboxed }, { error: issueWords });
  if (!parsed.success) return complaint(parsed.error);
  const { command, args = [], env, envFile, cwd, sandbox } = parsed.data;
  return {
    type: "stdio",
    command: fromHome(command),
    args: args.map(String),
    env: plainValues(env),
    ...defined({ envFile: envFile && fromHome(envFile), cwd: cwd && fromHome(cwd), sandbox }),
  };
}

/** As a shell would take it. An argument is the server's own to read. */
const fromHome = (path: string) => path.replace(/^~(?=[\\/])/, "$${userHome}");

/** @returns a sentence where it cannot be used: a choice that is not understood never offers more */
function toolChoice(given: Record<string, unknown>): { tools?: ToolChoice } | string {
  const parsed = choiceSchema.safeParse(given, { error: issueWords });
  if (!parsed.success) return complaint(parsed.error);
  const { tools: only, excludeTools: without } = parsed.data;
  const tools: ToolChoice = defined({ only: only?.includes("*") ? undefined : only, without: some(without ?? []) });
  return Object.keys(tools).length > 0 ? { tools } : {};
}

/** @returns a sentence where it cannot be used */
export function parseInput(entry: unknown): InputSpec | string {
  const parsed = inputSchema.safeParse(entry, { error: issueWords });
  if (!parsed.success) return complaint(parsed.error);
  const { id, description = id, password: secret = false, options: all, default: usual } = parsed.data;
  const options = all?.map(option => (typeof option === "string" ? option : option.value));
  return { id, description, secret, ...defined({ options, default: usual }) };
}

/** As rules can name it: other characters become `_`. */
export const cleanName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}_.-]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, MAX_NAME) || "server";

function plainValues(given: z.infer<typeof values> = {}): Record<string, string> {
  const kept = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

function complaint(error: z.ZodError): string {
  const [first] = error.issues;
  const where = first?.path.length ? `${first.path.join(".")}: ` : "";
  return `${where}${first?.message ?? ""}`;
}
