/**
 * An extension of the tests that makes a window what the next walk expects, as far as only VS Code can: no editor, no terminal,
 * no notice, its settings, a new session. It is asked by the file that it writes its address to.
 */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import * as vscode from "vscode";
import { eventually } from "../fakes/eventually";
import { discardEditors } from "./discardEditors";
import { lastKey } from "./typist";

/** What the next walk asks for. */
export interface TidyRequest {
  /** those that change; null: what the product has */
  settings: Record<string, unknown>;
  /** nobody has typed in an editor of late */
  untyped?: boolean;
}

/** ms, more than what the panel waits for who types */
const TYPING_MS = 5_500;

export function activate(context: vscode.ExtensionContext): void {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder?.scheme !== "file") return;
  const key = lastKey();
  const server = createServer((request, response) => {
    const done = async () => {
      const { settings, untyped } = JSON.parse(await text(request)) as TidyRequest;
      await tidy(settings, untyped ? key.at() : undefined);
    };
    done().then(
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
 * @param settings of the user, that change
 * @param typedAt the last key, of which the next walk must not hear: what Strata opens by itself waits for those who type
 */
async function tidy(settings: TidyRequest["settings"], typedAt: number | undefined): Promise<void> {
  await discardEditors();
  for (const terminal of vscode.window.terminals) terminal.dispose();
  for (const part of ["closePanel", "closeAuxiliaryBar"])
    await vscode.commands.executeCommand(`workbench.action.${part}`);
  await vscode.commands.executeCommand("notifications.clearAll");
  // VS Code does not always hear of its file of settings where something else writes it.
  for (const [name, value] of Object.entries(settings))
    await vscode.workspace.getConfiguration().update(name, value ?? undefined, vscode.ConfigurationTarget.Global);
  if (typedAt !== undefined)
    await eventually("the last key is long enough ago", () => performance.now() - typedAt > TYPING_MS);
  await vscode.commands.executeCommand("strata.newSession");
}
