/**
 * What stands in a notebook editor, as the JSON that the file would hold: the file's own bytes where a cell is as it was, its
 * layout where it is not. The same cells give the same text, so that a notebook in which nothing was changed has the stamp
 * of its file. Pure.
 */
import type { Json } from "../../shared/messages";
import { withLf } from "../text/lineEnds";
import { applyEdits } from "./editEngine";
import { detectLayout, type JsonCell, type JsonNotebook, listStyle, sourceEdits, splitSource } from "./notebookJson";

export interface EditorCell {
  /** `code`, `markdown`, `raw` */
  type: string;
  id: string | undefined;
  /** line ends do not count */
  source: string;
  /** members of the cell's object beside type, id, source and outputs: written for a cell that the file does not have */
  more: Record<string, Json>;
  /** as Jupyter stores them; of code cells only */
  outputs: Json[];
}

/** The notebook with these cells. */
export function notebookText(notebook: JsonNotebook, cells: readonly EditorCell[]): string {
  const pairs = pairUp(notebook.cells, cells);
  const texts = cells.map((cell, index) => cellText(notebook, pairs[index], cell));
  return withCells(notebook, pairs, texts);
}

/** @param pairs for each of the new cells, the one that it was @param texts the JSON of the new cells */
export function withCells(
  notebook: JsonNotebook,
  pairs: readonly (JsonCell | undefined)[],
  texts: readonly string[],
): string {
  const same = pairs.length === notebook.cells.length && pairs.every((pair, index) => pair === notebook.cells[index]);
  if (same) {
    const edits = notebook.cells.map(({ start, end }, index) => ({ start, end, text: texts[index] ?? "" }));
    return applyEdits(notebook.text, edits);
  }
  const { open, between, close } = listStyle(notebook.text, notebook.list, notebook.cells);
  const list = texts.length === 0 ? "[]" : `[${open}${texts.join(between)}${close}]`;
  return applyEdits(notebook.text, [{ ...notebook.list, text: list }]);
}

type NamedCell = Pick<JsonCell, "type" | "id" | "source">;

/**
 * For each cell, the one of the file that it was: by id, else the same text, else what is most like it.
 * @param guessesIds two cells may be one though their ids differ
 */
export function pairUp(
  stored: readonly JsonCell[],
  cells: readonly NamedCell[],
  { guessesIds = false } = {},
): (JsonCell | undefined)[] {
  const free = new Set(stored);
  const pairs: (JsonCell | undefined)[] = cells.map(() => undefined);
  const pair = (fits: (cell: NamedCell, candidate: JsonCell) => boolean) => {
    for (const [index, cell] of cells.entries()) {
      if (pairs[index]) continue;
      const found = [...free].find(candidate => candidate.type === cell.type && fits(cell, candidate));
      if (!found) continue;
      pairs[index] = found;
      free.delete(found);
    }
  };
  pair((cell, candidate) => cell.id !== undefined && cell.id === candidate.id);
  const isFree = (cell: NamedCell, candidate: JsonCell) =>
    guessesIds || cell.id === undefined || candidate.id === undefined;
  pair((cell, candidate) => isFree(cell, candidate) && withLf(candidate.source) === withLf(cell.source));
  pair((cell, candidate) => isFree(cell, candidate) && areAlike(withLf(candidate.source), withLf(cell.source)));
  return pairs;
}

/** At least half of the longer one stands at the ends of both. */
function areAlike(a: string, b: string): boolean {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return 2 * (head + tail) >= Math.max(a.length, b.length);
}

function cellText(notebook: JsonNotebook, stored: JsonCell | undefined, cell: EditorCell): string {
  if (!stored) return newCell(notebook, cell);
  const { text } = notebook;
  const at = stored.at.outputs;
  const old = at ? (JSON.parse(text.slice(at.start, at.end)) as Json) : [];
  const outputs =
    !at || canonical(old) === canonical(cell.outputs)
      ? []
      : [{ ...at, text: indented(notebook, at.start, cell.outputs) }];
  const source = withLf(stored.source) === withLf(cell.source) ? [] : sourceEdits(notebook, stored, cell.source);
  const edits = [...outputs, ...source].sort((a, b) => a.start - b.start);
  const shifted = edits.map(edit => ({ ...edit, start: edit.start - stored.start, end: edit.end - stored.start }));
  return applyEdits(text.slice(stored.start, stored.end), shifted);
}

function newCell(notebook: JsonNotebook, cell: EditorCell): string {
  const members: Record<string, Json> = {
    ...cell.more,
    cell_type: cell.type,
    source: splitSource(cell.source),
    ...(cell.id !== undefined && { id: cell.id }),
    ...(cell.type === "code" && { outputs: cell.outputs, execution_count: cell.more.execution_count ?? null }),
    metadata: cell.more.metadata ?? {},
  };
  return newCellText(notebook, Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** The JSON of a cell that the notebook does not have yet. */
export function newCellText(notebook: JsonNotebook, cell: Json): string {
  const [first] = notebook.cells;
  return first ? indented(notebook, first.start, cell) : indented(notebook, notebook.list.start, cell, 1);
}

/** A value as JSON, laid out as what stands at `offset`, or `deeper` levels below it. */
export function indented({ text }: JsonNotebook, offset: number, value: Json, deeper = 0): string {
  const { unit, eol, indentation } = detectLayout(text, offset);
  const margin = indentation + (unit ?? "").repeat(deeper);
  return JSON.stringify(value, undefined, unit).replaceAll("\n", eol + margin);
}

/** Outputs without what says nothing of them: how text is cut into lines, blanks in base64, counts and metadata. */
function canonical(outputs: Json): string {
  return JSON.stringify(Array.isArray(outputs) ? outputs.map(plain) : outputs);
}

function plain(output: Json): Json {
  if (!isRecord(output)) return output;
  const { output_type, name, text, ename, evalue, traceback, data } = output;
  const kept = { ename, evalue, name, output_type, text: joined(text), traceback };
  if (!isRecord(data)) return JSON.parse(JSON.stringify(kept));
  const values = Object.entries(data).map(([type, value]): [string, Json] => [type, plainData(type, value)]);
  return JSON.parse(JSON.stringify({ ...kept, data: values.sort(([a], [b]) => (a < b ? -1 : 1)) }));
}

function plainData(type: string, value: Json): Json {
  const whole = joined(value) ?? null;
  return typeof whole === "string" && type.startsWith("image/") ? whole.replace(/\s+/g, "") : whole;
}

const joined = (value: Json | undefined): Json | undefined =>
  Array.isArray(value) && value.every(line => typeof line === "string") ? value.join("") : value;

function isRecord(value: Json | undefined): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
