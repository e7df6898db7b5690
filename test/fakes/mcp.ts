/** MCP servers in a folder of their own: what tests of `src/mcp` stand on. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../src/core/ground/ports";
import type { Tool } from "../../src/core/tool/tool";
import { type McpDeps, McpServers } from "../../src/mcp/servers";
import { nodeClock } from "../../src/node/system";
import { noSession } from "./call";
import type { FakeClock } from "./clock";
import { temporaryFolder } from "./temporary";

export const oddServer = (mode: string, ...more: string[]) => ({
  ...{ command: process.execPath, args: [join(process.cwd(), "test/mcp/oddServer.mjs"), mode, ...more] },
});

export const packaged = (name: string, ...more: string[]) => ({
  command: process.execPath,
  args: [join(process.cwd(), "node_modules/@modelcontextprotocol", name, "dist/index.js"), ...more],
});

type Options = Partial<Omit<McpDeps, "places">> & {
  /** what the workspace's `.vscode/mcp.json` names */
  servers?: Record<string, unknown>;
  inputs?: unknown[];
  /** what the user's own file names */
  user?: Record<string, unknown>;
  /** false: nobody agreed to anything; absent: to all that each `refresh` reads */
  agrees?: boolean;
};

/** Closed and removed by `end`; what a test left open is removed with the tests. */
export function mcpWorld({ servers = {}, inputs, user, agrees = true, ...deps }: Options = {}) {
  const folder = temporaryFolder("mcp");
  const workspace = join(folder, "ws");
  const config = join(workspace, ".vscode", "mcp.json");
  const userFile = join(folder, "user.json");
  mkdirSync(join(workspace, ".vscode"), { recursive: true });
  const configure = (entries: Record<string, unknown>) =>
    writeFileSync(config, JSON.stringify({ servers: entries, ...(inputs && { inputs }) }));
  configure(servers);
  if (user) writeFileSync(userFile, JSON.stringify({ servers: user }));
  const warnings: string[] = [];
  const made = (more: Options = {}) => {
    const servers = new McpServers({
      places: () => ({ userFiles: [{ path: userFile, shown: "the user's mcp.json" }], folders: [workspace] }),
      ...{ folder: join(folder, "kept"), version: "1", clock: nodeClock, elicits: true },
      openAddress: async () => true,
      sources: { environment: process.env, input: async ({ id }) => `typed ${id}` },
      timeoutMs: () => 20_000,
      maxToolTokens: () => 3_000,
      off: () => [],
      warn: text => warnings.push(text),
      ...deps,
      ...more,
    });
    const refresh = servers.refresh.bind(servers);
    if (more.agrees ?? agrees) servers.refresh = () => refresh().then(() => servers.agreeForNow());
    return servers;
  };
  const all = [made()];
  return {
    ...{ folder, workspace, config, configure, warnings },
    servers: all[0] as McpServers,
    /** The same folders in another process. */
    again: (more?: Options) => {
      const next = made(more);
      all.push(next);
      return next;
    },
    async end() {
      await Promise.all(all.map(each => each.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The real clock, but that the limits of calls and paced looks run by one that a test moves. */
export const limitsBy = (fake: FakeClock): Clock => ({ ...nodeClock, after: (...later) => fake.after(...later) });

export const never = () => new AbortController().signal;

/** Prepares and performs a call as it is allowed; rejects as the tool does. */
/** @param printed takes what the call prints, as it comes */
export async function callTool(
  tool: Tool | undefined,
  input: unknown,
  signal = never(),
  ask = noSession().ask,
  printed: string[] = [],
) {
  if (!tool) throw new Error("there is no such tool");
  const run = { ...noSession(), signal, ask, output: (_: string, text: string) => void printed.push(text) };
  const parsed = tool.input.parse(input);
  if ("complaint" in parsed) throw new Error(parsed.complaint);
  const prepared = await tool.prepare(parsed.value, run);
  const done = await prepared.perform(run);
  return { prepared, done, printed, text: typeof done === "symbol" ? "moved" : done.result.text };
}

export const named = (tools: readonly Tool[], name: string) => tools.find(tool => tool.name === name);
