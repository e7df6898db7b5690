/** Cells of notebooks that are run right now. */
import * as vscode from "vscode";

/**
 * VS Code does not say which cells run. What it tells of a run while it lasts has no times; once it ended, it has both. (Of a
 * run that never said how it ended, the cell counts as running until the next one.)
 */
export class RunningCells implements vscode.Disposable {
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
