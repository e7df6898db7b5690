/** What is selected in the editor, for `@selection`. */
import type { NothingToAttach, SelectedText } from "../../core/ports";
import { notebookAround } from "../documents";
import type { VSCodeFiles } from "../files";
import { isUnsaved } from "../isUnsaved";
import type { LastActiveEditor } from "../lastActiveEditor";
import { selectedLines } from "../selectionText";

export class EditorSelection {
  constructor(
    private readonly files: Pick<VSCodeFiles, "refIfAny" | "pathOf">,
    private readonly inUse: Pick<LastActiveEditor, "text">,
  ) {}

  async read(): Promise<SelectedText | NothingToAttach> {
    const editor = this.inUse.text();
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
}
