/** A server with all filled in, and the last look at whether that is still what the person agreed to. */
import { AgreedFiles } from "../../node/agreedFiles";
import type { NodeSandbox } from "../../node/sandbox/sandbox";
import { untilAborted } from "../../shared/async";
import { eitherOf } from "../../shared/format";
import { t } from "../../shared/l10n";
import type { Json } from "../../shared/messages";
import { shellQuoted } from "../../shared/shellQuoted";
import { configHash } from "./agreements";
import type { AddressLaunch, OAuthClient, ProcessLaunch, ServerConfig } from "./serverConfig";
import type { ReadyLaunch, ReadyProcess, VariableSources } from "./variables";
import {
  filled,
  fillIn,
  knownVariables,
  McpError,
  namedEnvironment,
  openVariables,
  plainVariables,
  readEnvFile,
  usualInputs,
} from "./variables";

export type ServerSandbox = Pick<NodeSandbox, "aroundOthers" | "mayHaveMade" | "serve">;

/** Reads what a server starts with beside its entry: an agreement binds to its current state. */
export class LaunchFacts {
  private readonly files = new AgreedFiles(() => undefined);

  /** @param folders those that are open @param sandbox absent: there is none here */
  constructor(
    private readonly environment: VariableSources["environment"],
    private readonly folders: () => readonly string[],
    private readonly sandbox?: ServerSandbox,
  ) {}

  /** The sandbox, the text of its `envFile`, and of a workspace's server the files that its command names. Never rejects. @returns a sentence where there are too many to agree to */
  async of(config: ServerConfig): Promise<ServerConfig | string> {
    const { launch, origin } = config;
    const { folder, level } = origin;
    if (launch.type !== "stdio") return config;
    // Only where it matters is it found out whether there is a sandbox.
    const isAround = async () => (await this.sandbox?.aroundOthers())?.kind === "sandbox";
    const isConfined = launch.sandbox ?? (level === "workspace" && (await isAround()));
    const envFile = await readEnvFile(config, this.environment);
    const found = { ...config, ...(isConfined && { isConfined }), envFile };
    if (level !== "workspace" || folder === undefined) return found;
    const line = lineOf(launch, text => knownVariables(text, folder, this.environment));
    const files = await this.files.of(folder, this.folders(), [line]);
    if (typeof files === "string") return files;
    const all: [name: string, hash: string][] = JSON.parse(files.fingerprint);
    return { ...found, scripts: all.map(([name, hash]) => `${name} ${hash}`) };
  }
}

/** @param script as `LaunchFacts` gives it */
export const scriptName = (script: string): string => script.replace(/ [\da-f:]+$/, "");

/** As a shell would be given it. */
function lineOf({ command, args, env, cwd }: ProcessLaunch, known: (text: string) => string): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellQuoted(known(value))}`);
  const words = [...variables, ...[command, ...args].map(word => shellQuoted(known(word)))].join(" ");
  return cwd === undefined ? words : `cd ${shellQuoted(known(cwd))} && ${words}`;
}

interface AgreedLaunch {
  launch: ReadyLaunch;
  /** Rejects with McpError where it is not what was agreed to any more: asked each time right before a program is started. */
  mayStart(): Promise<void>;
  /** Puts the sandbox around it; absent: it starts outside. */
  confine?(launch: ReadyProcess): Promise<ReadyProcess>;
}

/** Rejects with McpError, or with the signal's reason. @param hash of what was agreed to; it counts for a workspace's server alone */
export async function agreedLaunch(
  config: ServerConfig,
  hash: string,
  { sources, facts, sandbox }: { sources: VariableSources; facts: LaunchFacts; sandbox?: ServerSandbox },
  signal: AbortSignal,
): Promise<AgreedLaunch> {
  const input: VariableSources["input"] = (spec, of) => {
    signal.throwIfAborted();
    return sources.input(spec, of);
  };
  const mayStart = async () => {
    if (config.origin.level === "user") return;
    const now = await facts.of(config);
    if (typeof now === "string") throw new McpError(now);
    if (configHash(now) === hash) return;
    const { launch } = config;
    const envFile = launch.type === "stdio" ? launch.envFile : undefined;
    const named = [...(envFile === undefined ? [] : [envFile]), ...(now.scripts ?? []).map(scriptName)];
    throw new McpError(
      t("{0} has changed since you approved it.", named.length > 0 ? eitherOf(named) : t("What it starts with")),
    );
  };
  const confine = async (ready: ReadyProcess) => {
    if (!sandbox) throw new McpError(t("It is to run in the sandbox, and there is none here."));
    return sandbox.serve(ready);
  };
  // The user's own starts with the text of now, a workspace's with the one that was agreed to.
  const isOwn = config.origin.level === "user";
  const asking = { ...sources, input };
  const read = () => readEnvFile(config, sources.environment, path => filled(path, config, asking));
  const envFile = isOwn ? await untilAborted(read(), signal) : config.envFile;
  const launch = await untilAborted(fillIn({ ...config, envFile }, asking), signal);
  return { launch, mayStart, ...(config.isConfined && { confine }) };
}

/** What a person has to agree to before a workspace's server starts. */
const clientOf = ({ clientSecret, ...client }: OAuthClient, folder: string | undefined): Json => ({
  ...client,
  ...(clientSecret !== undefined && { clientSecret: openVariables(clientSecret, folder) || t("one of its own") }),
});

/** Where there is no sandbox, nothing is said of one. */
function whereItStarts({ launch, isConfined }: ServerConfig): { runs?: string } {
  if (isConfined)
    return {
      runs: t(
        "in the sandbox: it can read the workspace and reach the internet, but change only temporary files and caches of its own",
      ),
    };
  return launch.type === "stdio" && launch.sandbox === false
    ? { runs: t("outside the sandbox: it can do all that you can") }
    : {};
}

/** Its exact command or address, and what it may see. @param agreesAtBegin what stood there when the run began was agreed to */
export function startQuestion(config: ServerConfig, agreesAtBegin = false): { reason: string; detail: Json } {
  const { launch, origin } = config;
  const plain = (text: string) => plainVariables(text, origin.folder);
  const [environment, inputs] = [namedEnvironment(config), usualInputs(config)];
  const ofProcess = ({ command, args, cwd = origin.folder ?? "~" }: ProcessLaunch) => ({
    command: plain(command),
    args: args.map(plain),
    folder: plain(cwd),
    environment,
    ...whereItStarts(config),
  });
  const ofAddress = ({ url, oauth }: AddressLaunch) => ({
    address: plain(url),
    headers: environment,
    ...(oauth && { signInAs: clientOf(oauth, origin.folder) }),
  });
  const detail: Json = launch.type === "stdio" ? ofProcess(launch) : ofAddress(launch);
  return {
    reason: agreesAtBegin
      ? t(
          "{0} of this workspace names it, and it or what it starts was not so when this run began: --trust approves only what stood there then",
          origin.shown,
        )
      : t(
          "{0} of this workspace names it, and you have not approved it yet; your approval holds until it or a file that it names changes, and does not cover what these load",
          origin.shown,
        ),
    detail: { server: config.name, ...detail, ...(Object.keys(inputs).length > 0 && { inputs }) },
  };
}
