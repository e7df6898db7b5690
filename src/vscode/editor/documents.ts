/** Documents of the editor: which file each shows, and whether it holds text that is stored nowhere. */
import * as vscode from "vscode";
import { FileError, type FileRef, type Files } from "../../core/ground/ports";
import { isOnDisk, unlessFileError } from "../../core/ground/ports/files";
import { isBelow, relativeTo } from "../../shared/paths";

const CELL_SCHEME = "vscode-notebook-cell";

export type UnsavedDocument = { document: vscode.TextDocument | vscode.NotebookDocument; ref: FileRef };

/** Open documents, found by the file they show: whatever links lead to it, and however the editor names it. */
export class OpenDocuments {
  /** resolved file of a document's URI; links do not move while a document is open */
  private readonly resolved = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly disk: () => Pick<Files, "roots" | "resolve">,
    /** the workspace's folders as they were opened, in the order of the roots */
    private readonly folders: () => readonly vscode.Uri[],
  ) {}

  /** The document that shows a file; the one with unsaved text where there are several (through links). */
  of(ref: FileRef): Promise<vscode.TextDocument | undefined> {
    return this.showing(ref, vscode.workspace.textDocuments);
  }

  /** The notebook that shows a file. */
  notebookOf(ref: FileRef): Promise<vscode.NotebookDocument | undefined> {
    return this.showing(ref, vscode.workspace.notebookDocuments);
  }

  /** Documents and notebooks with something unsaved that show files on disk, with those files. */
  async unsaved(): Promise<UnsavedDocument[]> {
    const { textDocuments, notebookDocuments } = vscode.workspace;
    const onDisk = [...textDocuments, ...notebookDocuments].filter(({ uri }) => uri.scheme === "file");
    const found = onDisk.filter(hasUnsaved).map(async document => {
      // A path that cannot be followed keeps nobody from searching elsewhere.
      const ref = await unlessFileError(this.disk().resolve(document.uri.fsPath), undefined);
      return ref ? [{ document, ref }] : [];
    });
    return (await Promise.all(found)).flat();
  }

  /** How the editor names a file: below the workspace folder as it was opened, links in the way there not followed. */
  uriOf(ref: FileRef): vscode.Uri {
    if (!isOnDisk(ref)) return vscode.Uri.parse(ref.uri);
    const folders = this.folders();
    for (const [index, root] of this.disk().roots.entries()) {
      const folder = folders[index];
      if (folder && isBelow(root.path, ref.absolute))
        return vscode.Uri.joinPath(folder, relativeTo(root.path, ref.absolute));
    }
    return vscode.Uri.file(ref.absolute);
  }

  private async showing<T extends vscode.TextDocument | vscode.NotebookDocument>(ref: FileRef, all: readonly T[]) {
    const open = all.filter(({ isClosed, uri }) => !isClosed && (uri.scheme === "file" || !isOnDisk(ref)));
    this.forgetClosed();
    const files = await Promise.all(open.map(({ uri }) => (isOnDisk(ref) ? this.fileOf(uri) : uri.toString())));
    const found = open.filter((document, index) => files[index] === ref.uri && !document.isClosed);
    return found.find(hasUnsaved) ?? found[0];
  }

  private fileOf(uri: vscode.Uri): Promise<string | undefined> {
    const name = uri.toString();
    const known = this.resolved.get(name);
    if (known) return known;
    const resolve = this.disk().resolve(uri.fsPath);
    // A path that leads nowhere is no file's.
    const nowhere = () => undefined;
    const file = resolve.then(ref => ref.uri, nowhere);
    this.resolved.set(name, file);
    return file;
  }

  private forgetClosed(): void {
    const { textDocuments, notebookDocuments } = vscode.workspace;
    const names = new Set([...textDocuments, ...notebookDocuments].map(({ uri }) => uri.toString()));
    for (const name of this.resolved.keys()) if (!names.has(name)) this.resolved.delete(name);
  }
}

/** The workspace's folders. Those of other file systems, which a window may have beside them, are left out (C-117). */
export const workspaceFolders = (): readonly vscode.WorkspaceFolder[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");

/** The folder of the workspace that a file lies in. */
export const folderAround = (uri: vscode.Uri): vscode.WorkspaceFolder | undefined =>
  uri.scheme === "file" ? vscode.workspace.getWorkspaceFolder(uri) : undefined;

/** What tools can be asked about: files on disk, documents that were never saved, cells of notebooks. */
export const isNameable = ({ scheme }: vscode.Uri): boolean => ["file", "untitled", CELL_SCHEME].includes(scheme);

export const openTabs = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);

/** The notebook that a cell's document belongs to; undefined: it is no cell. */
export function notebookAround(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  if (uri.scheme !== CELL_SCHEME) return undefined;
  const name = uri.toString();
  return vscode.workspace.notebookDocuments.find(notebook =>
    notebook.getCells().some(cell => cell.document.uri.toString() === name),
  );
}

/** The number of a notebook's cell, from 1; undefined: it is not one. */
export function cellNumber(uri: vscode.Uri): number | undefined {
  const cells = notebookAround(uri)?.getCells() ?? [];
  const index = cells.findIndex(({ document }) => document.uri.toString() === uri.toString());
  return index < 0 ? undefined : index + 1;
}

export const hasUnsaved = (document: vscode.TextDocument | vscode.NotebookDocument) =>
  "getText" in document ? isUnsaved(document) : document.isDirty;

/**
 * Whether the editor holds unsaved text of a document. `isDirty` of the document is not enough: VS Code resets it with every
 * save, even if the text changed during it, until the next key. The tab is right. (A document without a tab gets one within
 * a second of its first unsaved change.)
 */
export const isUnsaved = (document: Pick<vscode.TextDocument, "uri" | "isDirty">): boolean =>
  document.isDirty || tabsOf(document.uri).some(({ isDirty }) => isDirty);

/** The tabs that save a text document. */
export const tabsOf = (uri: vscode.Uri) =>
  openTabs().filter(({ input }) => savedWith(input)?.toString() === uri.toString());

/** The text document that a tab saves: of a diff, that is its right side. */
export function savedWith(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  return undefined;
}

/** Of documents in which a prompt is written: what they say of the editor, its files and problems never means themselves. */
export const PROMPT_LANGUAGE = "strata-prompt";

export const isPrompt = ({ languageId }: Pick<vscode.TextDocument, "languageId">) => languageId === PROMPT_LANGUAGE;

/** As `isPrompt`, by name: of what is not open nothing is known. */
export function isPromptAt(uri: vscode.Uri): boolean {
  const name = uri.toString();
  return vscode.workspace.textDocuments.some(document => isPrompt(document) && document.uri.toString() === name);
}

/** Documents that were never saved stand in the editor only, under this and the name on their tab. */
const UNTITLED = "untitled:";

export const isUntitled = ({ uri }: Pick<FileRef, "uri">): boolean => uri.startsWith(UNTITLED);

/** Open documents and notebooks that were never saved. */
export function untitledDocuments(): readonly UnsavedDocument["document"][] {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  return [...textDocuments, ...notebookDocuments].filter(({ isUntitled, isClosed }) => isUntitled && !isClosed);
}

/** The name for people and models: `untitled:Untitled-1`. */
export const untitledName = ({ path }: vscode.Uri): string => UNTITLED + path;

/**
 * `untitled:Untitled-1`, or the name alone. undefined: `input` names no document; rejects with FileError NOT_FOUND if it
 * names one that is not open.
 * @param place the file that a document will be saved to, if it was made for one
 */
export async function resolveUntitled(input: string, place: (path: string) => Promise<FileRef>) {
  const open = untitledDocuments();
  const isSaid = input.startsWith(UNTITLED);
  const name = isSaid ? input.slice(UNTITLED.length) : input;
  const found = open.find(({ uri }) => uri.path === name);
  if (found) return untitledRef(found.uri, place);
  if (!isSaid) return undefined;
  const names = open.map(({ uri }) => untitledName(uri)).join(", ");
  const others = names === "" ? "None is open." : `Open are: ${names}.`;
  throw new FileError("NOT_FOUND", `There is no unsaved document ${name} in the editor. ${others}`);
}

/** One that was made for a file lies where that file would, and is protected as that is. */
async function untitledRef(uri: vscode.Uri, place: (path: string) => Promise<FileRef>): Promise<FileRef> {
  const name = untitledName(uri);
  const { inside, relative } = uri.path.startsWith("/") ? await place(uri.path) : { inside: true, relative: uri.path };
  return { uri: uri.toString(), absolute: name, path: name, relative, inside };
}
