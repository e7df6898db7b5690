/** Lines that are too long to be shown whole: of a changed one, what stands around the change. Pure. */

import { commonEnds } from "./commonEnds";
import { clipAround, clipEnd } from "./format";

/** Characters of a line that Read shows. */
export const MAX_LINE_CHARACTERS = 2_000;
/** Characters of a notebook's cell that Read shows. */
export const MAX_CELL_CHARACTERS = 12_000;

/** @param other the line that stands for this one on the other side of a change; undefined: none does */
export function clipLine(line: string, other: string | undefined, most: number): string {
  if (line.length <= most) return line;
  if (other === undefined) return clipEnd(line, most);
  const { head, tail } = commonEnds(line, other);
  return clipAround(line, { from: head, to: line.length - tail }, most);
}

export interface DiffLine {
  kind: string;
  text: string;
  /** Of a changed line, the one that it was or became: of a block, the first removed one became the first added one. */
  other: string | undefined;
}

/** @param lines of a hunk, with ` `, `+`, `-` or `\` in front; what the last says of line ends is left out */
export function hunkLines(lines: readonly string[]): DiffLine[] {
  const out = lines
    .filter(line => !line.startsWith("\\"))
    .map((line): DiffLine => ({ kind: line.charAt(0), text: line.slice(1), other: undefined }));
  for (let at = 0; at < out.length; ) {
    const removed = takeRun("-", out, at);
    const added = takeRun("+", out, at + removed.length);
    for (const [index, line] of removed.entries()) {
      const became = added[index];
      if (!became) break;
      [line.other, became.other] = [became.text, line.text];
    }
    at += Math.max(1, removed.length + added.length);
  }
  return out;
}

function takeRun(kind: string, lines: readonly DiffLine[], start: number): DiffLine[] {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return lines.slice(start, end);
}
