/** Where MCP servers are configured, for the editor: their files, the setting that switches them off, and their inputs. */

import * as vscode from "vscode";
import { SessionError } from "../../core/ground/ports";
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import { choose, openAddress } from "./messages";
import { messageText } from "./messageText";

/** @param path absolute; "" where no file names the server */
export async function openMcpConfig(path: string): Promise<void> {
  if (path === "") throw new SessionError(t("This server is not in any file."));
  await vscode.window.showTextDocument(vscode.Uri.file(path));
}

/** The first folder's, made where there is none, with a place for the first server. */
export async function openWorkspaceMcpConfig(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new SessionError(t("Open a folder to create an mcp.json in."));
  const uri = vscode.Uri.joinPath(folder.uri, ".vscode", "mcp.json");
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    // There is none yet.
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{\n  "servers": {}\n}\n'));
  }
  await vscode.window.showTextDocument(uri);
}

/** Tells of a saved file that may configure servers. */
export const onMcpConfigSaved = (tell: () => void): vscode.Disposable =>
  vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    if (/[/\\]\.?mcp\.json$/.test(uri.path)) tell();
  });

/** The person's browser: over a remote, an address of that machine is another one there. */
export const signInBrowser = {
  /** Where VS Code did not open it, the view has the address, and how to call it off. */
  async open(address: string): Promise<void> {
    await openAddress(address);
  },
  outside: async (address: string) => (await vscode.env.asExternalUri(vscode.Uri.parse(address, true))).toString(true),
};

/** What is asked for: src/mcp has it in the server's configuration. */
interface InputQuestion {
  description: string;
  secret: boolean;
  options?: readonly string[];
  default?: string;
}

/** Rejects where the person does not answer. */
export async function askInput({ description, secret, options, default: value }: InputQuestion, server: string) {
  const title = messageText(t("MCP server {0}", server));
  const text = messageText(description);
  const box = { title, prompt: text, password: secret, ignoreFocusOut: true, ...defined({ value }) };
  const items = options?.map(option => ({ option, label: option }));
  const answer = items
    ? (await choose(items, { title, placeHolder: text, ignoreFocusOut: true }))?.option
    : await vscode.window.showInputBox(box);
  if (answer !== undefined) return answer;
  throw new Error(t('The server {0} needs "{1}", which was not entered.', server, description));
}
