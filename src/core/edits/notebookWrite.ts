/**
 * A Write of a notebook: it sets which cells there are, and their sources. What Read does not show of a cell that stays
 * (outputs whole, metadata, id) and of the notebook stays with it, since no model can write that down. Pure.
 */
import type { Json } from "../../shared/messages";
import type { FileRef, TextEdit } from "../ports";
import { counted } from "../text/format";
import { applyEdits, type EditPlan, planLines } from "./editEngine";
import { isNotebookPath, type JsonCell, type JsonNotebook, readNotebook, type Span, sourceEdits } from "./notebookJson";
import { indented, newCellText, pairUp, withCells } from "./notebookText";

/** planLines of a text; of a notebook's, of its cells. */
export function planWrite(ref: Pick<FileRef, "path">, text: string, content: string): EditPlan {
  const [base, wanted] = isNotebookPath(ref.path) ? [readNotebook(text), readNotebook(content)] : [];
  if (!base || !wanted || (base.cells.length === 0 && isEmpty(base, base.metadata))) return planLines(text, content);
  const pairs = pairUp(base.cells, wanted.cells, { guessesIds: true });
  const taken = new Set(pairs.flatMap(pair => pair?.id ?? []));
  const texts = wanted.cells.map((cell, index) => {
    const stored = pairs[index];
    return stored ? keptCell({ base, stored }, { wanted, cell }) : addedCell(base, wanted, cell, taken);
  });
  const cells = withCells(base, pairs, texts);
  const own = readNotebook(cells);
  const metadata = own ? filled(own, own.metadata, wanted, wanted.metadata) : [];
  return planLines(text, applyEdits(cells, metadata));
}

/** What a Write of a notebook left as it was and what it took away, for the model. Empty: nothing of that. */
export function writeNote(ref: Pick<FileRef, "path">, before: string, after: string): string {
  const [from, to] = isNotebookPath(ref.path) ? [readNotebook(before), readNotebook(after)] : [];
  if (!from || !to || from.cells.length === 0) return "";
  const kept = new Set(pairUp(from.cells, to.cells, { guessesIds: true }));
  const gone = from.cells.filter(cell => !kept.has(cell) && cell.at.outputs && !isEmpty(from, cell.at.outputs));
  const stays =
    "Cells that stay keep outputs, metadata and ids, and the notebook its metadata: Write sets sources only.";
  return gone.length === 0 ? stays : `${stays} ${counted(gone.length, "cell")} with outputs went.`;
}

/** The cell's own bytes, but for its source and for what it has nothing of. */
function keptCell(
  { base, stored }: { base: JsonNotebook; stored: JsonCell },
  { wanted, cell }: { wanted: JsonNotebook; cell: JsonCell },
): string {
  // Line ends are those of the cell.
  const source = planLines(stored.source, cell.source).newText;
  const edits = [
    ...sourceEdits(base, stored, source),
    ...["metadata", "outputs", "execution_count"].flatMap(name => filled(base, stored.at[name], wanted, cell.at[name])),
  ].sort((a, b) => a.start - b.start);
  const { start, end } = stored;
  const inCell = edits.map(edit => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(base.text.slice(start, end), inCell);
}

/** @param taken ids of the cells that stay */
function addedCell(base: JsonNotebook, wanted: JsonNotebook, cell: JsonCell, taken: ReadonlySet<string>): string {
  const members = JSON.parse(wanted.text.slice(cell.start, cell.end)) as Record<string, Json>;
  // Notebooks of older formats have no ids.
  const hasIds = base.cells.length === 0 || base.cells.some(({ id }) => id !== undefined);
  if (!hasIds || (cell.id !== undefined && taken.has(cell.id))) delete members.id;
  return newCellText(base, members);
}

/** Puts a value where the notebook has an empty one. */
function filled(base: JsonNotebook, at: Span | undefined, wanted: JsonNotebook, given: Span | undefined): TextEdit[] {
  if (!at || !given || !isEmpty(base, at) || isEmpty(wanted, given)) return [];
  const value = JSON.parse(wanted.text.slice(given.start, given.end)) as Json;
  return [{ ...at, text: indented(base, at.start, value) }];
}

const isEmpty = ({ text }: JsonNotebook, at: Span | undefined): boolean =>
  !at || /^(?:\{\s*\}|\[\s*\]|null)$/.test(text.slice(at.start, at.end));
