/** What comes and goes in the workspace's folders, in batches; and when a list of them is to be made anew. */
import * as vscode from "vscode";
import type { Clock } from "../../core/ports";
import type { ChangedParams } from "../../shared/mentions/serverProtocol";
import { workspaceFolders } from "../editor/documents";
import { unignored } from "./fileLists";
import { Later, placeOf } from "./near";
import type { MentionPlaces } from "./places";

interface WatchDeps {
  places: Pick<MentionPlaces, "isIgnored">;
  clock: Pick<Clock, "after">;
  changed(change: ChangedParams): void;
  relist(root: string): void;
  /** folders, or settings that the server has to know */
  workspaceChanged(): void;
  log(message: string): void;
}

const BATCH_MS = 200;
/** VS Code says nothing of what comes in the seconds that its own watching takes to begin: the lists are made anew once then. */
const BEGUN_MS = 10_000;
const IGNORE_FILE = /(?:^|\/)\.(?:git|rg)?ignore$|^\.git\/info\/exclude$/;

interface Batch {
  created: Set<string>;
  deleted: Set<string>;
  /** a list is due */
  relist: boolean;
}

export class WorkspaceWatch implements vscode.Disposable {
  private readonly batches = new Map<string, Batch>();
  private readonly later: Later;
  private readonly begun: Later;
  private flushing: Promise<void> = Promise.resolve();
  private watchers: vscode.Disposable[] = [];
  private readonly subscriptions: vscode.Disposable;
  private readonly end = new AbortController();

  constructor(private readonly deps: WatchDeps) {
    this.later = new Later(BATCH_MS, deps.clock, () => {
      // One after the other: what came first is told first.
      this.flushing = this.flushing.then(() => this.flush());
    });
    this.begun = new Later(BEGUN_MS, deps.clock, () => this.relistAll());
    this.watch();
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.watch();
        deps.workspaceChanged();
      }),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration("strata.mentions")) deps.workspaceChanged();
        if (!["files.exclude", "search.exclude"].some(name => event.affectsConfiguration(name))) return;
        this.relistAll();
      }),
      ...[this.later, this.begun],
    );
  }

  dispose(): void {
    this.end.abort();
    this.subscriptions.dispose();
    for (const watcher of this.watchers) watcher.dispose();
  }

  private watch(): void {
    for (const watcher of this.watchers) watcher.dispose();
    this.watchers = workspaceFolders().map(folder => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, "**/*"));
      watcher.onDidCreate(uri => this.note(uri, "created"));
      watcher.onDidDelete(uri => this.note(uri, "deleted"));
      watcher.onDidChange(uri => IGNORE_FILE.test(uri.path) && this.note(uri, "changed"));
      return watcher;
    });
    this.begun.soon();
  }

  private relistAll(): void {
    for (const { uri } of workspaceFolders()) this.deps.relist(uri.toString());
  }

  private note(uri: vscode.Uri, what: "created" | "deleted" | "changed"): void {
    for (const { root, path } of placeOf(uri)) {
      if (path.startsWith(".git/") && !IGNORE_FILE.test(path)) continue;
      const batch = this.batches.get(root) ?? { created: new Set(), deleted: new Set(), relist: false };
      this.batches.set(root, batch);
      if (IGNORE_FILE.test(path)) batch.relist = true;
      // What came back is there: the last word counts.
      if (what === "created" && batch.created.add(path)) batch.deleted.delete(path);
      if (what === "deleted" && batch.deleted.add(path)) batch.created.delete(path);
      this.later.soon();
    }
  }

  private async flush(): Promise<void> {
    const batches = [...this.batches];
    this.batches.clear();
    for (const [root, batch] of batches) {
      try {
        await this.pass(root, batch);
      } catch (error) {
        if (this.end.signal.aborted) return;
        this.deps.log(`What came into ${root} is listed anew: ${error}`);
        this.deps.relist(root);
      }
    }
  }

  private async pass(root: string, { created, deleted, relist }: Batch): Promise<void> {
    const uri = vscode.Uri.parse(root);
    if (relist) return this.deps.relist(root);
    const { signal } = this.end;
    const came = await unignored(created, path => this.deps.places.isIgnored(uri, path, signal));
    signal.throwIfAborted();
    if (came === undefined) return this.deps.relist(root);
    const files: string[] = [];
    for (const path of came) {
      const type = await typeOf(vscode.Uri.joinPath(uri, path));
      // A folder that came has files of which nothing was said.
      if (type === vscode.FileType.Directory) return this.deps.relist(root);
      if (type === vscode.FileType.File) files.push(path);
    }
    this.deps.changed({ root, created: files, deleted: [...deleted] });
  }
}

/** undefined: gone again */
async function typeOf(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type;
  } catch {
    return undefined;
  }
}
