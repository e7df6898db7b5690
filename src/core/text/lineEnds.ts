/**
 * Models write `\n`; files have `\n`, `\r\n`, lone `\r` or a mixture. Matching happens on a copy with `\n` only; this
 * keeps the way back to the offsets and line ends of the original.
 */
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
