/**
 * From what a model asks for to the smallest edits of a text: exact and unique, line ends kept, all or nothing. Similarity is
 * not guessed: what does not match exactly is explained, never applied (docs/tools.md). Pure.
 */
import { type TextEdit, ToolError } from "../../ground/ports";
import { withEdits } from "../../ground/ports/files";
import { changedLines, lineNumber, linesWithEnds, withLf } from "../../ground/text/lines";
import { explainNoMatch } from "./noMatch";
import { LfView, trimEdit } from "./textEdits";

export interface Replacement {
  oldText: string;
  newText: string;
  replaceAll?: boolean | undefined;
}

export interface EditPlan {
  /** against the original text: sorted, not overlapping, none without effect */
  edits: TextEdit[];
  /** the text after them */
  newText: string;
}

/** that one call changes: each is kept, shown and asked about by itself */
const MAX_PLACES = 50_000;

/**
 * Applies the replacements in order, each to what the ones before it left. Throws ToolError (INVALID_INPUT, NO_MATCH,
 * AMBIGUOUS), and then none counts. `path` is for the messages.
 */
export function planEdits(text: string, replacements: readonly Replacement[], path: string): EditPlan {
  const view = new LfView(text);
  let current = view.text;
  let edits: TextEdit[] = [];
  let places = 0;
  for (const [index, replacement] of replacements.entries()) {
    const which = editLabel(index, replacements);
    const { oldText, newText } = withLfOnly(replacement, which);
    const found = locate(current, { ...replacement, oldText, newText }, path, which);
    places += found.length;
    if (places > MAX_PLACES) throw tooManyError(path, which);
    edits = found.map(start => ({ start, end: start + oldText.length, text: newText }));
    current = withEdits(current, edits);
  }
  // A comparison of lines bears only so many places; where all places of one text are replaced, they are known.
  const isKnown = replacements.length === 1 && edits.length > 1;
  const plan = isKnown ? toPlan(text, view, edits) : planLines(text, current);
  if (plan.edits.length === 0) throw cancelledError(path);
  return plan;
}

/** "Edit 2 of 3: " where there are several */
export const editLabel = (index: number, { length }: readonly unknown[]): string =>
  length > 1 ? `Edit ${index + 1} of ${length}: ` : "";

export const cancelledError = (path: string): ToolError =>
  new ToolError("INVALID_INPUT", `The edits cancel each other out: ${path} would stay as it is. Nothing was changed.`);

/**
 * From one text to another, line by line: lines between two changes are left alone, as are cursors in them. Line ends are
 * those of `text`, not of `target`; no edits: they alone differ.
 */
export function planLines(text: string, target: string): EditPlan {
  const view = new LfView(text);
  const [from, to] = [linesWithEnds(view.text), linesWithEnds(withLf(target))];
  const offsets = [0];
  for (const line of from) offsets.push((offsets.at(-1) ?? 0) + line.length);
  const edits = changedLines(from, to).map(change => ({
    start: offsets[change.from] ?? 0,
    end: offsets[change.fromEnd] ?? 0,
    text: to.slice(change.to, change.toEnd).join(""),
  }));
  return toPlan(text, view, edits);
}

/** @returns where the text to be replaced begins */
function locate(current: string, { oldText, newText, replaceAll }: Replacement, path: string, which: string): number[] {
  const all = findPlaces(current, oldText, replaceAll);
  if (all.length === 0) {
    const found = explainNoMatch(current, oldText, newText);
    throw new ToolError("NO_MATCH", `${which}old_string is not in ${path}. ${found.text} Nothing was changed.`, {
      path,
      ...(found.line !== undefined && { closestLine: found.line }),
    });
  }
  if (all.length > 1 && !replaceAll) throw ambiguousError(current, all, path, which);
  return all;
}

const tooManyError = (path: string, which: string) =>
  new ToolError(
    "INVALID_INPUT",
    `${which}This would change more than ${MAX_PLACES} places of ${path}, too many for one call. Quote more of the text around them, or change them with a command. Nothing was changed.`,
    { path },
  );

function ambiguousError(current: string, all: readonly number[], path: string, which: string): ToolError {
  const lines = all.slice(0, 10).map(offset => lineNumber(current, offset));
  const more = all.length > lines.length ? ` and ${all.length - lines.length} more` : "";
  return new ToolError(
    "AMBIGUOUS",
    `${which}old_string is in ${path} ${all.length} times, at lines ${lines.join(", ")}${more}. ` +
      "Add lines around it until it is unique, or set replace_all to change all of them. Nothing was changed.",
    { path, matches: all.length, lines },
  );
}

/** Throws INVALID_INPUT where nothing can be replaced by it. */
export function withLfOnly(replacement: Replacement, which: string): Replacement {
  const [oldText, newText] = [withLf(replacement.oldText), withLf(replacement.newText)];
  const why =
    oldText === ""
      ? "old_string is empty. Quote the text to replace, or use Write to set the whole file."
      : "old_string and new_string are the same (line ends aside; those of the file are kept).";
  if (oldText === "" || oldText === newText)
    throw new ToolError("INVALID_INPUT", `${which}${why} Nothing was changed.`);
  return { ...replacement, oldText, newText };
}

/** @param apart places may not overlap, since all of them are replaced */
export function findPlaces(text: string, wanted: string, apart = false): number[] {
  const step = apart ? wanted.length : 1;
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) found.push(at);
  return found;
}

/** @param edits of the view's text: sorted, not overlapping */
export function toPlan(text: string, view: LfView, edits: readonly TextEdit[]): EditPlan {
  const smallest = edits
    .map(edit => trimEdit(view.text, edit))
    .filter(edit => edit.start < edit.end || edit.text !== "")
    .map(edit => view.editOfOriginal(edit));
  return { edits: smallest, newText: withEdits(text, smallest) };
}
