/**
 * Terminal: process start → first model request, median of 10, beside the same for a bundle that holds nothing but the AI
 * SDK and one `streamText` call, and with six providers set up of which one is used. Also the size of what is loaded.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { cli, root, runArgs, runProgram, temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";
import { startModel } from "./lib/model.mjs";

const RUNS = 10;

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

async function timed(model, args, env) {
  const before = model.requests.length;
  const run = await runProgram(args(), { env });
  const first = model.requests[before];
  if (!first) throw new Error(`no request came:\n${run.output}`);
  return first.at - run.started;
}

const work = temporary("bench-start");
const model = await startModel(() => ({ text: "Done." }));
try {
  const bareFile = await bundleBare(work.path);
  const cache = { XDG_CACHE_HOME: join(work.path, "cache"), NODE_COMPILE_CACHE: "" };
  const strataArgs = () => runArgs({ url: model.url, workspace: work.path, storage: join(work.path, "storage") });
  const bareArgs = () => [bareFile, model.url];
  await timed(model, strataArgs, cache);
  await timed(model, bareArgs, {});
  const strata = [];
  const six = [];
  const reference = [];
  for (let run = 0; run < RUNS; run++) {
    strata.push(await timed(model, strataArgs, cache));
    six.push(await timed(model, strataArgs, { ...cache, ...sixProviders }));
    reference.push(await timed(model, bareArgs, {}));
  }
  title(`Terminal: process start to first model request (median of ${RUNS}, Node ${process.version})`);
  row("Strata", median(strata), { aim: 200, note: `p95 ${percentile(strata, 0.95).toFixed(0)}` });
  row("  with six providers set up", median(six), { note: "keys of all, three models that would take over" });
  row("bare AI SDK bundle", median(reference));
  row("ratio", median(strata) / median(reference), { unit: "", digits: 2 });
  const parts = readdirSync(join(root, "dist/cli")).filter(name => name.endsWith(".js"));
  const bundle = Buffer.concat(parts.map(name => readFileSync(join(root, "dist/cli", name))));
  row(`dist/cli (${parts.length} parts)`, bundle.length / 1024, { unit: "kB", digits: 0 });
  row("  compressed", gzipSync(bundle).length / 1024, { unit: "kB", digits: 0 });
  row("wrapper", statSync(cli).size / 1024, { unit: "kB" });
} finally {
  await model.close();
  work.remove();
}
