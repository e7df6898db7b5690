/**
 * Overhead per step: the server's answer has ended → the next request is there, over 100 steps that each call one tool,
 * log and manifest synced. Then the same minus what the tool and a bare synced write take. And memory of a run of 60 steps.
 */
import { closeSync, fdatasyncSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { runArgs, runProgram, temporary } from "./lib/cli.mjs";
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

async function play(steps, folder, storage) {
  const model = await startModel(reading(steps));
  try {
    const args = runArgs({ url: model.url, workspace: folder, storage });
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

const work = temporary("bench-steps");
try {
  const folder = workspace(work.path);
  await play(3, folder, join(work.path, "warm"));
  const { gaps } = await play(100, folder, join(work.path, "a"));
  title("Overhead per step: answer ended to next request, one Read each, everything synced (100 steps)");
  row("median", median(gaps), { aim: 5, digits: 2 });
  row("p95", percentile(gaps, 0.95), { digits: 2 });
  row("of which: one bare write and sync here", bareSync(work.path), {
    digits: 2,
    note: "a step makes three: answer, result, manifest",
  });
  const { maxRss } = await play(60, folder, join(work.path, "b"));
  title("Peak memory of a run of 60 steps (resident set of the process)");
  row("Strata", maxRss / 1024 / 1024, { unit: "MB", aim: 120 });
  const empty = await runProgram(["--require", join(import.meta.dirname, "lib/maxrss.cjs"), "-e", ""]);
  row("node with nothing in it", empty.maxRss / 1024 / 1024, { unit: "MB" });
} finally {
  work.remove();
}
