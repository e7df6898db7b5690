/**
 * Long sessions: opening one whose older part is in archives, finding something in 100 MB of it, a handle from the oldest
 * archive, the proof of all requests. Each figure is of a process of its own that did nothing before (median of 5); the files
 * are in the system's cache, as those of a session are that somebody works in.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { root, runProgram, temporary } from "./lib/cli.mjs";
import { median, row, title } from "./lib/figures.mjs";

const RUNS = 5;
const MAXRSS = ["--require", join(import.meta.dirname, "lib/maxrss.cjs")];

const work = temporary("bench-history");
const program = join(work.path, "longSession.mjs");

/** @returns {Promise<Record<string, string>>} `name value`, line by line */
async function play(...args) {
  const { code, output, maxRss } = await runProgram([...MAXRSS, program, ...args]);
  if (code !== 0) throw new Error(`${args.join(" ")} failed (${code}):\n${output.slice(-2000)}`);
  const lines = output.split("\n").map(line => line.split(" "));
  return { ...Object.fromEntries(lines), rss: maxRss };
}

/** Medians of what a measurement prints. */
async function measure(...args) {
  const runs = [];
  for (let run = 0; run < RUNS; run++) runs.push(await play(...args));
  return Object.fromEntries(Object.keys(runs[0]).map(name => [name, median(runs.map(one => Number(one[name])))]));
}

/** What it would take at least where nothing else runs. */
const busy = ms => `${ms.toFixed(0)} ms of processor time`;

function megabytes(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return names.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) / 1e6;
}

async function made(name) {
  const folder = join(work.path, name);
  const { handle } = await play("make", folder, name);
  const session = join(folder, "sessions/ses_long");
  return { folder, handle, size: part => megabytes(join(session, part)) };
}

try {
  await esbuild.build({
    ...{ entryPoints: [join(root, "bench/lib/longSession.ts")], outfile: program, bundle: true, platform: "node" },
    // jsonc-parser's main file requires by a variable, which cannot be bundled.
    ...{ format: "esm", loader: { ".md": "text" }, mainFields: ["module", "main"], logLevel: "error" },
    banner: {
      js: `import{createRequire as $require}from"node:module";const require=$require(${JSON.stringify(pathToFileURL(join(root, "package.json")).href)});`,
    },
  });
  const messages = await made("messages");
  const open = await measure("open", messages.folder);
  title(
    `A session of 10,000 messages, ${open.messages} of them live, ${messages.size("archive").toFixed(0)} MB of archives`,
  );
  row("opening it", open.open, { aim: 50, note: busy(open["open.cpu"]) });
  row("opening it again in the same process", open.again);
  row("a page of older records, from an archive", open.older);
  const verify = await measure("verify", messages.folder);
  row(`verify: ${verify.requests} requests, ${verify.archives} archives`, verify.verify / 1000, {
    unit: "s",
    digits: 2,
    note: busy(verify["verify.cpu"]),
  });
  row("verify, peak memory", verify.rss / 1024 / 1024, { unit: "MB", digits: 0 });
  for (const [where, session] of Object.entries({ archives: messages, "the live log": await made("live") })) {
    const find = await measure("find", session.folder);
    title(`Finding in the panel, 10,000 messages in ${where}`);
    row("first match, of a word that is everywhere", find.near, { aim: 100 });
    row("first match, of a word in the oldest output alone", find.far, { aim: 100, note: busy(find["far.cpu"]) });
    row(`all ${find.matches} matches`, find.whole);
    row("the list of prompts", find.prompts);
  }
  for (const [name, part] of Object.entries({ records: "archive", blobs: "blobs" })) {
    const session = await made(name);
    title(
      `Finding something in ${session.size(part).toFixed(0)} MB of ${part === "archive" ? "archives" : "blobs, called from archives"}`,
    );
    const search = await measure("search", session.folder);
    row("words that stand in the oldest output", search.search, {
      ...{ aim: 1000, digits: 0, note: busy(search["search.cpu"]) },
    });
    row("words that stand nowhere", search.none, { aim: 1000, digits: 0 });
    row("peak memory", search.rss / 1024 / 1024, { unit: "MB", digits: 0 });
    const handle = await measure("handle", session.folder, session.handle);
    row("a handle of the oldest archive", handle.handle, { aim: 50, note: busy(handle["handle.cpu"]) });
    row("the same again", handle.again);
  }
} finally {
  work.remove();
}
