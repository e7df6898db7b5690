/**
 * Models write `\n`; files have `\n`, `\r\n`, lone `\r` or a mixture. Matching happens on a copy with `\n` only; this
 * keeps the way back to the offsets and line ends of the original.
 */

import { diffArrays } from "diff";
import type { TextEdit } from "../ports";

export const withLf = (text: string): string => (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);

/** Lines without their ends; a last line end closes the last line and opens none. An empty text has no lines. */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = withLf(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** How many `\n` stand before `end`. */
export function countLineEnds(text: string, end = text.length): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** As many as `splitLines` gives. */
export function countLines(text: string): number {
  if (text === "") return 0;
  const plain = withLf(text);
  return countLineEnds(plain) + (plain.endsWith("\n") ? 0 : 1);
}

export class LfView {
  /** the text with every line end as `\n` */
  readonly text: string;
  /** offsets in `text` of the line ends that are `\r\n` in the original; ascending */
  private readonly pairs: number[] = [];
  /** what was asked for last; nothing yet */
  private lastAround = { above: 0, below: -1 };

  constructor(private readonly original: string) {
    this.text = withLf(original);
    if (this.text.length === original.length) return;
    for (let at = original.indexOf("\r\n"); at >= 0; at = original.indexOf("\r\n", at + 2)) {
      this.pairs.push(at - this.pairs.length);
    }
  }

  /** An edit of `text` as one of the original. New lines get the end that they replace, else the nearest above, else below. */
  editOfOriginal(edit: TextEdit): TextEdit {
    const [start, end] = [this.toOriginal(edit.start), this.toOriginal(edit.end)];
    const lineEnd = edit.text.includes("\n") ? this.lineEndAt(edit.start, edit.end) : "\n";
    const text = lineEnd === "\n" ? edit.text : edit.text.replaceAll("\n", lineEnd);
    return { start, end, text: this.apart(start, end, text) };
  }

  /** Two line ends that would become one, `\r` and `\n`, stay two: the first of them becomes `\r\n`. */
  private apart(start: number, end: number, text: string): string {
    const [before, after] = [this.original.charAt(start - 1), this.original.charAt(end)];
    const head = before === "\r" && (text || after).startsWith("\n") ? "\n" : "";
    const tail = text.endsWith("\r") && after === "\n" ? "\n" : "";
    return head + text + tail;
  }

  /** The original's offset of an offset in `text`. */
  private toOriginal(offset: number): number {
    return offset + this.pairsBefore(offset);
  }

  private lineEndAt(start: number, end: number): string {
    const { above, below } = this.lineEndsAround(start);
    if (below < end) return this.lineEnd(below);
    if (above >= 0) return this.lineEnd(above);
    return below < this.text.length ? this.lineEnd(below) : "\n";
  }

  /** The last line end before an offset (-1: none), and the first from it on (the text's length: none). */
  private lineEndsAround(offset: number): { above: number; below: number } {
    // A line may be as long as the file, and have many edits.
    const { above, below } = this.lastAround;
    if (above < offset && offset <= below) return this.lastAround;
    const next = this.text.indexOf("\n", offset);
    this.lastAround = {
      above: offset > 0 ? this.text.lastIndexOf("\n", offset - 1) : -1,
      below: next < 0 ? this.text.length : next,
    };
    return this.lastAround;
  }

  private lineEnd(offset: number): string {
    const start = this.toOriginal(offset);
    return this.original.startsWith("\r\n", start) ? "\r\n" : this.original.charAt(start);
  }

  private pairsBefore(offset: number): number {
    let low = 0;
    let high = this.pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.pairs[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What two texts have in common at their ends. Pure. */

/** Characters compared at once: the engine compares memory with memory, some twenty times as fast as one by one. */
const BLOCK = 4096;

/**
 * How many characters are the same from the start, and how many of those left are from the end. Neither minds line ends or
 * surrogate pairs.
 */
export function commonEnds(from: string, to: string): { head: number; tail: number } {
  const most = Math.min(from.length, to.length);
  let head = 0;
  while (head + BLOCK <= most && from.slice(head, head + BLOCK) === to.slice(head, head + BLOCK)) head += BLOCK;
  while (head < most && from.charCodeAt(head) === to.charCodeAt(head)) head += 1;
  const left = most - head;
  const endsAlike = (tail: number) =>
    from.slice(from.length - tail - BLOCK, from.length - tail) === to.slice(to.length - tail - BLOCK, to.length - tail);
  let tail = 0;
  while (tail + BLOCK <= left && endsAlike(tail)) tail += BLOCK;
  while (tail < left && from.charCodeAt(from.length - 1 - tail) === to.charCodeAt(to.length - 1 - tail)) tail += 1;
  return { head, tail };
}

/** How many lines are the same from the start, and how many of those left are from the end. */
export function commonLines(from: readonly string[], to: readonly string[]): { head: number; tail: number } {
  const most = Math.min(from.length, to.length);
  let head = 0;
  while (head < most && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < most - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail += 1;
  return { head, tail };
}

/** Which lines of a text stand in another one, in order. Pure. */

/** Lines `from` to `from + length` (0-based, not included) of one text, which stand at `to` in the other. */
export interface LineRun {
  from: number;
  to: number;
  length: number;
}

/** Beyond this many changed lines the exact comparison costs too much: what lies between the ends counts as changed. */
const MAX_CHANGES = 1_000;

/** Each line with its `\n`; the last may have none. An empty text has no lines. */
export function linesWithEnds(text: string): string[] {
  const lines: string[] = [];
  let at = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", at)) {
    lines.push(text.slice(at, end + 1));
    at = end + 1;
  }
  if (at < text.length) lines.push(text.slice(at));
  return lines;
}

/** Ascending, not overlapping, none empty. */
export function matchingLines(from: readonly string[], to: readonly string[]): LineRun[] {
  const { head, tail } = commonLines(from, to);
  const inner = innerRuns(from.slice(head, from.length - tail), to.slice(head, to.length - tail));
  const runs: LineRun[] = [
    { from: 0, to: 0, length: head },
    ...inner.map(run => ({ from: run.from + head, to: run.to + head, length: run.length })),
    { from: from.length - tail, to: to.length - tail, length: tail },
  ];
  return runs.filter(run => run.length > 0);
}

/**
 * Lines that stand in one text only match none: left out first, they cost nothing, however many they are. It is what
 * differs in lines that stand in both that is dear to compare.
 */
function innerRuns(from: readonly string[], to: readonly string[]): LineRun[] {
  const [old, now] = [sharedLinePlaces(from, to), sharedLinePlaces(to, from)];
  if (old.length === 0 || now.length === 0) return [];
  const lines = (places: readonly number[], text: readonly string[]) => places.map(place => text[place] as string);
  const changes = diffArrays(lines(old, from), lines(now, to), { maxEditLength: MAX_CHANGES });
  const runs: LineRun[] = [];
  let [at, other] = [0, 0];
  for (const { added, removed, count } of changes ?? []) {
    if (!added && !removed) {
      for (let next = 0; next < count; next += 1) pushRun(runs, old[at + next] as number, now[other + next] as number);
    }
    if (!added) at += count;
    if (!removed) other += count;
  }
  return runs;
}

/** Where lines stand that the other text has too. */
function sharedLinePlaces(lines: readonly string[], other: readonly string[]): number[] {
  const known = new Set(other);
  return [...lines.keys()].filter(place => known.has(lines[place] as string));
}

/** Another line that stands in both. */
function pushRun(runs: LineRun[], from: number, to: number): void {
  const last = runs.at(-1);
  if (last && last.from + last.length === from && last.to + last.length === to) last.length += 1;
  else runs.push({ from, to, length: 1 });
}
