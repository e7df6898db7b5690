/** A server with all filled in, and the last look at whether that is still what the person agreed to. */
import { untilAborted } from "../../shared/async";
import { configHash } from "./agreements";
import { type ServerScripts, scriptName } from "./scripts";
import type { ServerConfig } from "./serverConfig";
import { fillIn, McpError, type ReadyLaunch, type VariableSources } from "./variables";

interface AgreedLaunch {
  launch: ReadyLaunch;
  /** Rejects with McpError where it is not what was agreed to any more: asked each time right before a program is started. */
  mayStart(): Promise<void>;
}

/**
 * Rejects with McpError, or with the signal's reason.
 * @param hash of what was agreed to; undefined: whatever stands there
 */
export async function agreedLaunch(
  config: ServerConfig,
  hash: string | undefined,
  { sources, scripts }: { sources: VariableSources; scripts: Pick<ServerScripts, "of"> },
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
    if (hash === undefined) return;
    const found = await scripts.of(config);
    if (configHash(config, envFile, found) === hash) return;
    const { launch } = config;
    const named = [...(envFile === "" || launch.type !== "stdio" ? [] : [launch.envFile]), ...found.map(scriptName)];
    throw new McpError(
      `${named.join(" or ") || "What it starts with"} was changed, and you have not agreed to what stands there now.`,
    );
  };
  return { launch: await untilAborted(filled, signal), mayStart };
}
