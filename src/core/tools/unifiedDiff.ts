/** Line diffs for people and models: counts, changed ranges, the unified text of a card. Line ends are not compared. */
import { structuredPatch } from "diff";
import type { FileChange } from "../../shared/toolResult";
import { count, numberedLine } from "./format";
import { splitLines, withLf } from "./lineEnds";

export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** with ` `, `+`, `-` or `\` in front */
  lines: string[];
}

export interface LineDiff {
  added: number;
  removed: number;
  hunks: Hunk[];
  /** changed lines of the new text, 1-based; `last < first`: lines were only removed, before line `first` */
  ranges: { first: number; last: number }[];
}

/** Beyond this many changed lines the exact diff costs more than it tells: one block out, one block in. */
const MAX_CHANGED_LINES = 1_000;
const MAX_DIFF_BYTES = 64 * 1024;
const CONTEXT = 3;

export function diffLines(before: string, after: string): LineDiff {
  const [from, to] = [withLf(before), withLf(after)];
  const { start, line, fromEnd, toEnd } = differingPart(from, to);
  const [oldPart, newPart] = [from.slice(start, fromEnd), to.slice(start, toEnd)];
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGED_LINES };
  const patch = structuredPatch("", "", oldPart, newPart, undefined, undefined, options);
  const hunks = (patch?.hunks ?? [wholeBlock(oldPart, newPart)]).map(hunk => ({
    ...hunk,
    oldStart: hunk.oldStart + line,
    newStart: hunk.newStart + line,
  }));
  const lines = hunks.flatMap(hunk => hunk.lines);
  return {
    added: lines.filter(line => line.startsWith("+")).length,
    removed: lines.filter(line => line.startsWith("-")).length,
    hunks,
    ranges: hunks.flatMap(rangesOf),
  };
}

/**
 * The whole lines between the first and the last difference, with a few around them: a small edit of a large file costs
 * no more than one of a small file. `line`: how many lines stand before `start`.
 */
function differingPart(from: string, to: string): { start: number; line: number; fromEnd: number; toEnd: number } {
  const most = Math.min(from.length, to.length);
  let head = 0;
  while (head < most && from.charCodeAt(head) === to.charCodeAt(head)) head += 1;
  let tail = 0;
  while (tail < most - head && from.charCodeAt(from.length - 1 - tail) === to.charCodeAt(to.length - 1 - tail))
    tail += 1;
  let start = head;
  for (let i = 0; i <= CONTEXT && start > 0; i += 1) start = start > 1 ? from.lastIndexOf("\n", start - 2) + 1 : 0;
  let kept = tail;
  for (let i = 0; i <= CONTEXT && kept > 0; i += 1) {
    const next = from.indexOf("\n", from.length - kept);
    kept = next < 0 ? 0 : from.length - next - 1;
  }
  let line = 0;
  for (let at = from.indexOf("\n"); at >= 0 && at < start; at = from.indexOf("\n", at + 1)) line += 1;
  return { start, line, fromEnd: from.length - kept, toEnd: to.length - kept };
}

/** What differs between the first and the last differing line, as one block, without context. */
function wholeBlock(before: string, after: string): Hunk {
  const [from, to] = [splitLines(before), splitLines(after)];
  const most = Math.min(from.length, to.length);
  let head = 0;
  while (head < most && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < most - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail += 1;
  const removed = from.slice(head, from.length - tail).map(line => `-${line}`);
  const added = to.slice(head, to.length - tail).map(line => `+${line}`);
  return {
    oldStart: head + 1,
    oldLines: removed.length,
    newStart: head + 1,
    newLines: added.length,
    lines: [...removed, ...added],
  };
}

function rangesOf(hunk: Hunk): LineDiff["ranges"] {
  const ranges: LineDiff["ranges"] = [];
  let line = hunk.newStart;
  let open: { first: number; last: number } | undefined;
  for (const text of hunk.lines) {
    const kind = text.charAt(0);
    if (kind === "\\") continue;
    if (kind === " ") open = undefined;
    else if (!open) {
      open = { first: line, last: line - 1 };
      ranges.push(open);
    }
    if (kind === "+" && open) open.last = line;
    if (kind !== "-") line += 1;
  }
  return ranges;
}

/** What a card and an approval show. `before` null: the file is new. */
export function fileChange(file: { uri: string; path: string }, before: string | null, after: string): FileChange {
  const { added, removed, hunks } = diffLines(before ?? "", after);
  const { uri, path } = file;
  const header = [`--- ${before === null ? "/dev/null" : path}`, `+++ ${path}`];
  return { uri, path, created: before === null, added, removed, diff: cut([...header, ...hunks.flatMap(hunkText)]) };
}

/** The format's rule: a side without lines names the line before it. */
function hunkText(hunk: Hunk): string[] {
  const oldStart = hunk.oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart;
  const newStart = hunk.newLines === 0 ? hunk.newStart - 1 : hunk.newStart;
  return [`@@ -${oldStart},${hunk.oldLines} +${newStart},${hunk.newLines} @@`, ...hunk.lines];
}

function cut(lines: readonly string[]): string {
  const encoder = new TextEncoder();
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    // Room for the note is left: 100 bytes are more than it takes.
    bytes += encoder.encode(line).length + 1;
    if (bytes > MAX_DIFF_BYTES - 100)
      return [...kept, `\\ ${count(lines.length - kept.length)} more lines of this diff left out`].join("\n");
    kept.push(line);
  }
  return kept.join("\n");
}

/** "lines 12–14", "line 3", "after line 11 (removed)" of each range, at most 8. */
export function rangesText(ranges: LineDiff["ranges"]): string {
  const texts = ranges.slice(0, 8).map(({ first, last }) => {
    if (last < first) return first > 1 ? `after line ${first - 1} (removed)` : "at the beginning (removed)";
    return first === last ? `line ${first}` : `lines ${first}–${last}`;
  });
  return ranges.length > texts.length
    ? `${texts.join(", ")} and ${ranges.length - texts.length} more places`
    : texts.join(", ");
}

/** The changed lines with their numbers and two lines around each, at most `most` lines in all. */
export function fragment(text: string, ranges: LineDiff["ranges"], most = 40): string {
  const lines = splitLines(text);
  const out: string[] = [];
  let shownTo = 0;
  for (const { first, last } of ranges) {
    const from = Math.max(shownTo + 1, first - 2);
    const to = Math.min(lines.length, Math.max(last, first - 1) + 2);
    if (from > to) continue;
    if (out.length >= most - 1) return [...out, "    …"].join("\n");
    if (out.length > 0 && from > shownTo + 1) out.push("    …");
    for (let line = from; line <= to; line += 1) {
      if (out.length >= most - 1 && (line < to || out.length >= most)) return [...out, "    …"].join("\n");
      out.push(numberedLine(line, lines[line - 1] ?? ""));
    }
    shownTo = to;
  }
  return out.join("\n");
}
