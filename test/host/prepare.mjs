/** What each VS Code of the tests gets for itself: a workspace, settings, an offline model, all in one temporary folder. */
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

/**
 * @param {object} [options]
 * @param {Record<string, unknown>} [options.settings] on top of those that make the offline model the model
 * @param {import("../../scripts/offline-model/server.mjs").OfflineScript} [options.script] what it plays; the demo by default
 */
export async function prepare({ settings = {}, script } = {}) {
  // realpath: on macOS the temporary folder is a link, and VS Code names files by their real path.
  const home = realpathSync(mkdtempSync(join(tmpdir(), "strata-test-")));
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  beforeEnd(remove);
  const workspace = join(home, "sample");
  const userData = join(home, "user");
  const extensions = join(home, "extensions");
  mkdirSync(extensions);
  await copySample(workspace);
  const offline = await startOfflineModel({ script });
  writeSettings(userData, { ...offlineSettings(offline.url), ...usual, ...still, ...settings });
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
 * @param {readonly string[]} [models] what it offers from the start
 */
export function addChatModels(extensions, models = []) {
  const languageModelChatProviders = [{ vendor: "strata-test", displayName: "Models of the tests" }];
  addExtension(extensions, "models", "chatModelsExtension.js", { contributes: { languageModelChatProviders }, models });
}
