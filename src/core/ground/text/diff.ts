/** Line diffs for people and models: counts, changed ranges, the unified text of a card. Line ends are not compared. */
import { structuredPatch } from "diff";
import type { Redact } from "../../../shared/redacted";
import type { FileChange } from "../../../shared/toolResult";
import { clipAround, clipEnd, count, counted, numberedLine } from "./format";
import { commonEnds, commonLines, countLineEnds, splitLines, withLf } from "./lines";
import { KEY_LINE, privateKeyLines } from "./privateKeys";

interface DiffHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** with ` `, `+`, `-` or `\` in front */
  lines: string[];
}

/** 1-based, both ends counted; `last < first`: lines were only removed, before line `first` */
export type LineBounds = { first: number; last: number };

/** Beyond this many changed lines the exact diff costs more than it tells: one block out, one block in. */
const MAX_CHANGED_LINES = 1_000;
const MAX_DIFF_BYTES = 64 * 1024;
const CONTEXT = 3;
/** Characters of a line that Read shows. */
export const MAX_LINE_CHARACTERS = 2_000;
/** Characters of a notebook's cell that Read shows. */
export const MAX_CELL_CHARACTERS = 12_000;
/** Characters of a fragment: what is shown of five long lines. */
const MAX_FRAGMENT_CHARACTERS = 12_000;
/** Of changes by others. */
const MAX_TOLD_LINES = 12;
const MAX_TOLD_CHARACTERS = 200;

/**
 * `ranges`: the changed lines of the new text.
 * @param most changed lines that are worth the exact diff: its time grows with their square
 */
export function diffLines(before: string, after: string, most = MAX_CHANGED_LINES) {
  const [from, to] = [withLf(before), withLf(after)];
  const { start, line, fromEnd, toEnd } = differingPart(from, to);
  const [oldPart, newPart] = [from.slice(start, fromEnd), to.slice(start, toEnd)];
  const options = { context: CONTEXT, maxEditLength: most };
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
    hunks: withoutKeys(hunks, privateKeyLines(from), privateKeyLines(to)),
    ranges: hunks.flatMap(hunkRanges),
  };
}

/** @param from lines of private keys in the old text @param to in the new one */
function withoutKeys(hunks: DiffHunk[], from: ReadonlySet<number>, to: ReadonlySet<number>): DiffHunk[] {
  if (from.size === 0 && to.size === 0) return hunks;
  return hunks.map(hunk => {
    let [old, now] = [hunk.oldStart, hunk.newStart];
    const lines = hunk.lines.map(line => {
      const kind = line.charAt(0);
      if (kind === "\\") return line;
      const isKey = kind === "-" ? from.has(old) : to.has(now);
      if (kind !== "+") old += 1;
      if (kind !== "-") now += 1;
      return isKey ? `${kind}${KEY_LINE}` : line;
    });
    return { ...hunk, lines };
  });
}

/**
 * The whole lines between the first and the last difference, with a few around them: a small edit of a large file costs
 * no more than one of a small file. `line`: how many lines stand before `start`.
 */
function differingPart(from: string, to: string): { start: number; line: number; fromEnd: number; toEnd: number } {
  const { head, tail } = commonEnds(from, to);
  let start = head;
  for (let i = 0; i <= CONTEXT && start > 0; i += 1) start = start > 1 ? from.lastIndexOf("\n", start - 2) + 1 : 0;
  let kept = tail;
  for (let i = 0; i <= CONTEXT && kept > 0; i += 1) {
    const next = from.indexOf("\n", from.length - kept);
    kept = next < 0 ? 0 : from.length - next - 1;
  }
  return { start, line: countLineEnds(from, start), fromEnd: from.length - kept, toEnd: to.length - kept };
}

/** What differs between the first and the last differing line, as one block, without context. */
function wholeBlock(before: string, after: string): DiffHunk {
  const [from, to] = [splitLines(before), splitLines(after)];
  const { head, tail } = commonLines(from, to);
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

function hunkRanges({ newStart, lines }: DiffHunk): LineBounds[] {
  const ranges: LineBounds[] = [];
  let line = newStart;
  let before = " ";
  for (const { kind } of hunkLines(lines)) {
    if (kind !== " " && before === " ") ranges.push({ first: line, last: line - 1 });
    const open = ranges.at(-1);
    if (kind === "+" && open) open.last = line;
    if (kind !== "-") line += 1;
    before = kind;
  }
  return ranges;
}

/** What a card and an approval show. `before` null: the file is new; `most` as of diffLines. */
export const fileChange = (file: { uri: string; path: string }, before: string | null, after: string, most?: number) =>
  changeWithRanges(file, before, after, most).change;

/** The same with the changed lines of the new text, and the diff's parts. */
export function changeWithRanges(
  { uri, path }: { uri: string; path: string },
  before: string | null,
  after: string,
  most?: number,
): { change: FileChange; ranges: LineBounds[] } {
  const { added, removed, hunks, ranges } = diffLines(before ?? "", after, most);
  const header = [`--- ${before === null ? "/dev/null" : path}`, `+++ ${path}`];
  const diff = cut([...header, ...hunks.flatMap(hunkText)]);
  return { change: { uri, path, created: before === null, added, removed, diff }, ranges };
}

/** Whole, however long. */
export const hunksText = (hunks: readonly DiffHunk[]): string => hunks.flatMap(hunkText).join("\n");

/** The format's rule: a side without lines names the line before it. */
function hunkText(hunk: DiffHunk): string[] {
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
export function rangesText(ranges: readonly LineBounds[]): string {
  const texts = ranges.slice(0, 8).map(({ first, last }) => {
    if (last < first) return first > 1 ? `after line ${first - 1} (removed)` : "at the beginning (removed)";
    return first === last ? `line ${first}` : `lines ${first}–${last}`;
  });
  return ranges.length > texts.length
    ? `${texts.join(", ")} and ${ranges.length - texts.length} more places`
    : texts.join(", ");
}

/**
 * The changed lines with their numbers and two lines around each, long ones cut as Read cuts them.
 * @param most lines in all
 * @param redact before a line is cut: of half a secret nothing is found
 */
export function fragment(text: string, ranges: readonly LineBounds[], redact: Redact, most = 40): string {
  const keys = privateKeyLines(text);
  const lines = splitLines(text);
  const shown = (line: number) =>
    numberedLine(line, keys.has(line) ? KEY_LINE : clipEnd(redact(lines[line - 1] ?? ""), MAX_LINE_CHARACTERS));
  const out: string[] = [];
  let characters = 0;
  let shownTo = 0;
  for (const { first, last } of ranges) {
    const from = Math.max(shownTo + 1, first - 2);
    const to = Math.min(lines.length, Math.max(last, first - 1) + 2);
    if (from > to) continue;
    if (out.length >= most - 1) return [...out, "    …"].join("\n");
    const before = out.length;
    if (before > 0 && from > shownTo + 1) out.push("    …");
    for (let line = from; line <= to; line += 1) {
      if (out.length >= most - 1 && (line < to || out.length >= most)) return [...out, "    …"].join("\n");
      const next = shown(line);
      characters += next.length;
      if (characters > MAX_FRAGMENT_CHARACTERS)
        return [...out.slice(0, line === from ? before : undefined), "    …"].join("\n");
      out.push(next);
    }
    shownTo = to;
  }
  return out.join("\n");
}

/** @param other the line that stands for this one on the other side of a change; undefined: none does */
export function clipLine(line: string, other: string | undefined, most: number): string {
  if (line.length <= most) return line;
  if (other === undefined) return clipEnd(line, most);
  const { head, tail } = commonEnds(line, other);
  return clipAround(line, { from: head, to: line.length - tail }, most);
}

interface DiffLine {
  kind: string;
  text: string;
  /** Of a changed line, the one that it was or became: of a block, the first removed one became the first added one. */
  other: string | undefined;
}

/** @param lines of a hunk, with ` `, `+`, `-` or `\` in front; what the last says of line ends is left out */
export function hunkLines(lines: readonly string[]): DiffLine[] {
  const out: DiffLine[] = [];
  let removed: DiffLine[] = [];
  /** how many of them have their line */
  let paired = 0;
  for (const line of lines) {
    const next: DiffLine = { kind: line.charAt(0), text: line.slice(1), other: undefined };
    if (next.kind === "\\") continue;
    if (next.kind === "+") {
      const was = removed[paired];
      paired += 1;
      if (was) [was.other, next.other] = [next.text, was.text];
    } else {
      if (next.kind === " " || out.at(-1)?.kind !== "-") [removed, paired] = [[], 0];
      if (next.kind === "-") removed.push(next);
    }
    out.push(next);
  }
  return out;
}

/** What the model is told of a change that it did not make itself: so many lines of it, each cut around what changed. */
export interface ToldLines {
  /** with `+` or `-` in front; empty: only line ends differ */
  text: string;
  /** It is all of the change: what the model was not told, it has not seen. */
  isWhole: boolean;
}

/** @param redact before lines are cut: of half a secret nothing is found @param advice after the count of what is left out */
export function toldLines(from: string, to: string, redact: Redact, advice = ""): ToldLines {
  const { hunks } = diffLines(from, to);
  const lines = hunks.flatMap(hunk => hunkLines(hunk.lines)).filter(({ kind }) => kind !== " ");
  let isWhole = lines.length <= MAX_TOLD_LINES;
  const shown = lines.slice(0, MAX_TOLD_LINES).map(({ kind, text, other }) => {
    const line = redact(text);
    isWhole &&= line.length <= MAX_TOLD_CHARACTERS;
    return kind + clipLine(line, other === undefined ? undefined : redact(other), MAX_TOLD_CHARACTERS);
  });
  const left = lines.length - shown.length;
  const more = left > 0 ? [`… ${counted(left, "more line")}${advice}`] : [];
  return { text: [...shown, ...more].join("\n"), isWhole };
}
