/** What each VS Code of the tests gets for itself: a workspace, settings, an offline model, all in one temporary folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copySample, offlineSettings, writeSettings } from "../../scripts/lib/instance.mjs";
import { beforeEnd } from "../../scripts/lib/processes.mjs";
import { startOfflineModel } from "../../scripts/offline-model/server.mjs";

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
  // As on the desktop: in a browser, VS Code saves after a second by itself.
  writeSettings(userData, { ...offlineSettings(offline.url), "files.autoSave": "off", ...settings });
  const close = async () => {
    await offline.close();
    remove();
  };
  return { workspace, userData, extensions, offline, close };
}
