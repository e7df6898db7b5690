/** Documents and notebooks with unsaved changes that show files of the workspace: which there are, saving them, who saved. */
import * as vscode from "vscode";
import { FileError, type FileRef, type SaveOutcome, type SavesFollowed, type Unsaved } from "../../core/ports";
import { errorMessage } from "../../shared/errorMessage";
import { hasUnsaved, type OpenDocuments, type UnsavedDocument } from "../editor/documents";
import { withTimeout } from "../platform/async";
import type { VSCodeFiles } from "./files";

/** ms for one save: formatters may take their time, a dialog that nobody sees may not */
const SAVE_MS = 10_000;

export class UnsavedDocuments implements Unsaved {
  constructor(
    private readonly files: Pick<VSCodeFiles, "refIfAny" | "requireWritable"> & {
      documents: Pick<OpenDocuments, "unsaved">;
    },
  ) {}

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
    const subscription = onSaved(({ uri }) => void (uri.scheme === "file" && saved.set(uri.toString(), uri)));
    return {
      end: async () => {
        subscription.dispose();
        const refs = await Promise.all([...saved.values()].map(uri => this.files.refIfAny(uri)));
        return new Set(refs.flatMap(ref => (ref ? [ref.uri] : [])));
      },
    };
  }

  private async open(): Promise<UnsavedDocument[]> {
    return (await this.files.documents.unsaved()).filter(({ ref }) => ref.inside);
  }

  /** undefined: saved, or there was nothing to save; else why not. @param open of one file: several through links */
  private async saveOne(ref: FileRef, open: readonly UnsavedDocument[]): Promise<string | undefined> {
    for (const { document } of open) {
      if (!hasUnsaved(document)) continue;
      const why = (await this.whyNot(ref, document.uri)) ?? (await save(document));
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
}

type Saved = UnsavedDocument["document"];

const onSaved = (listener: (document: Saved) => void) =>
  vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument(listener),
    vscode.workspace.onDidSaveNotebookDocument(listener),
  );

/** undefined: saved; else why not. */
async function save(document: Saved): Promise<string | undefined> {
  let written = false;
  const subscription = onSaved(saved => {
    if (saved === document) written = true;
  });
  try {
    const saved = await withTimeout(() => document.save(), SAVE_MS);
    if (saved === "late") return `the editor did not finish within ${SAVE_MS / 1000} s`;
    // It says no as well where the text changed while it was written.
    return saved || written || !hasUnsaved(document)
      ? undefined
      : "the editor refused: its file may have changed on disk";
  } catch (error) {
    return `the editor refused: ${errorMessage(error)}`;
  } finally {
    subscription.dispose();
  }
}
