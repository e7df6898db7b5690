/**
 * A Jupyter notebook's JSON as text with places: which cells it has, where each stands, and how a cell's source is changed
 * while every other byte stays as it is. Pure.
 */
import { type Node, type ParseError, parseTree } from "jsonc-parser";
import type { TextEdit } from "../ports";

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
  at: Record<string, Span>;
  /** the elements of the source where it is a list of lines; undefined: it is one string */
  lines: (Span & { value: string })[] | undefined;
}

export interface JsonNotebook {
  text: string;
  cells: JsonCell[];
  /** offsets of the list of cells, with its brackets */
  list: Span;
  /** offsets of the notebook's own metadata; undefined: it has none */
  metadata: Span | undefined;
}

export interface Span {
  start: number;
  end: number;
}

/** An empty notebook, as VS Code and Jupyter make one. */
export const EMPTY_NOTEBOOK = `${JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;

export const isNotebookPath = (path: string): boolean => path.toLowerCase().endsWith(".ipynb");

/** undefined: the text is not the JSON of a notebook */
export function readNotebook(text: string): JsonNotebook | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  if (!root || errors.length > 0) return undefined;
  const list = member(root, "cells");
  if (list?.type !== "array") return undefined;
  const cells = (list.children ?? []).map(readCell);
  const metadata = member(root, "metadata");
  return cells.every(cell => cell !== undefined)
    ? { text, cells, list: nodeSpan(list), metadata: metadata && nodeSpan(metadata) }
    : undefined;
}

/** The edits that make `source` the source of a cell, in the style of the notebook: a list of lines or one string. */
export function sourceEdits(notebook: JsonNotebook, cell: JsonCell, source: string): TextEdit[] {
  if (source === cell.source) return [];
  const at = cell.at.source;
  if (!at) return [];
  if (!cell.lines) return [{ ...at, text: JSON.stringify(source) }];
  const style = cellStyle(notebook, cell);
  const elements = arrayElements(notebook.text, cell.lines, splitSource(source));
  const list = elements.length === 0 ? "[]" : `[${style.open}${elements.join(style.between)}${style.close}]`;
  return [trimEdit(notebook.text, at, list)];
}

/** Lines as JSON. One that stays, at the beginning or the end, keeps its bytes, whatever escapes it was written with. */
function arrayElements(text: string, old: NonNullable<JsonCell["lines"]>, lines: readonly string[]): string[] {
  const most = Math.min(old.length, lines.length);
  let head = 0;
  while (head < most && old[head]?.value === lines[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail]?.value === lines[lines.length - 1 - tail]) tail += 1;
  return lines.map((line, index) => {
    const kept =
      index < head ? old[index] : lines.length - index <= tail ? old[old.length - lines.length + index] : null;
    return kept ? text.slice(kept.start, kept.end) : JSON.stringify(line);
  });
}

/** A source as Jupyter stores it: lines with their ends. */
export function splitSource(source: string): string[] {
  return source === "" ? [] : (source.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** What stands between the brackets of a list and its elements. */
export interface ListStyle {
  open: string;
  between: string;
  close: string;
}

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

const nodeSpan = ({ offset, length }: Node): Span => ({ start: offset, end: offset + length });

/** How this notebook writes a cell's list of lines: as in the cell itself, else as in another one, else as JSON is indented. */
function cellStyle({ text, cells }: JsonNotebook, cell: JsonCell): ListStyle {
  const others = cells.filter(other => other.lines && other.lines.length > 1);
  for (const { lines, at } of [cell, ...others]) {
    const style = at.source && lines && styleAt(text, at.source, lines);
    if (style) return style;
  }
  return indentedStyle(text, cell.at.source?.start ?? 0);
}

/** How a list is written that has these elements. */
export function listStyle(text: string, list: Span, elements: readonly Span[]): ListStyle {
  return styleAt(text, list, elements) ?? indentedStyle(text, list.start);
}

/** undefined: the elements do not say */
function styleAt(text: string, list: Span, [first, second, ...more]: readonly Span[]): ListStyle | undefined {
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
export function detectLayout(
  text: string,
  offset: number,
): { unit: string | undefined; eol: string; indentation: string } {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1];
  const lineStart = text.lastIndexOf("\n", offset) + 1;
  const indentation = /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
  return { unit, eol: text.includes("\r\n") ? "\r\n" : "\n", indentation };
}

/** The smallest edit that puts `value` in the place of `at`. */
export function trimEdit(text: string, { start, end }: Span, value: string): TextEdit {
  const old = text.slice(start, end);
  const most = Math.min(old.length, value.length);
  let head = 0;
  while (head < most && old.charCodeAt(head) === value.charCodeAt(head)) head += 1;
  let tail = 0;
  while (tail < most - head && old.charCodeAt(old.length - 1 - tail) === value.charCodeAt(value.length - 1 - tail)) {
    tail += 1;
  }
  // A pair of surrogates is one character.
  if (head > 0 && isHigh(value.charCodeAt(head - 1))) head -= 1;
  if (tail > 0 && isLow(value.charCodeAt(value.length - tail))) tail -= 1;
  return { start: start + head, end: end - tail, text: value.slice(head, value.length - tail) };
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
