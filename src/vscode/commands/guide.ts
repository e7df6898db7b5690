/** Pages of docs/guide, which the package carries. */
import * as vscode from "vscode";

export async function openGuide(page: "trouble.md"): Promise<void> {
  const own = vscode.extensions.getExtension("strata-agent.strata");
  if (!own) return;
  const uri = vscode.Uri.joinPath(own.extensionUri, "docs/guide", page);
  // VS Code's own extension that shows pages may be switched off.
  if (vscode.extensions.getExtension("vscode.markdown-language-features"))
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  else await vscode.window.showTextDocument(uri, { preview: true });
}
