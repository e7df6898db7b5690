/** A server with all filled in, and the last look at whether that is still what the person agreed to. */

import { AgreedFiles } from "../../node/agreedFiles";
import type { NodeSandbox } from "../../node/sandbox/sandbox";
import { untilAborted } from "../../shared/async";
import { eitherOf } from "../../shared/format";
import { t } from "../../shared/l10n";
import type { Json } from "../../shared/messages";
import { shellQuoted } from "../../shared/shellQuoted";
import { configHash } from "./agreements";
import type { OAuthClient, ProcessLaunch, ServerConfig } from "./serverConfig";
import {
  fillIn,
  knownVariables,
  McpError,
  namedEnvironment,
  openVariables,
  plainVariables,
  type ReadyLaunch,
  type ReadyProcess,
  usualInputs,
  type VariableSources,
} from "./variables";

export type ServerSandbox = Pick<NodeSandbox, "aroundOthers" | "mayHaveMade" | "serve">;

/** Where it starts is part of what a person agrees to. Only where it matters is it found out whether there is a sandbox. */
export async function placed(config: ServerConfig, sandbox: ServerSandbox | undefined): Promise<ServerConfig> {
  const { launch, origin } = config;
  if (launch.type !== "stdio") return config;
  const isAround = async () => (await sandbox?.aroundOthers())?.kind === "sandbox";
  const isConfined = launch.sandbox ?? (origin.level === "workspace" && (await isAround()));
  return isConfined ? { ...config, isConfined } : config;
}

/** Files of the workspace that a server's command names: an agreement to the command covers them as they are. */
export class ServerScripts {
  private readonly files = new AgreedFiles(() => undefined);

  /** @param folders those that are open */
  constructor(
    private readonly environment: VariableSources["environment"],
    private readonly folders: () => readonly string[],
  ) {}

  /** Each as its path in the workspace with its hash; none for a server of the user's own. Never rejects. */
  async of({ launch, origin }: ServerConfig): Promise<readonly string[]> {
    const { folder, level } = origin;
    if (launch.type !== "stdio" || level !== "workspace" || folder === undefined) return [];
    const line = lineOf(launch, text => knownVariables(text, folder, this.environment));
    const found = await this.files.of(folder, this.folders(), [line]);
    // Nobody can agree to this for good.
    if (typeof found === "string") return [`${TOO_MUCH}${found}`];
    const all: [name: string, hash: string][] = JSON.parse(found.fingerprint);
    return all.map(([name, hash]) => `${name} ${hash}`);
  }
}

const TOO_MUCH = "!";

/** Why nobody can agree to it; undefined: somebody can. */
export const tooMuch = (scripts: readonly string[]): string | undefined =>
  scripts.find(script => script.startsWith(TOO_MUCH))?.slice(TOO_MUCH.length);

/** @param script as `of` gives it */
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

/**
 * Rejects with McpError, or with the signal's reason.
 * @param hash of what was agreed to; of the user's own server whatever stands there is
 */
export async function agreedLaunch(
  config: ServerConfig,
  hash: string,
  { sources, scripts, sandbox }: { sources: VariableSources; scripts: ServerScripts; sandbox?: ServerSandbox },
  signal: AbortSignal,
): Promise<AgreedLaunch> {
  let envFile = "";
  const input: VariableSources["input"] = (spec, of) => {
    // Nobody is asked for the next one when the first had come too late.
    signal.throwIfAborted();
    return sources.input(spec, of);
  };
  const filled = fillIn(config, { ...sources, input }, text => {
    envFile = text;
  });
  const mayStart = async () => {
    if (config.origin.level === "user") return;
    const found = await scripts.of(config);
    if (configHash(config, envFile, found) === hash) return;
    const { launch } = config;
    const named = [...(envFile === "" || launch.type !== "stdio" ? [] : [launch.envFile]), ...found.map(scriptName)];
    throw new McpError(
      t(
        "{0} has changed since you approved it.",
        named.length > 0 ? eitherOf(named.filter(name => name !== undefined)) : t("What it starts with"),
      ),
    );
  };
  const confine = async (ready: ReadyProcess) => {
    if (!sandbox) throw new McpError(t("It is to run in the sandbox, and there is none here."));
    return sandbox.serve(ready);
  };
  return { launch: await untilAborted(filled, signal), mayStart, ...(config.isConfined && { confine }) };
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

/**
 * Its exact command or address, and what it may see: names, and values of what makes it run something else.
 * @param envFile the text of its `envFile`
 * @param agreesAtBegin what stood there when the run began was agreed to
 */
export function startQuestion(
  config: ServerConfig,
  envFile = "",
  agreesAtBegin = false,
): { reason: string; detail: Json } {
  const { launch, origin } = config;
  const plain = (text: string) => plainVariables(text, origin.folder);
  const environment = namedEnvironment(config, envFile);
  const inputs = usualInputs(config);
  const detail: Json =
    launch.type === "stdio"
      ? {
          command: plain(launch.command),
          args: launch.args.map(plain),
          folder: plain(launch.cwd ?? origin.folder ?? "~"),
          environment,
          ...whereItStarts(config),
        }
      : {
          address: plain(launch.url),
          headers: environment,
          ...(launch.oauth && { signInAs: clientOf(launch.oauth, origin.folder) }),
        };
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
