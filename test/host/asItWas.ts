/** One VS Code runs many files of tests: what one of them left must not be what the next one meets. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { discardEditors } from "./discardEditors";

/** What every test that starts Strata sets for itself (strata.ts): to put it back would only take time. */
const setByStart = [
  "strata.model.baseUrl",
  "strata.model.name",
  "strata.permissions.mode",
  "strata.permissions.runEverything",
];

/**
 * Remembers the user's settings and the files of the workspace's folder.
 * @param settings path of the user's settings
 * @returns puts all of it back, closes what is open in editors and terminals
 */
export async function asItWas(settings: string | undefined): Promise<() => Promise<void>> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const files = folder ? await filesBelow(folder) : new Map<string, Buffer>();
  const set = await settingsIn(settings);
  return async () => {
    await discardEditors();
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await putSettingsBack(set, await settingsIn(settings));
    if (folder) await putFilesBack(folder, files);
  };
}

async function settingsIn(path: string | undefined): Promise<Record<string, unknown>> {
  return path ? JSON.parse(await readFile(path, "utf8")) : {};
}

async function putSettingsBack(before: Record<string, unknown>, now: Record<string, unknown>): Promise<void> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (setByStart.includes(name) || JSON.stringify(before[name]) === JSON.stringify(now[name])) continue;
    await vscode.workspace.getConfiguration().update(name, before[name], vscode.ConfigurationTarget.Global);
  }
}

/** But for Git's own. Path below the folder → bytes. */
async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (entry.isFile() && !/^\.git[\\/]/.test(path)) found.set(path, await readFile(join(folder, path)));
  }
  return found;
}

async function putFilesBack(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const kept = new Set([".git"]);
  for (const path of files.keys()) for (let at = path; at !== "."; at = dirname(at)) kept.add(at);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (!kept.has(path) && !/^\.git[\\/]/.test(path)) await rm(join(folder, path), { recursive: true, force: true });
  }
  for (const [path, bytes] of files) {
    const now = await readFile(join(folder, path)).catch(() => undefined);
    if (now?.equals(bytes)) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}
