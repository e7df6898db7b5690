/**
 * The workspace's files as the editor has them: unsaved text before what is on disk, edits through the editor, so that they
 * can be undone there and the user's typing survives. Everything else is the disk adapter's.
 */
import * as vscode from "vscode";
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
} from "../core/ports";
import { catchesUp, editDocument, encodedText } from "./documentEdits";
import { OpenDocuments } from "./documents";

/** Files on disk; for those that the editor writes itself, whether they may be written (FileError READ_ONLY). */
export interface DiskFiles extends Files {
  requireWritable(ref: FileRef): Promise<void>;
}

export interface VSCodeFilesDeps {
  /** the workspace's folders that are on disk, as they were opened */
  folders(): readonly vscode.Uri[];
  /** files below the folders given (absolute paths) */
  disk(folders: readonly string[]): DiskFiles;
  hash: Hash;
  /** `strata.edits.save` */
  saveEdits(): boolean;
}

export class VSCodeFiles implements Files, vscode.Disposable {
  private disk: DiskFiles;
  readonly documents: OpenDocuments;
  private readonly subscription: vscode.Disposable;
  /** Edits of one file run one after the other. */
  private readonly edits = new Map<string, Promise<unknown>>();

  constructor(private readonly deps: VSCodeFilesDeps) {
    const open = () => deps.disk(deps.folders().map(folder => folder.fsPath));
    this.disk = open();
    this.documents = new OpenDocuments(() => this.disk, deps.folders);
    this.subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      this.disk = open();
    });
  }

  get roots(): readonly Root[] {
    return this.disk.roots;
  }

  resolve(input: string): Promise<FileRef> {
    return this.disk.resolve(input);
  }

  async stat(ref: FileRef): Promise<FileStat | undefined> {
    const onDisk = await this.disk.stat(ref);
    if (onDisk) return onDisk;
    const document = await this.documents.of(ref);
    return document?.isDirty ? { type: "file", size: document.getText().length, mtime: 0 } : undefined;
  }

  list(ref: FileRef): Promise<DirectoryEntry[]> {
    return this.disk.list(ref);
  }

  /**
   * Unsaved text is what counts. A document without any shows what is on disk, or will in a moment, when the editor has
   * noticed that a command changed the file: so there the disk decides.
   */
  async read(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile> {
    const document = await this.documents.of(ref);
    if (document?.isDirty) return this.readUnsaved(document, ref, maxBytes);
    const file = await this.readDisk(ref, maxBytes);
    if (document?.isDirty) return this.readUnsaved(document, ref, maxBytes);
    if (!document || file.kind === "binary" || file.text !== document.getText()) return file;
    return { ...file, from: "editor", stamp: { ...file.stamp, version: document.version } };
  }

  apply(change: ApplyEdits): Promise<ApplyOutcome> {
    const { uri } = change.ref;
    const before = this.edits.get(uri) ?? Promise.resolve();
    const outcome = before.then(() => (change.base === null ? this.create(change) : this.swap(change, change.base)));
    const settled = outcome
      .catch(() => undefined)
      .then(() => {
        if (this.edits.get(uri) === settled) this.edits.delete(uri);
      });
    this.edits.set(uri, settled);
    return outcome;
  }

  /** FileRef.path of a document's file, without looking at the disk. */
  pathOf(uri: vscode.Uri): string {
    for (const [index, folder] of this.deps.folders().entries()) {
      const root = this.roots[index];
      const prefix = `${folder.path.replace(/\/$/, "")}/`;
      if (!root || !uri.path.startsWith(prefix)) continue;
      const relative = uri.path.slice(prefix.length);
      return this.roots.length > 1 ? `${root.name}:${relative}` : relative;
    }
    return uri.path.replace(/^\/(?=[a-zA-Z]:)/, "");
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async readUnsaved(document: vscode.TextDocument, ref: FileRef, maxBytes: number): Promise<TextFile> {
    const { version, encoding } = document;
    const text = document.getText();
    const bytes = await encodedText(text, encoding);
    if (bytes.length > maxBytes) {
      throw new FileError(
        "TOO_LARGE",
        `${ref.path} has ${bytes.length} bytes; at most ${maxBytes} can be read at once.`,
      );
    }
    const mtime = (await this.disk.stat(ref))?.mtime ?? 0;
    const stamp = { mtime, version, sha256: this.deps.hash.sha256(bytes), dirty: true };
    return { kind: "text", text, encoding, stamp, from: "editor" };
  }

  /** What is neither Unicode nor has a BOM is decoded as the editor would; its name for the encoding stays its own. */
  private async readDisk(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile> {
    const file = await this.disk.read(ref, maxBytes);
    if (file.kind === "binary" || file.encoding !== "latin1") return file;
    const bytes = Uint8Array.from(file.text, character => character.charCodeAt(0));
    const text = await vscode.workspace.decode(bytes, { uri: this.documents.uriOf(ref) });
    // Characters that could not be decoded would be lost: Latin-1 keeps each byte.
    return text.includes("\uFFFD") ? file : { ...file, text, encoding: "as the editor reads it" };
  }

  private async create(change: ApplyEdits): Promise<ApplyOutcome> {
    // Unsaved text of a file that was deleted is the user's.
    if ((await this.documents.of(change.ref))?.isDirty) return { kind: "stale" };
    return this.disk.apply(change);
  }

  private async swap(change: ApplyEdits, base: string): Promise<ApplyOutcome> {
    refuseUnsavedNotebook(change.ref, this.documents.uriOf(change.ref));
    const document = await this.documents.of(change.ref);
    if (document?.isDirty) return this.swapUnsaved(change, base, document);
    const file = await this.readDisk(change.ref, Number.MAX_SAFE_INTEGER).catch(asMissing);
    if (!file) return { kind: "stale" };
    if (file.kind === "binary" || file.stamp.sha256 !== base) return this.disk.apply(change);
    const opened = document ?? (await open(this.documents.uriOf(change.ref)));
    const version = opened && (await catchesUp(opened, file.text, document !== undefined));
    // What the editor would not keep as it is (mixed line ends, its encoding), or has not noticed yet, is changed on disk.
    if (!opened || version === undefined) return this.disk.apply(change);
    return this.edit(change, opened, version, this.deps.saveEdits());
  }

  /** The user's own unsaved text stays unsaved, and the edit with it: saving is theirs. */
  private async swapUnsaved(change: ApplyEdits, base: string, document: vscode.TextDocument): Promise<ApplyOutcome> {
    const { version } = document;
    const sha256 = this.deps.hash.sha256(await encodedText(document.getText(), document.encoding));
    return sha256 === base ? this.edit(change, document, version, false) : { kind: "stale" };
  }

  private async edit(
    { ref, edits }: ApplyEdits,
    document: vscode.TextDocument,
    version: number,
    save: boolean,
  ): Promise<ApplyOutcome> {
    await this.disk.requireWritable(ref);
    if (!(await editDocument(document, version, edits, ref.path))) return { kind: "stale" };
    const saved = save && (await document.save());
    const text = document.getText();
    const sha256 = this.deps.hash.sha256(await encodedText(text, document.encoding));
    const mtime = (await this.disk.stat(ref))?.mtime ?? 0;
    const stamp = { mtime, version: document.version, sha256, dirty: document.isDirty };
    return { kind: "applied", stamp, text, saved };
  }
}

/** undefined: the editor cannot open it (too large for it, or not text by its rules) */
async function open(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    // The disk adapter does it, or says why not.
    return undefined;
  }
}

/** A notebook's cells are documents of their own: the file below must not change under them. */
function refuseUnsavedNotebook(ref: FileRef, uri: vscode.Uri): void {
  const name = uri.toString();
  if (vscode.workspace.notebookDocuments.some(notebook => notebook.isDirty && notebook.uri.toString() === name)) {
    throw new FileError(
      "IO",
      `${ref.path} was not changed: it has unsaved changes in the notebook editor. Save it first.`,
    );
  }
}

function asMissing(error: unknown): undefined {
  if (error instanceof FileError && error.code === "NOT_FOUND") return undefined;
  throw error;
}
