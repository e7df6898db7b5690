/**
 * What a VS Code of our own starts with, be it for `npm start` or for tests: a copy of the sample project, settings that
 * keep quiet what is not Strata, the extension as it would be installed.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MODEL_NAME } from "../offline-model/server.mjs";
import { Problem } from "./console.mjs";
import { gitEnv, gitFlags } from "./environment.mjs";
import { root } from "./install.mjs";
import { run } from "./processes.mjs";

/** No welcome page, no other agent's panel, no question whether to trust (an untrusted folder opens restricted). */
const quiet = {
  "chat.disableAIFeatures": true,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.openRepositoryInParentFolders": "never",
  "security.workspace.trust.banner": "never",
  "security.workspace.trust.startupPrompt": "never",
  "telemetry.telemetryLevel": "off",
  // else it installs types from npm while one works: on a machine without network, in vain
  "typescript.disableAutomaticTypeAcquisition": true,
  "update.mode": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
};

/**
 * @param {string} url address that `startOfflineModel` gave
 * @returns {Record<string, string>} settings that make it the model
 */
export function offlineSettings(url) {
  return { "strata.model.baseUrl": url, "strata.model.name": MODEL_NAME };
}

/** The same for the terminal program. */
export function offlineFlags(url) {
  return ["--base-url", url, "--model", MODEL_NAME];
}

/**
 * Writes the user's settings of an instance. In a browser VS Code runs on another machine than its page, as it sees it: what each
 * machine sets for itself counts there only where that machine's own file has it.
 */
export function writeSettings(userData, settings) {
  const { configuration } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).contributes;
  const properties = Object.assign({}, ...configuration.map(section => section.properties));
  const ofMachine = Object.entries(settings).filter(([name]) => properties[name]?.scope === "machine");
  writeFile(join(userData, "User"), { ...quiet, ...settings });
  writeFile(join(userData, "Machine"), Object.fromEntries(ofMachine));
}

function writeFile(folder, settings) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
}

/**
 * Copies the sample project, as a git repository with one commit. Where git is missing or fails, the sample is a plain
 * folder; of a failure a line says why.
 * @param {string} folder made by this
 */
export async function copySample(folder) {
  cpSync(join(root, "sample"), folder, { recursive: true });
  const steps = [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "Sample project"],
  ];
  try {
    for (const step of steps) {
      const { code, output } = await run("git", [...gitFlags, ...step], { cwd: folder, env: gitEnv() });
      if (code !== 0) throw new Error(`\`git ${step[0]}\` ended with code ${code}: ${output.trim()}`);
    }
  } catch (error) {
    // Half a repository is worse than none: git would look for one further up, or show all files as changed.
    rmSync(join(folder, ".git"), { recursive: true, force: true });
    if (error.code !== "ENOENT") console.log(`The sample project is no git repository: ${error.message}`);
  }
}

/** Puts the built extension among the installed ones, unpacked: what the package has, without packing it. */
export function installExtension(extensions) {
  const { publisher, name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (!existsSync(join(root, "dist", "extension.js")))
    throw new Problem("dist/extension.js is missing: run `npm run build`.");
  const target = join(extensions, `${publisher}.${name}-${version}`);
  const texts = ["package.json", "package.nls.json", "package.nls.zh-cn.json", "l10n", "docs"];
  for (const part of [...texts, "media", "sample", "dist"]) {
    if (existsSync(join(root, part))) cpSync(join(root, part), join(target, part), { recursive: true });
  }
}
