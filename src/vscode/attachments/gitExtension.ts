/** The repositories that VS Code's git extension knows. It is only asked for them: it would run what their settings name. */

import * as vscode from "vscode";
import type { NothingToAttach } from "../../core/ground/ports";
import { t } from "../../shared/l10n";
import { isWithin } from "../../shared/paths";
import { eventOnce } from "../platform/async";

/** What is used of the git extension's API, version 1. Nothing of it is sure to be there. */
export interface GitApi {
  readonly git?: { readonly path?: string };
  readonly state: "uninitialized" | "initialized";
  readonly onDidChangeState: vscode.Event<GitApi["state"]>;
  readonly repositories: readonly Repository[];
  openRepository?(root: vscode.Uri): Promise<Repository | null>;
}

export interface Repository {
  readonly rootUri: vscode.Uri;
  /** where the commit message is typed */
  readonly inputBox: { value: string };
  readonly ui: { readonly selected: boolean };
  /** what it found when it looked last; newer versions list what is not tracked by itself */
  readonly state?: Partial<Record<(typeof changeLists)[number], readonly { readonly uri: vscode.Uri }[]>>;
}

const changeLists = ["mergeChanges", "indexChanges", "workingTreeChanges", "untrackedChanges"] as const;

/** How many files of these folders are not committed, as the extension found when it looked last. */
export async function uncommittedFiles(folders: readonly string[], signal: AbortSignal): Promise<number> {
  const api = await gitApi(signal);
  if ("nothing" in api) return 0;
  const uris = api.repositories.flatMap(({ state }) => changeLists.flatMap(list => state?.[list] ?? []));
  const paths = uris.map(({ uri }) => changePath(uri)).filter(path => folders.some(folder => isWithin(folder, path)));
  return new Set(paths).size;
}

/** Rejects with the signal's reason when it is aborted. */
export async function gitApi(signal: AbortSignal): Promise<GitApi | NothingToAttach> {
  const { extensions } = vscode;
  const extension = extensions.getExtension<{ enabled: boolean; getAPI(version: 1): GitApi }>("vscode.git");
  if (!extension) {
    return { nothing: t("VS Code's Git extension is disabled, or the workspace is not trusted.") };
  }
  const { enabled, getAPI } = await extension.activate();
  if (!enabled) return { nothing: t('Git is not installed, or is turned off in VS Code (the setting "git.enabled").') };
  const api = getAPI.call(extension.exports, 1);
  if (api.state !== "initialized") await eventOnce(api.onDidChangeState, state => state === "initialized", signal);
  return api;
}

/**
 * Those in these folders or around them. The extension finds repositories on its own, but later than a folder is there.
 * @param folders absolute, '/' separators
 */
export async function findRepositories(api: GitApi, folders: readonly string[], signal: AbortSignal) {
  for (const folder of folders) {
    signal.throwIfAborted();
    if (api.repositories.some(repository => isWithin(repositoryRoot(repository), folder))) continue;
    await api.openRepository?.(vscode.Uri.file(folder));
  }
  return api.repositories.filter(repository => {
    const root = repositoryRoot(repository);
    return folders.some(folder => isWithin(root, folder) || isWithin(folder, root));
  });
}

const changePath = (uri: vscode.Uri): string => uri.fsPath.replaceAll("\\", "/");
const repositoryRoot = ({ rootUri }: Repository): string => changePath(rootUri).replace(/\/$/, "");
