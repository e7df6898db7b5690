/** What is selected in the editor, for `@selection`. */
import * as vscode from "vscode";
import type { NothingToAttach, SelectedText } from "../../core/ports";
import { notebookAround } from "../documents";
import type { VSCodeFiles } from "../files";
import { isUnsaved } from "../isUnsaved";
import { selectedLines } from "../selectionText";

export class EditorSelection implements vscode.Disposable {
  /** the editor that had the focus last: a page of an extension in its place makes none active */
  private last = vscode.window.activeTextEditor;
  private readonly subscription = vscode.window.onDidChangeActiveTextEditor(editor => {
    this.last = editor ?? this.last;
  });

  constructor(private readonly files: Pick<VSCodeFiles, "refIfAny" | "pathOf">) {}

  async read(): Promise<SelectedText | NothingToAttach> {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    // One that is hidden has no selection any more.
    const editor = activeTextEditor ?? visibleTextEditors.find(visible => visible === this.last);
    if (!editor) return { nothing: "No text editor is shown." };
    const { document, selections } = editor;
    // Read at once: a person may go on selecting.
    const ranges = selections
      .filter(selection => !selection.isEmpty)
      .toSorted((a, b) => a.start.compareTo(b.start))
      .map(selection => ({ ...selectedLines(selection.start, selection.end), text: document.getText(selection) }));
    if (ranges.length === 0) return { nothing: "Nothing is selected in the editor." };
    const { uri } = document;
    const unsaved = isUnsaved(document);
    const notebook = notebookAround(uri);
    const cell = notebook?.getCells().findIndex(each => each.document === document) ?? -1;
    const ref = await this.files.refIfAny(uri);
    return {
      path: ref?.path ?? this.files.pathOf(uri),
      inside: ref?.inside ?? false,
      unsaved,
      ...(cell >= 0 ? { cell: cell + 1 } : {}),
      ranges,
    };
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
