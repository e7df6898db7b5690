/**
 * A Jupyter notebook's JSON as text with places: which cells it has and where each stands, so that a cell's source is changed
 * while every other byte stays as it is; and what stands in a notebook editor, as the JSON that the file would hold: the file's
 * own bytes where a cell is as it was, its layout where it is not. The same cells give the same text, so that a notebook in which
 * nothing was changed has the stamp of its file. Pure.
 * Edits are planned on cells and change no other byte of the file.
 */
import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { isObject } from "../../../shared/isObject";
import type { Json } from "../../../shared/messages";
import type { TextEdit } from "../../ground/ports";
import { commonEnds, commonLines, linesWithEnds, withLf } from "../../ground/text/lines";
import { applyEdits, trimEdit } from "./textEdits";

export interface JsonCell {
  /** `code`, `markdown`, `raw` */
  type: string;
  /** the cell's id, where the notebook has ids */
  id: string | undefined;
  /** line ends as the notebook has them */
  source: string;
  /** offsets of the cell's object, and of its members' values */
  start: number;
  end: number;
  at: Record<string, JsonSpan>;
  /** the elements of the source where it is a list of lines; undefined: it is one string */
  lines: (JsonSpan & { value: string })[] | undefined;
}

export interface JsonNotebook {
  text: string;
  cells: JsonCell[];
  /** offsets of the list of cells, with its brackets */
  list: JsonSpan;
  /** offsets of the notebook's own metadata; undefined: it has none */
  metadata: JsonSpan | undefined;
}

export interface JsonSpan {
  start: number;
  end: number;
}

export const EMPTY_NOTEBOOK = `${JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;

export const isNotebookPath = (path: string): boolean => path.toLowerCase().endsWith(".ipynb");

export function readNotebook(text: string): JsonNotebook | undefined {
  const errors: ParseError[] = [];
  const root = parsedTree(text, errors);
  if (!root || errors.length > 0) return undefined;
  const list = member(root, "cells");
  if (list?.type !== "array") return undefined;
  const cells = (list.children ?? []).map(readCell);
  const metadata = member(root, "metadata");
  return cells.every(cell => cell !== undefined)
    ? { text, cells, list: nodeSpan(list), metadata: metadata && nodeSpan(metadata) }
    : undefined;
}

/** undefined: it is nested so deeply that nobody reads it, or empty */
function parsedTree(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The edits that make `source` the source of a cell, in the style of the notebook: a list of lines or one string. */
export function sourceEdits(notebook: JsonNotebook, cell: JsonCell, source: string): TextEdit[] {
  const at = cell.at.source;
  if (source === cell.source || !at) return [];
  if (!cell.lines) return [{ ...at, text: JSON.stringify(source) }];
  const elements = arrayElements(notebook.text, cell.lines, linesWithEnds(source));
  return [trimEdit(notebook.text, { ...at, text: listText(cellStyle(notebook, cell), elements) })];
}

/** Lines as JSON. One that stays, at the beginning or the end, keeps its bytes, whatever escapes it was written with. */
function arrayElements(text: string, old: NonNullable<JsonCell["lines"]>, lines: readonly string[]): string[] {
  const values = old.map(({ value }) => value);
  const { head, tail } = commonLines(values, lines);
  return lines.map((line, index) => {
    const kept = index < head ? old[index] : lines.length - index <= tail ? old.at(index - lines.length) : undefined;
    return kept ? text.slice(kept.start, kept.end) : JSON.stringify(line);
  });
}

/** What stands between the brackets of a list and its elements. */
interface ListStyle {
  open: string;
  between: string;
  close: string;
}

const listText = ({ open, between, close }: ListStyle, elements: readonly string[]): string =>
  elements.length === 0 ? "[]" : `[${open}${elements.join(between)}${close}]`;

function readCell(node: Node): JsonCell | undefined {
  const type = member(node, "cell_type");
  const source = member(node, "source");
  if (typeof type?.value !== "string" || !source) return undefined;
  const isList = source.type === "array";
  const lines = isList ? (source.children ?? []) : [source];
  if (!lines.every(line => typeof line.value === "string")) return undefined;
  const id = member(node, "id")?.value;
  const members = (node.children ?? []).flatMap(property => {
    const [key, value] = property.children ?? [];
    return key && value ? [[String(key.value), nodeSpan(value)] as const] : [];
  });
  return {
    type: type.value,
    id: typeof id === "string" ? id : undefined,
    source: lines.map(line => String(line.value)).join(""),
    ...nodeSpan(node),
    at: Object.fromEntries(members),
    lines: isList ? lines.map(line => ({ ...nodeSpan(line), value: String(line.value) })) : undefined,
  };
}

function member(node: Node, name: string): Node | undefined {
  if (node.type !== "object") return undefined;
  // Of a name that stands twice, the last one counts, as with JSON.parse.
  return node.children?.findLast(property => property.children?.[0]?.value === name)?.children?.[1];
}

const nodeSpan = ({ offset, length }: Node): JsonSpan => ({ start: offset, end: offset + length });

/** How this notebook writes a cell's list of lines: as in the cell itself, else as in another one, else as JSON is indented. */
function cellStyle({ text, cells }: JsonNotebook, cell: JsonCell): ListStyle {
  const others = cells.filter(other => other.lines && other.lines.length > 1);
  for (const { lines, at } of [cell, ...others]) {
    const style = at.source && lines && styleAt(text, at.source, lines);
    if (style) return style;
  }
  return indentedStyle(text, cell.at.source?.start ?? 0);
}

function styleAt(text: string, list: JsonSpan, [first, second, ...more]: readonly JsonSpan[]): ListStyle | undefined {
  if (!first) return undefined;
  const open = text.slice(list.start + 1, first.start);
  const between = second && text.slice(first.end, second.start);
  // One element says nothing of what stands between two on one line.
  if (between === undefined && !open.includes("\n")) return undefined;
  const last = more.at(-1) ?? second ?? first;
  return { open, between: between ?? `,${open}`, close: text.slice(last.end, list.end - 1) };
}

/** The list belongs to a member that begins on a line of its own, or all stands on one line. */
function indentedStyle(text: string, start: number): ListStyle {
  const { unit, eol, indentation } = detectLayout(text, start);
  if (unit === undefined) return { open: "", between: /,\s/.test(text) ? ", " : ",", close: "" };
  const open = `${eol}${indentation}${unit}`;
  return { open, between: `,${open}`, close: `${eol}${indentation}` };
}

/** How the JSON is laid out: what a level is indented by (undefined: all on one line), and how deep the line of an offset is. */
function detectLayout(text: string, offset: number): { unit: string | undefined; eol: string; indentation: string } {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1];
  const lineStart = text.lastIndexOf("\n", offset) + 1;
  const indentation = /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
  return { unit, eol: text.includes("\r\n") ? "\r\n" : "\n", indentation };
}

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
  const { text, list } = notebook;
  const style = styleAt(text, list, notebook.cells) ?? indentedStyle(text, list.start);
  return applyEdits(text, [{ ...list, text: listText(style, texts) }]);
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
  const { head, tail } = commonEnds(a, b);
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
  return editedCell(notebook, stored, [...outputs, ...source]);
}

/** The bytes of a cell with edits of the notebook's text, in any order. */
export function editedCell({ text }: JsonNotebook, { start, end }: JsonCell, edits: readonly TextEdit[]): string {
  const inCell = edits.map(edit => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  const sorted = inCell.sort((a, b) => a.start - b.start);
  return applyEdits(text.slice(start, end), sorted);
}

function newCell(notebook: JsonNotebook, cell: EditorCell): string {
  const members: Record<string, Json> = {
    ...cell.more,
    cell_type: cell.type,
    source: linesWithEnds(cell.source),
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
  if (!isObject(output)) return output;
  const { output_type, name, text, ename, evalue, traceback, data } = output;
  const kept = { ename, evalue, name, output_type, text: joined(text), traceback };
  if (!isObject(data)) return JSON.parse(JSON.stringify(kept));
  const values = Object.entries(data).map(([type, value]): [string, Json] => [type, plainData(type, value)]);
  return JSON.parse(JSON.stringify({ ...kept, data: values.sort(([a], [b]) => (a < b ? -1 : 1)) }));
}

function plainData(type: string, value: Json): Json {
  const whole = joined(value) ?? null;
  return typeof whole === "string" && type.startsWith("image/") ? whole.replace(/\s+/g, "") : whole;
}

const joined = (value: Json | undefined): Json | undefined =>
  Array.isArray(value) && value.every(line => typeof line === "string") ? value.join("") : value;
