/**
 * The review in the editor: follows the session that is shown, the files that have changes to look at, and what is typed into
 * them, and keeps marks, lenses, menus and the panel's count in step. Nothing waits for it: typing only asks to look later.
 */

import * as vscode from "vscode";
import type { Session } from "../../core/agent/session/session";
import type { SessionReview } from "../../core/changes/review/sessionReview";
import type { Logger, Stopwatch, Timer } from "../../core/ground/ports";
import { changesIn } from "../../core/log/putBacks";
import { SerialQueue } from "../../shared/async";
import type { AgentEvent } from "../../shared/events";
import type { ReviewFile } from "../../shared/panelSnapshot";
import { isBelow } from "../../shared/paths";
import type { VSCodeFiles } from "../files/files";
import type { Sessions } from "../panel/sessions/sessions";
import { ChangeMarks, changeLenses, FileBadges, type FileChanges } from "./changeMarks";

interface ReviewDeps {
  sessions: Sessions;
  files: VSCodeFiles;
  /** `strata.review.marks` */
  isOn(): boolean;
  onDidChangeSettings: vscode.Event<unknown>;
  /** remembers across reloads that something waits */
  state: vscode.Memento;
  /** What waits changed. */
  tell(sessionId: string, files: readonly ReviewFile[]): void;
  logger: Logger;
  clock: Stopwatch & Timer;
}

/** That the window's session has changes to look at: it is opened again with the window then. */
const WAITING = "strata.reviewWaits";

/** ms after a record of the session, and after a key: typing comes first. */
const RECORD_MS = 20;
const TYPING_MS = 250;

export class Review implements vscode.Disposable {
  private readonly marks = new ChangeMarks();
  private readonly lenses = new vscode.EventEmitter<void>();
  private readonly looked = new vscode.EventEmitter<void>();
  /** Marks and count are as the files were a moment ago. */
  readonly onDidLook = this.looked.event;
  private readonly queue = new SerialQueue();
  private readonly badges = new FileBadges();
  private readonly followed: FollowedFiles;
  private readonly subscriptions: vscode.Disposable;
  /** with changes that wait, the one changed last at the end */
  files: readonly ReviewFile[] = [];
  private marked = new Set<vscode.TextEditor>();
  /** by document */
  private shown = new WeakMap<vscode.TextDocument, FileChanges & { version: number }>();
  private due: { at: number; typing: boolean; cancel(): void } | undefined;
  private closed = false;

  constructor(private readonly deps: ReviewDeps) {
    const { sessions, state } = deps;
    this.followed = new FollowedFiles(deps.files, uri => this.touch(uri));
    const { workspace, window, languages } = vscode;
    this.subscriptions = vscode.Disposable.from(
      ...[this.marks, this.lenses, this.looked, this.badges, this.followed],
      sessions.subscribe((_, event) => this.hear(event)),
      deps.onDidChangeSettings(() => this.lookIn(0)),
      workspace.onDidChangeTextDocument(event => this.followTyping(event)),
      workspace.onDidCloseTextDocument(({ uri }) => this.touch(this.followed.named(uri))),
      window.onDidChangeVisibleTextEditors(() => this.lookIn(RECORD_MS)),
      window.onDidChangeActiveTextEditor(() => this.setHere()),
      // Other programs may have changed files meanwhile.
      window.onDidChangeWindowState(({ focused }) => {
        if (!focused || this.files.length === 0) return;
        this.session?.review.touch();
        this.lookIn(TYPING_MS);
      }),
      languages.registerCodeLensProvider(
        { scheme: "*" },
        {
          onDidChangeCodeLenses: this.lenses.event,
          provideCodeLenses: async document => {
            const known = this.shown.get(document);
            const changes = known?.version === document.version ? known : known && (await this.changesOf(document));
            return changes ? changeLenses(changes) : [];
          },
        },
      ),
    );
    if (deps.isOn() && state.get(WAITING)) void sessions.show().then(() => this.lookIn(0), this.failed);
    else this.lookIn(0);
  }

  get session(): Session | undefined {
    return this.deps.sessions.current;
  }

  /** The current state. */
  async changesOf(document: vscode.TextDocument): Promise<FileChanges | undefined> {
    const ref = await this.deps.files.refIfAny(document.uri);
    if (!ref || !this.session || !this.deps.isOn()) return undefined;
    const changes = await this.session.review.changesIn(ref.uri, document.getText());
    return { uri: ref.uri, changes };
  }

  /** Looks at files anew that no editor shows: other programs may have changed them. */
  lookAnew(): Promise<void> {
    this.session?.review.touch();
    return this.look();
  }

  /** Looks at once, and resolves when all is in step. */
  look(): Promise<void> {
    this.due?.cancel();
    this.due = undefined;
    return this.queue.run(() => this.lookNow()).catch(this.failed);
  }

  dispose(): void {
    this.closed = true;
    this.due?.cancel();
    this.subscriptions.dispose();
  }

  private readonly failed = (error: unknown) =>
    this.deps.logger.log("error", "changes to review could not be looked at", { error: String(error) });

  /** Typing waits for a pause; what the session did does not wait for typing. */
  private lookIn(ms: number): void {
    const at = this.deps.clock.steady() + ms;
    const typing = ms === TYPING_MS;
    if (this.due && (typing ? !this.due.typing : this.due.at <= at)) return;
    this.due?.cancel();
    const cancel = this.deps.clock.after(ms, () => {
      this.due = undefined;
      void this.look();
    });
    this.due = { at, typing, cancel };
  }

  private hear(event: AgentEvent): void {
    // Another session is shown, or another window gave this one up.
    if (event.type === "state" || event.type === "session") this.lookIn(RECORD_MS);
    if (event.type !== "record") return;
    const { record } = event;
    const { review } = this.session ?? {};
    if (record.kind === "revert") review?.touch(record.uri);
    const changes = changesIn(record);
    for (const { uri } of changes) review?.touch(uri);
    // Files went back, or a command changed some: those that no document holds are known by this alone.
    const byMany = record.kind === "rewind" || (record.kind === "commandFiles" && record.files > 0);
    if (byMany) review?.touch();
    if (byMany || changes.length > 0 || record.kind === "revert" || record.kind === "review") this.lookIn(RECORD_MS);
  }

  private followTyping({ document, reason, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0) return;
    if (reason !== undefined) void this.followUndo(document).catch(this.failed);
    this.touch(this.followed.named(document.uri));
  }

  /** The editor's undo may have taken back what a review had done, or its redo have done it again. */
  private async followUndo(document: vscode.TextDocument): Promise<void> {
    const ref = await this.deps.files.refIfAny(document.uri);
    if (ref && (await this.session?.review.followUndo(ref.uri, document.getText()))) this.lookIn(RECORD_MS);
  }

  /** A person changed a file. @param uri as the session names it */
  private touch(uri: string): void {
    if (!this.closed && this.session?.review.touch(uri)) this.lookIn(TYPING_MS);
  }

  private async lookNow(): Promise<void> {
    const { session } = this;
    if (this.closed) return;
    const files = session && this.deps.isOn() ? await session.review.list() : [];
    if (session !== this.session) return this.lookIn(0);
    this.files = files;
    if (session) this.deps.tell(session.id, files);
    await this.followed.follow(session && this.deps.isOn() ? session.review.followed : []);
    this.badges.show(files.map(file => ({ file, place: this.followed.placeOf(file.uri) })));
    const waits = files.length > 0 || undefined;
    if (session && waits !== this.deps.state.get(WAITING)) await this.deps.state.update(WAITING, waits);
    await this.markEditors(session?.review);
    await this.setContext();
    this.looked.fire();
  }

  private async markEditors(review: SessionReview | undefined): Promise<void> {
    const marked = new Set<vscode.TextEditor>();
    for (const editor of vscode.window.visibleTextEditors) {
      const changes = review && (await this.visibleChanges(editor.document));
      if (!changes || changes.changes.length === 0) continue;
      this.marks.show(editor, changes);
      marked.add(editor);
    }
    // The same document may stand in another editor still: a diff was left for the file, one side of a split was closed.
    const documents = new Set([...marked].map(({ document }) => document));
    for (const editor of this.marked) {
      if (marked.has(editor)) continue;
      this.marks.clear(editor);
      if (!documents.has(editor.document)) this.shown.delete(editor.document);
    }
    this.marked = marked;
    this.lenses.fire();
  }

  /** undefined: none, or it is typed into right now and the next look has it */
  private async visibleChanges(document: vscode.TextDocument): Promise<FileChanges | undefined> {
    if (this.files.length === 0) return undefined;
    const ref = await this.deps.files.refIfAny(document.uri);
    if (!ref || !this.files.some(({ uri }) => uri === ref.uri)) return undefined;
    const { version } = document;
    const known = this.shown.get(document);
    const found = await this.changesOf(document);
    if (document.version !== version) return known;
    if (found) this.shown.set(document, { ...found, version });
    return found;
  }

  private async setContext(): Promise<void> {
    const names = this.files.map(({ uri }) => vscode.Uri.parse(uri).fsPath);
    for (const { document } of this.marked) names.push(document.uri.fsPath);
    await vscode.commands.executeCommand("setContext", "strata.reviewWaits", this.files.length > 0);
    await vscode.commands.executeCommand("setContext", "strata.reviewFiles", [...new Set(names)]);
    const redoable = this.deps.isOn() && (await this.session?.review.redoable()) !== undefined;
    await vscode.commands.executeCommand("setContext", "strata.reviewRedoable", redoable);
    this.setHere();
  }

  /** Where the cursor is, there are changes: keys for them are theirs. */
  private setHere(): void {
    const editor = vscode.window.activeTextEditor;
    const isHere = editor !== undefined && (this.shown.get(editor.document)?.changes.length ?? 0) > 0;
    void vscode.commands.executeCommand("setContext", "strata.reviewHere", isHere);
  }
}

class FollowedFiles implements vscode.Disposable {
  /** the editor's name of a file → the session's; both lead to it */
  private readonly names = new Map<string, string>();
  /** the session's name → where it is */
  private places = new Map<string, vscode.Uri>();
  private watching: vscode.Disposable | undefined;

  /** @param onChange a file changed, one of these or another; by its name in the session */
  constructor(
    private readonly files: VSCodeFiles,
    private readonly onChange: (uri: string) => void,
  ) {}

  /** These, from now on. @param uris as the session names them */
  async follow(uris: readonly string[]): Promise<void> {
    const places = new Map<string, vscode.Uri>();
    for (const uri of uris) places.set(uri, this.places.get(uri) ?? (await this.find(uri)));
    this.places = places;
    this.names.clear();
    for (const [uri, place] of places)
      for (const name of [vscode.Uri.parse(uri), place]) this.names.set(name.toString(), uri);
    if (uris.length > 0) this.watching ??= this.watch();
  }

  /** The session's name of what the editor names so; of files that are not followed (yet), what it most likely is. */
  named(place: vscode.Uri): string {
    const name = place.toString();
    return this.names.get(name) ?? name;
  }

  /** Where a file is, as the editor names it: links on the way to the workspace's folder are not followed. */
  placeOf(uri: string): vscode.Uri {
    return this.places.get(uri) ?? vscode.Uri.parse(uri);
  }

  dispose(): void {
    this.watching?.dispose();
  }

  private async find(uri: string): Promise<vscode.Uri> {
    const named = vscode.Uri.parse(uri);
    const ref = await this.files.refIfAny(named);
    return ref ? this.files.documents.uriOf(ref) : named;
  }

  private watch(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*");
    const file = (place: vscode.Uri) => this.onChange(this.named(place));
    const fileOrFolder = (place: vscode.Uri) => {
      file(place);
      this.changedBelow(place);
    };
    watcher.onDidChange(file);
    // Of a folder that goes or comes as a whole, nothing is said of what is in it.
    watcher.onDidDelete(fileOrFolder);
    watcher.onDidCreate(fileOrFolder);
    return vscode.Disposable.from(
      watcher,
      vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => file(notebook.uri)),
    );
  }

  private changedBelow({ scheme, path }: vscode.Uri): void {
    for (const [uri, place] of this.places)
      if (place.scheme === scheme && isBelow(path, place.path)) this.onChange(uri);
  }
}
