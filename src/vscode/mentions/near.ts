/** What the editor knows for mentions: files in tabs and those looked at last, the active one, and that files came or went. */
import * as vscode from "vscode";
import type { FileRef, Timer } from "../../core/ground/ports";
import { mentionedPath } from "../../shared/mentions/write";
import { folderAround, isPrompt, isPromptAt, openTabs } from "../editor/documents";
import type { LastActiveEditor } from "../editor/lastActiveEditor";
import type { VSCodeFiles } from "../files/files";
import type { Nearness, Place } from "./pathIndex";

const MAX_NEAR = 50;
/** Many files come and go together: a checkout, an install. */
const TOGETHER_MS = 300;

export class NearbyFiles implements vscode.Disposable {
  /** newest first */
  private recent: vscode.Uri[] = [];
  private readonly subscription = vscode.window.onDidChangeActiveTextEditor(editor => this.visit(editor));

  constructor() {
    this.visit(vscode.window.activeTextEditor);
  }

  now(): Nearness {
    return { open: openUris().flatMap(placeOf).slice(0, MAX_NEAR), recent: this.recent.flatMap(placeOf) };
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private visit(editor: vscode.TextEditor | undefined): void {
    if (!editor || isPrompt(editor.document)) return;
    const { uri } = editor.document;
    const name = uri.toString();
    this.recent = [uri, ...this.recent.filter(other => other.toString() !== name)].slice(0, MAX_NEAR);
  }
}

function openUris(): vscode.Uri[] {
  const isFile = (input: unknown) => input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
  return openTabs().flatMap(({ input }) => (isFile(input) && !isPromptAt(input.uri) ? [input.uri] : []));
}

/** The place of a file; none of what is in no folder. */
function placeOf(uri: vscode.Uri): Place[] {
  const folder = folderAround(uri);
  if (!folder || folder.uri.toString() === uri.toString()) return [];
  return [{ root: folder.uri.toString(), path: uri.path.slice(folder.uri.path.replace(/\/$/, "").length + 1) }];
}

/** FileRef.path of the active editor's file; undefined: it lies outside the workspace, or there is none. */
export function activeFile(files: VSCodeFiles, inUse: LastActiveEditor): string | undefined {
  const uri = inUse.uri();
  if (!uri || !(uri.scheme === "untitled" || folderAround(uri))) return undefined;
  return files.pathOf(uri);
}

/** The path of a file as its mentions have it, without waiting. */
export function mentionPathOf(uri: vscode.Uri, files: VSCodeFiles): string {
  const roots = files.roots.map(({ name }) => name);
  return mentionedPath(files.pathOf(uri), roots);
}

/** @param place an absolute path or a URI */
export async function refOfPlace(place: string, files: VSCodeFiles): Promise<FileRef | undefined> {
  const uri = uriOfPlace(place);
  return uri && files.refIfAny(uri);
}

function uriOfPlace(place: string): vscode.Uri | undefined {
  if (/^(?:[/\\]|[a-z]:[/\\])/i.test(place)) return vscode.Uri.file(place);
  try {
    const uri = vscode.Uri.parse(place, true);
    // How the window names the files of the machine that the extension runs on.
    return uri.scheme === "vscode-remote" ? vscode.Uri.file(uri.path) : uri;
  } catch {
    // It looked like a URI and is not one.
    return undefined;
  }
}

/** Calls back once some files came or went. */
export function onFilesChanged(clock: Timer, callback: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher("**/*", false, true, false);
  let cancel: (() => void) | undefined;
  const soon = (what: unknown) => {
    // Git's own, with every command of it.
    if (what instanceof vscode.Uri && what.path.includes("/.git/")) return;
    // Once for all that happens within a while: also where it never ends, its turn comes.
    cancel ??= clock.after(TOGETHER_MS, () => {
      cancel = undefined;
      callback();
    });
  };
  const folders = vscode.workspace.onDidChangeWorkspaceFolders(soon);
  const later = { dispose: () => cancel?.() };
  return vscode.Disposable.from(watcher, watcher.onDidCreate(soon), watcher.onDidDelete(soon), folders, later);
}
