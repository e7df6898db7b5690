/**
 * Terminal: process start → first model request, median of 10, wall and processor time, beside the same for a bundle that
 * holds nothing but the AI SDK and one `streamText` call, and for codex (npm, the version below) by turns; and with six
 * providers set up of which one is used. Also the size of what is loaded. `STRATA_BENCH_CODEX` names an installed `codex`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { cli, processorTime, root, runArgs, runProgram, temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";
import { startModel } from "./lib/model.mjs";

const RUNS = 10;
const CODEX = "@openai/codex";
const CODEX_VERSION = "0.171.0";

const sixProviders = {
  ...{ OPENAI_API_KEY: "sk-bench", ANTHROPIC_API_KEY: "sk-ant-bench", GEMINI_API_KEY: "bench" },
  ...{ AWS_BEARER_TOKEN_BEDROCK: "bench" },
  STRATA_MODEL_FALLBACK: "claude-opus-5-5,gemini-3-pro,us.anthropic.claude-sonnet-4-5-v1:0",
};

const bare = `
import { streamText } from "ai";
import { createOpenAI } from "@ai-sdk/openai";
const model = createOpenAI({ baseURL: process.argv[2], apiKey: "none" }).chat("bench");
const result = streamText({ model, prompt: "go", maxRetries: 0 });
for await (const _ of result.textStream) {}
`;

async function bundleBare(folder) {
  const outfile = join(folder, "bare.mjs");
  await esbuild.build({
    stdin: { contents: bare, resolveDir: root },
    ...{ bundle: true, platform: "node", format: "esm", target: "node22", minify: true, outfile, logLevel: "error" },
    banner: { js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);' },
  });
  return outfile;
}

/** @returns {Promise<{wall: number, cpu: number}>} ms until the first request that `arrived` tells of */
async function timed(server, args, options) {
  let first;
  const run = await runProgram(args(), {
    ...options,
    onStart: ({ pid, started }) => {
      server.onRequest = at => {
        first ??= { wall: at - started, cpu: processorTime(pid) };
      };
    },
  });
  if (!first) throw new Error(`no request came:\n${run.output}`);
  return first;
}

/** Answers codex, which speaks no Chat Completions. */
async function startResponses() {
  const event = (type, fields) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const item = { type: "message", role: "assistant", id: "m", content: [{ type: "output_text", text: "Done." }] };
  const answer = [
    event("response.created", { response: { id: "r" } }),
    event("response.output_item.done", { item }),
    event("response.completed", { response: { id: "r", usage } }),
  ].join("");
  const server = createServer((request, response) => {
    if (request.method === "POST") started.onRequest?.(performance.now());
    request.resume().on("end", () => response.writeHead(200, { "content-type": "text/event-stream" }).end(answer));
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const started = { url, onRequest: undefined, close: () => server.closeAllConnections() ?? server.close() };
  return started;
}

/** codex with a home of its own, and how it is started. */
function prepareCodex(folder, url) {
  const given = process.env.STRATA_BENCH_CODEX;
  const home = join(folder, "codex-home");
  mkdirSync(home);
  if (!given)
    execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", `${CODEX}@${CODEX_VERSION}`], {
      stdio: "ignore",
    });
  const program = given ?? join(folder, "node_modules", CODEX, "bin/codex.js");
  const provider = `{name="bench",base_url="${url}",wire_api="responses",env_key="BENCH_KEY"}`;
  const set = ["-c", 'model_provider="bench"', "-c", `model_providers.bench=${provider}`];
  return {
    args: () => [program, "exec", "--skip-git-repo-check", "-s", "read-only", ...set, "-m", "bench", "go"],
    options: { env: { CODEX_HOME: home, BENCH_KEY: "none" }, cwd: folder },
  };
}

const work = temporary("bench-start");
const model = await startModel(() => ({ text: "Done." }));
const responses = await startResponses();
try {
  const bareFile = await bundleBare(work.path);
  const cache = { XDG_CACHE_HOME: join(work.path, "cache"), NODE_COMPILE_CACHE: "" };
  const strataArgs = () => runArgs({ url: model.url, workspace: work.path, storage: join(work.path, "storage") });
  const codex = prepareCodex(work.path, responses.url);
  const programs = {
    strata: () => timed(model, strataArgs, { env: cache }),
    six: () => timed(model, strataArgs, { env: { ...cache, ...sixProviders } }),
    bare: () => timed(model, () => [bareFile, model.url]),
    codex: () => timed(responses, codex.args, codex.options),
  };
  const times = { strata: [], six: [], bare: [], codex: [] };
  for (let run = -1; run < RUNS; run++)
    for (const [name, play] of Object.entries(programs)) {
      const time = await play();
      // The first of each warms the caches.
      if (run >= 0) times[name].push(time);
    }
  const wall = name => times[name].map(time => time.wall);
  const cpu = name => times[name].map(time => time.cpu);
  title(`Terminal: process start to first model request (median of ${RUNS}, Node ${process.version})`);
  row("Strata", median(wall("strata")), { aim: 200, note: `p95 ${percentile(wall("strata"), 0.95).toFixed(0)}` });
  row("  with six providers set up", median(wall("six")), { note: "keys of all, three models that would take over" });
  row("bare AI SDK bundle", median(wall("bare")));
  row(`codex ${CODEX_VERSION}`, median(wall("codex")));
  row("ratio to the bare bundle", median(wall("strata")) / median(wall("bare")), { unit: "", digits: 2 });
  row("ratio to codex", median(wall("strata")) / median(wall("codex")), { unit: "", digits: 2, aim: 1 });
  title("Processor time until then (median)");
  row("Strata", median(cpu("strata")));
  row("bare AI SDK bundle", median(cpu("bare")));
  row(`codex ${CODEX_VERSION}`, median(cpu("codex")));
  row("ratio to the bare bundle", median(cpu("strata")) / median(cpu("bare")), { unit: "", digits: 2, aim: 1.3 });
  title("What is loaded");
  const parts = readdirSync(join(root, "dist/cli")).filter(name => name.endsWith(".js"));
  const bundle = Buffer.concat(parts.map(name => readFileSync(join(root, "dist/cli", name))));
  row(`dist/cli (${parts.length} parts)`, bundle.length / 1024, { unit: "kB", digits: 0 });
  row("  compressed", gzipSync(bundle).length / 1024, { unit: "kB", digits: 0 });
  row("wrapper", statSync(cli).size / 1024, { unit: "kB" });
} finally {
  await model.close();
  responses.close();
  work.remove();
}
