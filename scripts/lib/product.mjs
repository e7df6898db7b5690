/**
 * The product as it is built, for tests that run it. A run that has built it says where, by STRATA_DIST. For a test that is
 * run by itself, dist/ is built when it is missing or older than what it is made of: once, however many test files run side by side.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./install.mjs";

const dist = join(root, "dist");
const lock = join(root, "out", "product.lock");
/** What it is made of; folders too, since their time tells of a file that is gone. */
const sources = [
  ...["{src,prompts,webview-ui}/**", "media/**", "esbuild.mjs", "package*.json"],
  ...["scripts/lib/modelData.mjs", "scripts/lib/notices.mjs"],
];
/** as long as a build may take on a machine with much else to do */
const limitMs = 300_000;

/** @type {Promise<string> | undefined} */
let found;

/** @returns {Promise<string>} the folder, as buildProduct fills it */
export function builtProduct() {
  found ??= process.env.STRATA_DIST ? Promise.resolve(process.env.STRATA_DIST) : upToDate();
  return found;
}

/**
 * The mention server alone, which is built in no time.
 * @param {string} folder where it goes when the product was not built by the run
 * @returns {Promise<string>} the program
 */
export async function builtMentionServer(folder) {
  if (process.env.STRATA_DIST) return join(process.env.STRATA_DIST, "mentionServer.js");
  const { buildMentionServer } = await import("../../esbuild.mjs");
  const program = join(folder, "mentionServer.js");
  await buildMentionServer(program);
  return program;
}

async function upToDate() {
  const end = Date.now() + limitMs;
  while (!isFresh()) {
    if (taken()) await buildUnderLock();
    else if (Date.now() > end) throw new Error(`Another process builds dist/ for too long: it holds ${lock}.`);
    else await sleep(100);
  }
  return dist;
}

/** The first file of a build is as old as its start, the last one says that it is whole. */
function isFresh() {
  const begun = modified(join(dist, "cli.js"));
  const isWhole = modified(join(dist, "ThirdPartyNotices.txt")) !== undefined && !existsSync(lock);
  if (begun === undefined || !isWhole) return false;
  return globSync(sources, { cwd: root }).every(path => (modified(join(root, path)) ?? 0) <= begun);
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Takes the lock, also over from a process that is gone. */
function taken() {
  mkdirSync(join(root, "out"), { recursive: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (isLeft()) rmSync(lock, { force: true });
    return false;
  }
}

/** Whether the lock names a process that is no more. Between being made and being written it names none yet. */
function isLeft() {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

async function buildUnderLock() {
  try {
    const { buildProduct } = await import("../../esbuild.mjs");
    await buildProduct();
  } finally {
    rmSync(lock, { force: true });
  }
}
