/** Taking a file away in the editor: to the trash where there is one, and never under text that nobody else has. */
import * as vscode from "vscode";
import { FileError } from "../core/ports";

/**
 * @param document what shows the file, where it is open: it holds the text that is to go
 * @param version of the document when that was looked at
 * @returns false: it was typed into since, nothing was done. Rejects with FileError.
 */
export async function removeInEditor(
  uri: vscode.Uri,
  path: string,
  open?: { document: vscode.TextDocument; version: number },
): Promise<boolean> {
  const change = new vscode.WorkspaceEdit();
  change.deleteFile(uri, { ignoreIfNotExists: false, recursive: false });
  // From here to the call nothing is awaited.
  if (open && (open.document.isClosed || open.document.version !== open.version)) return false;
  if (await vscode.workspace.applyEdit(change)) return true;
  throw new FileError("IO", `${path} was not removed: the editor refused it. Is the file read-only?`);
}
