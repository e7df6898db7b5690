/** MCP servers in the terminal: for a run, and for `strata mcp`. */
import { join } from "node:path";
import { version } from "../../package.json";
import { LazyServers } from "../mcp/lazyServers";
import { configDir } from "../node/storage/sessionStorage";
import { nodeClock } from "../node/system";
import type { McpCommand } from "../terminal/args";
import { mcp } from "../terminal/mcp";
import type { TerminalSettings } from "../terminal/settings";
import { type Place, readSettings, watchInterrupts } from "./place";

export async function withMcp(command: McpCommand, place: Place): Promise<number> {
  const settings = readSettings(place, {}, command.trust);
  const servers = createMcp(place, {
    trusted: command.trust,
    settings,
    readsUsers: true,
    elicits: command.answer !== undefined,
  });
  try {
    return await mcp(command, await servers.get(), {
      streams: place.streams,
      interrupts: watchInterrupts(place.streams),
    });
  } finally {
    await servers.close();
  }
}

/** MCP servers; `--trust` is the agreement to all that the workspace names, for this run. */
export function createMcp(
  { workspace, streams }: Place,
  { trusted, settings, readsUsers = trusted, learn, elicits }: McpParts,
): LazyServers {
  const folder = join(configDir(), "mcp");
  const places = () => ({
    userFiles: readsUsers ? [{ path: join(configDir(), "mcp.json"), shown: join(configDir(), "mcp.json") }] : [],
    folders: trusted ? [workspace] : [],
  });
  const servers = new LazyServers(places, async () => {
    const { McpServers, environmentInput, SecretTextFile } = await import("../mcp/servers");
    return new McpServers({
      secrets: new SecretTextFile(join(folder, "secrets.json")),
      ...(learn && { learn }),
      ...{ places, folder, version, agreesToAll: trusted, now: nodeClock.now, elicits },
      openAddress: async url => {
        streams.err(`Open this address in a browser:\n${url}\n`);
        return true;
      },
      sources: { environment: process.env, input: environmentInput(process.env, learn) },
      timeoutMs: () => settings.get()["mcp.timeoutSeconds"] * 1000,
      maxToolTokens: () => settings.get()["mcp.maxToolTokens"],
      off: () => settings.get()["mcp.off"],
      warn: text => streams.err(`! ${text}\n`),
    });
  });
  process.on("exit", () => servers.killNow());
  return servers;
}

interface McpParts {
  trusted: boolean;
  /** somebody is there whom servers can ask, or has said beforehand what they are told */
  elicits: boolean;
  settings: Pick<TerminalSettings, "get">;
  /** the user's own servers count although the workspace is not trusted: nothing of it starts them */
  readsUsers?: boolean;
  /** A value that is to be kept from the model. */
  learn?(value: string): void;
}
