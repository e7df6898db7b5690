/** Where MCP servers are configured, for the editor: their files, and the setting that switches them off. */
import * as vscode from "vscode";
import { SessionError } from "../../core/ports";
import { openAddress } from "./openAddress";

/** @param path absolute; "" where no file names the server */
export async function openMcpConfig(path: string): Promise<void> {
  if (path === "") throw new SessionError("No file names this server.");
  await vscode.window.showTextDocument(vscode.Uri.file(path));
}

/** The first folder's, made where there is none, with a place for the first server. */
export async function openWorkspaceMcpConfig(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new SessionError("No folder is open that could have an mcp.json.");
  const uri = vscode.Uri.joinPath(folder.uri, ".vscode", "mcp.json");
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    // There is none yet.
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{\n  "servers": {}\n}\n'));
  }
  await vscode.window.showTextDocument(uri);
}

/** Writes `strata.mcp.off`; none: the setting goes. */
export async function setMcpOff(names: readonly string[]): Promise<void> {
  const value = names.length === 0 ? undefined : names;
  await vscode.workspace.getConfiguration("strata").update("mcp.off", value, vscode.ConfigurationTarget.Global);
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
  outside: async (address: string): Promise<string> =>
    (await vscode.env.asExternalUri(vscode.Uri.parse(address, true))).toString(true),
};
