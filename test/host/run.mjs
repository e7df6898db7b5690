/** The tests against a real VS Code: inside its extension host (trusted and not), and on its page with a browser. */
import { createWriteStream, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
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

/** The VS Codes that the walks share: each has its folder of tests and one process of mocha (sharedVSCode.ts). */
const workbenches = ["trusted", "models", "restricted", "virtual"];

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
    ...workbenches.map(kind => [
      `workbench/${kind}`,
      { name: `workbench, ${kind}`, run: () => mocha("--timeout", "240000", ...testsIn(`workbench/${kind}`)) },
    ]),
    ["trusted", { name: "host, trusted workspace", run: () => inside(vscode.path, "trusted", extension) }],
    ["untrusted", { name: "host, untrusted workspace", run: () => inside(vscode.path, "untrusted", extension) }],
  ];
  return parts.filter(([folder]) => testsIn(folder).length > 0).map(([, part]) => part);
}

/** STRATA_HOST_ONLY=<a part of a test file's name> runs only such files. */
function testsIn(folder) {
  const files = globSync(`out/host/${folder}/**/*.test.{js,mjs}`, { cwd: root });
  return files.filter(file => file.includes(process.env.STRATA_HOST_ONLY ?? ""));
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
  const { workspace, userData, extensions, offline, close } = await prepare();
  addChatModels(extensions);
  const results = join(userData, "report.txt");
  const only = process.env.STRATA_HOST_ONLY;
  const env = {
    ...{ STRATA_HOST_SUITE: suite, STRATA_HOST_REPORT: results, STRATA_OFFLINE_URL: offline.url },
    ...(only && { STRATA_HOST_ONLY: only }),
  };
  const launchArgs = [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`];
  const paths = { extensionDevelopmentPath: extension, extensionTestsPath: join(root, "out", "host", "index.js") };
  const logFile = join(out, `host-${suite}.log`);
  const log = createWriteStream(logFile);
  const launch = suite === "untrusted" ? launchUntrusted : launchTrusted;
  const code = await launch(vscode, { ...paths, launchArgs, env: toolEnvironment(env), log });
  await finished(log.end());
  const text = existsSync(results) ? readFileSync(results, "utf8") : "";
  writeFileSync(join(out, `host-${suite}.txt`), text);
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
