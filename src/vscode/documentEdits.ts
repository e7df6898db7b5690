/** Edits of a document in the editor: against the version that was looked at, and as one step of undo. */
import * as vscode from "vscode";
import { FileError, type TextEdit } from "../core/ports";

/** ms that the editor gets to notice that a file changed on disk */
const CATCH_UP_MS = 1_000;

/** Whether the edits were made: false when the document is not at `version` any more. Rejects where it cannot be edited. */
export async function editDocument(
  document: vscode.TextDocument,
  version: number,
  edits: readonly TextEdit[],
  path: string,
): Promise<boolean> {
  const change = new vscode.WorkspaceEdit();
  for (const { start, end, text } of edits) {
    change.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  }
  // From here to the call nothing is awaited. The editor compares the version again before it applies the edit.
  if (document.isClosed || document.version !== version) return false;
  if (await vscode.workspace.applyEdit(change)) return true;
  if (document.isClosed || document.version !== version) return false;
  throw new FileError("READ_ONLY", `${path} was not changed: the editor refused the edit. Is the file read-only?`);
}

/**
 * The document's version at which it holds `text`, which is what the file holds; undefined: it does not, and will not
 * soon. `wait`: it was open before, and may be behind.
 */
export async function catchesUp(
  document: vscode.TextDocument,
  text: string,
  wait: boolean,
): Promise<number | undefined> {
  const now = () => (document.getText() === text && !document.isDirty ? document.version : undefined);
  // The editor gives a file one kind of line end: that it differs in these alone will stay so.
  const behind = withLf(document.getText()) !== withLf(text);
  const version = now();
  if (version !== undefined || !wait || !behind) return version;
  return new Promise(resolve => {
    const finish = (result: number | undefined) => {
      clearTimeout(timer);
      subscription.dispose();
      resolve(result);
    };
    const subscription = vscode.workspace.onDidChangeTextDocument(event => {
      const caughtUp = event.document === document ? now() : undefined;
      if (caughtUp !== undefined) finish(caughtUp);
    });
    const timer = setTimeout(() => finish(now()), CATCH_UP_MS);
  });
}

/** The bytes that saving would write. */
export async function encodedText(text: string, encoding: string): Promise<Uint8Array> {
  if (encoding === "utf8") return new TextEncoder().encode(text);
  return vscode.workspace.encode(text, { encoding });
}

const withLf = (text: string) => text.replace(/\r\n?/g, "\n");
