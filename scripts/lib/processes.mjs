/**
 * Processes that end with us. Each child leads a group of its own (a Ctrl+C in the terminal reaches us alone), and when we
 * end, whatever way short of SIGKILL, the whole tree below it ends too. Runs on Node 20, without dependencies.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const windows = process.platform === "win32";
const graceMs = 3000;

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
/** @type {Array<() => unknown>} */
const atEnd = [];
let guarded = false;
let ending = false;

/** Runs `action` once before this process ends, by itself or by a signal. It does not wait and is for tidying up only. */
export function beforeEnd(action) {
  guard();
  atEnd.push(action);
}

/**
 * Starts a program in a process group of its own; `stop` or our own end takes it down with everything below it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export function start(command, args, options = {}) {
  if (ending) throw new Error(`${command} was not started: this program is ending`);
  guard();
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
    ...options,
    detached: !windows,
  });
  running.add(child);
  child.once("error", () => running.delete(child));
  child.once("exit", () => running.delete(child));
  return child;
}

/**
 * Ends a child and its whole tree: asks first, kills what is left after three seconds.
 * @param {import("node:child_process").ChildProcess} child
 */
export async function stop(child) {
  const ended = child.exitCode !== null || child.signalCode !== null;
  if (child.pid !== undefined && !ended) await take(tree(child.pid));
  running.delete(child);
}

async function take(pids) {
  signal(pids, "SIGTERM");
  const limit = Date.now() + graceMs;
  while (pids.some(alive) && Date.now() < limit) await sleep(25);
  signal(pids, "SIGKILL");
}

/**
 * Runs a program to its end and gives its exit code (a signal counts as 1) and everything it printed. One that takes
 * longer than `limitMs` is stopped, and its output says so.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions & { onText?: (text: string) => void, limitMs?: number }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { onText, limitMs = 10 * 60_000, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = start(command, args, options);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", text => {
        output += text;
        onText?.(text);
      });
    }
    const timer = setTimeout(() => {
      output += `\n(stopped after ${limitMs / 60_000} minutes)\n`;
      stop(child);
    }, limitMs);
    child.once("error", reject);
    child.once("close", code => resolve({ code: code ?? 1, output }));
    for (const event of ["error", "close"]) child.once(event, () => clearTimeout(timer));
  });
}

/**
 * Waits for a line that a child prints. Its later output goes on being read, so that it never blocks on a full pipe.
 * @param {import("node:child_process").ChildProcess} child
 * @param {RegExp} pattern
 * @param {{ timeoutMs?: number }} [options]
 * @returns {Promise<RegExpExecArray>} rejects with what the child printed when it ends or the time is up first
 */
export function waitForLine(child, pattern, { timeoutMs = 60_000 } = {}) {
  return new Promise((resolve, reject) => {
    let output = "";
    let found = false;
    const fail = why => reject(new Error(`${why}. It printed:\n${output.slice(-2000)}`));
    const timer = setTimeout(() => fail(`${child.spawnfile} was not ready after ${timeoutMs / 1000} s`), timeoutMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", text => {
        if (found) return;
        output += text;
        const match = pattern.exec(output);
        if (!match) return;
        found = true;
        clearTimeout(timer);
        resolve(match);
      });
    }
    child.once("error", error => fail(`${child.spawnfile} could not be started: ${error.message}`));
    child.once("exit", code => {
      clearTimeout(timer);
      if (!found) fail(`${child.spawnfile} ended with code ${code}`);
    });
  });
}

/** A TCP port of this machine that nobody listens on now. @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** Stops everything, then ends this process: for a Ctrl+C, and for a script that is done. */
export async function end(code) {
  if (ending) process.exit(process.exitCode ?? code);
  ending = true;
  process.exitCode = code;
  await take(below());
  process.exit(code);
}

/** From now on whatever ends us ends what we started. Scripts begin with it; starting something implies it. */
export function guard() {
  if (guarded) return;
  guarded = true;
  for (const [name, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
    process.on(name, () => end(code));
  process.on("exit", () => {
    signal(below(), "SIGKILL");
    for (const action of atEnd) tidy(action);
  });
  if (process.env.npm_lifecycle_event) endWithParent(process.ppid);
}

/** Where npm alone was ended, its shell ends without a word to us. */
function endWithParent(parent) {
  setInterval(() => process.ppid !== parent && end(143), 1000).unref();
}

function tidy(action) {
  try {
    action();
  } catch (error) {
    console.error(`Not tidied up: ${error.message}`);
  }
}

/** All processes that we started and theirs, whoever started them in our name (a library, a terminal, the agent). */
function below() {
  return windows ? [...running].flatMap(({ pid }) => (pid === undefined ? [] : [pid])) : tree(process.pid).slice(1);
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function signal(pids, name) {
  if (windows) {
    for (const pid of pids)
      spawnSync("taskkill", ["/PID", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    return;
  }
  // A pid may have ended since; its group may live on (a shell that left a job behind).
  for (const pid of pids) if (!kill(-pid, name)) kill(pid, name);
}

function kill(pid, name) {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

/** The process and all below it: a grandchild may have left our group (a terminal, a command of the agent). */
function tree(root) {
  if (windows) return [root];
  const children = new Map();
  for (const [pid, parent] of processTable()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** Pairs of pid and parent's pid. Linux tells by files (a bare container has no `ps`), others by `ps`. */
function processTable() {
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
    return (stdout ?? "")
      .trim()
      .split("\n")
      .map(line => line.trim().split(/\s+/).map(Number));
  }
  return readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])]];
      } catch {
        return []; // it ended while we looked
      }
    });
}
