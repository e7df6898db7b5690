/**
 * Saving in the editor: what was written, whether a person typed meanwhile, and what another program wrote.
 * VS Code resets `isDirty` with every save, also where the text changed while it was written.
 */
import * as vscode from "vscode";
import { planLines } from "../../core/changes/edits/planEdits";
import type { TextEdit } from "../../core/ground/ports";
import { saveWithTimeout } from "../platform/async";
import { isUnsaved, notebookAround } from "./documents";

/** What became of a save. */
interface SaveResult {
  saved: boolean;
  /** it was not saved */
  why?: string;
  /** A person typed while it was saved: its text is not the editor's work alone, or not what was written. */
  typed: boolean;
  /** The document took over what another program wrote meanwhile, instead of being saved as it was. */
  yielded: boolean;
}

/** @param newer what the save would write over, asked right before it does; of a text document alone */
export async function saveDocument(
  document: vscode.TextDocument | vscode.NotebookDocument,
  { newer, withinMs }: { newer?: () => Promise<string | undefined>; withinMs?: number } = {},
): Promise<SaveResult> {
  const watch = new SaveWatch(document);
  const guard = newer && "getText" in document ? new SaveConflictGuard(document, newer) : undefined;
  try {
    // It says no as well where the text changed while it was written.
    const ended = await saveWithTimeout(async () => (await document.save()) || watch.written, withinMs);
    const typed = watch.typed || (ended.saved && "getText" in document && isUnsaved(document));
    return { ...ended, typed, yielded: guard?.hasYielded ?? false };
  } finally {
    watch.dispose();
    guard?.dispose();
  }
}

/** Tells of each text that the editor wrote to this machine's disk. */
export const onTextSaved = (tell: (path: string, text: () => string) => void): vscode.Disposable =>
  vscode.workspace.onDidSaveTextDocument(document => {
    if (document.uri.scheme === "file") tell(document.uri.fsPath, () => document.getText());
  });

/** A text edit that changes a document's text between two places. */
export const replacement = (document: vscode.TextDocument, { start, end, text }: TextEdit) =>
  vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text);

/** Half-open places in a text. */
type TextSpan = { start: number; end: number };

/**
 * Tells typing from formatters and code actions, which change text in the same way: after typing the cursor is in the change.
 *
 * VS Code does not report the key for Backspace, Delete, Tab and accepted completions. They leave each cursor at the end of a
 * change of its own; a formatter does so only by chance, and then its work counts as the person's, who loses nothing.
 */
class SaveWatch implements vscode.Disposable {
  /** where the last change of a document put its new texts */
  private readonly places = new WeakMap<vscode.TextDocument, readonly TextSpan[]>();
  private readonly subscription: vscode.Disposable;
  /** A person changed the text since. */
  typed = false;
  /** It was written since. That it was saved is not said by VS Code where a person typed while it was. */
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

/** Each cursor is at the end of a change of its own. */
const areEnds = (cursors: readonly number[], places: readonly TextSpan[]) =>
  cursors.length === places.length && cursors.every(at => places.some(({ end }) => end === at));

/** Where the new texts of one event stand: its changes are told in places of the text before. */
function placesAfter(changes: readonly vscode.TextDocumentContentChangeEvent[]): TextSpan[] {
  return changes.map(({ rangeOffset, text }) => {
    const before = changes.filter(other => other.rangeOffset < rangeOffset);
    const start = before.reduce((at, other) => at + other.text.length - other.rangeLength, rangeOffset);
    return { start, end: start + text.length };
  });
}

/**
 * Keeps a slow save (formatters, code actions) from overwriting what another program writes meanwhile: VS Code does not notice
 * it if the size stays the same. No listener can stop a save, but the last one can save the text on disk instead; the
 * edit is then made again on that.
 */
class SaveConflictGuard implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;
  private theirs: string | undefined;
  /** The document took over what another program wrote: what was to be saved is not in it any more. */
  hasYielded = false;

  /**
   * VS Code asks listeners in the order in which they came, after its formatters: so this one is made right before the save.
   * (After 1.5 s of others it is not asked any more.)
   * @param newer what the save would write over, in the document's line ends; undefined: nothing
   */
  constructor(document: vscode.TextDocument, newer: () => Promise<string | undefined>) {
    const edits = async () => {
      this.theirs = await newer();
      if (this.theirs === undefined) return [];
      return planLines(document.getText(), this.theirs).edits.map(edit => replacement(document, edit));
    };
    this.subscription = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument(event => {
        // Where a person types meanwhile, VS Code drops the edits.
        if (event.document === document) event.waitUntil(edits());
      }),
      vscode.workspace.onDidChangeTextDocument(event => {
        if (event.document === document && document.getText() === this.theirs) this.hasYielded = true;
      }),
    );
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
