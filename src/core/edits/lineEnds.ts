/**
 * Models write `\n`; files have `\n`, `\r\n`, lone `\r` or a mixture. Matching happens on a copy with `\n` only; this
 * keeps the way back to the offsets and line ends of the original.
 */

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

  constructor(private readonly original: string) {
    this.text = withLf(original);
    if (this.text.length === original.length) return;
    for (let at = original.indexOf("\r\n"); at >= 0; at = original.indexOf("\r\n", at + 2)) {
      this.pairs.push(at - this.pairs.length);
    }
  }

  /** The original's offset of an offset in `text`. */
  toOriginal(offset: number): number {
    return offset + this.pairsBefore(offset);
  }

  /** The line end that text put in place of `[start, end)` gets: the one it replaces, else the nearest above, else below. */
  lineEndAt(start: number, end: number): string {
    const replaced = this.text.indexOf("\n", start);
    if (replaced >= 0 && replaced < end) return this.lineEnd(replaced);
    const above = start > 0 ? this.text.lastIndexOf("\n", start - 1) : -1;
    if (above >= 0) return this.lineEnd(above);
    return replaced >= 0 ? this.lineEnd(replaced) : "\n";
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
