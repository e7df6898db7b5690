/** The tests against a real VS Code: inside its extension host (trusted and not), and on its page with a browser. */
import { cpSync, createWriteStream, existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { downloadAndUnzipVSCode, runTests } from "@vscode/test-electron";
import { buildHostTests } from "../../esbuild.mjs";
import { Problem } from "../../scripts/lib/console.mjs";
import { root, toolEnvironment } from "../../scripts/lib/install.mjs";
import { counts, mocha } from "../../scripts/lib/parts.mjs";
import { run } from "../../scripts/lib/processes.mjs";
import { cache, ensureVSCode } from "../../scripts/vscode.mjs";
import { out } from "./paths.mjs";
import { addChatModels, prepare } from "./prepare.mjs";
import { quietSettings } from "./quiet.mjs";

/**
 * Builds the tests and finds a VS Code to run them in.
 * @param {string} [extension] folder of the extension under test
 * @returns {Promise<import("../../scripts/lib/parts.mjs").Part[]>} longest first
 */
export async function hostParts(extension = root) {
  await buildHostTests();
  const vscode = await findVSCode();
  console.log(`VS Code for host tests: ${vscode.name}`);
  const parts = [
    ["editor", { name: "host, files in the editor", run: () => inside(vscode.path, "editor", extension) }],
    ...halves(testsIn("workbench")).map(([name, files]) => [
      "workbench",
      { name: `workbench in a browser, ${name}`, run: () => mocha("--timeout", "240000", ...files) },
    ]),
    ["trusted", { name: "host, trusted workspace", run: () => inside(vscode.path, "trusted", extension) }],
    ["untrusted", { name: "host, untrusted workspace", run: () => inside(vscode.path, "untrusted", extension) }],
  ];
  return parts.filter(([folder]) => testsIn(folder).length > 0).map(([, part]) => part);
}

/**
 * Each file starts a VS Code of its own and waits for it most of the time: two files at a time.
 * @param {string[]} files
 * @returns {[string, string[]][]} none that is empty
 */
function halves(files) {
  const sorted = files.toSorted();
  const half = rest => sorted.filter((_, at) => at % 2 === rest);
  return [
    ["one half", half(0)],
    ["the other half", half(1)],
  ].filter(([, each]) => each.length > 0);
}

/** STRATA_HOST_ONLY=<parts of test files' names, with commas between> runs only such files. */
function testsIn(folder) {
  const files = globSync(`out/host/${folder}/**/*.test.{js,mjs}`, { cwd: root });
  const names = (process.env.STRATA_HOST_ONLY ?? "").split(",").filter(name => name !== "");
  return files.filter(file => names.length === 0 || names.some(name => file.includes(name)));
}

/** The desktop first: STRATA_VSCODE, else downloaded where there is a display; else the one that npm carries. */
export async function findVSCode() {
  const chosen = process.env.STRATA_VSCODE;
  if (chosen) {
    if (!existsSync(chosen))
      throw new Problem(`STRATA_VSCODE names ${chosen}, which is not there: correct or unset it.`);
    return { path: chosen, name: `desktop, ${chosen}` };
  }
  const display = process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (display) {
    try {
      const path = await downloadAndUnzipVSCode({ cachePath: join(cache, "vscode-desktop") });
      return { path, name: `desktop, downloaded to ${path}` };
    } catch (error) {
      console.log(`The desktop VS Code could not be downloaded (${error.message}).`);
    }
  }
  if (process.platform === "win32")
    throw new Problem("No VS Code for the tests: name the desktop's Code.exe in STRATA_VSCODE.");
  await ensureVSCode();
  return { path: join(root, "test", "host", "vscode-npm.mjs"), name: "npm-packaged, in a headless browser" };
}

/** One launch of VS Code with one folder of tests inside its extension host. */
async function inside(vscode, suite, extension) {
  const { workspace, userData, extensions, offline, close } = await prepare({ settings: quietSettings(suite) });
  addChatModels(extensions);
  const results = join(userData, "report.txt");
  const only = process.env.STRATA_HOST_ONLY;
  const env = {
    ...{ STRATA_HOST_SUITE: suite, STRATA_HOST_REPORT: results, STRATA_OFFLINE_URL: offline.url },
    ...(only && { STRATA_HOST_ONLY: only }),
  };
  const launchArgs = [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`];
  const paths = { extensionDevelopmentPath: extension, extensionTestsPath: join(root, "out", "host", "index.js") };
  rmSync(join(out, `host-${suite}.json`), { force: true });
  const logFile = join(out, `host-${suite}.log`);
  const log = createWriteStream(logFile);
  const launch = suite === "untrusted" ? launchUntrusted : launchTrusted;
  const code = await launch(vscode, { ...paths, launchArgs, env: toolEnvironment(env), log });
  await finished(log.end());
  const text = existsSync(results) ? readFileSync(results, "utf8") : "";
  writeFileSync(join(out, `host-${suite}.txt`), text);
  if (existsSync(`${results}.json`)) cpSync(`${results}.json`, join(out, `host-${suite}.json`));
  await close();
  return counts(
    text || `The tests did not start. The end of ${logFile}:\n${readFileSync(logFile, "utf8").slice(-3000)}`,
    code,
  );
}

async function launchTrusted(vscodeExecutablePath, { env, log, ...options }) {
  const test = { ...options, vscodeExecutablePath, extensionTestsEnv: env, stdout: log, stderr: log };
  return runTests(test).catch(error => error.code ?? 1);
}

/** `runTests` always trusts; so this launch is our own, with the same flags but that one. */
async function launchUntrusted(vscode, { env, log, launchArgs, ...paths }) {
  const flags = [
    "--no-sandbox",
    "--disable-gpu-sandbox",
    "--disable-updates",
    "--skip-welcome",
    "--skip-release-notes",
  ];
  const args = [...launchArgs, ...flags, ...Object.entries(paths).map(([name, path]) => `--${name}=${path}`)];
  const { code } = await run(vscode, args, { env, onText: text => log.write(text) });
  return code;
}
