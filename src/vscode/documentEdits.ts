/** Edits of a document in the editor: against the version that was looked at, and as one step of undo. */

import * as vscode from "vscode";
import { planLines } from "../core/edits/planEdits";
import { applyEdits, lineEndsAfter } from "../core/edits/textEdits";
import { FileError, type TextEdit } from "../core/ports";
import { withLf } from "../core/text/lines";
import { isUnsaved } from "./isUnsaved";
import { SaveWatch } from "./saveWatch";
import { saveWithTimeout } from "./saveWithTimeout";

/** ms that the editor gets to notice that a file changed on disk */
const CATCH_UP_MS = 1_000;

export interface Edited {
  /** the text with the edit in it and nothing else; its line ends are those that the document has */
  text: string;
  /** The document holds more: somebody typed at the same moment. */
  typed: boolean;
  /** With the edit, the document had something to save: it is not read-only. It may be saved by now. */
  taken: boolean;
  /** Takes the edit back: for a document that turns out to be read-only. */
  takeBack(): Promise<void>;
}

/** undefined: the document is not at `version` any more, and nothing was changed. Rejects where it cannot be edited. */
export async function editDocument(
  document: vscode.TextDocument,
  version: number,
  edits: readonly TextEdit[],
  path: string,
): Promise<Edited | undefined> {
  if (document.isClosed || document.version !== version) return undefined;
  const before = document.getText();
  const ends = lineEndsAfter(before, edits);
  const eol = ends === "\r\n" ? vscode.EndOfLine.CRLF : ends === "\n" ? vscode.EndOfLine.LF : document.eol;
  const text = withEol(applyEdits(before, edits), eol);
  const old = document.eol;
  const lines = withEol(text, old);
  const changes = eol === old ? edits : planLines(before, lines).edits;
  const change = new vscode.WorkspaceEdit();
  for (const { start, end, text: replacement } of changes)
    change.replace(document.uri, toRange(document, start, end), replacement);
  let taken = false;
  const subscription = vscode.workspace.onDidChangeTextDocument(event => {
    // Asked at each event: a save that ends right after it sets the document back.
    if (event.document === document && document.isDirty) taken = true;
  });
  const setEnds = () => setLineEnds(document, eol);
  try {
    // Up to this call nothing is awaited. The editor compares the version again before it applies the edit.
    if (await (eol !== old && changes.length === 0 ? setEnds() : vscode.workspace.applyEdit(change))) {
      if (eol !== document.eol && document.getText() === lines) await setEnds();
      // Somebody who types in between keeps the old ends.
      const stands = withEol(text, document.eol);
      return {
        text: stands,
        typed: document.getText() !== stands,
        taken: taken || isUnsaved(document),
        takeBack: () => undoTyping(document, before, stands, old),
      };
    }
  } finally {
    subscription.dispose();
  }
  if (document.isClosed || document.version !== version) return undefined;
  throw new FileError("READ_ONLY", `${path} was not changed: the editor refused the edit. Is the file read-only?`);
}

/** A step of undo of its own: together with edits of lines, undoing it would put them back in the wrong places. */
function setLineEnds(document: vscode.TextDocument, eol: vscode.EndOfLine): Thenable<boolean> {
  const change = new vscode.WorkspaceEdit();
  change.set(document.uri, [vscode.TextEdit.setEndOfLine(eol)]);
  return vscode.workspace.applyEdit(change);
}

async function undoTyping(
  document: vscode.TextDocument,
  before: string,
  after: string,
  eol: vscode.EndOfLine,
): Promise<void> {
  if (document.isClosed || document.getText() !== after) return;
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, toRange(document, 0, after.length), before);
  await vscode.workspace.applyEdit(change);
  if (document.eol !== eol) await setLineEnds(document, eol);
}

/**
 * The document's version at which it holds `text`, which is what the file holds; undefined: it does not, and will not
 * soon. `wait`: it was open before, and may be behind.
 */
export async function catchesUp(
  document: vscode.TextDocument,
  text: string,
  wait: boolean,
): Promise<number | undefined> {
  const now = () => (document.getText() === text && !isUnsaved(document) ? document.version : undefined);
  const version = now();
  if (version !== undefined || !wait || isUnsaved(document)) return version;
  // The editor gives a file one kind of line end: that it differs in these alone will stay so.
  if (withLf(document.getText()) === withLf(text)) return undefined;
  return new Promise(resolve => {
    const finish = (result: number | undefined) => {
      clearTimeout(timer);
      subscription.dispose();
      resolve(result);
    };
    const subscription = vscode.workspace.onDidChangeTextDocument(event => {
      if (event.document !== document) return;
      // What the user typed is not waited for.
      const caughtUp = now();
      if (caughtUp !== undefined || isUnsaved(document)) finish(caughtUp);
    });
    const timer = setTimeout(() => finish(now()), CATCH_UP_MS);
  });
}

/** `gaveWay`: the document took over what another program wrote meanwhile (givingWay.ts), instead of being saved as it was. */
export type Saved =
  | { gaveWay: true }
  | {
      gaveWay: false;
      saved: boolean;
      /** Somebody typed while it was saved: its text is not the editor's work alone, or not what was written. */
      typed: boolean;
      /** it was not saved */
      why?: string;
    };

/** @param newer what the save would write over, asked right before it does */
export async function saveDocument(
  document: vscode.TextDocument,
  newer: () => Promise<string | undefined>,
): Promise<Saved> {
  const watch = new SaveWatch(document);
  const last = new SaveConflictGuard(document, newer);
  try {
    // It says no as well where the text changed while it was written.
    const { saved, why } = await saveWithTimeout(async () => (await document.save()) || watch.written);
    if (last.hasYielded) return { gaveWay: true };
    const typed = watch.typed || (saved && isUnsaved(document));
    return { gaveWay: false, saved, typed, ...(why !== undefined && { why }) };
  } finally {
    watch.dispose();
    last.dispose();
  }
}

function toRange(document: vscode.TextDocument, start: number, end: number): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** What the editor makes of the line ends of a text that comes into a document. */
export const withEol = (text: string, eol: vscode.EndOfLine) =>
  eol === vscode.EndOfLine.CRLF ? withLf(text).replaceAll("\n", "\r\n") : withLf(text);

/**
 * Formatters and code actions may keep a save waiting for seconds. What another program writes into the file meanwhile, VS Code
 * writes over where the size stayed the same. No listener can stop a save; but the last one can have it write what stands on
 * disk: then nothing is lost, and the edit is made anew on that.
 */

export class SaveConflictGuard implements vscode.Disposable {
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
      return this.theirs === undefined ? [] : editsTo(document, this.theirs);
    };
    this.subscription = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument(event => {
        // Where somebody types meanwhile, VS Code drops the edits.
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

const editsTo = (document: vscode.TextDocument, text: string) =>
  planLines(document.getText(), text).edits.map(({ start, end, text: replacement }) =>
    vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), replacement),
  );
