/** MCP servers in the terminal: for a run, and for `strata mcp`. */

import { join } from "node:path";
import { version } from "../../package.json";
import { LazyServers } from "../mcp/lazyServers";
import { proxyFromEnvironment } from "../node/proxy";
import type { NodeSandbox } from "../node/sandbox/sandbox";
import { configDir } from "../node/stateFolders";
import { nodeClock } from "../node/system";
import { defined } from "../shared/defined";
import { t } from "../shared/l10n";
import type { CommandOf } from "../terminal/args";
import { askInput } from "../terminal/askInput";
import { mcp } from "../terminal/mcp";
import type { TerminalSettings } from "../terminal/settings";
import { readSettings, type SessionPlace, watchInterrupts } from "./place";
import { createSandbox } from "./sandbox";

export async function withMcp(command: CommandOf<"mcp">, place: SessionPlace): Promise<number> {
  proxyFromEnvironment(process.env, text => place.streams.err(`${text}\n`));
  const settings = readSettings(place, {}, command.trust);
  const { sandbox } = await createSandbox(place, settings);
  const { stdin: input, stderr: output } = process;
  const isThere = input.isTTY && output.isTTY;
  const servers = createMcp(place, {
    ...{ trusted: command.trust, settings, sandbox },
    readsUsers: true,
    elicits: false,
    ...(isThere && { ask: (asked, server) => askInput(asked, t("MCP server {0}", server), { input, output }) }),
  });
  try {
    if (command.trust) await servers.agreeForNow();
    return await mcp(command, await servers.get(), {
      streams: place.streams,
      interrupts: watchInterrupts(place.streams),
    });
  } finally {
    await servers.close();
  }
}

/** MCP servers; of a workspace that is not trusted, none. */
export function createMcp(
  { workspace, streams }: SessionPlace,
  { trusted, settings, sandbox, readsUsers = trusted, learn, elicits, ask }: CliMcpParts,
): LazyServers {
  const folder = join(configDir(), "mcp");
  const places = () => ({
    userFiles: readsUsers ? [{ path: join(configDir(), "mcp.json"), shown: join(configDir(), "mcp.json") }] : [],
    folders: trusted ? [workspace] : [],
  });
  const servers = new LazyServers(places, async () => {
    const { McpServers, askedInput, SecretTextFile } = await import("../mcp/servers");
    const secrets = new SecretTextFile(join(folder, "secrets.json"));
    const input = askedInput({ environment: process.env, secrets, ...defined({ learn, ask }) });
    return new McpServers({
      secrets,
      ...defined({ learn }),
      places,
      folder,
      version,
      agreesAtBegin: trusted,
      ...{ clock: nodeClock, elicits, sandbox },
      openAddress: async url => {
        streams.err(t("Open this address in a browser:\n{0}\n", url));
        return true;
      },
      sources: { environment: process.env, input },
      timeoutMs: () => settings.get()["mcp.timeoutSeconds"] * 1000,
      maxToolTokens: () => settings.get()["mcp.maxToolTokens"],
      off: () => settings.get()["mcp.off"],
      warn: text => streams.err(`! ${text}\n`),
    });
  });
  process.on("exit", () => servers.killNow());
  return servers;
}

interface CliMcpParts {
  trusted: boolean;
  /** a person can answer servers' questions */
  elicits: boolean;
  settings: TerminalSettings;
  sandbox: NodeSandbox;
  /** the user's own servers count although the workspace is not trusted: nothing of it starts them */
  readsUsers?: boolean;
  /** Asks the person for a server's input; absent: no person, or a session has the terminal */
  ask?(asked: Parameters<typeof askInput>[0], server: string): Promise<string | undefined>;
  /** A value that is to be kept from the model. */
  learn?(value: string): void;
}
