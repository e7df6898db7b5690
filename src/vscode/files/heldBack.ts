/** What a workspace has for Strata that is not loaded while nobody trusts it. */

import * as vscode from "vscode";
import { t } from "../../shared/l10n";
import { fileName } from "../../shared/paths";
import { isLawFile, RULES_FILES } from "../../shared/rulesFiles";
import { workspaceFolders } from "../editor/documents";
import { listEntries } from "./storedFiles";

const MAX_SETTINGS_BYTES = 1024 * 1024;

/** Their names, as people read them: rules files, and settings of Strata. */
export async function heldBackFiles(): Promise<string[]> {
  const folders = workspaceFolders();
  const found = await Promise.all(
    folders.map(async ({ uri, name }) => {
      const names = await heldBackIn(uri);
      return folders.length > 1 ? names.map(each => `${name}:${each}`) : names;
    }),
  );
  const file = vscode.workspace.workspaceFile;
  const ofFile = file && (await setsStrata(file)) ? [t("settings in {0}", fileName(file.path))] : [];
  return [...found.flat(), ...ofFile];
}

async function heldBackIn(folder: vscode.Uri): Promise<string[]> {
  const names = new Set((await listEntries(folder)).map(([name]) => name));
  const instructions = names.has(".github")
    ? (await listEntries(vscode.Uri.joinPath(folder, ".github"))).map(([name]) => `.github/${name}`)
    : [];
  const there = new Set([...names, ...instructions]);
  const settings = vscode.Uri.joinPath(folder, ".vscode/settings.json");
  return [
    ...[...names].filter(isLawFile),
    ...RULES_FILES.filter(name => there.has(name)),
    ...((await setsStrata(settings)) ? [t("settings in .vscode/settings.json")] : []),
  ];
}

/** Whether a file of settings names one of ours: it is not for us to parse what nobody trusts. */
async function setsStrata(file: vscode.Uri): Promise<boolean> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(file);
    if (!(type & vscode.FileType.File) || size > MAX_SETTINGS_BYTES) return false;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file)).includes('"strata.');
  } catch {
    // there is none
    return false;
  }
}
