/** An extension of the tests: a folder `memory:/app` that is on no disk. */
import * as vscode from "vscode";
import { MemoryFileSystem } from "./memfs";

export function activate(context: vscode.ExtensionContext): void {
  const memory = new MemoryFileSystem();
  const put = (path: string, text: string) => memory.put(vscode.Uri.from({ scheme: "memory", path }), text);
  put("/app/README.md", "# A project on no disk\n");
  put("/app/AGENTS.md", "Write comments in verse.\n");
  put("/app/src/total.js", "export const total = prices => prices.reduce((a, b) => a - b, 0);\n");
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider("memory", memory));
}
