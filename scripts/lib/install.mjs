/**
 * The first steps on a fresh clone, on whatever Node (≥ 20) the machine has: dependencies, then a newer Node from them.
 * No dependencies, since there are none yet.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Problem, step } from "./console.mjs";
import { callersEnv } from "./environment.mjs";
import { end, guard, run, start } from "./processes.mjs";

/** The project's folder, without a trailing slash. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

const neededMajor = 22;

/** Installs the dependencies when they are missing or not those of the lock file. Throws a Problem that says what to do. */
export async function ensureInstalled() {
  guard();
  if (major(process.versions.node) < 20) {
    throw new Problem(
      `Node ${process.versions.node} is too old: install Node 20 or later, then run the command again.`,
    );
  }
  if (installed()) return;
  const fresh = !existsSync(join(root, "node_modules"));
  await step("Installing dependencies", () => npm(installArguments(fresh), root));
}

/**
 * npm's arguments. `npm ci` deletes the folder first; where one is in use, npm brings it up to date instead. What builds
 * and tests is a development dependency, which npm leaves out where NODE_ENV is `production` (containers).
 * @param {boolean} fresh there is no node_modules
 * @returns {readonly string[]}
 */
function installArguments(fresh) {
  const how = fresh ? ["ci"] : ["install", "--no-save"];
  return [...how, "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
}

/** What npm installed last is what the lock file says: npm writes its own lock at the end of each install. */
function installed() {
  const wanted = packages(join(root, "package-lock.json"));
  const present = packages(join(root, "node_modules", ".package-lock.json"));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, { version, optional, peer }]) => {
    const there = present[path]?.version;
    return path === "" || there === version || (there === undefined && (optional || peer));
  });
}

function packages(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch (error) {
    throw new Problem(
      `${file} is not readable (${error.message}): restore it (\`git checkout package-lock.json\`) or delete node_modules.`,
    );
  }
}

/**
 * Runs npm quietly; a failure becomes a Problem of one sentence, with npm's own words where they say more.
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export async function npm(args, cwd) {
  const cli = process.env.npm_execpath;
  // npm that started us, by its own file: no shell, no PATH. Started by hand: npm on PATH.
  const [command, first] = cli?.endsWith("npm-cli.js") ? [process.execPath, [cli]] : ["npm", []];
  let result;
  try {
    result = await run(command, [...first, ...args], { cwd, shell: command === "npm" && process.platform === "win32" });
  } catch (error) {
    throw new Problem(
      `npm could not be started (${error.message}): install Node 20 or later with npm, then run the command again.`,
    );
  }
  if (result.code !== 0) throw new Problem(npmFailure(args, result.output));
}

function npmFailure(args, output) {
  const causes = [
    [/ENOSPC/, "The disk is full: free 2 GB, then run the command again."],
    [
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET|network/,
      "npm cannot reach its registry: check the network or npm's proxy settings (`npm ping` tells), then run the command again.",
    ],
    [/EACCES|EPERM/, "npm may not write here: check who owns this folder and npm's cache, then run the command again."],
  ];
  const known = causes.find(([pattern]) => pattern.test(output));
  const words = output.trim().split("\n").slice(0, 12).join("\n"); // npm says the cause first
  return known ? known[1] : `\`npm ${args.join(" ")}\` failed; what it said:\n${words}`;
}

/** The Node that the project brings (devDependency `node`). Throws a Problem when it is not there. */
export function node24() {
  const file = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(file)) return file;
  throw new Problem(
    "The project's own Node is missing from node_modules: delete node_modules and run the command again, with npm's install scripts allowed.",
  );
}

/**
 * Gives way to the same script on the project's Node where this one is too old. Returns only where it is new enough.
 * @param {string} script path of the calling script
 */
export async function onNewNode(script) {
  if (major(process.versions.node) >= neededMajor) return;
  const child = start(node24(), [script, ...process.argv.slice(2)], { stdio: "inherit" });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", value => resolve(value ?? 1));
  });
  await end(code);
}

/**
 * How a program of node_modules/.bin is started.
 * @param {string} tool
 * @returns {{ command: string, cwd: string, shell: boolean }}
 */
export function toolPath(tool) {
  const windows = process.platform === "win32";
  return { command: join(root, "node_modules", ".bin", tool + (windows ? ".cmd" : "")), cwd: root, shell: windows };
}

/** PATH and the like for programs of node_modules/.bin: the project's Node first. */
export function toolEnvironment(extra = {}) {
  const separator = process.platform === "win32" ? ";" : ":";
  const path = [join(root, "node_modules", ".bin"), process.env.PATH].join(separator);
  return { ...callersEnv(), PATH: path, ...extra };
}

function major(version) {
  return Number(version.split(".")[0]);
}
