/** Open documents, found by the file they show: whatever links lead to it, and however the editor names it. */
import * as vscode from "vscode";
import type { FileRef, Files } from "../core/ports";

export class OpenDocuments {
  /** resolved file of a document's URI; links do not move while a document is open */
  private readonly resolved = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly disk: () => Pick<Files, "roots" | "resolve">,
    /** the workspace's folders as they were opened, in the order of the roots */
    private readonly folders: () => readonly vscode.Uri[],
  ) {}

  /** The document that shows a file; the one with unsaved text where there are several (through links). */
  async of(ref: FileRef): Promise<vscode.TextDocument | undefined> {
    const open = vscode.workspace.textDocuments.filter(
      document => document.uri.scheme === "file" && !document.isClosed,
    );
    this.forgetOthers(open);
    const files = await Promise.all(open.map(document => this.fileOf(document.uri)));
    const found = open.filter((document, index) => files[index] === ref.uri && !document.isClosed);
    return found.find(document => document.isDirty) ?? found[0];
  }

  /** Documents with unsaved text that show files, with those files. */
  async unsaved(): Promise<{ document: vscode.TextDocument; ref: FileRef }[]> {
    const dirty = vscode.workspace.textDocuments.filter(document => document.uri.scheme === "file" && document.isDirty);
    return Promise.all(
      dirty.map(async document => ({ document, ref: await this.disk().resolve(document.uri.fsPath) })),
    );
  }

  /** How the editor names a file: below the workspace folder as it was opened, links in the way there not followed. */
  uriOf(ref: FileRef): vscode.Uri {
    const folders = this.folders();
    for (const [index, root] of this.disk().roots.entries()) {
      const folder = folders[index];
      if (folder && ref.absolute.startsWith(`${root.path}/`)) {
        return vscode.Uri.joinPath(folder, ref.absolute.slice(root.path.length + 1));
      }
    }
    return vscode.Uri.file(ref.absolute);
  }

  private fileOf(uri: vscode.Uri): Promise<string | undefined> {
    const name = uri.toString();
    let file = this.resolved.get(name);
    if (!file) {
      file = this.disk()
        .resolve(uri.fsPath)
        .then(
          ref => ref.uri,
          () => undefined, // a path that leads nowhere is no file's
        );
      this.resolved.set(name, file);
    }
    return file;
  }

  private forgetOthers(open: readonly vscode.TextDocument[]): void {
    const names = new Set(open.map(document => document.uri.toString()));
    for (const name of this.resolved.keys()) if (!names.has(name)) this.resolved.delete(name);
  }
}

/** The workspace's folders that are on disk. */
export function fileFolders(): vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(folder => folder.uri.scheme === "file");
}
