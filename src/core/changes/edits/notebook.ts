/**
 * A Jupyter notebook's cells, and its JSON with other cells in it: parsed and written as Jupyter and VS Code do, in the file's own
 * indentation and line ends. A notebook in which nothing was changed keeps its bytes. And any file in the units that Read counts: lines, or
 * the cells of a notebook with their outputs as short text. Pure.
 */
import { isObject, parseJson } from "../../../shared/isObject";
import type { Json } from "../../../shared/messages";
import { MAX_CELL_CHARACTERS, MAX_LINE_CHARACTERS } from "../../ground/text/diff";
import { clipEnd } from "../../ground/text/format";
import { keepNumbers } from "../../ground/text/json";
import { commonEnds, linesWithEnds, splitLines, withLf } from "../../ground/text/lines";

type NotebookJson = Record<string, Json>;

export interface JsonCell {
  /** `code`, `markdown`, `raw` */
  type: string;
  /** the cell's id, where the notebook has ids */
  id: string | undefined;
  /** line ends as the notebook has them */
  source: string;
  json: NotebookJson;
}

export interface JsonNotebook {
  text: string;
  json: NotebookJson;
  cells: JsonCell[];
}

export const EMPTY_NOTEBOOK = `${JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;

export const isNotebookPath = (path: string): boolean => path.toLowerCase().endsWith(".ipynb");

export function readNotebook(text: string): JsonNotebook | undefined {
  const json = parseJson(text, keepNumbers) as Json | undefined;
  if (!isObject(json) || !Array.isArray(json.cells)) return undefined;
  const cells = json.cells.map(readCell);
  return cells.every(cell => cell !== undefined) ? { text, json, cells } : undefined;
}

function readCell(json: Json): JsonCell | undefined {
  if (!isObject(json)) return undefined;
  const { cell_type: type, id } = json;
  const source = joinedText(json.source);
  if (typeof type !== "string" || typeof source !== "string") return undefined;
  return { type, id: typeof id === "string" ? id : undefined, source, json };
}

/** The notebook with these cells, and these members of its own. */
export function writeNotebook({ text, json }: JsonNotebook, cells: readonly Json[], members: NotebookJson = {}) {
  const next = { ...json, cells: [...cells], ...members };
  if (JSON.stringify(next) === JSON.stringify(json)) return text;
  const indentation = /\n([ \t]+)\S/.exec(text)?.[1];
  const written = JSON.stringify(next, undefined, indentation) + text.slice(text.trimEnd().length);
  return text.includes("\r\n") ? withLf(written).replaceAll("\n", "\r\n") : written;
}

/** The cell with another source, as it has its own: a list of lines or one string. */
export const withSource = ({ json, source: old }: JsonCell, source: string): NotebookJson =>
  source === old ? json : { ...json, source: Array.isArray(json.source) ? linesWithEnds(source) : source };

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

/** The file's own JSON where a cell is as it was: the same cells give the same text, and so the same stamp. */
export function notebookText(notebook: JsonNotebook, cells: readonly EditorCell[]): string {
  const pairs = pairUp(notebook.cells, cells);
  const written = cells.map((cell, index) => cellJson(pairs[index], cell));
  return writeNotebook(notebook, written);
}

type NamedCell = Pick<JsonCell, "type" | "id" | "source">;

/**
 * For each cell, the one of the file that it was: by id, else the same text, else the most similar cell.
 * @param guessesIds two cells may be one though their ids differ
 */
export function pairUp(stored: readonly JsonCell[], cells: readonly NamedCell[], { guessesIds = false } = {}) {
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

/** At least half of the longer one is a common beginning or end. */
function areAlike(a: string, b: string): boolean {
  const { head, tail } = commonEnds(a, b);
  return 2 * (head + tail) >= Math.max(a.length, b.length);
}

function cellJson(stored: JsonCell | undefined, cell: EditorCell): NotebookJson {
  if (!stored) return newCell(cell);
  const json = withLf(stored.source) === withLf(cell.source) ? stored.json : withSource(stored, cell.source);
  const { outputs } = json;
  return outputs === undefined || canonical(outputs) === canonical(cell.outputs)
    ? json
    : { ...json, outputs: cell.outputs };
}

function newCell(cell: EditorCell): NotebookJson {
  const members: NotebookJson = {
    ...cell.more,
    cell_type: cell.type,
    source: linesWithEnds(cell.source),
    ...(cell.id !== undefined && { id: cell.id }),
    ...(cell.type === "code" && { outputs: cell.outputs, execution_count: cell.more.execution_count ?? null }),
    metadata: cell.more.metadata ?? {},
  };
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Outputs without what says nothing of them: how text is cut into lines, blanks in base64, counts and metadata. */
const canonical = (outputs: Json): string => JSON.stringify(Array.isArray(outputs) ? outputs.map(plain) : outputs);

function plain(output: Json): Json {
  if (!isObject(output)) return output;
  const { output_type, name, text, ename, evalue, traceback, data } = output;
  const kept = { ename, evalue, name, output_type, text: joinedText(text), traceback };
  if (!isObject(data)) return JSON.parse(JSON.stringify(kept));
  const values = Object.entries(data).map(([type, value]): [string, Json] => [type, plainData(type, value)]);
  return JSON.parse(JSON.stringify({ ...kept, data: values.sort(([a], [b]) => (a < b ? -1 : 1)) }));
}

function plainData(type: string, value: Json): Json {
  const whole = joinedText(value) ?? null;
  return typeof whole === "string" && type.startsWith("image/") ? whole.replace(/\s+/g, "") : whole;
}

/** Text that may be stored as a list of lines; any other value unchanged. */
const joinedText = (value: Json | undefined): Json | undefined =>
  Array.isArray(value) && value.every(line => typeof line === "string") ? value.join("") : value;

type Plain = (text: string) => string;

export interface Units {
  unit: "line" | "cell";
  texts: readonly string[];
  /** characters that Read shows of one */
  most: number;
  /** Not all of the line, or of the cell's source, is shown (from 0). */
  isCut(index: number): boolean;
}

/** @param redact before an output is cut: of half a secret nothing is found. Any other where no text goes out */
export function splitUnits(path: string, text: string, redact: Plain): Units {
  const cells = isNotebookPath(path) ? shownCells(text, redact) : undefined;
  if (cells) {
    const isCut = (index: number) => (cells[index]?.sourceEnd ?? 0) > MAX_CELL_CHARACTERS;
    return { unit: "cell", texts: cells.map(cell => cell.text), most: MAX_CELL_CHARACTERS, isCut };
  }
  const texts = splitLines(text);
  const isCut = (index: number) => (texts[index]?.length ?? 0) > MAX_LINE_CHARACTERS;
  return { unit: "line", texts, most: MAX_LINE_CHARACTERS, isCut };
}

const MAX_OUTPUT = 500;

interface ShownCell {
  /** kind, source, outputs in short */
  text: string;
  /** how much of that is before the outputs */
  sourceEnd: number;
}

export function shownCells(text: string, redact: Plain): ShownCell[] | undefined {
  const cells = readNotebook(text)?.cells;
  return cells?.map(({ type, source, json }, index) => {
    const outputs = Array.isArray(json.outputs) ? json.outputs.flatMap(one => (isObject(one) ? [one] : [])) : [];
    const shown = `[Cell ${index + 1} of ${cells.length}: ${type}]\n${withLf(source)}`;
    const all = [shown, ...outputs.map(output => `Output: ${outputText(output, redact)}`)];
    return { text: all.join("\n"), sourceEnd: shown.length };
  });
}

function outputText({ output_type, text, data, ename, evalue }: Record<string, Json>, redact: Plain): string {
  if (typeof ename === "string") return clipEnd(redact(`${ename}: ${evalue ?? ""}`), MAX_OUTPUT);
  const forms = isObject(data) ? data : {};
  const plain = joinedText(text ?? forms["text/plain"]);
  const others = Object.keys(forms).filter(type => type !== "text/plain");
  const told = typeof plain === "string" ? clipEnd(redact(withLf(plain).trimEnd()), MAX_OUTPUT) : "";
  const left = others.length > 0 ? `(${others.join(", ")} not shown)` : "";
  return [told, left].filter(Boolean).join(" ") || `(${output_type})`;
}
