/**
 * Edits of a text, and its line ends. Models write `\n`; files have `\n`, `\r\n`, lone `\r` or a mixture: matching and merging
 * happen on a copy with `\n` only, and the result gets the line ends of the original. Pure.
 */
import type { TextEdit } from "../../ground/ports";
import { commonEnds, matchingLines, withLf } from "../../ground/text/lines";

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

/** Characters that are two code units. */
const SURROGATE_PAIR = /^[\ud800-\udbff][\udc00-\udfff]$/;
/** The same, and a line end that is two. */
export const PAIR_OR_LINE_END = /^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/;

/** The edit without what it would put back as it was at its ends; it cuts no pair in two. */
export function trimEdit(text: string, { start, end, text: value }: TextEdit, pair = SURROGATE_PAIR): TextEdit {
  const old = text.slice(start, end);
  const isCut = (side: string, at: number) => pair.test(side.slice(Math.max(0, at - 1), at + 1));
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

interface Line {
  text: string;
  /** `\n`, `\r\n` or `\r`; empty: the last line has none */
  end: string;
}

/**
 * Gives lines the line ends of a step unless they got others since: texts are merged without them.
 * @param text what the step was merged into, with the line ends that stood there
 * @param step from and to what it leads
 */
export function applyStepLineEnds(text: string, step: { from: string; to: string }): string {
  if (!step.from.includes("\r") && !step.to.includes("\r")) return text;
  const [from, to, now] = [step.from, step.to, text].map(splitEnds) as [Line[], Line[], Line[]];
  const [old, next] = [onlyEnd(from), onlyEnd(to)];
  if (old !== undefined && old === next) return text;
  const given = new Map(matches(from, to));
  const places = new Map(matches(from, now).map(([before, after]) => [after, before]));
  const ends = now.map(({ end }, index) => {
    if (end === "") return end;
    const place = places.get(index);
    // A line that came since follows the others, where they are all alike.
    if (place === undefined) return end === old && next !== undefined ? next : end;
    const became = given.get(place);
    return from[place]?.end === end && became !== undefined ? to[became]?.end || end : end;
  });
  return now.map((line, index) => line.text + ends[index]).join("");
}

/** Lines of one text and where they stand in the other, by index; which line end they have does not count. */
function matches(one: readonly Line[], other: readonly Line[]): [number, number][] {
  const key = ({ text, end }: Line) => (end === "" ? text : `${text}\n`);
  const runs = matchingLines(one.map(key), other.map(key));
  return runs.flatMap(({ from, to, length }) =>
    Array.from({ length }, (_, at): [number, number] => [from + at, to + at]),
  );
}

function splitEnds(text: string): Line[] {
  return Array.from(text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g), ([, line = "", end = ""]) => ({
    text: line,
    end,
  })).filter(({ text: line, end }) => line !== "" || end !== "");
}

function onlyEnd(lines: readonly Line[]): string | undefined {
  const ends = new Set(lines.flatMap(({ end }) => (end === "" ? [] : [end])));
  return ends.size === 1 ? [...ends][0] : undefined;
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
  const ends = new Set(applyEdits(text, edits).match(/\r\n|\n|\r/g));
  const [only] = ends;
  return ends.size === 1 && (only === "\n" || only === "\r\n") ? only : "mixed";
}
