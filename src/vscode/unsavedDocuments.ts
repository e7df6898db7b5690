/** Documents and notebooks with unsaved changes that show files of the workspace: which there are, saving them, who saved. */
import * as vscode from "vscode";
import { FileError, type FileRef, type SaveOutcome, type SavesFollowed, type Unsaved } from "../core/ports";
import { isUnsaved } from "./isUnsaved";
import type { DiskFiles } from "./storedFiles";
import { withTimeout } from "./withTimeout";

/** ms for one save: formatters may take their time, a dialog that nobody sees may not */
const SAVE_MS = 10_000;

interface OpenFile {
  ref: FileRef;
  document: Pick<vscode.TextDocument, "uri" | "save">;
  isUnsaved(): boolean;
}

export class UnsavedDocuments implements Unsaved {
  constructor(private readonly files: Pick<DiskFiles, "resolve" | "requireWritable">) {}

  async unsaved(): Promise<FileRef[]> {
    const open = await this.open();
    const refs = new Map(open.map(({ ref }) => [ref.uri, ref]));
    return [...refs.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async save(files: readonly FileRef[]): Promise<SaveOutcome> {
    const open = await this.open();
    const outcomes = await Promise.all(
      files.map(async ref => {
        const same = open.filter(one => one.ref.uri === ref.uri);
        return { ref, why: await this.saveOne(ref, same) };
      }),
    );
    return {
      saved: outcomes.flatMap(({ ref, why }) => (why === undefined ? [ref] : [])),
      failed: outcomes.flatMap(({ ref, why }) => (why === undefined ? [] : [{ ref, why }])),
    };
  }

  followSaves(): SavesFollowed {
    const saved = new Map<string, vscode.Uri>();
    const note = ({ uri }: { uri: vscode.Uri }) => void (uri.scheme === "file" && saved.set(uri.toString(), uri));
    const subscription = vscode.Disposable.from(
      vscode.workspace.onDidSaveTextDocument(note),
      vscode.workspace.onDidSaveNotebookDocument(note),
    );
    return {
      end: async () => {
        subscription.dispose();
        const refs = await Promise.all([...saved.values()].map(uri => this.refOf(uri)));
        return new Set(refs.flatMap(ref => (ref ? [ref.uri] : [])));
      },
    };
  }

  private async open(): Promise<OpenFile[]> {
    const { textDocuments, notebookDocuments } = vscode.workspace;
    const open = [
      ...textDocuments.map(document => ({ document, isUnsaved: () => isUnsaved(document) })),
      ...notebookDocuments.map(document => ({ document, isUnsaved: () => document.isDirty })),
    ];
    const found = await Promise.all(
      open.map(async one => {
        if (one.document.uri.scheme !== "file" || !one.isUnsaved()) return [];
        const ref = await this.refOf(one.document.uri);
        return ref?.inside ? [{ ref, ...one }] : [];
      }),
    );
    return found.flat();
  }

  /** undefined: saved, or there was nothing to save; else why not. @param open of one file: several through links */
  private async saveOne(ref: FileRef, open: readonly OpenFile[]): Promise<string | undefined> {
    for (const one of open) {
      if (!one.isUnsaved()) continue;
      const why = (await this.whyNot(ref, one.document.uri)) ?? (await save(one));
      if (why !== undefined) return why;
    }
    return undefined;
  }

  /** What the editor would answer with a dialog, or, of a file that is gone, by making it anew. */
  private async whyNot(ref: FileRef, uri: vscode.Uri): Promise<string | undefined> {
    try {
      await vscode.workspace.fs.stat(uri);
      await this.files.requireWritable(ref);
      return undefined;
    } catch (error) {
      if (error instanceof FileError) return "it is read-only";
      if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return "its file was deleted";
      return "its file cannot be reached";
    }
  }

  /** undefined: the path leads nowhere */
  private async refOf(uri: vscode.Uri): Promise<FileRef | undefined> {
    try {
      return await this.files.resolve(uri.fsPath);
    } catch (error) {
      if (error instanceof FileError) return undefined;
      throw error;
    }
  }
}

/** undefined: saved; else why not. */
async function save({ document, isUnsaved }: OpenFile): Promise<string | undefined> {
  let written = false;
  const note = (saved: OpenFile["document"]) => {
    if (saved === document) written = true;
  };
  const subscription = vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument(note),
    vscode.workspace.onDidSaveNotebookDocument(note),
  );
  try {
    const saved = await withTimeout(() => document.save(), SAVE_MS);
    if (saved === "late") return `the editor did not finish within ${SAVE_MS / 1000} s`;
    // It says no as well where the text changed while it was written.
    return saved || written || !isUnsaved() ? undefined : "the editor refused: its file may have changed on disk";
  } catch (error) {
    return `the editor refused: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    subscription.dispose();
  }
}
