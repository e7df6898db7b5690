/**
 * Edits of a document in the editor: against the version that was looked at, and as one step of undo.
 * A read-only document takes edits and stays clean, so its settings are asked before.
 */
import * as vscode from "vscode";
import { planLines } from "../../core/changes/edits/planEdits";
import { lineEndsAfter } from "../../core/changes/edits/textEdits";
import { FileError, type TextEdit } from "../../core/ground/ports";
import { withEdits } from "../../core/ground/ports/files";
import { withLf } from "../../core/ground/text/lines";
import { eventOnce } from "../platform/async";
import { isUnsaved } from "./documents";
import { replacement } from "./saving";

/** ms that the editor gets to notice that a file changed on disk */
export const CATCH_UP_MS = 1_000;

export interface DocumentEdit {
  /** the text with the edit in it and nothing else; its line ends are those that the document has */
  text: string;
  /** The document holds more: a person typed at the same moment. */
  typed: boolean;
  /** With the edit, the document had something to save: it is not read-only. It may be saved by now. */
  taken: boolean;
  /** Takes the edit back: for a document that turns out to be read-only. */
  takeBack(): Promise<void>;
}

/** A document and its edits. */
interface DocumentEdits {
  document: vscode.TextDocument;
  version: number;
  change: { edits: readonly TextEdit[]; ref: { path: string } };
}

/** Whether the edits leave the document's line ends as they are: what changes those is a step of undo of its own. */
export const keepsLineEnds = ({ document, change }: DocumentEdits): boolean =>
  lineEndsAfter(document.getText(), change.edits) === undefined;

/** How a document is to stand, and the edits of lines that bring it there: its line ends are changed after them. */
interface StagedLines extends DocumentEdits {
  before: string;
  /** the document's line ends before, and after */
  old: vscode.EndOfLine;
  eol: vscode.EndOfLine;
  text: string;
  lines: readonly TextEdit[];
}

function planOf(part: DocumentEdits): StagedLines {
  const { document, change } = part;
  const [before, old] = [document.getText(), document.eol];
  const ends = lineEndsAfter(before, change.edits);
  const eol = ends === "\r\n" ? vscode.EndOfLine.CRLF : ends === "\n" ? vscode.EndOfLine.LF : old;
  const text = withEol(withEdits(before, change.edits), eol);
  const lines = eol === old ? change.edits : planLines(before, withEol(text, old)).edits;
  return { ...part, before, old, eol, text, lines };
}

/**
 * Edits documents in one step of undo; where line ends change, these are a step of their own.
 * @returns undefined: one of them is not at its version any more, and nothing was changed. Rejects where they cannot be edited.
 */
export async function editDocuments(parts: readonly DocumentEdits[]): Promise<DocumentEdit[] | undefined> {
  const isMoved = () => parts.some(({ document, version }) => document.isClosed || document.version !== version);
  if (isMoved()) return undefined;
  const plans = parts.map(planOf);
  const all = new vscode.WorkspaceEdit();
  for (const { document, lines } of plans) {
    const edits = lines.map(each => replacement(document, each));
    all.set(document.uri, edits);
  }
  const taken = new Set<vscode.TextDocument>();
  const subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    // Asked at each event: a save that ends right after it sets the document back.
    if (document.isDirty) taken.add(document);
  });
  try {
    // Up to this call nothing is awaited. The editor compares all versions again before it applies any of the edits.
    const [only] = plans.length === 1 ? plans : [];
    const isOfEnds = only && only.eol !== only.old && only.lines.length === 0;
    if (await (isOfEnds ? setLineEnds(only.document, only.eol) : vscode.workspace.applyEdit(all)))
      return await Promise.all(plans.map(plan => ended(plan, taken)));
  } finally {
    subscription.dispose();
  }
  if (isMoved()) return undefined;
  const refused =
    parts.length === 1
      ? `${parts[0]?.change.ref.path} was not changed: the editor refused the edit. Is the file read-only?`
      : "Nothing was changed: the editor refused the edits. Is one of the files read-only?";
  throw new FileError("READ_ONLY", refused);
}

async function ended({ document, before, old, eol, text }: StagedLines, taken: ReadonlySet<vscode.TextDocument>) {
  // Where a person typed in between, the old ends stay.
  if (eol !== document.eol && document.getText() === withEol(text, old)) await setLineEnds(document, eol);
  const now = withEol(text, document.eol);
  const [typed, isTaken] = [document.getText() !== now, taken.has(document) || isUnsaved(document)];
  return { text: now, typed, taken: isTaken, takeBack: () => undoTyping(document, before, now, old) };
}

/** A step of undo of its own: together with edits of lines, undoing it would put them back in the wrong places. */
function setLineEnds(document: vscode.TextDocument, eol: vscode.EndOfLine): Thenable<boolean> {
  const change = new vscode.WorkspaceEdit();
  change.set(document.uri, [vscode.TextEdit.setEndOfLine(eol)]);
  return vscode.workspace.applyEdit(change);
}

async function undoTyping(document: vscode.TextDocument, before: string, after: string, eol: vscode.EndOfLine) {
  if (document.isClosed || document.getText() !== after) return;
  const change = new vscode.WorkspaceEdit();
  change.set(document.uri, [replacement(document, { start: 0, end: after.length, text: before })]);
  await vscode.workspace.applyEdit(change);
  if (document.eol !== eol) await setLineEnds(document, eol);
}

/**
 * The document's version at which it holds `text`, which is what the file holds; undefined: it does not, and will not
 * soon. `wait`: it was open before, and may be behind.
 */
export async function catchesUp(document: vscode.TextDocument, text: string, wait: boolean) {
  const now = () => (document.getText() === text && !isUnsaved(document) ? document.version : undefined);
  const version = now();
  if (version !== undefined || !wait || isUnsaved(document)) return version;
  // The editor gives a file one kind of line end: that it differs in these alone will stay so.
  if (withLf(document.getText()) === withLf(text)) return undefined;
  // What the user typed is not waited for.
  const isOver = () => now() !== undefined || isUnsaved(document);
  const isIt = (event: vscode.TextDocumentChangeEvent) => event.document === document && isOver();
  const signal = AbortSignal.timeout(CATCH_UP_MS);
  await eventOnce(vscode.workspace.onDidChangeTextDocument, isIt, signal).catch(() => undefined);
  return now();
}

/** What the editor makes of the line ends of a text that comes into a document. */
export const withEol = (text: string, eol: vscode.EndOfLine) =>
  eol === vscode.EndOfLine.CRLF ? withLf(text).replaceAll("\n", "\r\n") : withLf(text);
