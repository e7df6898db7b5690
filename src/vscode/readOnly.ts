/** Files that the user's settings make read-only (`files.readonlyInclude`): an edit would change what the editor shows, and nothing else. */
import * as vscode from "vscode";
import { FileError } from "../core/ports";

/** Rejects with FileError READ_ONLY. `path` is for the message. */
export function requireEditable(uri: vscode.Uri, path: string): void {
  const files = vscode.workspace.getConfiguration("files", uri);
  if (!fits(uri, files.get("readonlyInclude")) || fits(uri, files.get("readonlyExclude"))) return;
  throw new FileError(
    "READ_ONLY",
    `${path} was not changed: the setting files.readonlyInclude makes it read-only. Ask the user to make this change.`,
  );
}

function fits(uri: vscode.Uri, globs: unknown): boolean {
  if (typeof globs !== "object" || globs === null) return false;
  return Object.entries(globs).some(([glob, on]) => on === true && matches(uri, glob));
}

/** Globs are relative to the folder of the workspace, unless they begin as an absolute path does. */
function matches(uri: vscode.Uri, glob: string): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const relative = folder && !/^(?:[/\\]|[a-z]:)/i.test(glob);
  const pattern = relative ? new vscode.RelativePattern(folder, glob) : glob;
  // The editor's own matcher asks a document for no more than this.
  const document = { uri, languageId: "" } as vscode.TextDocument;
  return vscode.languages.match({ pattern }, document) > 0;
}
