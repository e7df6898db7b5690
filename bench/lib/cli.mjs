/** Runs dist/cli.js as a user would. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const cli = join(root, "dist/cli.js");

export function temporary(name) {
  const path = mkdtempSync(join(tmpdir(), `strata-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * @returns {Promise<{code: number, started: number, maxRss: number, output: string}>} `taskStarted`: performance.now() at spawn;
 *   `maxRss` bytes, where the child could say it. `under`: a program that starts it
 */
export function runProgram(args, { env = {}, cwd, onStart, under = [] } = {}) {
  const started = performance.now();
  const [program, ...words] = [...under, process.execPath, ...args];
  const child = spawn(program, words, {
    env: { ...process.env, ...env },
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onStart?.({ pid: child.pid, started });
  let output = "";
  child.stdout.on("data", data => {
    output += data;
  });
  child.stderr.on("data", data => {
    output += data;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", code => {
      const maxRss = Number(/^maxrss (\d+)$/m.exec(output)?.[1] ?? Number.NaN);
      resolve({ code, started, maxRss, output });
    });
  });
}

/** Processor time of a process and its children until now, ms; NaN where the system does not tell. */
export function processorTime(pid) {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.reduce((sum, task) => {
      const [spent] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ");
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean);
      return sum + Number(spent) / 1e6 + children.reduce((total, child) => total + processorTime(child), 0);
    }, 0);
  } catch {
    return Number.NaN;
  }
}

/** Command-line arguments of a run against a server, everything in folders of its own. */
export function runArgs({ url, workspace, storage, prompt = "go", mode = "auto" }) {
  return [
    cli,
    "run",
    ...["--workspace", workspace, "--storage", storage, "--base-url", url, "--model", "bench"],
    ...["--mode", mode, "--allow", "Bash", "--trust", "--prompt", prompt],
  ];
}
