/** Fills in what a server's configuration leaves open: `${workspaceFolder}`, `${env:NAME}`, `${input:id}`, an `envFile`. */

import { homedir } from "node:os";
import { basename, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import * as z from "zod";
import { ErrorForPeople } from "../../core/ground/ports";
import { JsonFile } from "../../node/jsonFile";
import { realOrSame, withSlashes } from "../../node/paths";
import { trustedPath } from "../../node/programs";
import { readRegular } from "../../node/readRegular";
import { defined } from "../../shared/defined";
import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";
import type { AddressLaunch, InputSpec, ServerConfig } from "./serverConfig";

/** A server cannot be started or reached: a sentence that says why, for people and for the model. */
export class McpError extends ErrorForPeople {
  override readonly name = "McpError";
}

export interface VariableSources {
  environment: Readonly<Record<string, string | undefined>>;
  /** What the person typed for it, now or before. Rejects with McpError where they did not. */
  input(spec: InputSpec, config: ServerConfig): Promise<string>;
  /** of the workspace: a program's name finds none there */
  folders?(): readonly string[];
}

/** A launch without variables. */
export interface ReadyProcess {
  type: "stdio";
  command: string;
  args: string[];
  /** all that its environment has */
  env: Record<string, string>;
  cwd: string;
  /** In the sandbox: what the program that puts it there reads, as descriptors from 4 on; absent: it is in none */
  files?: readonly string[];
}
export type ReadyLaunch = ReadyProcess | (AddressLaunch & { headers: Record<string, string> });

/** What a program needs to run at all. Everything else has to be named. */
const BASE =
  process.platform === "win32"
    ? [
        ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"],
        ...["PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP"],
        ...["TMP", "USERNAME", "USERPROFILE", "WINDIR"],
      ]
    : ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];

const MAX_ENV_BYTES = 1_000_000;
const SECRET = /(?:token|secret|password|passwd|credentials?|auth|(?:api|private|access)_?key)$/i;

/** `${env:NAME}`, `${workspaceFolder}`; the portable file's `${NAME}` and `${NAME:-instead}` */
const VARIABLE = /\$\{([^${}]{1,500})\}/g;

/** Rejects with McpError */
export async function fillIn(config: ServerConfig, sources: VariableSources): Promise<ReadyLaunch> {
  const fill = (text: string) => filled(text, config, sources);
  const { launch, envFile } = config;
  if (launch.type !== "stdio") {
    const url = await fill(launch.url);
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
      throw new McpError(t("The address of the server {0} is no http address: {1}", config.name, url));
    const headers = await eachValue(launch.headers, fill);
    const { clientId, clientSecret } = launch.oauth ?? {};
    const client = await eachValue(defined({ clientId, clientSecret }), fill);
    return { ...launch, url, headers, ...(launch.oauth && { oauth: { ...launch.oauth, ...client } }) };
  }
  const cwd = resolve(config.origin.folder ?? homedir(), launch.cwd === undefined ? "" : await fill(launch.cwd));
  if (envFile?.problem !== undefined) throw new McpError(envFile.problem);
  const command = await fill(launch.command);
  const args: string[] = [];
  for (const arg of launch.args) args.push(await fill(arg));
  const env = { ...baseEnvironment(sources), ...parsedEnv(envFile?.text), ...(await eachValue(launch.env, fill)) };
  return { type: "stdio", command, args, env, cwd };
}

/** Variables by which a program that is harmless itself runs or loads something else. */
const OBEYED =
  /^(?:path|pathext|shell|ifs|zdotdir|openssl_(?:conf|modules)|goflags|kubeconfig|aws_config_file|xdg_config_(?:home|dirs)|maven_opts|rustc(?:_workspace)?_wrapper|rustc|env|bash_env|comspec|ld_.+|dyld_.+|glibc_tunables|gconv_path|node_(?:options|path|repl_external_module|extra_ca_certs)|(?:npm|pnpm|yarn|bun)_.+|python(?:path|home|startup|warnings|breakpoint|user_?base|executable|pycacheprefix)|uv_.+|pip_.+|perl5?(?:opt|lib|db)|ruby(?:opt|lib)|gem_.+|bundle_.+|php(?:rc|_ini_scan_dir)|lua_.+|java_.+|_java_options|jdk_java_options|classpath|git_.+|ssh_askpass|(?:git_)?editor|visual|pager|browser|deno_.+|dotnet_.+|home|userprofile|(?:https?|all|no)_proxy|.+_(?:base_?url|api_?base|proxy|command|cmd|exec))$/i;

/** Names of what its environment has beside what every program gets, for the person who is asked; with what comes from elsewhere: `MODE: ${env:AWS_SECRET}`. */
export function namedEnvironment({ launch, origin, envFile }: ServerConfig): string[] {
  const showsValue = (name: string) => launch.type === "stdio" && OBEYED.test(name) && !SECRET.test(name);
  const named = Object.entries(launch.type === "stdio" ? launch.env : launch.headers).map(([name, value]) => {
    if (showsValue(name)) return `${name}=${plainVariables(value, origin.folder)}`;
    const open = openVariables(value, origin.folder);
    return open === "" ? name : `${name}: ${open}`;
  });
  if (launch.type !== "stdio" || launch.envFile === undefined) return named;
  const shown = Object.entries(parsedEnv(envFile?.text)).filter(([name]) => showsValue(name));
  return [...named, `all of ${launch.envFile}`, ...shown.map(([name, value]) => `${name}=${withoutPassword(value)}`)];
}

/** Such a file is where secrets stand: `http://me:secret@proxy` */
const withoutPassword = (value: string) => value.replace(/(:\/\/)[^/@\s]*@/g, "$1…@");

/** The variables and inputs in a text, without the rest, which may be a secret. "": none */
export function openVariables(text: string, folder: string | undefined): string {
  const names = [...plainVariables(text, folder).matchAll(VARIABLE)].map(([, name = ""]) => name);
  return [...new Set(names.map(name => `\${${name.replace(/:-[\s\S]*$/, "")}}`))].join(" ");
}

/** Defaults of the inputs that it uses, by their id. */
export function usualInputs({ launch, inputs }: ServerConfig): Record<string, string> {
  const written = JSON.stringify(launch);
  const used = [...inputs.values()].filter(({ id }) =>
    written.includes(JSON.stringify(`\${input:${id}}`).slice(1, -1)),
  );
  return Object.fromEntries(used.flatMap(({ id, default: usual }) => (usual === undefined ? [] : [[id, usual]])));
}

/** Only folders are filled in, no inputs and no environment: for people, and to be agreed to. */
export const plainVariables = (text: string, folder: string | undefined): string =>
  text.replace(VARIABLE, (whole, name: string) => folderVariable(name, folder) ?? whole);

/** All but inputs is filled in; unknown names stay. */
export const knownVariables = (text: string, folder: string | undefined, environment: VariableSources["environment"]) =>
  text.replace(VARIABLE, (whole, name: string) => {
    const { variable = "", instead } = fromEnvironment(name);
    return folderVariable(name, folder) ?? environment[variable] ?? instead ?? whole;
  });

/** `env:NAME`, `NAME`, `NAME:-instead` */
function fromEnvironment(name: string): { variable?: string | undefined; instead?: string | undefined } {
  const [, variable, instead] = /^(?:env:)?([A-Za-z_]\w*)(?::-([\s\S]*))?$/.exec(name) ?? [];
  return { variable, instead };
}

export async function filled(text: string, config: ServerConfig, sources: VariableSources): Promise<string> {
  const names = [...new Set([...text.matchAll(VARIABLE)].map(([, name = ""]) => name))];
  const values = new Map<string, string>();
  for (const name of names) values.set(name, await variableValue(name, config, sources));
  return text.replace(VARIABLE, (_, name: string) => values.get(name) ?? "");
}

async function variableValue(name: string, config: ServerConfig, sources: VariableSources): Promise<string> {
  const { origin, inputs } = config;
  const known = folderVariable(name, origin.folder);
  if (known !== undefined) return known;
  if (name.startsWith("input:")) {
    const spec = inputs.get(name.slice("input:".length));
    if (!spec)
      throw new McpError(
        t('{0} uses {1}, and no input of that name stands under "inputs".', origin.shown, `\${${name}}`),
      );
    return sources.input(spec, config);
  }
  const { variable = "", instead } = fromEnvironment(name);
  if (variable === "" || (name === "workspaceFolder" && origin.folder === undefined))
    throw new McpError(t("{0} uses {1}, which Strata cannot fill in.", origin.shown, `\${${name}}`));
  const value = sources.environment[variable] ?? instead;
  if (value !== undefined) return value;
  throw new McpError(
    t(
      "The server {0} needs the environment variable {1} (in {2}), and it is not set.",
      config.name,
      variable,
      origin.shown,
    ),
  );
}

function folderVariable(name: string, folder: string | undefined): string | undefined {
  if (name === "userHome") return homedir();
  if (name === "pathSeparator" || name === "/") return sep;
  if (folder === undefined) return undefined;
  // With a name behind it, a folder of several: the file's own is the one that is meant.
  if (name === "workspaceFolder" || name.startsWith("workspaceFolder:") || name === "cwd") return folder;
  return name === "workspaceFolderBasename" ? basename(folder) : undefined;
}

/** No program that is named without its folder is the workspace's: files there may change unseen. */
function baseEnvironment({ environment, folders = () => [] }: VariableSources): Record<string, string> {
  const found = BASE.map(name => [name, environment[name]] as const);
  // A function of the shell, exported: bash would run it.
  const usable = found.filter(([, value]) => value !== undefined && !value.startsWith("()"));
  const roots = folders().map(folder => withSlashes(realOrSame(folder)));
  return Object.fromEntries(
    usable.map(([name, value = ""]) => [name, name.toUpperCase() === "PATH" ? trustedPath(value, roots) : value]),
  );
}

const parsedEnv = (text = "") => parseEnv(text) as Record<string, string>;

/** As the file is now: it starts with this text, and with no later one. Rejects only as `fill` does. */
export async function readEnvFile(
  { launch, origin }: ServerConfig,
  environment: VariableSources["environment"],
  fill = async (path: string) => knownVariables(path, origin.folder, environment),
): Promise<ServerConfig["envFile"]> {
  if (launch.type !== "stdio" || launch.envFile === undefined) return undefined;
  const open = openVariables(launch.envFile, origin.folder);
  const problem = (text: string) => ({ text: "", problem: text });
  if (origin.level === "workspace" && open !== "")
    return problem(
      t("{0} names its envFile by {1}: write its path, so that you can approve what is in it.", origin.shown, open),
    );
  const path = resolve(origin.folder ?? homedir(), await fill(launch.envFile));
  try {
    // A workspace may name a device without an end, or a pipe.
    const bytes = await readRegular(path, MAX_ENV_BYTES);
    if (!bytes) throw new McpError(t("it is no regular file of at most {0} MB", MAX_ENV_BYTES / 1_000_000));
    return { text: bytes.toString("utf8") };
  } catch (error) {
    return problem(t("The file with the server's environment, {0}, cannot be read: {1}", path, errorMessage(error)));
  }
}

/** A person is asked for one thing after the other. */
async function eachValue(values: Readonly<Record<string, string>>, fill: (text: string) => Promise<string>) {
  const done: [name: string, text: string][] = [];
  for (const [name, text] of Object.entries(values)) done.push([name, await fill(text)]);
  return Object.fromEntries(done);
}

interface InputDeps {
  environment: VariableSources["environment"];
  secrets: SecretTexts;
  /** Asks a person; absent: the terminal is in use, or has no person. undefined: no answer */
  ask?(spec: InputSpec, server: string): Promise<string | undefined>;
  learn?(value: string, spec: InputSpec): void;
}

/** Inputs, the first that is there: `STRATA_MCP_INPUT_TOKEN` for `${input:token}`, what was typed before, an answer, the default. Else rejects with McpError. */
export function askedInput({ environment, secrets, ask, learn }: InputDeps): VariableSources["input"] {
  return async (spec, { name, origin }) => {
    const variable = `STRATA_MCP_INPUT_${spec.id.replace(/\W/g, "_").toUpperCase()}`;
    const key = `strata.mcp.input:${spec.id}@${origin.file}`;
    const known = environment[variable] ?? (await secrets.get(key));
    const typed = known ?? (await ask?.(spec, name));
    const value = typed ?? spec.default;
    if (value === undefined)
      throw new McpError(
        t(
          'The server {0} needs its input "{1}": set {2}, or run strata mcp check {0} in a terminal, which asks for it once.',
          ...[name, spec.id, variable],
        ),
      );
    if (known === undefined && typed !== undefined) await secrets.store(key, typed);
    learn?.(value, spec);
    return value;
  };
}

/** Where only the person can look; as VS Code has it. */
export interface SecretTexts {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, text: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

export class SecretTextFile implements SecretTexts {
  private readonly file: JsonFile<Record<string, string>>;

  /** @param path absolute; its folder is made where it is not there */
  constructor(path: string) {
    this.file = new JsonFile(path, z.record(z.string(), z.string()), {});
  }

  async get(key: string): Promise<string | undefined> {
    const kept = await this.file.read().catch((): Record<string, string> => ({}));
    return Object.hasOwn(kept, key) ? kept[key] : undefined;
  }

  store = async (key: string, text: string) => void (await this.file.change(kept => ({ ...kept, [key]: text })));

  delete = async (key: string): Promise<void> => void (await this.file.change(({ [key]: _, ...others }) => others));
}
