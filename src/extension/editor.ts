/** The parts of the agent that look at the editor and its workspace. */
import * as vscode from "vscode";
import type { FileRef, Logger, Patterns } from "../core/ports";
import type { TerminalCommands } from "../vscode/attachments/terminal";
import type { VSCodeFiles } from "../vscode/files/files";
import type { VSCodeSearchDeps } from "../vscode/search/unsavedSearch";

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
  const code = new editor.VSCodeCode({ documents: files.documents, refOf, clock });
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

/** Gives folders for unsaved text that is searched. What a window left behind that was killed while it searched goes first. */
export async function scratchFolders(
  storage: vscode.Uri,
  { nodeIds, newScratchFolder, removeFolder }: typeof import("../node/adapters"),
  logger: Logger,
): Promise<VSCodeSearchDeps["newScratch"]> {
  const scratch = vscode.Uri.joinPath(storage, "unsaved");
  await removeFolder(scratch.fsPath).catch(error =>
    logger.log("warning", "unsaved text of a search before was not removed", { error: String(error) }),
  );
  return () => newScratchFolder(vscode.Uri.joinPath(scratch, nodeIds.next("s")).fsPath);
}

/** Each place is searched by what reaches it; one ripgrep for the workspace, one for folders of which all is to be searched. */
export function createSearch(
  {
    VSCodeSearch,
    routedSearch,
    VirtualSearch,
    editorsEncoding,
    excludedGlobs: excludes,
  }: typeof import("../vscode/agent"),
  { RipgrepSearch, vscodeRipgrep, nodeClock: clock }: typeof import("../node/adapters"),
  deps: { files: VSCodeFiles; patterns: Patterns } & Pick<VSCodeSearchDeps, "ownFolders" | "newScratch">,
) {
  const { files, patterns } = deps;
  const ripgrepPath = () => vscodeRipgrep(vscode.env.appRoot);
  const encoding = (ref: FileRef) => editorsEncoding(files.documents.uriOf(ref));
  const links = { followsLinks: () => vscode.workspace.getConfiguration("search").get("followSymlinks", true) };
  const disk = new RipgrepSearch({ ripgrepPath, excludes, roots: () => files.diskRoots, encoding, ...links });
  const engine = new RipgrepSearch({ ripgrepPath, roots: () => [], everything: true });
  const search = new VSCodeSearch({ ...deps, disk, engine });
  return routedSearch(search, new VirtualSearch({ files, excludes, patterns, clock }));
}
