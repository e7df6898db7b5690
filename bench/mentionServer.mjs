/** The mention server's process with 100,000 files: how soon it has them, how soon it answers, how much memory it takes. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { createProtocolConnection, IPCMessageReader, IPCMessageWriter } from "vscode-languageserver-protocol/node";
import { buildMentionServer } from "../esbuild.mjs";
import { root, temporary } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";

const FILES = 100_000;
const PART = 5_000;
const QUERIES = 60;
const folder = "file:///work/large";

async function benchLibrary(work) {
  const outfile = join(work, "mentionIndex.mjs");
  const entry = { entryPoints: [join(root, "bench/lib/mentionIndex.ts")], outfile, bundle: true, platform: "node" };
  await esbuild.build({ ...entry, format: "esm", nodePaths: [join(root, "node_modules")], logLevel: "error" });
  return import(pathToFileURL(outfile).href);
}

/** MB, as Linux counts what a process holds; undefined elsewhere. */
function memory(pid, which) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000;
}

const work = temporary("bench-mention-server");
try {
  const program = join(work.path, "mentionServer.js");
  await buildMentionServer(program);
  const bench = await benchLibrary(work.path);
  const files = bench.paths(FILES);
  const child = spawn(process.execPath, [...bench.serverFlags, program, "--node-ipc"], {
    stdio: ["pipe", "inherit", "inherit", "ipc"],
  });
  const connection = createProtocolConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  connection.onRequest("strata/look", ({ places }) => places.map(() => null));
  connection.listen();
  const search = query => connection.sendRequest("strata/search", { query, limit: 50 });
  const before = performance.now();
  const workspace = { folders: [{ uri: folder, name: "large" }], comments: false, ignoreCase: false };
  const initialize = { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: { workspace } };
  await connection.sendRequest("initialize", initialize);
  await connection.sendNotification("initialized", {});
  for (let at = 0; at < files.length; at += PART) {
    const paths = files.slice(at, at + PART);
    const first = at === 0 && { begins: true };
    const last = at + PART >= files.length && { ends: "whole" };
    await connection.sendNotification("strata/files", { root: folder, paths, ...first, ...last });
  }
  while ((await search("")).indexing) await new Promise(resolve => setTimeout(resolve, 20));
  title(`The mention server's process, ${FILES.toLocaleString("en")} files`);
  row("from its start to the whole index", performance.now() - before, { digits: 0 });
  row("memory then", memory(child.pid, "VmRSS"), { unit: "MB", aim: 90 });
  const times = [];
  for (let letters = 1; letters <= 8; letters++) {
    for (const query of bench.typedQueries(files, letters, QUERIES)) {
      const asked = performance.now();
      await search(query);
      times.push(performance.now() - asked);
    }
  }
  row("an answer, p95", percentile(times, 0.95), { aim: 25, note: `p50 ${median(times).toFixed(1)} ms` });
  row("memory right after these questions", memory(child.pid, "VmRSS"), { unit: "MB" });
  await new Promise(resolve => setTimeout(resolve, 5_000));
  row("memory some seconds later", memory(child.pid, "VmRSS"), { unit: "MB", aim: 90 });
  row("the most it ever held", memory(child.pid, "VmHWM"), { unit: "MB" });
  connection.dispose();
  child.kill();
} finally {
  work.remove();
}
