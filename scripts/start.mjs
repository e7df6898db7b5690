/**
 * `npm start`: Strata on a copy of the sample project, in VS Code or (`--headless`) in this terminal. Installs and builds
 * what is missing. Without a model of yours it plays the offline model's script.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { explain, Problem, step } from "./lib/console.mjs";
import { findDesktop, gitEnv, gitFlags, ownEnvironment } from "./lib/environment.mjs";
import { ensureInstalled, node24, onNewNode, root } from "./lib/install.mjs";
import { copySample, installExtension, offlineFlags, offlineSettings, writeSettings } from "./lib/instance.mjs";
import { beforeEnd, end, start } from "./lib/processes.mjs";
import { startOfflineModel } from "./offline-model/server.mjs";
import { startServer } from "./vscode.mjs";

const task = "Fix the failing test";

const help = `npm start                  open the sample project in VS Code with Strata
npm start -- --headless    do "${task}" in this terminal, then end
npm start -- --server      the npm-packaged VS Code in your browser, though a desktop one is there
npm start -- --port N      its port (any free one by default)

A model of yours: STRATA_MODEL_NAME, OPENAI_API_KEY, and STRATA_MODEL_BASE_URL for a server other than OpenAI's.`;

async function main() {
  const options = readArguments();
  if (options.help) {
    console.log(help);
    return 0;
  }
  await ensureInstalled();
  await onNewNode(fileURLToPath(import.meta.url));
  const { buildProduct } = await import("../esbuild.mjs");
  await step("Building dist/", buildProduct);
  // realpath: on macOS the temporary folder is a link, and VS Code names files by their real path.
  const home = realpathSync(mkdtempSync(join(tmpdir(), "strata-start-")));
  beforeEnd(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  const workspace = join(home, "sample");
  await copySample(workspace);
  const model = await chooseModel();
  if (options.headless) return headless(workspace, join(home, "storage"), model);
  const desktop = options.server ? undefined : findDesktop();
  return desktop ? openDesktop(desktop, home, workspace, model) : openServer(home, workspace, model, options.port);
}

function readArguments() {
  const boolean = { type: /** @type {const} */ ("boolean") };
  const options = {
    help: boolean,
    headless: boolean,
    server: boolean,
    port: { type: /** @type {const} */ ("string") },
  };
  try {
    const { port, ...flags } = parseArgs({ options }).values;
    if (port !== undefined && !(Number(port) > 0 && Number(port) < 65_536))
      throw new Error(`--port ${port} is no port number`);
    return { ...flags, port: port === undefined ? undefined : Number(port) };
  } catch (error) {
    throw new Problem(`${error.message}\n\n${help}`);
  }
}

/** The model that the environment names, else the offline one, which is started. */
async function chooseModel() {
  const { STRATA_MODEL_NAME: name, STRATA_MODEL_BASE_URL, OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
  if (name) {
    const baseUrl = STRATA_MODEL_BASE_URL ?? OPENAI_BASE_URL;
    const settings = { "strata.model.name": name, ...(baseUrl && { "strata.model.baseUrl": baseUrl }) };
    return { words: `${name}${baseUrl ? ` at ${baseUrl}` : ""}, as STRATA_MODEL_NAME says`, settings, flags: [] };
  }
  const { url } = await startOfflineModel({ chunkDelayMs: 15 });
  const words = OPENAI_API_KEY
    ? "the offline model, since OPENAI_API_KEY comes without a model's name: set STRATA_MODEL_NAME"
    : `the offline model, which plays a script: everything but the answers is real
            A real one: STRATA_MODEL_NAME=… OPENAI_API_KEY=… npm start`;
  return { words, settings: offlineSettings(url), flags: offlineFlags(url) };
}

/** The same task without an editor; its exit code is ours. */
async function headless(workspace, storage, { words, flags }) {
  console.log(`\nWorkspace   ${workspace}\nModel       ${words}\nTask        ${task}\n`);
  const where = ["--prompt", task, "--workspace", workspace, "--storage", storage];
  const args = [
    join(root, "dist", "cli.js"),
    "run",
    ...where,
    "--mode",
    "auto",
    "--allow",
    "Bash(npm test *)",
    "--trust",
    ...flags,
  ];
  const agent = start(node24(), args, { stdio: ["ignore", "inherit", "inherit"], env: ownEnvironment() });
  const code = await exitOf(agent);
  if (existsSync(join(workspace, ".git")))
    spawnSync("git", [...gitFlags, "--no-pager", "diff"], { cwd: workspace, env: gitEnv(), stdio: "inherit" });
  return code;
}

async function openDesktop(code, home, workspace, { words, settings }) {
  const [userData, extensions] = ["user", "extensions"].map(name => join(home, name));
  writeSettings(userData, settings);
  mkdirSync(extensions, { recursive: true });
  const own = ["--user-data-dir", userData, "--extensions-dir", extensions, `--extensionDevelopmentPath=${root}`];
  const args = [...own, "--new-window", "--wait", "--disable-workspace-trust", "--skip-welcome", workspace];
  // On macOS the window is no descendant of ours: its own folder, which no other process names, tells it.
  if (process.platform === "darwin") beforeEnd(() => spawnSync("pkill", ["-f", userData]));
  const window = start(code, args, { env: ownEnvironment(), shell: process.platform === "win32" });
  tell("VS Code is opening; closing its window ends this.", words);
  return exitOf(window);
}

async function openServer(home, workspace, { words, settings }, port) {
  const userData = join(home, "user");
  const extensions = join(home, "extensions");
  writeSettings(userData, settings);
  installExtension(extensions);
  const server = await step("Starting VS Code", () =>
    startServer({ userData, extensions, port, trustAll: true, env: ownEnvironment() }),
  );
  tell(`Open this address in a browser:\n\n  ${server.url(workspace)}`, words);
  return server.ended;
}

function tell(opening, words) {
  const line = "─".repeat(78);
  console.log(`
${line}
${opening}

  Try       the Strata icon at the left edge, then ask: ${task}
  Model     ${words}
  Stop      Ctrl+C here
${line}
`);
}

function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", code => resolve(code ?? 1));
  });
}

await main().then(end, error => {
  console.error(explain(error));
  return end(1);
});
