/**
 * From what a model asks for to the smallest edits of a text (TOOLS.md: exact and unique, line ends kept, all or nothing).
 * Pure. No similarity guessing: what does not match exactly is explained, never applied.
 */
import { type TextEdit, ToolError } from "../ports";
import { LfView, withLf } from "../text/lineEnds";
import { linesWithEnds, matchingLines } from "../text/matchingLines";
import { explainNoMatch, lineNumber } from "./noMatch";

export interface Replacement {
  oldText: string;
  newText: string;
  replaceAll?: boolean | undefined;
}

export interface EditPlan {
  /** against the original text: sorted, not overlapping, none without effect */
  edits: TextEdit[];
  /** what stands when they are applied */
  newText: string;
}

/** A stretch of the text as it is being edited: of the original (offsets), or new. */
type Piece = { start: number; end: number } | { text: string };

/**
 * Applies the replacements in order, each to what the ones before it left. Throws ToolError (INVALID_INPUT, NO_MATCH,
 * AMBIGUOUS), and then none counts. `path` is for the messages.
 */
export function planEdits(text: string, replacements: readonly Replacement[], path: string): EditPlan {
  const view = new LfView(text);
  let current = view.text;
  let pieces: Piece[] = [{ start: 0, end: view.text.length }];
  for (const [index, replacement] of replacements.entries()) {
    const which = replacements.length > 1 ? `Edit ${index + 1} of ${replacements.length}: ` : "";
    const changes = locate(current, replacement, path, which);
    pieces = splice(pieces, changes);
    current = applyEdits(current, changes);
  }
  const plan = finish(text, view, pieces);
  if (plan.edits.length === 0) {
    throw new ToolError(
      "INVALID_INPUT",
      `The edits cancel each other out: ${path} would stay as it is. Nothing was changed.`,
    );
  }
  return plan;
}

/**
 * From one text to another, line by line: what stands between two changes is left alone, as are cursors in it. Line ends are
 * those of `text`, whatever `target` has; no edits: they alone differ.
 */
export function planLines(text: string, target: string): EditPlan {
  const view = new LfView(text);
  const [from, to] = [linesWithEnds(view.text), linesWithEnds(withLf(target))];
  const offsets = [0];
  for (const line of from) offsets.push((offsets.at(-1) ?? 0) + line.length);
  const pieces: Piece[] = [];
  let at = 0;
  for (const run of [...matchingLines(from, to), { from: from.length, to: to.length, length: 0 }]) {
    if (run.to > at) pieces.push({ text: to.slice(at, run.to).join("") });
    const end = run.from + run.length;
    if (run.length > 0) pieces.push({ start: offsets[run.from] ?? 0, end: offsets[end] ?? 0 });
    at = run.to + run.length;
  }
  return finish(text, view, pieces);
}

/** `edits` sorted, not overlapping. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

function locate(current: string, replacement: Replacement, path: string, which: string): TextEdit[] {
  const oldText = withLf(replacement.oldText);
  const newText = withLf(replacement.newText);
  if (oldText === "") {
    throw new ToolError(
      "INVALID_INPUT",
      `${which}old_string is empty. Quote the text to replace, or use Write to set the whole file. Nothing was changed.`,
    );
  }
  if (oldText === newText) {
    throw new ToolError(
      "INVALID_INPUT",
      `${which}old_string and new_string are the same (line ends aside; those of the file are kept). Nothing was changed.`,
    );
  }
  const all = positions(current, oldText, replacement.replaceAll ? oldText.length : 1);
  if (all.length === 0) {
    const found = explainNoMatch(current, oldText, newText);
    throw new ToolError("NO_MATCH", `${which}old_string is not in ${path}. ${found.text} Nothing was changed.`, {
      path,
      ...(found.line !== undefined && { closestLine: found.line }),
    });
  }
  if (all.length > 1 && !replacement.replaceAll) throw ambiguousError(current, all, path, which);
  return all.map(start => ({ start, end: start + oldText.length, text: newText }));
}

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

function positions(text: string, wanted: string, step: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) found.push(at);
  return found;
}

/** `changes` sorted, not overlapping, in offsets of the text that the pieces make up. */
function splice(pieces: readonly Piece[], changes: readonly TextEdit[]): Piece[] {
  const out: Piece[] = [];
  let at = 0;
  let next = 0;
  for (const piece of pieces) {
    const end = at + totalLength(piece);
    let from = at;
    for (let change = changes[next]; change && change.start < end; change = changes[next]) {
      if (change.start >= from) {
        if (change.start > from) out.push(part(piece, from - at, change.start - at));
        out.push({ text: change.text });
      }
      from = Math.min(change.end, end);
      if (change.end > end) break;
      next += 1;
    }
    if (from < end) out.push(part(piece, from - at, end - at));
    at = end;
  }
  return out;
}

const totalLength = (piece: Piece) => ("text" in piece ? piece.text.length : piece.end - piece.start);

const part = (piece: Piece, from: number, to: number): Piece =>
  "text" in piece ? { text: piece.text.slice(from, to) } : { start: piece.start + from, end: piece.start + to };

function finish(text: string, view: LfView, pieces: readonly Piece[]): EditPlan {
  const edits: TextEdit[] = [];
  let at = 0;
  let pending = "";
  const close = (end: number) => {
    const edit = trim(view.text, { start: at, end, text: pending });
    if (edit.start === edit.end && edit.text === "") return;
    edits.push(view.editOfOriginal(edit));
  };
  for (const piece of pieces) {
    if ("text" in piece) {
      pending += piece.text;
      continue;
    }
    close(piece.start);
    pending = "";
    at = piece.end;
  }
  close(view.text.length);
  return { edits, newText: applyEdits(text, edits) };
}

/** Leaves out what the edit would put back as it was. Never cuts a surrogate pair in two. */
function trim(base: string, edit: TextEdit): TextEdit {
  const most = Math.min(edit.end - edit.start, edit.text.length);
  let head = 0;
  while (head < most && base.charCodeAt(edit.start + head) === edit.text.charCodeAt(head)) head += 1;
  if (head > 0 && isHighSurrogate(edit.text.charCodeAt(head - 1))) head -= 1;
  let tail = 0;
  while (
    tail < most - head &&
    base.charCodeAt(edit.end - 1 - tail) === edit.text.charCodeAt(edit.text.length - 1 - tail)
  ) {
    tail += 1;
  }
  if (tail > 0 && isLowSurrogate(base.charCodeAt(edit.end - tail))) tail -= 1;
  return { start: edit.start + head, end: edit.end - tail, text: edit.text.slice(head, edit.text.length - tail) };
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
