/**
 * An extension of the tests that makes a window what the next walk expects, as far as only VS Code can: no editor, no terminal,
 * no notice, the settings that were written, a new session. It is asked by the file that it writes its address to.
 */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../fakes/eventually";
import { discardEditors } from "./discardEditors";
import { lastKey } from "./typist";

/** ms, more than what the panel waits for who types */
const TYPING_MS = 5_500;

export function activate(context: vscode.ExtensionContext): void {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder?.scheme !== "file") return;
  const key = lastKey();
  const server = createServer((request, response) => {
    const wanted = new URL(request.url ?? "/", "http://localhost").searchParams;
    tidy(wanted.get("model") ?? "", wanted.has("untyped") ? key.at() : undefined).then(
      () => response.end("tidy"),
      error => response.writeHead(500).end(String(error?.stack ?? error)),
    );
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (address && typeof address === "object")
      writeFileSync(join(folder.fsPath, "..", "tidy"), `http://127.0.0.1:${address.port}`);
  });
  context.subscriptions.push(key, { dispose: () => server.close() });
}

/**
 * @param model address that the settings name when they have been read
 * @param typedAt the last key, of which the next walk must not hear: what Strata opens by itself waits for those who type
 */
async function tidy(model: string, typedAt: number | undefined): Promise<void> {
  await discardEditors();
  for (const terminal of vscode.window.terminals) terminal.dispose();
  for (const part of ["closePanel", "closeAuxiliaryBar"])
    await vscode.commands.executeCommand(`workbench.action.${part}`);
  await vscode.commands.executeCommand("notifications.clearAll");
  const settings = () => vscode.workspace.getConfiguration();
  await eventually("the settings of the next walk are read", () =>
    ["strata.model.baseUrl", "strataTests.model"].every(name => settings().get(name) === model),
  );
  if (typedAt !== undefined)
    await eventually("the last key is long enough ago", () => performance.now() - typedAt > TYPING_MS);
  await vscode.commands.executeCommand("strata.newSession");
}
