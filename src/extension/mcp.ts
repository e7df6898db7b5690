/** MCP servers in VS Code: where they are configured, and what they may ask of the editor. */
import { join } from "node:path";
import type * as vscode from "vscode";
import type { Clock, Redactor, ServerOffers, SettingsSource } from "../core/ground/ports";
import { LazyServers } from "../mcp/lazyServers";
import type { NodeSandbox } from "../node/sandbox/sandbox";

export interface ServerWiring {
  context: vscode.ExtensionContext;
  configDir: string;
  clock: Clock;
  sandbox: NodeSandbox;
  settings: SettingsSource;
  trusted(): boolean;
  roots(): readonly { path: string }[];
  channel: vscode.LogOutputChannel;
  offered(offers: readonly ServerOffers[]): void;
}

/** MCP servers: VS Code's own file for the user and Strata's, and the workspace's; in one that is not trusted, none. */
export function createMcp(
  { context, configDir, clock, sandbox, settings, trusted, roots, channel, offered }: ServerWiring,
  editor: Pick<typeof import("../vscode/agent"), "askInput" | "openAddress">,
  secrets: vscode.SecretStorage,
  redactor: Redactor,
): LazyServers {
  const ofProfile = join(context.globalStorageUri.fsPath, "..", "..", "mcp.json");
  const userFiles = [ofProfile, join(configDir, "mcp.json")].map(path => ({ path, shown: path }));
  const places = () =>
    trusted() ? { userFiles, folders: roots().map(({ path }) => path) } : { userFiles: [], folders: [] };
  const learn = (value: string) => redactor.learn(`MCP_INPUT_SECRET=${JSON.stringify(value)}`);
  const servers = new LazyServers(
    places,
    async () => {
      const { McpServers, askedInput } = await import("../mcp/servers");
      const input = askedInput({
        ...{ environment: process.env, secrets, ask: editor.askInput },
        learn: (value, { secret }) => void (secret && learn(value)),
      });
      return new McpServers({
        places,
        folder: join(configDir, "mcp"),
        ...{ clock, sandbox, secrets },
        version: String(context.extension.packageJSON.version),
        sources: { environment: process.env, input },
        learn,
        elicits: true,
        openAddress: editor.openAddress,
        timeoutMs: () => settings.get()["mcp.timeoutSeconds"] * 1000,
        maxToolTokens: () => settings.get()["mcp.maxToolTokens"],
        off: () => settings.get()["mcp.off"],
        warn: text => channel.warn(redactor.redact(text)),
      });
    },
    offered,
  );
  process.once("exit", () => servers.killNow());
  return servers;
}
