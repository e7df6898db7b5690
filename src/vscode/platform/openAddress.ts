import * as vscode from "vscode";

/** Opens an address in the person's browser; VS Code may ask them once more. */
export async function openAddress(address: string): Promise<void> {
  await vscode.env.openExternal(vscode.Uri.parse(address, true));
}
