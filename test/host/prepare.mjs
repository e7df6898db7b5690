/** What a VS Code of the tests starts with, all in one temporary folder: a workspace, settings, an offline model, extensions. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { copySample, offlineSettings, writeSettings } from "../../scripts/lib/instance.mjs";
import { beforeEnd } from "../../scripts/lib/processes.mjs";
import { startOfflineModel } from "../../scripts/offline-model/server.mjs";

/** As on the desktop: in a browser, VS Code saves after a second by itself. A session's name would take a script's next answer. */
const usual = { "files.autoSave": "off", "strata.sessions.titles": false };
/** Without a GPU, what moves is painted by the processor: an eighth of what a test costs. */
const still = {
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "workbench.reduceMotion": "on",
};

/** @returns {{ home: string, remove: () => void }} a new folder, which goes at our end at the latest */
export function newHome() {
  // realpath: on macOS the temporary folder is a link, and VS Code names files by their real path.
  const home = realpathSync(mkdtempSync(join(tmpdir(), "strata-test-")));
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  beforeEnd(remove);
  return { home, remove };
}

/**
 * Writes the user's settings of a VS Code, whatever they were.
 * @param {string} userData
 * @param {string} url address of the offline model, which is the model
 * @param {Record<string, unknown>} [settings] on top
 */
export function writeTestSettings(userData, url, settings = {}) {
  writeSettings(userData, { ...offlineSettings(url), ...usual, ...still, ...settings });
}

/**
 * What a VS Code gets that is for one suite alone: a workspace, settings, an offline model that plays the demo.
 * @param {object} [options]
 * @param {Record<string, unknown>} [options.settings] on top of those that make the offline model the model
 */
export async function prepare({ settings = {} } = {}) {
  const { home, remove } = newHome();
  const workspace = join(home, "sample");
  const userData = join(home, "user");
  const extensions = join(home, "extensions");
  mkdirSync(extensions);
  await copySample(workspace);
  const offline = await startOfflineModel();
  writeTestSettings(userData, offline.url, settings);
  const close = async () => {
    await offline.close();
    remove();
  };
  return { workspace, userData, extensions, offline, close };
}

/**
 * Puts an extension of the tests where a VS Code finds it.
 * @param {string} extensions folder of unpacked extensions
 * @param {string} name as its identity has it: `strata-agent.<name>`
 * @param {string} program name of its file in out/host
 * @param {Record<string, unknown>} manifest what it adds to its package.json
 */
export function addExtension(extensions, name, program, manifest) {
  const folder = join(extensions, `strata-agent.${name}-1.0.0`);
  mkdirSync(folder);
  const usual = { publisher: "strata-agent", name, version: "1.0.0", main: "./main.js", extensionKind: ["workspace"] };
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ ...usual, engines: { vscode: "^1.101.0" }, ...manifest }),
  );
  cpSync(join(root, "out", "host", program), join(folder, "main.js"));
}

/**
 * Puts the extension that offers models beside VS Code's own (chatModelsExtension.ts).
 * @param {string} extensions folder of unpacked extensions
 */
export function addChatModels(extensions) {
  const languageModelChatProviders = [{ vendor: "strata-test", displayName: "Models of the tests" }];
  addExtension(extensions, "models", "chatModelsExtension.js", { contributes: { languageModelChatProviders } });
}
