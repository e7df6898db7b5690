/** Documents and notebooks with unsaved changes that show files of the workspace: which there are, saving them, who saved. */
import * as vscode from "vscode";
import type { FileRef, SaveOutcome, SavesFollowed, UnsavedFiles } from "../../core/ground/ports";
import { FileError } from "../../core/ground/ports";
import { hasUnsaved, type UnsavedDocument } from "../editor/documents";
import { saveDocument } from "../editor/saving";
import type { VSCodeFiles } from "./files";

/** ms for one save: formatters may take their time, a dialog that nobody sees may not */
const SAVE_MS = 10_000;

export class UnsavedDocuments implements UnsavedFiles {
  constructor(private readonly files: VSCodeFiles) {}

  async unsaved(): Promise<FileRef[]> {
    const open = await this.open();
    const refs = new Map(open.map(({ ref }) => [ref.uri, ref]));
    return [...refs.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async save(files: readonly FileRef[]): Promise<SaveOutcome> {
    const open = await this.open();
    const reasons = await Promise.all(files.map(ref => this.saveOne(ref, open)));
    return {
      saved: files.filter((_, index) => reasons[index] === undefined),
      failed: files.flatMap((ref, index) => (reasons[index] === undefined ? [] : [{ ref, why: reasons[index] }])),
    };
  }

  followSaves(): SavesFollowed {
    const saved = new Map<string, vscode.Uri>();
    const changed = new Set<string>();
    const listener = ({ uri }: { uri: vscode.Uri }) => void (uri.scheme === "file" && saved.set(uri.toString(), uri));
    const subscription = vscode.Disposable.from(
      vscode.workspace.onDidSaveTextDocument(listener),
      vscode.workspace.onDidSaveNotebookDocument(listener),
      // in the explorer, or by another extension
      vscode.workspace.onDidCreateFiles(({ files }) => {
        for (const uri of files) listener({ uri });
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { newUri } of files) listener({ uri: newUri });
      }),
      this.files.onChange(({ uri }) => changed.add(uri)),
    );
    return {
      saved: async () => {
        const refs = await Promise.all([...saved.values()].map(uri => this.files.refIfAny(uri)));
        return new Set([...changed, ...refs.flatMap(ref => (ref ? [ref.uri] : []))]);
      },
      end: () => void subscription.dispose(),
    };
  }

  private async open(): Promise<UnsavedDocument[]> {
    return (await this.files.documents.unsaved()).filter(({ ref }) => ref.inside);
  }

  /** undefined: saved, or there was nothing to save; else why not. Several documents may show the file, through links. */
  private async saveOne(ref: FileRef, open: readonly UnsavedDocument[]): Promise<string | undefined> {
    for (const { document, ref: shown } of open) {
      if (shown.uri !== ref.uri || !hasUnsaved(document)) continue;
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
      return (await this.files.leadsTo(uri, ref)) ? undefined : "a link was put in its way";
    } catch (error) {
      if (error instanceof FileError) return "it is read-only";
      if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return "its file was deleted";
      return "its file cannot be reached";
    }
  }
}

/** undefined: saved; else why not. */
async function save(document: UnsavedDocument["document"]): Promise<string | undefined> {
  const { saved, why } = await saveDocument(document, { withinMs: SAVE_MS });
  return saved || !hasUnsaved(document) ? undefined : `the editor refused: ${why}; its file may have changed on disk`;
}
