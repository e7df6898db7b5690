/**
 * Appending to a session's log, on disk when it resolves, beside a bare write and sync of the same bytes: one after the other
 * in the same run and folder, in turns. The records are those of steps that read 40 lines. Two references: the sync waits in
 * a thread of its own, as it has to in an editor that goes on meanwhile; and the program stands still until it is done.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as esbuild from "esbuild";
import { root, temporary } from "./lib/cli.mjs";
import { percentile, row, title } from "./lib/figures.mjs";

const STEPS = 400;
const WARM = 50;
const LINES = Array.from(
  { length: 40 },
  (_, at) => `${String(at).padStart(6)}\tthe quick brown fox jumps over the lazy dog`,
);

/** The assistant's message and the result of its call, as a step leaves them. */
function recordsOf(step) {
  const base = { turn: 1, step, runId: "run_1" };
  const call = { type: "dynamic-tool", toolName: "Read", toolCallId: `call_${step}`, state: "input-available" };
  const parts = [
    { type: "text", text: `Now part ${step} of it: I look at what the function does there.` },
    { ...call, input: { file_path: `src/file${step % 10}.ts`, offset: step, limit: LINES.length } },
  ];
  const metadata = { ...base, ts: Date.now(), kind: "normal", usage: { inputTokens: 9000, outputTokens: 80 } };
  const shown = `src/file${step % 10}.ts\n${LINES.join("\n")}`;
  const result = { messageId: `msg_${step}`, callId: call.toolCallId, toolName: "Read", turn: 1, step };
  return [
    { kind: "message", message: { id: `msg_${step}`, role: "assistant", parts, metadata } },
    {
      ...{ kind: "result", ...result, status: "success", digest: "Read 40 lines", durationMs: 2 },
      forms: { shown, folded: `Read src/file${step % 10}.ts, lines ${step}-${step + 40}, obs:3fa9c01d77e2` },
    },
  ];
}

async function load(folder) {
  const outfile = join(folder, "appendLog.mjs");
  await esbuild.build({
    ...{ entryPoints: [join(root, "bench/lib/appendLog.ts")], outfile, bundle: true, minify: true },
    ...{ platform: "node", format: "esm", target: "node22", loader: { ".md": "text" }, logLevel: "error" },
    banner: { js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);' },
  });
  return import(pathToFileURL(outfile).href);
}

const work = temporary("bench-append");
try {
  const { openLogs } = await load(work.path);
  const logs = await openLogs(join(work.path, "storage"));
  const bare = openSync(join(work.path, "bare.log"), "a");
  const blocking = openSync(join(work.path, "blocking.log"), "a");
  const synced = promisify(fdatasync);
  const records = Array.from({ length: STEPS + WARM }, (_, step) => recordsOf(step)).flat();
  let text = await logs.append(records[0]);
  let bytes = 0;
  const ways = {
    history: async at => {
      text = await logs.append(records[at]);
      bytes += Buffer.byteLength(text);
    },
    storage: () => logs.appendText(text),
    bare: () => {
      writeSync(bare, text);
      return synced(bare);
    },
    blocking: () => {
      writeSync(blocking, text);
      fdatasyncSync(blocking);
    },
  };
  const names = Object.keys(ways);
  const times = Object.fromEntries(names.map(name => [name, []]));
  for (let at = 1; at < records.length; at++) {
    // each of them is the first, the second … of its turn as often
    for (const step of names.keys()) {
      const name = names[(at + step) % names.length];
      const before = performance.now();
      await ways[name](at);
      times[name].push(performance.now() - before);
    }
  }
  closeSync(bare);
  closeSync(blocking);
  await logs.close();
  const of = (name, p = 0.5) => percentile(times[name].slice(2 * WARM), p);
  const size = Math.round(bytes / times.history.length);
  title(`Append with sync (${2 * STEPS} records of ${size} bytes, median; each way in turn)`);
  row("a record, whole: redact, encode, lock, write, sync", of("history"), { digits: 3 });
  row("its text by the storage alone: lock, write, sync", of("storage"), { digits: 3 });
  row("bare write and sync", of("bare"), { digits: 3 });
  row("bare write and sync, the program stands still", of("blocking"), { digits: 3 });
  row("a record, p95", of("history", 0.95), { digits: 3 });
  row("bare, p95", of("bare", 0.95), { digits: 3 });
  row("ratio, storage to bare", of("storage") / of("bare"), { unit: "", digits: 2, aim: 1.3 });
  row("ratio, record to bare", of("history") / of("bare"), {
    unit: "",
    digits: 2,
    note: "the bare one redacts nothing",
  });
  row("ratio, storage to standing still", of("storage") / of("blocking"), { unit: "", digits: 2 });
} finally {
  work.remove();
}
