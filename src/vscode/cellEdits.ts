/** Edits of cells' sources in a notebook editor: one step of undo gives the sources back. */
import * as vscode from "vscode";
import { planLines } from "../core/edits/planEdits";
import { withSource } from "./notebookCells";

/** What a cell is to hold. */
export interface CellSource {
  index: number;
  source: string;
}

/**
 * The change that gives cells of a notebook other sources. Cells are replaced, which keeps all else that they have; but a
 * replaced cell has an editor of its own, and is not run any longer: whoever types in one would be thrown out of it, and their
 * further keys be commands. So where one of the cells is in use, all are changed as if somebody typed in them.
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
  const cells = sources.map(({ index, source }) =>
    vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(index, index + 1), [
      withSource(notebook.cellAt(index), source),
    ]),
  );
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
    const edits = planLines(document.getText(), source).edits.map(({ start, end, text }) =>
      vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text),
    );
    change.set(document.uri, edits);
  }
  return change;
}
