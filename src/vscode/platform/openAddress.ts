import * as vscode from "vscode";

/** Opens an address in the person's browser. VS Code may ask them once more; false: they said no there. */
export async function openAddress(address: string): Promise<boolean> {
  return vscode.env.openExternal(vscode.Uri.parse(address, true));
}
