/**
 * Edits of a text, and its line ends. Models write `\n`; files have `\n`, `\r\n`, lone `\r` or a mixture: matching and merging
 * happen on a copy with `\n` only, and the result gets the line ends of the original. Pure.
 */
import type { TextEdit } from "../../ground/ports";
import { withEdits } from "../../ground/ports/files";
import { commonEnds, withLf } from "../../ground/text/lines";

/** A character of two code units, or a line end of two. */
const PAIR = /^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/;

/** The edit without what it would put back as it was at its ends; it cuts no pair in two. */
export function trimEdit(text: string, { start, end, text: value }: TextEdit): TextEdit {
  const old = text.slice(start, end);
  const isCut = (side: string, at: number) => PAIR.test(side.slice(Math.max(0, at - 1), at + 1));
  let { head, tail } = commonEnds(old, value);
  if (isCut(old, head) || isCut(value, head)) head -= 1;
  if (isCut(old, old.length - tail) || isCut(value, value.length - tail)) tail -= 1;
  return { start: start + head, end: end - tail, text: value.slice(head, value.length - tail) };
}

/** A text with every line end as `\n`, and the way back to the offsets and line ends of the original. */
export class LfView {
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
    let low = 0;
    let high = this.pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.pairs[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
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
}

/** Line ends stay those of the text, unless a step from one text to another made them all of another kind. */
export function withStepLineEnds(text: string, step: { from: string; to: string }): string {
  const [old, next] = [onlyLineEnd(step.from), onlyLineEnd(step.to)];
  return old === undefined || next === undefined || old === next ? text : withLf(text).replaceAll("\n", next);
}

function onlyLineEnd(text: string): string | undefined {
  const [end, ...others] = new Set(text.match(/\r\n|\n|\r/g));
  return others.length > 0 ? undefined : end;
}

/**
 * The line ends of a text whose line ends are all alike, after edits that bring others into it or cut one in two; undefined:
 * they do no such thing. Editors keep one kind for a file.
 */
export function lineEndsAfter(text: string, edits: readonly TextEdit[]): "\n" | "\r\n" | "mixed" | undefined {
  const end = /\r\n|\n|\r/.exec(text)?.[0];
  const others = end === "\r\n" ? /\r(?!\n)|(?<!\r)\n/ : /\r/;
  const isCut = (at: number) => text.charCodeAt(at) === 10 && text.charCodeAt(at - 1) === 13;
  if (!edits.some(edit => others.test(edit.text) || isCut(edit.start) || isCut(edit.end))) return undefined;
  const only = onlyLineEnd(withEdits(text, edits));
  return only === "\n" || only === "\r\n" ? only : "mixed";
}
