/** Cells of a notebook editor as Jupyter stores them. */

import * as vscode from "vscode";
import type { EditorCell } from "../../core/changes/edits/notebook";
import { planLines } from "../../core/changes/edits/planEdits";
import { defined } from "../../shared/defined";
import { parseJson } from "../../shared/isObject";
import { type Json, jsonSchema } from "../../shared/messages";
import { replacement } from "../editor/saving";

const STDOUT = "application/vnd.code.notebook.stdout";
const STDERR = "application/vnd.code.notebook.stderr";
const ERROR = "application/vnd.code.notebook.error";

export function editorCells(notebook: vscode.NotebookDocument): EditorCell[] {
  return notebook.getCells().map(cell => {
    const { id: named, ...more } = jsonRecord(cell.metadata);
    const id = typeof named === "string" ? named : undefined;
    const [source, outputs] = [cell.document.getText(), cell.outputs.flatMap(toOutputJson)];
    return { type: cellType(cell), id, source, more, outputs };
  });
}

/** The same cell with another source: what else it has stays. */
function withSource(cell: vscode.NotebookCell, source: string): vscode.NotebookCellData {
  const data = new vscode.NotebookCellData(cell.kind, source, cell.document.languageId);
  data.metadata = { ...cell.metadata };
  data.outputs = [...cell.outputs];
  if (cell.executionSummary) data.executionSummary = cell.executionSummary;
  return data;
}

function cellType({ kind, document }: vscode.NotebookCell): string {
  if (kind === vscode.NotebookCellKind.Markup) return "markdown";
  return document.languageId === "raw" ? "raw" : "code";
}

function toOutputJson({ items, metadata }: vscode.NotebookCellOutput): Json[] {
  const [first] = items;
  if (!first) return [];
  if (items.every(({ mime }) => mime === STDOUT || mime === STDERR)) {
    const text = items.map(itemText).join("");
    return [{ name: first.mime === STDERR ? "stderr" : "stdout", output_type: "stream", text: lines(text) }];
  }
  const facts = jsonRecord(metadata ?? {});
  if (first.mime === ERROR) return [facts.originalError ?? errorOutput(first)];
  const type = typeof facts.outputType === "string" ? facts.outputType : "display_data";
  const data = Object.fromEntries(items.map(item => [item.mime, mimeBundle(item)]));
  const count = defined({ execution_count: type === "execute_result" ? (facts.executionCount ?? null) : undefined });
  return [{ data, ...count, metadata: facts.metadata ?? {}, output_type: type }];
}

function errorOutput(item: vscode.NotebookCellOutputItem): Json {
  const { name, message, stack } = jsonRecord(parseData(itemText(item)));
  const traceback = typeof stack === "string" && stack !== "" ? stack.split("\n") : [];
  return { ename: name ?? "", evalue: message ?? "", output_type: "error", traceback };
}

function mimeBundle(item: vscode.NotebookCellOutputItem): Json {
  const { mime, data } = item;
  if (mime === "application/json" || mime.endsWith("+json")) return parseData(itemText(item));
  const isText = mime.startsWith("text/") || mime === "image/svg+xml" || mime === "application/javascript";
  return isText ? lines(itemText(item)) : Buffer.from(data).toString("base64");
}

const itemText = ({ data }: vscode.NotebookCellOutputItem) => new TextDecoder().decode(data);
const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Anything but JSON stays a text. */
function parseData(text: string): Json {
  const parsed = jsonSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : text;
}

function jsonRecord(value: unknown): Record<string, Json> {
  const checked = jsonSchema.safeParse(value);
  return checked.success && typeof checked.data === "object" && checked.data !== null && !Array.isArray(checked.data)
    ? checked.data
    : {};
}

/** What a cell is to hold. */
export type CellSource = { index: number; source: string };

/**
 * The change that gives cells of a notebook other sources; one step of undo gives them back. Cells are replaced, which keeps all else that they have; but a
 * replaced cell has an editor of its own, and is not run any longer: whoever types in one would be thrown out of it, and their
 * further keys be commands. So where one of the cells is in use, all are changed as if a person typed in them.
 * @param isRunning whether a cell may be run right now
 */
export function createCellEdit(
  notebook: vscode.NotebookDocument,
  sources: readonly CellSource[],
  isRunning: (cell: vscode.NotebookCell) => boolean,
): vscode.WorkspaceEdit {
  const inUse = sources.some(({ index }) => isTypedIn(notebook.cellAt(index)) || isRunning(notebook.cellAt(index)));
  return inUse ? typeIntoCells(notebook, sources) : replaceCells(notebook, sources);
}

const isTypedIn = ({ document }: vscode.NotebookCell) => vscode.window.activeTextEditor?.document === document;

function replaceCells(notebook: vscode.NotebookDocument, sources: readonly CellSource[]): vscode.WorkspaceEdit {
  const change = new vscode.WorkspaceEdit();
  const cells = sources.map(({ index, source }) => {
    const range = new vscode.NotebookRange(index, index + 1);
    return vscode.NotebookEdit.replaceCells(range, [withSource(notebook.cellAt(index), source)]);
  });
  change.set(notebook.uri, cells);
  return change;
}

/**
 * A cell that is typed in loses its execution count: VS Code takes it away afterwards, as a step of undo of its own. Where it
 * is gone before, the first undo gives all sources back. It goes first: a text edit would make the notebook another version.
 */
function typeIntoCells(notebook: vscode.NotebookDocument, sources: readonly CellSource[]): vscode.WorkspaceEdit {
  const change = new vscode.WorkspaceEdit();
  const counted = sources.flatMap(({ index }) => {
    const { metadata } = notebook.cellAt(index);
    if (typeof metadata.execution_count !== "number") return [];
    return [vscode.NotebookEdit.updateCellMetadata(index, { ...metadata, execution_count: null })];
  });
  if (counted.length > 0) change.set(notebook.uri, counted);
  for (const { index, source } of sources) {
    const { document } = notebook.cellAt(index);
    const edits = planLines(document.getText(), source).edits.map(edit => replacement(document, edit));
    change.set(document.uri, edits);
  }
  return change;
}
