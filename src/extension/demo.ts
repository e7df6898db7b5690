/** The demo: a window on a copy of the sample project, in which the offline model is the model. */
import * as vscode from "vscode";
import { isDemoFolder, newDemoFolder } from "../node/demoFolder";

/** Of the window's workspace: a model was set up, and the demo's is not used any more. */
const IS_OVER = "strata.demoIsOver";
/** Between two pieces of an answer, ms: as fast as a model says it. */
const PIECE_MS = 15;

/** Whether this window is the demo's. */
export function isDemoWindow(): boolean {
  const [folder, ...more] = vscode.workspace.workspaceFolders ?? [];
  return folder?.uri.scheme === "file" && more.length === 0 && isDemoFolder(folder.uri.fsPath);
}

/** The folder of a new demo. */
export const newDemo = async ({ extensionUri }: vscode.ExtensionContext): Promise<vscode.Uri> =>
  vscode.Uri.file(await newDemoFolder(vscode.Uri.joinPath(extensionUri, "sample").fsPath));

/** Starts the offline model where this is its window; it ends with it. */
export async function startDemo({ workspaceState, subscriptions }: vscode.ExtensionContext) {
  if (!isDemoWindow() || workspaceState.get<boolean>(IS_OVER)) return undefined;
  const { MODEL_NAME: name, startOfflineModel } = await import("../../scripts/offline-model/server.mjs");
  const { url, close } = await startOfflineModel({ chunkDelayMs: PIECE_MS });
  subscriptions.push(new vscode.Disposable(() => void close()));
  return { name, baseUrl: url, end: () => void workspaceState.update(IS_OVER, true) };
}
