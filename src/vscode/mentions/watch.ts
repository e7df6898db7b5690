/** Tells when files come and go in the workspace's folders, or others are ignored. */
import * as vscode from "vscode";
import type { Timer } from "../../core/ground/ports";
import { workspaceFolders } from "../editor/documents";
import { Batch } from "./near";

interface WatchDeps {
  clock: Timer;
  /** a list of a root's files is out of date */
  changed(root: string): void;
  foldersChanged(): void;
}

/** VS Code says nothing of what comes in the seconds that its own watching takes to begin: the lists are made anew once then. */
const BEGUN_MS = 10_000;
const IGNORE_FILE = /\/(?:\.(?:git|rg)?ignore|\.git\/info\/exclude)$/;

export class WorkspaceWatch implements vscode.Disposable {
  private readonly begun: Batch;
  private watchers: vscode.Disposable[] = [];
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: WatchDeps) {
    this.begun = new Batch(BEGUN_MS, deps.clock, () => this.allChanged());
    this.watch();
    this.subscriptions = vscode.Disposable.from(
      this.begun,
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.watch();
        deps.foldersChanged();
      }),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (["files.exclude", "search.exclude"].some(name => event.affectsConfiguration(name))) this.allChanged();
      }),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
    for (const watcher of this.watchers) watcher.dispose();
  }

  private watch(): void {
    for (const watcher of this.watchers) watcher.dispose();
    this.watchers = workspaceFolders().map(folder => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, "**/*"));
      const note = ({ path }: vscode.Uri) => {
        if (!path.includes("/.git/") || IGNORE_FILE.test(path)) this.deps.changed(folder.uri.toString());
      };
      watcher.onDidCreate(note);
      watcher.onDidDelete(note);
      watcher.onDidChange(uri => IGNORE_FILE.test(uri.path) && note(uri));
      return watcher;
    });
    this.begun.soon();
  }

  private allChanged(): void {
    for (const { uri } of workspaceFolders()) this.deps.changed(uri.toString());
  }
}
