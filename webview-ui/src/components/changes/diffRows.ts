/** A recorded unified diff → the rows that a card shows, as the editor's diff: numbers, changed words, colours. Pure. */
import { diffWordsWithSpace } from "diff";
import type { CodeSpan, Highlight } from "../../markdown/highlight";
import { visibleText } from "../../text/format";

/** `gap`: so many unchanged lines are left out; `eof`: the line above has no end */
export interface DiffRow {
  kind: "same" | "added" | "removed" | "gap" | "eof";
  /** numbers in the old and the new file; undefined: it has no such line, or no hunk said */
  old?: number | undefined;
  now?: number | undefined;
  /** what a gap leaves out */
  lines?: number;
  /** as `visibleText` shows it, without the sign */
  text: string;
}

/** A part of a row's text, with its scope as of `CodeSpan`. */
interface DiffPiece extends CodeSpan {
  /** its line became another one, and this is what differs */
  changed: boolean;
}

const kinds: Readonly<Record<string, DiffRow["kind"]>> = { "+": "added", "-": "removed", "\\": "eof" };

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Without the lines that only name the files: the card names them. */
export function diffRows(diff: string): DiffRow[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const first = lines.findIndex(line => HEAD.test(line));
  let [old, now]: [number?, number?] = [];
  return (first < 0 ? lines : lines.slice(first)).flatMap((line): DiffRow | [] => {
    const head = HEAD.exec(line);
    if (head) {
      const last = now;
      [old, now] = [startOf(head[1], head[2]), startOf(head[3], head[4])];
      return last !== undefined && now > last ? { kind: "gap", lines: now - last, text: "" } : [];
    }
    const kind = kinds[line.charAt(0)] ?? "same";
    const row: DiffRow = { kind, text: visibleText(line.slice(1)) };
    if (kind === "same" || kind === "removed") row.old = old;
    if (kind === "same" || kind === "added") row.now = now;
    if (old !== undefined && row.old !== undefined) old += 1;
    if (now !== undefined && row.now !== undefined) now += 1;
    return row;
  });
}

/** The line that comes next: a side without lines names the one before it. */
const startOf = (line = "", lines?: string) => Number(line) + (lines === "0" ? 1 : 0);

/** More code of one diff stays plain, and a line with more changed words whole. */
const MAX_COLOURED = 20_000;
const MAX_WORDS = 200;

/** By row: its text in pieces, none of which is left out, put elsewhere or made anew. */
export function diffPieces(rows: readonly DiffRow[], language: string, highlight: Highlight): DiffPiece[][] {
  const spans = new Map<DiffRow, readonly CodeSpan[]>();
  let left = MAX_COLOURED;
  for (const hunk of hunksOf(rows)) {
    // Both sides are whole by themselves; what they share has the new one's colours.
    for (const side of [hunk.filter(row => row.kind !== "added"), hunk.filter(row => row.kind !== "removed")]) {
      const code = side.map(({ text }) => text).join("\n");
      if (code.length > left) continue;
      left -= code.length;
      const coloured = linesOf(highlight(code, language));
      for (const [at, row] of side.entries()) spans.set(row, coloured[at] ?? []);
    }
  }
  const words = changedWords(rows);
  return rows.map(row => piecesOf(row.text, spans.get(row) ?? [], words.get(row) ?? []));
}

function hunksOf(rows: readonly DiffRow[]): DiffRow[][] {
  const hunks: DiffRow[][] = [[]];
  for (const row of rows) {
    if (row.kind === "gap") hunks.push([]);
    else if (row.kind !== "eof") hunks.at(-1)?.push(row);
  }
  return hunks;
}

function linesOf(spans: readonly CodeSpan[]): CodeSpan[][] {
  const lines: CodeSpan[][] = [[]];
  for (const { text, scope } of spans) {
    for (const [at, part] of text.split("\n").entries()) {
      if (at > 0) lines.push([]);
      lines.at(-1)?.push({ text: part, scope });
    }
  }
  return lines;
}

type Range = readonly [from: number, to: number];

/** In each block the first line that went became the first one that came, and so on. */
function changedWords(rows: readonly DiffRow[]): Map<DiffRow, Range[]> {
  const words = new Map<DiffRow, Range[]>();
  let removed: DiffRow[] = [];
  let last: DiffRow["kind"] = "same";
  for (const row of rows) {
    if (row.kind === "eof") continue;
    if (row.kind !== "added" && (row.kind !== "removed" || last !== "removed")) removed = [];
    if (row.kind === "removed") removed.push(row);
    const was = row.kind === "added" ? removed.shift() : undefined;
    const ranges = was && rangesOf(was.text, row.text);
    if (was && ranges) words.set(was, ranges.removed).set(row, ranges.added);
    last = row.kind;
  }
  return words;
}

/** undefined: they have little in common, or too much differs */
function rangesOf(before: string, after: string): { removed: Range[]; added: Range[] } | undefined {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_WORDS });
  const ranges = { removed: [] as Range[], added: [] as Range[] };
  let [common, from, to] = [0, 0, 0];
  for (const { added, removed, value } of parts ?? []) {
    if (removed) ranges.removed.push([from, from + value.length]);
    if (added) ranges.added.push([to, to + value.length]);
    if (!added && !removed) common += value.trim().length;
    if (!added) from += value.length;
    if (!removed) to += value.length;
  }
  return common * 3 < Math.max(before.trim().length, after.trim().length) ? undefined : ranges;
}

/** Cut where a colour or a change begins or ends; whatever the spans say, the text is the row's own. */
function piecesOf(text: string, spans: readonly CodeSpan[], changes: readonly Range[]): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let [span, spanEnd, change] = [0, spans[0]?.text.length ?? text.length, 0];
  for (let at = 0; at < text.length; ) {
    while (spanEnd <= at && span < spans.length) spanEnd += spans[++span]?.text.length ?? text.length;
    while ((changes[change]?.[1] ?? text.length) <= at) change += 1;
    const [from, to] = changes[change] ?? [text.length, text.length];
    const changed = from <= at;
    const end = Math.min(spanEnd, changed ? to : from, text.length);
    pieces.push({ text: text.slice(at, end), scope: spans[span]?.scope ?? null, changed });
    at = end;
  }
  return pieces;
}
