/** Processes that are killed wherever they are in their work. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { build } from "esbuild";
import type { LogRecord } from "../../src/shared/records";
import { isSoak } from "../fakes/soak";

/** @param names of programs in test/crashes/children */
export async function buildChildren(folder: string, ...names: string[]): Promise<void> {
  await build({
    entryPoints: names.map(name => `test/crashes/children/${name}.ts`),
    ...{ outdir: folder, outExtension: { ".js": ".mjs" }, splitting: true, minify: true },
    ...{ bundle: true, platform: "node", format: "esm", loader: { ".md": "text" } },
    // jsonc-parser's main file requires by a variable, which cannot be bundled.
    mainFields: ["module", "main"],
    nodePaths: [join(process.cwd(), "node_modules")],
    banner: { js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);' },
  });
}

/** characters of what a program said before it ended by itself */
const MAX_ERROR = 1_500;

interface Kill {
  program: string;
  /** where it works */
  place: string;
  /** which of the kills of a session this is; the ids that it gives begin with `k` and that */
  kill: number;
  /** It lives until it told some records, in the soak a random number, at most so many … */
  mostRecords: number;
  /** … and a little longer, in ms, so that it is in the middle of something. */
  littleMs: number;
}

/** Starts a program, lets it work for a while, kills it. Resolves with the records that it told. */
export async function killed({ program, place, kill, mostRecords, littleMs }: Kill): Promise<LogRecord[]> {
  const file = join(place, "told.jsonl");
  const some = isSoak("kills") ? Math.floor(Math.random() * 1000) : kill * 7;
  const child = spawn(process.execPath, [program, place, file, `k${kill}_`, `${some}`], { stdio: "pipe" });
  let errors = "";
  child.stderr.on("data", data => {
    errors += data;
  });
  const gone = once(child, "close");
  let signs = 0;
  const wanted = 1 + (some % mostRecords);
  const enough = new Promise<void>(resolve => {
    child.stdout.on("data", data => {
      signs += data.length;
      if (signs >= wanted) resolve();
    });
  });
  await Promise.race([enough, gone]);
  await delay(Math.random() * littleMs);
  child.kill("SIGKILL");
  await gone;
  // Its end names the error; what stands before is a line of the bundle.
  assert.equal(errors.slice(-MAX_ERROR), "");
  assert.equal(child.signalCode, "SIGKILL");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  return lines.map(line => JSON.parse(line));
}
