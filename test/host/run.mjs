/** The tests against a real VS Code: inside its extension host (trusted and not), and on its page with a browser. */
import { createWriteStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { downloadAndUnzipVSCode } from "@vscode/test-electron";
import { Problem } from "../../scripts/lib/console.mjs";
import { root, toolEnvironment } from "../../scripts/lib/install.mjs";
import { chosenOf, mochaPart, partLimitMs, resultOf } from "../../scripts/lib/mocha.mjs";
import { run } from "../../scripts/lib/processes.mjs";
import { cache, ensureVSCode } from "../../scripts/vscode.mjs";
import { out } from "./paths.mjs";
import { addChatModels, prepare } from "./prepare.mjs";
import { quietSettings } from "./quiet.mjs";

/** Inside the extension host: what each launch waits for, it waits for alone; so an editor's page and the tests share a core. */
const suites = {
  editor: "host, files in the editor",
  trusted: "host, trusted workspace",
  untrusted: "host, untrusted workspace",
};

/**
 * Finds a VS Code to run the tests in. STRATA_HOST_ONLY=<parts of test files' names, with commas> runs only such files.
 * @param {readonly string[]} files bundles of test/host
 * @returns {Promise<import("../../scripts/lib/parts.mjs").Part[]>} longest first
 */
export async function hostParts(files) {
  const vscode = await findVSCode();
  console.log(`VS Code for host tests: ${vscode.name}`);
  const only = process.env.STRATA_HOST_ONLY?.split(",") ?? [""];
  const chosen = files.filter(file => only.some(part => file.includes(part)));
  if (chosen.length === 0) throw new Problem(`STRATA_HOST_ONLY=${only.join()} names no test file.`);
  const of = folder => chosen.filter(file => file.startsWith(`out/host/${folder}/`));
  const inside = Object.keys(suites).map(suite => hostPart(vscode.path, suite, of(suite)));
  return [...inside, ...workbenchParts(of("workbench"))]
    .filter(({ files }) => files.length > 0)
    .sort((one, other) => other.files.length - one.files.length);
}

function hostPart(vscode, suite, files) {
  const run = () => inside(vscode, suite, { files, told: `host-${suite}` });
  const again = sources => inside(vscode, suite, { files: chosenOf(files, sources), told: `host-${suite}-again` });
  return { name: suites[suite], files, weight: 0.9, run, again };
}

/** One VS Code for all of its files: first those that share a window. */
function workbenchParts(files) {
  const options = { weight: 0.7, args: ["--timeout", "240000"], patient: true };
  const shared = file => (file.includes("/shared/") ? 0 : 1);
  const sorted = files.toSorted((one, other) => shared(one) - shared(other));
  return [{ files, ...mochaPart("workbench", sorted, options) }];
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

/** One launch of VS Code with test files of one folder inside its extension host. `told`: names its log and its report. */
async function inside(vscode, suite, { files, told }) {
  const { workspace, userData, extensions, offline, close } = await prepare({ settings: quietSettings(suite) });
  addChatModels(extensions);
  const report = join(userData, "report.json");
  const env = {
    STRATA_HOST_FILES: files.map(file => file.replace("out/host/", "")).join(),
    ...{ STRATA_HOST_REPORT: report, STRATA_OFFLINE_URL: offline.url },
  };
  const launchArgs = [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`];
  const paths = { extensionDevelopmentPath: root, extensionTestsPath: join(root, "out", "host", "index.js") };
  const logFile = join(out, `${told}.log`);
  const log = createWriteStream(logFile);
  const code = await launch(vscode, { ...paths, suite, launchArgs, env: toolEnvironment(env), log });
  await finished(log.end());
  const text = existsSync(report) ? readFileSync(report, "utf8") : "";
  writeFileSync(join(out, `${told}.json`), text);
  await close();
  return resultOf(text, code, `The end of ${logFile}:\n${readFileSync(logFile, "utf8").slice(-3000)}`);
}

/** As `runTests` of @vscode/test-electron does, but for trust, which it always gives, and for the time, which it does not bound. */
async function launch(vscode, { suite, env, log, launchArgs, ...paths }) {
  const flags = [
    "--no-sandbox",
    "--disable-gpu-sandbox",
    "--disable-updates",
    "--skip-welcome",
    "--skip-release-notes",
    "--no-cached-data",
    ...(suite === "untrusted" ? [] : ["--disable-workspace-trust"]),
  ];
  const args = [...launchArgs, ...flags, ...Object.entries(paths).map(([name, path]) => `--${name}=${path}`)];
  const { code } = await run(vscode, args, { env, limitMs: partLimitMs(), onText: text => log.write(text) });
  return code;
}
