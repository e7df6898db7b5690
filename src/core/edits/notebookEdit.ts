/**
 * Edits of notebooks, with cells as units: what a model quotes is looked for in the cells' sources as Read shows them, and
 * only the source of a cell is changed; every other byte of the JSON stays. Pure.
 */
import { type FileRef, type TextEdit, ToolError } from "../ports";
import { clipEnd, counted } from "../text/format";
import { withLf } from "../text/lineEnds";
import { diffLines, fragment, rangesText } from "../text/unifiedDiff";
import { applyEdits, type EditPlan, planEdits, type Replacement } from "./editEngine";
import { explainNoMatch, lineNumber } from "./noMatch";
import { shownCells } from "./notebookCells";
import { EMPTY_NOTEBOOK, isNotebookPath, type JsonNotebook, readNotebook, sourceEdits } from "./notebookJson";

/** planEdits of a text; of a notebook's, the text of each cell. Throws ToolError as planEdits does. */
export function planReplacements(
  ref: Pick<FileRef, "path">,
  text: string,
  replacements: readonly Replacement[],
): EditPlan {
  const notebook = isNotebookPath(ref.path) ? readNotebook(text) : undefined;
  return notebook ? planNotebook(notebook, replacements, ref.path) : planEdits(text, replacements, ref.path);
}

/** Throws INVALID_INPUT where a notebook's file would get something that is no notebook. */
export function requireNotebook(ref: Pick<FileRef, "path">, content: string): void {
  if (!isNotebookPath(ref.path) || readNotebook(content)) return;
  throw new ToolError(
    "INVALID_INPUT",
    `${ref.path} is a notebook, and content is not the JSON of one: an object with cells (each with cell_type and source), metadata and nbformat. ` +
      `Nothing was written. An empty one is ${EMPTY_NOTEBOOK.replace(/\n\s*/g, "")}. To change cells use Edit.`,
    { path: ref.path },
  );
}

/** What an edit changed of a notebook, in cells. */
export interface NotebookChange {
  /** "cell 3, line 2"; "cells 2 and 4" */
  where: string;
  /** the changed cells, at most 40 lines */
  fragment: string;
}

/** Characters of a changed cell that count as a line of those that are shown. */
const MAX_PER_LINE = 320;

/** undefined: it is no notebook, or its cells were added, removed or moved: then the JSON is what can be shown */
export function notebookChange(
  ref: Pick<FileRef, "path">,
  before: string,
  after: string,
  redact: (text: string) => string = same => same,
): NotebookChange | undefined {
  if (!isNotebookPath(ref.path)) return undefined;
  const [from, to] = [readNotebook(before), readNotebook(after)];
  if (!from || !to || from.cells.length !== to.cells.length) return undefined;
  const changed = to.cells.flatMap((cell, index) => {
    const { ranges, hunks } = diffLines(from.cells[index]?.source ?? "", cell.source);
    return ranges.length > 0 ? [{ number: index + 1, cell, ranges, hunks }] : [];
  });
  const places = changed.map(({ number, ranges }) => `cell ${number}, ${rangesText(ranges)}`);
  if (places.length === 0) return undefined;
  let left = 40;
  const shown: string[] = [];
  for (const { number, cell, ranges, hunks } of changed) {
    if (left < 4) break;
    const source = fragment(cell.source, ranges, { most: left - 1, hunks, redact });
    const text = `[Cell ${number} of ${to.cells.length}: ${cell.type}]\n${source}`.trimEnd();
    left -= Math.max(text.split("\n").length, Math.ceil(text.length / MAX_PER_LINE));
    shown.push(text);
  }
  if (shown.length < changed.length) shown.push("    …");
  const more = places.length > 8 ? ` and in ${counted(places.length - 8, "more cell")}` : "";
  return { where: places.slice(0, 8).join("; ") + more, fragment: shown.join("\n") };
}

/** The same cells with the same sources and outputs: what else differs is how the JSON is written. */
export function sameCells(ref: Pick<FileRef, "path">, before: string, after: string): boolean {
  if (!isNotebookPath(ref.path)) return false;
  const [from, to] = [before, after].map(text => shownCells(text)?.map(cell => cell.text));
  return from !== undefined && to !== undefined && from.join("\0") === to.join("\0");
}

function planNotebook(notebook: JsonNotebook, replacements: readonly Replacement[], path: string): EditPlan {
  const sources = notebook.cells.map(cell => cell.source);
  for (const [index, replacement] of replacements.entries()) {
    const which = replacements.length > 1 ? `Edit ${index + 1} of ${replacements.length}: ` : "";
    for (const cell of matchingCells(sources, replacement, { path, which, text: notebook.text })) {
      sources[cell] = planEdits(sources[cell] ?? "", [{ ...replacement, replaceAll: true }], path).newText;
    }
  }
  const edits: TextEdit[] = notebook.cells.flatMap((cell, index) => sourceEdits(notebook, cell, sources[index] ?? ""));
  if (edits.length === 0) {
    throw new ToolError(
      "INVALID_INPUT",
      `The edits cancel each other out: ${path} would stay as it is. Nothing was changed.`,
    );
  }
  return { edits, newText: applyEdits(notebook.text, edits) };
}

interface Asked {
  path: string;
  /** "Edit 2 of 3: " where there are several */
  which: string;
  text: string;
}

/** The cells (from 0) in which a replacement is made: one place, or every place where all are asked for. */
function matchingCells(sources: readonly string[], replacement: Replacement, asked: Asked): number[] {
  const texts = sources.map(withLf);
  const wanted = withLf(replacement.oldText);
  if (wanted === "" || wanted === withLf(replacement.newText)) {
    // It refuses these with the words for them.
    planEdits("", [replacement], asked.path);
  }
  const places = texts.flatMap((text, cell) =>
    positions(text, wanted, replacement.replaceAll ? wanted.length : 1).map(at => ({
      cell,
      line: lineNumber(text, at),
    })),
  );
  if (places.length === 0) throw noMatchError(texts, wanted, withLf(replacement.newText), asked);
  if (places.length > 1 && !replacement.replaceAll) throw ambiguousError(places, asked);
  return [...new Set(places.map(({ cell }) => cell))];
}

function positions(text: string, wanted: string, step: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) found.push(at);
  return found;
}

function ambiguousError(places: readonly { cell: number; line: number }[], { path, which }: Asked): ToolError {
  const shown = places.slice(0, 10).map(({ cell, line }) => `cell ${cell + 1}, line ${line}`);
  const more = places.length > shown.length ? ` and ${places.length - shown.length} more` : "";
  return new ToolError(
    "AMBIGUOUS",
    `${which}old_string is in the cells of ${path} ${places.length} times: ${shown.join("; ")}${more}. ` +
      "Add lines of the same cell around it until it is unique, or set replace_all to change all of them. Nothing was changed.",
    { path, matches: places.length, cells: places.slice(0, 10).map(({ cell }) => cell + 1) },
  );
}

function noMatchError(texts: readonly string[], wanted: string, replacement: string, asked: Asked): ToolError {
  const { path, which } = asked;
  const say = (words: string, cell?: number, line?: number) =>
    new ToolError("NO_MATCH", `${which}old_string is in no cell of ${path}. ${words} Nothing was changed.`, {
      path,
      ...(cell !== undefined && { cell: cell + 1 }),
      ...(line !== undefined && { closestLine: line }),
    });
  if (/^\[Cell \d+ of \d+: \w+\]$/m.test(wanted)) {
    return say(
      "It has a line [Cell …] that Read puts above each cell and that is not part of it: quote the source alone.",
    );
  }
  const { cells, starts } = joinCells(texts);
  const across = cells.indexOf(wanted);
  if (across >= 0) {
    const [first, last] = [cellAt(starts, across), cellAt(starts, across + wanted.length - 1)];
    return say(`It spans cells ${first + 1} to ${last + 1}: edit each cell on its own.`, first);
  }
  const shown = shownCells(asked.text) ?? [];
  const output = shown.findIndex(({ text, sourceEnd }) => text.slice(sourceEnd).includes(wanted));
  if (output >= 0)
    return say(`It stands in the output of cell ${output + 1}: only sources of cells are edited.`, output);
  const closest = explainNoMatch(cells, wanted, replacement);
  if (closest.line === undefined) return say(clipEnd(closest.text, 2_000).replace("in the file", "in its cells"));
  const cell = cellAt(starts, lineOffset(cells, closest.line));
  const { text, line } = explainNoMatch(texts[cell] ?? "", wanted, replacement);
  const inFile = (words: string) =>
    words.replaceAll("the file has", "the cell has").replaceAll("in the file", "in the cell");
  return say(`In cell ${cell + 1}: ${inFile(text)}`, cell, line);
}

/** All cells as one text, and where in it each begins. */
function joinCells(texts: readonly string[]): { cells: string; starts: number[] } {
  const starts: number[] = [];
  let at = 0;
  for (const text of texts) {
    starts.push(at);
    at += text.length + 1;
  }
  return { cells: texts.join("\n"), starts };
}

const cellAt = (starts: readonly number[], offset: number) =>
  Math.max(
    0,
    starts.findLastIndex(start => start <= offset),
  );

function lineOffset(text: string, line: number): number {
  let at = 0;
  for (let n = 1; n < line; n += 1) at = text.indexOf("\n", at) + 1;
  return at;
}
