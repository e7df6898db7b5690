/** What the editor knows for mentions: files in tabs and those looked at last, the active one, and that files came or went. */
import * as vscode from "vscode";
import type { FileRef, Timer } from "../../core/ground/ports";
import type { NearParams, PlaceParams } from "../../shared/mentions/serverProtocol";
import { mentionedPath } from "../../shared/mentions/write";
import { isPrompt, isPromptAt } from "../editor/documents";
import type { LastActiveEditor } from "../editor/lastActiveEditor";
import type { VSCodeFiles } from "../files/files";

type Timers = Timer;

const MAX_NEAR = 50;
const WITHIN_MS = 100;
/** Many files come and go together: a checkout, an install. */
const TOGETHER_MS = 300;

export class NearbyFiles implements vscode.Disposable {
  /** newest first */
  private recent: vscode.Uri[] = [];
  private readonly later: Batch;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly send: (near: NearParams) => void,
    clock: Timers,
  ) {
    this.later = new Batch(WITHIN_MS, clock, () => this.send(this.now()));
    this.visit(vscode.window.activeTextEditor);
    this.subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(editor => this.visit(editor)),
      vscode.window.tabGroups.onDidChangeTabs(() => this.later.soon()),
      this.later,
    );
  }

  now(): NearParams {
    return { open: openUris().flatMap(placeOf).slice(0, MAX_NEAR), recent: this.recent.flatMap(placeOf) };
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private visit(editor: vscode.TextEditor | undefined): void {
    if (!editor || isPrompt(editor.document)) return;
    const { uri } = editor.document;
    const name = uri.toString();
    this.recent = [uri, ...this.recent.filter(other => other.toString() !== name)].slice(0, MAX_NEAR);
    this.later.soon();
  }
}

function openUris(): vscode.Uri[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri] : [],
    )
    .filter(uri => !isPromptAt(uri));
}

/** The place of a file; none of what is in no folder. */
function placeOf(uri: vscode.Uri): PlaceParams[] {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder || folder.uri.toString() === uri.toString()) return [];
  const path = uri.path.slice(folder.uri.path.replace(/\/$/, "").length + 1);
  return [{ root: folder.uri.toString(), path }];
}

/** FileRef.path of the active editor's file; undefined: it lies outside the workspace, or there is none. */
export function activeFile(files: VSCodeFiles, inUse: LastActiveEditor): string | undefined {
  const uri = inUse.uri();
  if (!uri || !(uri.scheme === "untitled" || vscode.workspace.getWorkspaceFolder(uri))) return undefined;
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
    // It looked like a URI and is none.
    return undefined;
  }
}

/** Calls back once some files came or went. */
export function onFilesChanged(clock: Timers, callback: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher("**/*", false, true, false);
  const later = new Batch(TOGETHER_MS, clock, callback);
  const soon = (what: unknown) => {
    // Git's own, with every command of it.
    if (what instanceof vscode.Uri && what.path.includes("/.git/")) return;
    later.soon();
  };
  const folders = vscode.workspace.onDidChangeWorkspaceFolders(soon);
  return vscode.Disposable.from(watcher, watcher.onDidCreate(soon), watcher.onDidDelete(soon), folders, later);
}

/** Once for all that happens within a while: also where it never ends, its turn comes. */
export class Batch {
  private cancel: (() => void) | undefined;

  constructor(
    private readonly withinMs: number,
    private readonly clock: Timers,
    private readonly run: () => void,
  ) {}

  soon(): void {
    this.cancel ??= this.clock.after(this.withinMs, () => {
      this.cancel = undefined;
      this.run();
    });
  }

  dispose(): void {
    this.cancel?.();
  }
}
