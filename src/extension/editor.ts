/** The parts of the agent that look at the editor. */
import * as vscode from "vscode";
import type { TerminalCommands } from "../vscode/attachments/terminal";
import type { VSCodeFiles } from "../vscode/files/files";

/** What the editor shows, and what its checkers say. */
export function createEditorParts(
  { subscriptions }: vscode.ExtensionContext,
  editor: typeof import("../vscode/agent"),
  { nodeClock: clock, readGitChanges: changes }: typeof import("../node/adapters"),
  { files, terminals }: { files: VSCodeFiles; terminals: TerminalCommands },
) {
  const refOf = (uri: vscode.Uri) => files.refIfAny(uri);
  const diagnostics = new editor.VSCodeDiagnostics({ documents: files.documents, refOf, clock });
  const inUse = new editor.LastActiveEditor();
  subscriptions.push(diagnostics, inUse);
  const selection = new editor.EditorSelection(files, inUse);
  const attachments = editor.editorAttachments({ diagnostics, terminals, files, changes, selection });
  const surroundings = new editor.VSCodeSurroundings(process.platform, uri => files.pathOf(uri), inUse);
  const code = new editor.VSCodeCode({ documents: files.documents, refOf });
  const unsaved = new editor.UnsavedDocuments(files);
  return { inUse, diagnostics, code, attachments, surroundings, unsaved, editorTasks: new editor.VSCodeTasks() };
}

/** The channel for people; each day's lines, whole, in a file. */
export function openLog(
  { subscriptions, logUri }: vscode.ExtensionContext,
  { ChannelLogger }: typeof import("../vscode/agent"),
  { NodeLogger, nodeClock: clock }: typeof import("../node/adapters"),
) {
  const channel = vscode.window.createOutputChannel("Strata", { log: true });
  subscriptions.push(channel);
  channel.info(`Each day's log, whole, as JSON: ${logUri.fsPath}`);
  const logFile = new NodeLogger({ folder: logUri.fsPath, clock, level: "debug" });
  return { channel, logFile, logger: new ChannelLogger(channel, logFile) };
}
