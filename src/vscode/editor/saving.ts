/** What happens to a document while it is saved: whether it was written, and whether somebody typed meanwhile. */
import * as vscode from "vscode";
import { notebookAround } from "./documents";

type Change = Pick<vscode.TextDocumentContentChangeEvent, "rangeOffset" | "rangeLength" | "text">;

/** Half-open places in a text. */
interface Place {
  start: number;
  end: number;
}

/**
 * Formatters and code actions change text as keys do. But what a person changes has the cursor in it afterwards, put there by
 * a key or the mouse, or is an undo; whoever only moves the cursor while a formatter works has not typed.
 *
 * Of Backspace, Delete, Tab and accepted completions VS Code does not say that a key was pressed. They leave each cursor at
 * the end of a change of its own, which formatters do by chance alone: then their work is told as the person's, who loses
 * nothing by it. (Commands that change text elsewhere than at the cursor, as moving a line does, look as formatters do.)
 */
export class SaveWatch implements vscode.Disposable {
  /** where the last change of a document put its new texts */
  private readonly places = new WeakMap<vscode.TextDocument, readonly Place[]>();
  private readonly subscription: vscode.Disposable;
  /** A person changed the text since. */
  typed = false;
  /** It was written since. That it was saved is not said by VS Code where somebody typed while it was. */
  written = false;

  /** @param saved of a notebook, all of its cells are watched */
  constructor(private readonly saved: vscode.TextDocument | vscode.NotebookDocument) {
    const isWritten = (written: vscode.TextDocument | vscode.NotebookDocument) => {
      if (written === saved) this.written = true;
    };
    this.subscription = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(event => this.onChange(event)),
      vscode.window.onDidChangeTextEditorSelection(event => this.onSelection(event)),
      vscode.workspace.onDidSaveTextDocument(isWritten),
      vscode.workspace.onDidSaveNotebookDocument(isWritten),
    );
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private onChange({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0 || !this.isPart(document)) return;
    const places = placesAfter(contentChanges);
    this.places.set(document, places);
    // What is deleted behind the cursor does not move it.
    const editor = vscode.window.activeTextEditor;
    const isDelete = editor?.document === document && contentChanges.every(({ text }) => text === "");
    if (reason !== undefined || (isDelete && areEnds(cursorsOf(editor), places))) this.typed = true;
  }

  private onSelection({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const places = this.places.get(textEditor.document);
    if (!places) return;
    const cursors = cursorsOf(textEditor);
    const isIn = (at: number) => places.some(({ start, end }) => start <= at && at <= end);
    if (kind === undefined ? areEnds(cursors, places) : byHand(kind) && cursors.every(isIn)) this.typed = true;
  }

  private isPart(document: vscode.TextDocument): boolean {
    return document === this.saved || notebookAround(document.uri) === this.saved;
  }
}

const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
const byHand = (kind: vscode.TextEditorSelectionChangeKind) => kind === Keyboard || kind === Mouse;

const cursorsOf = ({ document, selections }: vscode.TextEditor) =>
  selections.map(({ active }) => document.offsetAt(active));

/** Each cursor stands at the end of a change of its own. */
const areEnds = (cursors: readonly number[], places: readonly Place[]) =>
  cursors.length === places.length && cursors.every(at => places.some(({ end }) => end === at));

/** Where the new texts of one event stand: its changes are told in places of the text before. */
function placesAfter(changes: readonly Change[]): Place[] {
  return changes.map(({ rangeOffset, text }) => {
    const before = changes.filter(other => other.rangeOffset < rangeOffset);
    const start = before.reduce((at, other) => at + other.text.length - other.rangeLength, rangeOffset);
    return { start, end: start + text.length };
  });
}
