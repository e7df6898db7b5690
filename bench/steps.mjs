/**
 * Overhead per step: the server's answer has ended → the next request is there, over 100 steps that each call one tool,
 * log and manifest synced; beside it a bare loop on the SDK that does the same reads and keeps nothing (bareLoop.mjs).
 * And the memory of a run of 60 steps; and how soon the first words of an answer are an event.
 */
import { closeSync, fdatasyncSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { load } from "./lib/bundle.mjs";
import { root, runArgs, runProgram, temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";
import { startModel } from "./lib/model.mjs";

/** Read a file of 300 lines, a different part each time: no two calls are the same. */
function reading(steps) {
  return step =>
    step < steps
      ? { calls: [{ name: "Read", input: { file_path: `file${step % 10}.txt`, offset: 1 + step, limit: 40 } }] }
      : { text: "Done." };
}

function workspace(folder) {
  const path = join(folder, "ws");
  mkdirSync(path);
  const line = at => `${at} the quick brown fox jumps over the lazy dog`;
  for (let file = 0; file < 10; file++) {
    writeFileSync(join(path, `file${file}.txt`), Array.from({ length: 300 }, (_, at) => line(at)).join("\n"));
  }
  return path;
}

/** @param argsOf of the program, by the server's address */
async function play(steps, argsOf) {
  const model = await startModel(reading(steps));
  try {
    const args = argsOf(model.url);
    const run = await runProgram(["--require", join(import.meta.dirname, "lib/maxrss.cjs"), ...args]);
    if (run.code !== 0 || model.requests.length !== steps + 1)
      throw new Error(`the run failed (${run.code}, ${model.requests.length} requests):\n${run.output.slice(-2000)}`);
    const gaps = model.requests.slice(1).map((request, at) => request.at - model.requests[at].endedAt);
    return { gaps, maxRss: run.maxRss };
  } finally {
    await model.close();
  }
}

function bareSync(folder) {
  const fd = openSync(join(folder, "bare.log"), "w");
  const times = [];
  for (let at = 0; at < 300; at++) {
    const before = performance.now();
    writeSync(fd, "x".repeat(2000));
    fdatasyncSync(fd);
    times.push(performance.now() - before);
  }
  closeSync(fd);
  return median(times);
}

async function bundleBareLoop(folder) {
  const outfile = join(folder, "bareLoop.mjs");
  await esbuild.build({
    ...{ entryPoints: [join(root, "bench/lib/bareLoop.mjs")], outfile, bundle: true, minify: true },
    ...{ platform: "node", format: "esm", target: "node22", logLevel: "error" },
    banner: { js: 'import{createRequire as r}from"node:module";const require=r(import.meta.url);' },
  });
  return outfile;
}

const work = temporary("bench-steps");
try {
  const folder = workspace(work.path);
  const bareLoop = await bundleBareLoop(work.path);
  const strata = name => url => runArgs({ url, workspace: folder, storage: join(work.path, name) });
  const bare = url => [bareLoop, url, folder];
  await play(3, strata("warm"));
  const gaps = { strata: [], bare: [] };
  for (let round = 0; round < 3; round++) {
    gaps.strata.push(...(await play(100, strata(`a${round}`))).gaps);
    gaps.bare.push(...(await play(100, bare)).gaps);
  }
  title(
    "Overhead per step: answer ended to next request, one Read each, everything synced (3 runs of 100 steps, in turn)",
  );
  row("Strata, median", median(gaps.strata), { aim: 5, digits: 2 });
  row("Strata, p95", percentile(gaps.strata, 0.95), { digits: 2 });
  row("bare loop on the SDK, median", median(gaps.bare), { digits: 2, note: "no log, no manifest, no limits" });
  row("bare loop on the SDK, p95", percentile(gaps.bare, 0.95), { digits: 2 });
  row("ratio of the medians", median(gaps.strata) / median(gaps.bare), { unit: "", digits: 2 });
  row("one bare write and sync here", bareSync(work.path), { digits: 2, note: "a step makes three" });
  const { firstTokens } = await load("bench/lib/firstToken.ts", work.path);
  const tokens = await firstTokens(100);
  title("First words of an answer: written by the server to shown by an event (one process, 100 requests)");
  row("median", median(tokens), { aim: 5, digits: 2 });
  row("p95", percentile(tokens, 0.95), { digits: 2 });
  const { maxRss } = await play(60, strata("b"));
  title("Peak memory of a run of 60 steps (resident set of the process)");
  row("Strata", maxRss / 1024 / 1024, { unit: "MB", aim: 120 });
  row("bare loop on the SDK", (await play(60, bare)).maxRss / 1024 / 1024, { unit: "MB" });
  const empty = await runProgram(["--require", join(import.meta.dirname, "lib/maxrss.cjs"), "-e", ""]);
  row("node with nothing in it", empty.maxRss / 1024 / 1024, { unit: "MB" });
} finally {
  work.remove();
}
