/**
 * Edits of notebooks, with cells as units: what a model quotes is looked for in the cells' sources as Read shows them, and
 * only the source of a cell is changed. A Write sets which cells there are, and their
 * sources: what Read does not show of a cell that stays (outputs whole, metadata, id) and of the notebook stays with it, since
 * no model can write that down. Pure.
 */
import type { Json } from "../../../shared/messages";
import type { Redact } from "../../../shared/redacted";
import { ToolError } from "../../ground/ports";
import { diffLines, fragment, rangesText } from "../../ground/text/diff";
import { clipEnd, counted } from "../../ground/text/format";
import { countLineEnds, lineNumber, withLf } from "../../ground/text/lines";
import { explainNoMatch } from "./noMatch";
import {
  EMPTY_NOTEBOOK,
  isNotebookPath,
  type JsonCell,
  type JsonNotebook,
  pairUp,
  readNotebook,
  shownCells,
  withSource,
  writeNotebook,
} from "./notebook";
import {
  cancelledError,
  type EditPlan,
  editLabel,
  findPlaces,
  planEdits,
  planLines,
  type Replacement,
  withLfOnly,
} from "./planEdits";

/** planEdits of a text; of a notebook's, the text of each cell. Throws ToolError as planEdits does. */
export function planReplacements(ref: { path: string }, text: string, replacements: readonly Replacement[]) {
  const notebook = isNotebookPath(ref.path) ? readNotebook(text) : undefined;
  return notebook ? planNotebook(notebook, replacements, ref.path) : planEdits(text, replacements, ref.path);
}

/** Throws INVALID_INPUT where a notebook's file would get something that is no notebook. */
export function requireNotebook(ref: { path: string }, content: string): void {
  if (!isNotebookPath(ref.path) || readNotebook(content)) return;
  throw new ToolError(
    "INVALID_INPUT",
    `${ref.path} is a notebook, and content is not the JSON of one: an object with cells (each with cell_type and source), metadata and nbformat. ` +
      `Nothing was written. An empty one is ${EMPTY_NOTEBOOK.replace(/\n\s*/g, "")}. To change cells use Edit.`,
    { path: ref.path },
  );
}

/** Characters of a changed cell that count as a line of those that are shown. */
const MAX_PER_LINE = 320;

/**
 * What an edit changed of a notebook: `where` ("cell 3, line 2"), and the changed cells, at most 40 lines of them.
 * @returns undefined: it is no notebook, or its cells were added, removed or moved: then the JSON is what can be shown
 */
export function notebookChange(ref: { path: string }, before: string, after: string, redact: Redact) {
  if (!isNotebookPath(ref.path)) return undefined;
  const [from, to] = [readNotebook(before), readNotebook(after)];
  if (!from || !to || from.cells.length !== to.cells.length) return undefined;
  const changed = to.cells.flatMap((cell, index) => {
    const { ranges } = diffLines(from.cells[index]?.source ?? "", cell.source);
    return ranges.length > 0 ? [{ number: index + 1, cell, ranges }] : [];
  });
  const places = changed.map(({ number, ranges }) => `cell ${number}, ${rangesText(ranges)}`);
  if (places.length === 0) return undefined;
  let left = 40;
  const shown: string[] = [];
  for (const { number, cell, ranges } of changed) {
    if (left < 4) break;
    const source = fragment(cell.source, ranges, redact, left - 1);
    const text = `[Cell ${number} of ${to.cells.length}: ${cell.type}]\n${source}`.trimEnd();
    left -= Math.max(text.split("\n").length, Math.ceil(text.length / MAX_PER_LINE));
    shown.push(text);
  }
  if (shown.length < changed.length) shown.push("    …");
  const more = places.length > 8 ? ` and in ${counted(places.length - 8, "more cell")}` : "";
  return { where: places.slice(0, 8).join("; ") + more, fragment: shown.join("\n") };
}

/** The same cells with the same sources and outputs: what else differs is how the JSON is written. */
export function sameCells(ref: { path: string }, before: string, after: string): boolean {
  if (!isNotebookPath(ref.path)) return false;
  const [from, to] = [before, after].map(text => shownCells(text, same => same)?.map(cell => cell.text));
  return from !== undefined && to !== undefined && from.join("\0") === to.join("\0");
}

function planNotebook(notebook: JsonNotebook, replacements: readonly Replacement[], path: string): EditPlan {
  const sources = notebook.cells.map(cell => cell.source);
  for (const [index, asked] of replacements.entries()) {
    const which = editLabel(index, replacements);
    const replacement = withLfOnly(asked, which);
    for (const cell of matchingCells(sources.map(withLf), replacement, { path, which })) {
      sources[cell] = planEdits(sources[cell] ?? "", [{ ...replacement, replaceAll: true }], path).newText;
    }
  }
  const cells = notebook.cells.map((cell, index) => withSource(cell, sources[index] ?? ""));
  const plan = planLines(notebook.text, writeNotebook(notebook, cells));
  if (plan.edits.length === 0) throw cancelledError(path);
  return plan;
}

/** For the messages. */
interface CellSearch {
  path: string;
  which: string;
}

/** The cells (from 0) in which a replacement is made: one place, or every place where all are asked for. */
function matchingCells(texts: readonly string[], replacement: Replacement, asked: CellSearch): number[] {
  const { oldText, newText, replaceAll } = replacement;
  const places = texts.flatMap((text, cell) =>
    findPlaces(text, oldText, replaceAll).map(at => ({ cell, line: () => lineNumber(text, at) })),
  );
  if (places.length === 0) throw noMatchError(texts, oldText, newText, asked);
  if (places.length > 1 && !replaceAll) throw ambiguousError(places, asked);
  return [...new Set(places.map(({ cell }) => cell))];
}

function ambiguousError(places: readonly { cell: number; line: () => number }[], { path, which }: CellSearch) {
  const shown = places.slice(0, 10).map(({ cell, line }) => `cell ${cell + 1}, line ${line()}`);
  const more = places.length > shown.length ? ` and ${places.length - shown.length} more` : "";
  return new ToolError(
    "AMBIGUOUS",
    `${which}old_string is in the cells of ${path} ${places.length} times: ${shown.join("; ")}${more}. ` +
      "Add lines of the same cell around it until it is unique, or set replace_all to change all of them. Nothing was changed.",
    { path, matches: places.length, cells: places.slice(0, 10).map(({ cell }) => cell + 1) },
  );
}

function noMatchError(texts: readonly string[], wanted: string, replacement: string, asked: CellSearch): ToolError {
  const { path, which } = asked;
  const say = (words: string, cell?: number, line?: number) =>
    new ToolError(
      "NO_MATCH",
      `${which}old_string is in the source of no cell of ${path}. ${words} Nothing was changed.`,
      { path, ...(cell !== undefined && { cell: cell + 1 }), ...(line !== undefined && { closestLine: line }) },
    );
  const all = texts.join("\n");
  if (all.includes(wanted) || /^\[Cell \d+ of \d+: \w+\]$/m.test(wanted)) {
    return say(
      "Quote the source of one cell alone: no lines of two cells, and no line [Cell …] that Read puts above each cell.",
    );
  }
  const closest = explainNoMatch(all, wanted, replacement);
  if (closest.line === undefined) return say(clipEnd(closest.text, 2_000).replace("in the file", "in its cells"));
  let [cell, above] = [0, 0];
  for (const text of texts) {
    const next = above + countLineEnds(text) + 1;
    if (closest.line <= next) break;
    above = next;
    cell += 1;
  }
  const { text, line } = explainNoMatch(texts[cell] ?? "", wanted, replacement);
  const inCell = text.replaceAll("the file has", "the cell has").replaceAll("in the file", "in the cell");
  return say(`In cell ${cell + 1}: ${inCell}`, cell, line);
}

/** planLines of a text; of a notebook's, of its cells. */
export function planWrite(ref: { path: string }, text: string, content: string): EditPlan {
  const [base, wanted] = isNotebookPath(ref.path) ? [readNotebook(text), readNotebook(content)] : [];
  if (!base || !wanted || (base.cells.length === 0 && isEmpty(base.json.metadata))) return planLines(text, content);
  const pairs = pairUp(base.cells, wanted.cells, { guessesIds: true });
  const taken = new Set(pairs.flatMap(pair => pair?.id ?? []));
  const cells = wanted.cells.map((cell, index) => {
    const stored = pairs[index];
    return stored ? keptCell(stored, cell) : addedCell(base, cell, taken);
  });
  return planLines(text, writeNotebook(base, cells, filled(base.json, wanted.json, ["metadata"])));
}

/** What a Write of a notebook left as it was and what it took away, for the model. Empty: nothing of that. */
export function writeNote(ref: { path: string }, before: string, after: string): string {
  const [from, to] = isNotebookPath(ref.path) ? [readNotebook(before), readNotebook(after)] : [];
  if (!from || !to || from.cells.length === 0) return "";
  const kept = new Set(pairUp(from.cells, to.cells, { guessesIds: true }));
  const gone = from.cells.filter(cell => !kept.has(cell) && !isEmpty(cell.json.outputs));
  const stays =
    "Cells that stay keep outputs, metadata and ids, and the notebook its metadata: Write sets sources only.";
  return gone.length === 0 ? stays : `${stays} ${counted(gone.length, "cell")} with outputs went.`;
}

/** The cell as it was, but for its source and for what it has nothing of. */
function keptCell(stored: JsonCell, cell: JsonCell): Record<string, Json> {
  // Line ends are those of the cell.
  const kept = withSource(stored, planLines(stored.source, cell.source).newText);
  return { ...kept, ...filled(kept, cell.json, ["metadata", "outputs", "execution_count"]) };
}

/** @param taken ids of the cells that stay */
function addedCell(base: JsonNotebook, { json, id }: JsonCell, taken: ReadonlySet<string>): Record<string, Json> {
  // Notebooks of older formats have no ids.
  const hasIds = base.cells.length === 0 || base.cells.some(cell => cell.id !== undefined);
  const { id: _, ...withoutId } = json;
  return !hasIds || (id !== undefined && taken.has(id)) ? withoutId : json;
}

/** Empty members of `own` with the given values. */
const filled = (own: Record<string, Json>, given: Record<string, Json>, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = given[name];
      return Object.hasOwn(own, name) && isEmpty(own[name]) && value !== undefined && !isEmpty(value)
        ? [[name, value]]
        : [];
    }),
  );

const isEmpty = (value: Json | undefined): boolean =>
  value == null || (typeof value === "object" && Object.keys(value).length === 0);
