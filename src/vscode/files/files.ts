/**
 * The workspace's files as the editor has them: unsaved text before what is stored, edits through the editor, so that they
 * can be undone there and the user's typing survives. Everything else is the affair of the files on disk (storedFiles.ts).
 */
import * as vscode from "vscode";
import { isNotebookPath } from "../../core/changes/edits/notebook";
import {
  type ApplyEdits,
  type ApplyOutcome,
  type BinaryFile,
  type DirectoryEntry,
  FileError,
  type FileRef,
  type FileStat,
  type Files,
  type Hash,
  type Root,
  type TextFile,
  type TogetherOutcome,
} from "../../core/ground/ports";
import { unlessFileError } from "../../core/ground/ports/files";
import { KeyedQueue } from "../../shared/async";
import { defined } from "../../shared/defined";
import type { Stamp } from "../../shared/toolResult";
import {
  isUnsaved,
  isUntitled,
  notebookAround,
  OpenDocuments,
  resolveUntitled,
  untitledDocuments,
  untitledName,
  workspaceFolders,
} from "../editor/documents";
import { Notebooks } from "./notebooks";
import type { StoredFiles } from "./storedFiles";
import { TextBuffers } from "./textBuffers";

interface VSCodeFilesDeps {
  /** the workspace's folders as they were opened */
  folders(): readonly vscode.Uri[];
  /** files on disk below the folders given (absolute paths) */
  disk(folders: readonly string[]): StoredFiles;
  hash: Hash;
  /** `strata.edits.save` */
  saveEdits(): boolean;
  /** ms that the editor gets to open a file */
  openMs?: number;
}

/** The workspace's folders as they were opened last: their files on disk, and their roots with the names that the editor shows. */
type OpenedFolders = { stored: StoredFiles; roots: readonly Root[] };

function openFolders({ folders, disk }: VSCodeFilesDeps): OpenedFolders {
  const uris = folders();
  const stored = disk(uris.map(({ fsPath }) => fsPath));
  const roots = stored.roots.map((root, index) => {
    const shownAs = workspaceFolders().find(({ uri }) => uri.toString() === uris[index]?.toString())?.name;
    return { ...root, ...(shownAs !== root.name && defined({ shownAs })) };
  });
  return { stored, roots };
}

/** A larger notebook is not put together for a search. */
const MAX_SEARCHED_BYTES = 20 * 1024 * 1024;

export class VSCodeFiles implements Files, vscode.Disposable {
  private opened: OpenedFolders;
  readonly documents: OpenDocuments;
  private readonly buffers: TextBuffers;
  private readonly notebooks: Notebooks;
  private readonly renames = new Renames();
  private readonly subscription: vscode.Disposable;
  /** Edits of one file run one after the other. */
  private readonly edits = new KeyedQueue();
  private readonly listeners = new Set<(ref: FileRef) => void>();

  constructor(private readonly deps: VSCodeFilesDeps) {
    this.opened = openFolders(deps);
    this.documents = new OpenDocuments(() => this.opened.stored, deps.folders);
    const parts = { ...deps, documents: this.documents, stored: () => this.opened.stored };
    this.buffers = new TextBuffers(parts);
    this.notebooks = new Notebooks(parts);
    this.subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      this.opened = openFolders(deps);
    });
  }

  get roots(): readonly Root[] {
    return this.opened.roots;
  }

  async resolve(input: string): Promise<FileRef> {
    const untitled = await resolveUntitled(input, path => this.opened.stored.resolve(path));
    if (!untitled) return this.opened.stored.resolve(input);
    if (input === untitled.path) return untitled;
    // The name alone may be a file's as well: then it is the file.
    const ref = await unlessFileError(this.opened.stored.resolve(input), undefined);
    return ref && (await this.opened.stored.stat(ref)) ? ref : untitled;
  }

  /** The file that a document shows. Rejects with FileError for what is in no place that files are in. */
  async refOf(uri: vscode.Uri): Promise<FileRef> {
    const { uri: file } = notebookAround(uri) ?? { uri };
    if (file.scheme === "untitled") return this.resolve(untitledName(file));
    if (file.scheme === "file") return this.opened.stored.resolve(file.fsPath);
    throw new FileError("NOT_FOUND", `${file.toString(true)} is on no disk of this machine.`);
  }

  /** undefined: it is in no place that files are in */
  refIfAny(uri: vscode.Uri): Promise<FileRef | undefined> {
    return unlessFileError(this.refOf(uri), undefined);
  }

  async stat(ref: FileRef): Promise<FileStat | undefined> {
    if (!isUntitled(ref)) {
      const stored = await this.opened.stored.stat(ref);
      if (stored) return stored;
    } else if (!untitledDocuments().some(({ uri }) => uri.toString() === ref.uri)) return undefined;
    const document = await this.documents.of(ref);
    const isOpen = isUntitled(ref) || (await this.hasUnsaved(ref, document));
    return isOpen ? { type: "file", size: document?.getText().length ?? 0, mtime: 0 } : undefined;
  }

  async list(ref: FileRef): Promise<DirectoryEntry[]> {
    if (isUntitled(ref)) throw new FileError("IO", `${ref.path} is a document, not a folder.`);
    return this.opened.stored.list(ref);
  }

  /**
   * Unsaved text counts. A document without any shows what is stored, or will in a moment, when the editor has
   * noticed that a command changed the file: so there the file decides.
   */
  async read(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile> {
    const document = await this.documents.of(ref);
    const counts = () => document && (isUnsaved(document) || document.isUntitled) && !document.isClosed;
    if (document && counts()) return this.buffers.readUnsaved(document, ref, maxBytes);
    const notebook = await this.notebooks.read(ref, maxBytes);
    if (notebook) return notebook;
    if (isUntitled(ref)) throw new FileError("NOT_FOUND", `${ref.path} was closed.`);
    const file = await this.buffers.readStored(ref, maxBytes);
    if (document && counts()) return this.buffers.readUnsaved(document, ref, maxBytes);
    if (!document || file.kind === "binary" || file.text !== document.getText()) return file;
    return { ...file, from: "editor", stamp: { ...file.stamp, version: document.version } };
  }

  /** What the editor holds unsaved, documents that have no file yet too; of a notebook its file with the editor's cells in it. */
  async unsavedTexts(): Promise<{ ref: FileRef; text: string }[]> {
    const untitled = untitledDocuments().map(async document => {
      const ref = await this.refIfAny(document.uri);
      return ref ? [{ document, ref }] : [];
    });
    const open = [...(await this.documents.unsaved()), ...(await Promise.all(untitled)).flat()];
    const read = open.map(async ({ document, ref }) => {
      if ("getText" in document) return [{ ref, text: document.getText() }];
      // One that cannot be read (it is too large, its file is damaged) is searched as it is on disk.
      const file = await unlessFileError(this.notebooks.read(ref, MAX_SEARCHED_BYTES), undefined);
      return file ? [{ ref, text: file.text }] : [];
    });
    return (await Promise.all(read)).flat();
  }

  /** By the user's settings and by where it is stored; rejects with FileError READ_ONLY. */
  async requireWritable(ref: FileRef): Promise<void> {
    requireEditable(this.documents.uriOf(ref), ref.path);
    await this.opened.stored.requireWritable(ref);
  }

  /** Whether what the editor writes at `uri` is the file still: no link was put in the way. */
  async leadsTo(uri: vscode.Uri, ref: FileRef): Promise<boolean> {
    return this.opened.stored.leadsTo(ref, uri.fsPath);
  }

  /** Hears of each file that is changed through these files, whoever asked for it. */
  onChange(listener: (ref: FileRef) => void): vscode.Disposable {
    this.listeners.add(listener);
    return new vscode.Disposable(() => this.listeners.delete(listener));
  }

  private changed(...refs: FileRef[]): void {
    for (const listener of this.listeners) for (const ref of refs) listener(ref);
  }

  async apply(change: ApplyEdits): Promise<ApplyOutcome> {
    const outcome = await this.edits.run(change.ref.uri, () => this.applyNow(change));
    if (outcome.kind === "applied") this.changed(change.ref);
    return outcome;
  }

  async applyTogether(changes: readonly ApplyEdits[]): Promise<TogetherOutcome> {
    // Always in the same order: two such changes never wait for each other.
    const uris = [...new Set(changes.map(({ ref }) => ref.uri))].sort();
    const work = () => this.applyTogetherNow(changes);
    const outcome = await uris.reduceRight((inner, uri) => () => this.edits.run(uri, inner), work)();
    if (outcome.kind === "applied") this.changed(...changes.map(({ ref }) => ref));
    return outcome;
  }

  recall(uri: string, stamp: Stamp): void {
    this.opened.stored.recall?.(uri, stamp);
  }

  async removeFile(ref: FileRef, base: string): Promise<"removed" | "stale"> {
    const outcome = await this.edits.run(ref.uri, () => this.removeNow(ref, base));
    if (outcome === "removed") this.changed(ref);
    return outcome;
  }

  async renamedTo(ref: FileRef): Promise<FileRef | undefined> {
    const uri = this.renames.of(this.documents.uriOf(ref).toString()) ?? this.renames.of(ref.uri);
    return uri && this.refIfAny(uri);
  }

  /** FileRef.path of a document's file, without looking at where it is stored. */
  pathOf(uri: vscode.Uri): string {
    const file = notebookAround(uri)?.uri ?? uri;
    if (file.scheme === "untitled") return untitledName(file);
    const folders = this.deps.folders().flatMap((folder, index) => {
      const prefix = `${folder.path.replace(/\/$/, "")}/`;
      const isSame = folder.scheme === file.scheme && folder.authority === file.authority;
      return isSame && file.path.startsWith(prefix) ? [{ prefix, root: this.roots[index] }] : [];
    });
    // The innermost, as everywhere.
    const { root, prefix = "" } = folders.toSorted((a, b) => b.prefix.length - a.prefix.length)[0] ?? {};
    if (root) return `${this.roots.length > 1 ? `${root.name}:` : ""}${file.path.slice(prefix.length)}`;
    return file.scheme === "file" ? file.path.replace(/^\/(?=[a-zA-Z]:)/, "") : file.toString(true);
  }

  dispose(): void {
    this.subscription.dispose();
    this.renames.dispose();
    this.notebooks.dispose();
  }

  private async applyNow(change: ApplyEdits): Promise<ApplyOutcome> {
    const { ref, base } = change;
    if (isUntitled(ref)) return this.applyUntitled(change);
    await this.requireWritable(ref);
    const document = await this.documents.of(ref);
    if (base !== null) {
      const swapped = document && isUnsaved(document) ? undefined : await this.notebooks.swap(change, base);
      return swapped ?? this.buffers.swap(change, base);
    }
    // Unsaved text of a file that was deleted is the user's.
    return (await this.hasUnsaved(ref, document)) ? { kind: "stale" } : this.buffers.create(change);
  }

  /** Of notebooks and of new files none is made in one step with others. */
  private async applyTogetherNow(changes: readonly ApplyEdits[]): Promise<TogetherOutcome> {
    const swaps: { change: ApplyEdits; base: string }[] = [];
    for (const change of changes) {
      const { ref, base } = change;
      if (base === null || isNotebookPath(ref.path))
        throw new FileError("IO", `${ref.path} cannot be changed with others.`);
      if (!isUntitled(ref)) await this.requireWritable(ref);
      swaps.push({ change, base });
    }
    return this.buffers.swapTogether(swaps);
  }

  private async hasUnsaved(ref: FileRef, document: vscode.TextDocument | undefined): Promise<boolean> {
    return (document && isUnsaved(document)) || ((await this.documents.notebookOf(ref))?.isDirty ?? false);
  }

  private async removeNow(ref: FileRef, base: string): Promise<"removed" | "stale"> {
    if (isUntitled(ref)) return "stale";
    const document = await this.documents.of(ref);
    const version = document?.version ?? 0;
    const uri = this.documents.uriOf(ref);
    const file = await unlessFileError(this.read(ref, Number.MAX_SAFE_INTEGER), undefined);
    // Unsaved text that only the editor has is not stored: there is no file to take away.
    if (!file || file.stamp.sha256 !== base || !(await this.opened.stored.stat(ref))) return "stale";
    await this.requireWritable(ref);
    const change = new vscode.WorkspaceEdit();
    change.deleteFile(uri, { ignoreIfNotExists: false, recursive: false });
    // Its other names, if it has some, stay.
    if (!(await this.opened.stored.leadsTo({ ...ref, hasOtherNames: true }, uri.fsPath))) return "stale";
    // From here to the call nothing is awaited: never under text that nobody else has.
    if (document && !document.isClosed && document.version !== version) return "stale";
    if (await vscode.workspace.applyEdit(change)) return "removed";
    throw new FileError("IO", `${ref.path} was not removed: the editor refused it. Is the file read-only?`);
  }

  /** It has no file, and gets none: saving it is the user's. */
  private async applyUntitled(change: ApplyEdits): Promise<ApplyOutcome> {
    const { ref, base } = change;
    if (base === null) return { kind: "stale" };
    const document = await this.documents.of(ref);
    if (document) return this.buffers.swapUnsaved(change, base, document);
    return (await this.notebooks.swap(change, base)) ?? { kind: "stale" };
  }
}

/**
 * Rejects with FileError READ_ONLY for files that settings make read-only (`files.readonlyInclude`): an edit would change what
 * the editor shows, and nothing else. `path` is for the message.
 */
function requireEditable(uri: vscode.Uri, path: string): void {
  const files = vscode.workspace.getConfiguration("files", uri);
  if (!fits(uri, files.get("readonlyInclude")) || fits(uri, files.get("readonlyExclude"))) return;
  throw new FileError(
    "READ_ONLY",
    `${path} was not changed: the setting files.readonlyInclude makes it read-only. Ask the user to make this change.`,
  );
}

const fits = (uri: vscode.Uri, globs: unknown) =>
  Object.entries(globs ?? {}).some(([glob, on]) => on === true && matches(uri, glob));

/** Globs are relative to the folder of the workspace, unless they begin as an absolute path does. */
function matches(uri: vscode.Uri, glob: string): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const relative = folder && !/^(?:[/\\]|[a-z]:)/i.test(glob);
  const pattern = relative ? new vscode.RelativePattern(folder, glob) : glob;
  // The editor's own matcher asks a document for no more than this.
  const document = { uri, languageId: "" } as vscode.TextDocument;
  return vscode.languages.match({ pattern }, document) > 0;
}

/** More than a session renames; the oldest are forgotten. */
const MAX_RENAMES = 1_000;

/** Where files went that were renamed or moved in the editor while the window was open. */
class Renames implements vscode.Disposable {
  /** old URI → new URI of a file or folder, oldest first */
  private readonly moved = new Map<string, string>();
  private readonly subscription: vscode.Disposable;

  constructor() {
    this.subscription = vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) this.remember(oldUri.toString(), newUri.toString());
    });
  }

  /** undefined: no rename is known */
  of(uri: string): vscode.Uri | undefined {
    let at = uri;
    // A name may have been given back and taken again: every rename counts once.
    for (let hops = 0; hops < this.moved.size; hops += 1) {
      const next = this.next(at);
      if (next === undefined) break;
      at = next;
    }
    return at === uri ? undefined : vscode.Uri.parse(at);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private next(uri: string): string | undefined {
    for (let end = uri.length; end > 0; end = uri.lastIndexOf("/", end - 1)) {
      const target = this.moved.get(uri.slice(0, end));
      if (target !== undefined) return target + uri.slice(end);
    }
    return undefined;
  }

  private remember(from: string, to: string): void {
    this.moved.delete(from);
    this.moved.set(from, to);
    // The file that is there now was not renamed away.
    this.moved.delete(to);
    const [oldest] = this.moved.keys();
    if (this.moved.size > MAX_RENAMES && oldest !== undefined) this.moved.delete(oldest);
  }
}
