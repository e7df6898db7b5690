/**
 * MCP servers. A call of a session's tool beside the same call by the package's own client and transport, over standard streams,
 * one after the other in the same run. And what 20 configured servers and 50 skills cost that nobody uses: start → first request, memory,
 * processes.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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
const SKILLS = 50;
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
  const { McpServers, nodeClock } = await import(pathToFileURL(outfile).href);
  mkdirSync(join(folder, ".vscode"));
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { odd: server } }));
  const servers = new McpServers({
    places: () => ({ userFiles: [], folders: [folder] }),
    ...{ folder: join(folder, "kept"), version: "1", agreesAtBegin: true, clock: nodeClock, off: () => [] },
    sources: { environment: process.env, input: async () => "" },
    ...{ timeoutMs: () => 60_000, maxToolTokens: () => 3_000, warn: console.error },
  });
  await servers.refresh();
  servers.agreeForNow();
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

/** Processes that this one started, and those in turn; undefined: this system does not say. */
function descendants() {
  if (process.platform !== "linux") return undefined;
  const parents = new Map();
  for (const name of readdirSync("/proc").filter(each => /^\d+$/.test(each))) {
    try {
      const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      parents.set(Number(name), Number(parent));
    } catch {
      // ended meanwhile
    }
  }
  const isOurs = pid => pid === process.pid || (parents.has(pid) && pid > 1 && isOurs(parents.get(pid)));
  return [...parents.keys()].filter(pid => pid !== process.pid && isOurs(pid)).length;
}

/** A workspace with that many servers and skills. */
function team(workspace) {
  const twenty = Object.fromEntries(Array.from({ length: SERVERS }, (_, at) => [`server${at}`, server]));
  writeFileSync(join(workspace, ".mcp.json"), JSON.stringify({ mcpServers: twenty }));
  for (let at = 0; at < SKILLS; at++) {
    const folder = join(workspace, ".claude/skills", `skill-${at}`);
    mkdirSync(folder, { recursive: true });
    const head = `---\nname: skill-${at}\ndescription: Does the ${at}th thing of the team, with its checks, where a task is of that kind.\n---\n`;
    writeFileSync(join(folder, "SKILL.md"), `${head}${"One step after the other, with care.\n".repeat(100)}`);
  }
}

async function idle(folder) {
  const processes = [];
  const model = await startModel(() => {
    processes.push(descendants());
    return { text: "Done." };
  });
  try {
    const env = {
      XDG_CACHE_HOME: join(folder, "cache"),
      XDG_CONFIG_HOME: join(folder, "config"),
      HOME: join(folder, "home"),
      NODE_COMPILE_CACHE: "",
    };
    const maxrss = ["--import", pathToFileURL(join(root, "bench/lib/maxrss.cjs")).href];
    const plain = join(folder, "plain");
    const configured = join(folder, "configured");
    for (const path of [plain, configured, env.HOME]) mkdirSync(path);
    team(configured);
    const figures = { [plain]: [], [configured]: [] };
    for (let run = 0; run < RUNS + 1; run++) {
      for (const workspace of [plain, configured]) {
        const before = model.requests.length;
        const storage = join(workspace, "..", `storage-${run}-${workspace === plain}`);
        const done = await runProgram([...maxrss, ...runArgs({ url: model.url, workspace, storage })], { env });
        const first = model.requests[before];
        if (!first) throw new Error(`no request came:\n${done.output}`);
        const seen = { ms: first.at - done.started, mb: done.maxRss / 1e6, processes: processes[before] };
        if (run > 0) figures[workspace].push(seen);
      }
    }
    title(`${SERVERS} MCP servers and ${SKILLS} skills, none used, beside none of either (median of ${RUNS}, in turn)`);
    const of = (workspace, name) => median(figures[workspace].map(each => each[name]));
    for (const [what, name, unit, aim] of [
      ["start to first request", "ms", "ms", 15],
      ["memory at most", "mb", "MB", 10],
      ["processes at the first request", "processes", "", 0],
    ]) {
      if (figures[plain][0][name] === undefined) continue;
      const digits = unit === "" ? 0 : 1;
      row(`${what}, none`, of(plain, name), { unit, digits });
      row(`${what}, with them`, of(configured, name), { unit, digits });
      row("  more", of(configured, name) - of(plain, name), { unit, digits, aim });
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
