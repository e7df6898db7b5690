/** What the editor knows for mentions: its active file, files that others name by a path or a URI, and that files came or went. */
import * as vscode from "vscode";
import { mentionedPath } from "../core/mentions/write";
import type { FileRef } from "../core/ports";
import type { LastActiveEditor } from "./editor/lastActiveEditor";
import type { VSCodeFiles } from "./files/files";
import { Later } from "./mentions/later";

/** Many files come and go together: a checkout, an install. */
const TOGETHER_MS = 300;

/** FileRef.path of the active editor's file; undefined: it lies outside the workspace, or there is none. */
export function activeFile(
  files: Pick<VSCodeFiles, "pathOf">,
  inUse: Pick<LastActiveEditor, "uri">,
): string | undefined {
  const uri = inUse.uri();
  if (!uri || !(uri.scheme === "untitled" || vscode.workspace.getWorkspaceFolder(uri))) return undefined;
  return files.pathOf(uri);
}

/** The path of a file as its mentions have it, without waiting. */
export function mentionPathOf(uri: vscode.Uri, files: Pick<VSCodeFiles, "pathOf" | "roots">): string {
  const roots = files.roots.map(({ name }) => name);
  return mentionedPath(files.pathOf(uri), roots);
}

/** @param place an absolute path or a URI */
export async function refOfPlace(place: string, files: VSCodeFiles): Promise<FileRef | undefined> {
  const uri = uriOfPlace(place);
  return uri && files.refIfAny(uri);
}

function uriOfPlace(place: string): vscode.Uri | undefined {
  if (/^(?:[/\\]|[a-z]:[/\\])/i.test(place)) return vscode.Uri.file(place);
  try {
    const uri = vscode.Uri.parse(place, true);
    // How the window names the files of the machine that the extension runs on.
    return uri.scheme === "vscode-remote" ? vscode.Uri.file(uri.path) : uri;
  } catch {
    // It looked like a URI and is none.
    return undefined;
  }
}

/** Calls back once some files came or went. */
export function onFilesChanged(callback: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher("**/*", false, true, false);
  const later = new Later(TOGETHER_MS, callback);
  const soon = (what: unknown) => {
    // Git's own, with every command of it.
    if (what instanceof vscode.Uri && what.path.includes("/.git/")) return;
    later.soon();
  };
  const folders = vscode.workspace.onDidChangeWorkspaceFolders(soon);
  return vscode.Disposable.from(watcher, watcher.onDidCreate(soon), watcher.onDidDelete(soon), folders, later);
}
