/**
 * MCP servers. A call of a session's tool beside the same call by the package's own client and transport, over standard streams,
 * one after the other in the same run. And what 20 configured servers cost that nobody uses: start → first request, memory.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as esbuild from "esbuild";
import { root, runArgs, runProgram, temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";
import { startModel } from "./lib/model.mjs";

const CALLS = 300;
const RUNS = 10;
const SERVERS = 20;
const server = { command: process.execPath, args: [join(root, "test/mcp/oddServer.mjs"), "calm"] };

const context = {
  ...{ callId: "1", inSandbox: false, turn: 1, signal: new AbortController().signal },
  ...{ output: () => undefined, redact: text => text },
};

async function calls(folder) {
  const outfile = join(folder, "mcpServers.mjs");
  await esbuild.build({
    // Split as the product is: a package that is loaded both at once and later is set up first.
    ...{ entryPoints: [join(root, "bench/lib/mcpServers.ts")], outdir: folder, bundle: true, minify: true },
    ...{
      mainFields: ["module", "main"],
      splitting: true,
      outExtension: { ".js": ".mjs" },
      platform: "node",
      format: "esm",
      target: "node22",
      loader: { ".md": "text" },
      logLevel: "error",
    },
    banner: { js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);' },
  });
  const { McpServers } = await import(pathToFileURL(outfile).href);
  mkdirSync(join(folder, ".vscode"));
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { odd: server } }));
  const servers = new McpServers({
    places: () => ({ userFiles: [], folders: [folder] }),
    ...{ folder: join(folder, "kept"), version: "1", agreesToAll: true, now: Date.now, off: () => [] },
    sources: { environment: process.env, input: async () => "" },
    ...{ timeoutMs: () => 60_000, maxToolTokens: () => 3_000, warn: console.error },
  });
  await servers.refresh();
  await servers.server("odd").look(context.signal);
  const tool = servers.list(new Set()).find(({ name }) => name === "odd:echo");
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport(server));
  const times = { ours: [], bare: [] };
  const timed = async (list, call) => {
    const began = performance.now();
    await call();
    list.push(performance.now() - began);
  };
  for (let call = 0; call < CALLS + 20; call++) {
    await timed(times.ours, async () => (await tool.prepare({ word: "x" }, context)).perform(context));
    await timed(times.bare, () => client.callTool({ name: "echo", arguments: { word: "x" } }));
  }
  await servers.close();
  await client.close();
  const [ours, bare] = [times.ours.slice(20), times.bare.slice(20)];
  title(`A call of an MCP server's tool, ${CALLS} of each`);
  row("Strata's tool", median(ours), { note: `p95 ${percentile(ours, 0.95).toFixed(2)}`, digits: 2 });
  row("bare client", median(bare), { note: `p95 ${percentile(bare, 0.95).toFixed(2)}`, digits: 2 });
  row("overhead", median(ours) - median(bare), { aim: 3, digits: 2 });
}

async function idle(folder) {
  const model = await startModel(() => ({ text: "Done." }));
  try {
    const env = {
      XDG_CACHE_HOME: join(folder, "cache"),
      XDG_CONFIG_HOME: join(folder, "config"),
      NODE_COMPILE_CACHE: "",
    };
    const maxrss = ["--import", pathToFileURL(join(root, "bench/lib/maxrss.cjs")).href];
    const plain = join(folder, "plain");
    const configured = join(folder, "configured");
    for (const workspace of [plain, configured]) mkdirSync(workspace);
    const twenty = Object.fromEntries(Array.from({ length: SERVERS }, (_, at) => [`server${at}`, server]));
    writeFileSync(join(configured, ".mcp.json"), JSON.stringify({ mcpServers: twenty }));
    const figures = { [plain]: [], [configured]: [] };
    for (let run = 0; run < RUNS + 1; run++) {
      for (const workspace of [plain, configured]) {
        const before = model.requests.length;
        const storage = join(workspace, "..", `storage-${run}-${workspace === plain}`);
        const done = await runProgram([...maxrss, ...runArgs({ url: model.url, workspace, storage })], { env });
        const first = model.requests[before];
        if (!first) throw new Error(`no request came:\n${done.output}`);
        if (run > 0) figures[workspace].push({ ms: first.at - done.started, mb: done.maxRss / 1e6 });
      }
    }
    title(`${SERVERS} MCP servers configured, none used (median of ${RUNS})`);
    for (const [name, workspace] of [
      ["none configured", plain],
      [`${SERVERS} configured`, configured],
    ]) {
      row(`start to first request, ${name}`, median(figures[workspace].map(({ ms }) => ms)));
      row(`memory at most, ${name}`, median(figures[workspace].map(({ mb }) => mb)), { unit: "MB" });
    }
  } finally {
    await model.close();
  }
}

const work = temporary("bench-mcp");
try {
  await calls(work.path);
  await idle(work.path);
} finally {
  work.remove();
}
