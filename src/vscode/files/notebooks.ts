/**
 * Notebooks that are open in a notebook editor. Their text is the file's JSON with the cells of the editor in it; an edit of
 * it becomes an edit of cells, so that it is one step of undo there and touches no other cell, its outputs or its metadata.
 */
import * as vscode from "vscode";
import type { JsonNotebook } from "../../core/changes/edits/notebook";
import { EMPTY_NOTEBOOK, isNotebookPath, notebookText, readNotebook } from "../../core/changes/edits/notebook";
import { type ApplyEdits, type ApplyOutcome, FileError, type FileRef, type TextFile } from "../../core/ground/ports";
import { tooLarge, withEdits } from "../../core/ground/ports/files";
import { withLf } from "../../core/ground/text/lines";
import { CATCH_UP_MS } from "../editor/documentEdits";
import { openTabs } from "../editor/documents";
import { saveDocument } from "../editor/saving";
import { eventOnce } from "../platform/async";
import { type CellSource, createCellEdit, editorCells } from "./notebookCells";
import { asMissing } from "./storedFiles";
import { type BufferDeps, TYPED } from "./textBuffers";

const JUPYTER = "jupyter-notebook";

/** The stored form of a notebook. */
interface StoredNotebook {
  notebook: JsonNotebook;
  /** undefined: nothing is stored */
  file: TextFile | undefined;
}

export class Notebooks implements vscode.Disposable {
  private readonly running = new RunningCells();

  constructor(private readonly deps: BufferDeps) {}

  dispose(): void {
    this.running.dispose();
  }

  /** What stands in the notebook editor; undefined: it holds nothing that is not in the file. */
  async read(ref: FileRef, maxBytes: number): Promise<TextFile | undefined> {
    const notebook = await this.findUnsaved(ref);
    const stored = notebook && (await this.stored(ref, notebook, maxBytes));
    if (!notebook || !stored) return undefined;
    const text = notebookText(stored.notebook, editorCells(notebook));
    const size = new TextEncoder().encode(text).length;
    if (size > maxBytes) throw tooLarge(ref, size, maxBytes);
    const stamp = this.createStamp(stored, text, notebook);
    return { kind: "text", text, encoding: stored.file?.encoding ?? "utf8", stamp, from: "editor" };
  }

  /** undefined: it is not open in a notebook editor, or changes more than cells' sources there, and is a file as any other. */
  async swap(change: ApplyEdits, base: string): Promise<ApplyOutcome | undefined> {
    const { ref } = change;
    if (vscode.workspace.notebookDocuments.length === 0) return undefined;
    const notebook = await this.deps.documents.notebookOf(ref);
    if (!isNotebookPath(ref.path) || notebook?.notebookType !== JUPYTER) {
      // Of a notebook of another kind nobody knows how its cells are stored: the file must not change under them.
      if (notebook?.isDirty) throw unsaved(ref);
      return undefined;
    }
    if (!notebook.isDirty && !notebook.isUntitled && !isShown(notebook)) return undefined;
    const stored = await this.stored(ref, notebook, Number.MAX_SAFE_INTEGER);
    if (!stored) return undefined;
    if (!notebook.isDirty && !notebook.isUntitled) {
      const isThere = stored.file?.stamp.sha256 === base;
      if (!isThere || !(await this.deps.stored().leadsTo(ref, notebook.uri.fsPath))) return { kind: "stale" };
      if (!(await catchesUp(notebook, stored))) return undefined;
    }
    return this.edit(change, base, notebook, stored);
  }

  /** From the look at the cells to the edit nothing is awaited; the editor compares the notebook's version again. */
  private async edit(
    { ref, edits }: ApplyEdits,
    base: string,
    notebook: vscode.NotebookDocument,
    stored: StoredNotebook,
  ): Promise<ApplyOutcome | undefined> {
    const { version } = notebook;
    const clean = !notebook.isDirty && !notebook.isUntitled;
    const before = clean ? stored.notebook.text : notebookText(stored.notebook, editorCells(notebook));
    if (clean && !hasSources(notebookText(stored.notebook, editorCells(notebook)), before)) return { kind: "stale" };
    if (this.createStamp(stored, before, notebook).sha256 !== base) return { kind: "stale" };
    const intended = withEdits(before, edits);
    const sources = changedSources(before, intended);
    if (!sources && clean) return undefined;
    if (!sources) throw unsaved(ref);
    const change = createCellEdit(notebook, sources, cell => this.running.has(cell));
    if (!(await vscode.workspace.applyEdit(change))) {
      if (notebook.isClosed || notebook.version !== version) return { kind: "stale" };
      const refused = `${ref.path} was not changed: the notebook editor refused the edit. Is it read-only?`;
      throw new FileError("READ_ONLY", refused);
    }
    return this.ended(ref, notebook, stored, intended, clean && this.deps.saveEdits());
  }

  private async ended(
    ref: FileRef,
    notebook: vscode.NotebookDocument,
    stored: StoredNotebook,
    intended: string,
    save: boolean,
  ): Promise<ApplyOutcome> {
    const text = () => notebookText(stored.notebook, editorCells(notebook));
    const isTyped = () => !hasSources(text(), intended);
    const outcome = (stands: string, why?: string): Extract<ApplyOutcome, { kind: "applied" }> => {
      const stamp = this.createStamp(stored, stands, notebook);
      return { kind: "applied", stamp, text: stands, saved: false, ...(why !== undefined && { unsaved: why }) };
    };
    // What the user types at the same moment is in no outcome, whenever it comes: it is theirs, and so is saving it.
    if (isTyped()) return outcome(intended, save ? TYPED : undefined);
    if (!save) return outcome(text());
    const now = await this.deps.stored().read(ref, Number.MAX_SAFE_INTEGER).catch(asMissing);
    const isNewer = now?.stamp.sha256 !== stored.file?.stamp.sha256;
    if (isTyped()) return outcome(intended, TYPED);
    if (isNewer) return outcome(text(), NEWER);
    const { saved, typed, why } = await saveDocument(notebook);
    const file = saved ? await this.deps.stored().read(ref, Number.MAX_SAFE_INTEGER) : undefined;
    if (file?.kind !== "text") return outcome(isTyped() ? intended : text(), why ?? "VS Code could not save it");
    const isMore = typed ? !hasSources(file.text, intended) : !hasSources(file.text, text());
    if (isMore) return { ...outcome(intended), saved: true };
    const stamp = { ...file.stamp, version: notebook.version, dirty: notebook.isDirty };
    return { kind: "applied", stamp, text: file.text, saved: true };
  }

  private async findUnsaved(ref: FileRef): Promise<vscode.NotebookDocument | undefined> {
    if (!isNotebookPath(ref.path)) return undefined;
    const notebook = await this.deps.documents.notebookOf(ref);
    return notebook?.notebookType === JUPYTER && (notebook.isDirty || notebook.isUntitled) ? notebook : undefined;
  }

  /** undefined: the stored file is no notebook */
  private async stored(ref: FileRef, notebook: vscode.NotebookDocument, maxBytes: number) {
    const file = notebook.isUntitled ? undefined : await this.deps.stored().read(ref, maxBytes).catch(asMissing);
    if (file?.kind === "binary") return undefined;
    const text = file === undefined || file.text.trim() === "" ? EMPTY_NOTEBOOK : file.text;
    const json = readNotebook(text);
    return json && { notebook: json, file };
  }

  /** Of the same text as the file's, it is the file's. */
  private createStamp({ file }: StoredNotebook, text: string, notebook: vscode.NotebookDocument): TextFile["stamp"] {
    const sha256 = text === file?.text ? file.stamp.sha256 : this.deps.hash.sha256(text);
    const dirty = notebook.isDirty || notebook.isUntitled;
    return { mtime: file?.stamp.mtime ?? 0, version: notebook.version, sha256, dirty };
  }
}

const NEWER =
  "the file changed on disk at the same moment. The edit stands unsaved in the notebook editor, where the user can compare";

function unsaved({ path }: FileRef): FileError {
  const next = "Edit the sources of its cells one by one, or ask the user to save it first.";
  return new FileError("IO", `${path} was not changed: it has unsaved changes in the notebook editor. ${next}`);
}

/** A notebook whose editor was closed may be kept for a while: then the file is what counts. */
function isShown({ uri }: vscode.NotebookDocument): boolean {
  const name = uri.toString();
  return openTabs().some(({ input }) => input instanceof vscode.TabInputNotebook && input.uri.toString() === name);
}

/** Whether the editor shows what is stored, or does so soon: it follows a file that changed on disk. */
async function catchesUp(notebook: vscode.NotebookDocument, { notebook: json }: StoredNotebook): Promise<boolean> {
  const now = () => !notebook.isDirty && hasSources(notebookText(json, editorCells(notebook)), json.text);
  if (now()) return true;
  const isIt = (event: vscode.NotebookDocumentChangeEvent) => event.notebook === notebook && now();
  const signal = AbortSignal.timeout(CATCH_UP_MS);
  await eventOnce(vscode.workspace.onDidChangeNotebookDocument, isIt, signal).catch(() => undefined);
  return now();
}

/** The cells whose source differs; undefined: something else differs too. */
function changedSources(before: string, after: string): CellSource[] | undefined {
  const [from, to] = [readNotebook(before), readNotebook(after)];
  if (!from || !to || withoutSources(from) !== withoutSources(to)) return undefined;
  return to.cells.flatMap(({ source }, index) => (source === from.cells[index]?.source ? [] : [{ index, source }]));
}

const withoutSources = ({ json, cells }: JsonNotebook): string =>
  JSON.stringify({ ...json, cells: cells.map(cell => ({ ...cell.json, source: "" })) });

/** All cells have the sources that they should. */
function hasSources(text: string, intended: string): boolean {
  const [now, wanted] = [text, intended].map(json => readNotebook(json)?.cells.map(({ source }) => withLf(source)));
  return JSON.stringify(now) === JSON.stringify(wanted);
}

/**
 * Cells of notebooks that are run right now. VS Code does not say which cells run. What it tells of a run while it lasts has no times; once it ended, it has both. (Of a
 * run that never said how it ended, the cell counts as running until the next one.)
 */
class RunningCells implements vscode.Disposable {
  private readonly running = new WeakSet<vscode.NotebookCell>();
  private readonly subscription = vscode.workspace.onDidChangeNotebookDocument(({ cellChanges }) => {
    for (const { cell, executionSummary } of cellChanges) {
      if (!executionSummary) continue;
      if (executionSummary.timing || executionSummary.success !== undefined) this.running.delete(cell);
      else this.running.add(cell);
    }
  });

  has(cell: vscode.NotebookCell): boolean {
    return this.running.has(cell);
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
