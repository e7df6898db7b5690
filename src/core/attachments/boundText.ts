/** A text cut to so many tokens at the ends of its lines, with a note of what was left out. Pure. */
import { estimateTokens } from "../text/estimate";
import { clipEnd, counted } from "../text/format";

/** characters of one line: what is minified must not take the room of all else */
const MAX_LINE_CHARACTERS = 2_000;

export interface Bound {
  tokens: number;
  /** which share of them goes to the beginning; the rest to the end */
  head: number;
}

/**
 * @param note how to get what is left out, as the end of the line that says so
 * @returns undefined: all of it fits
 */
export function boundText(text: string, { tokens, head }: Bound, note: string): string | undefined {
  if (estimateTokens(text) <= tokens && !hasLongLine(text)) return undefined;
  const lines = text.split("\n").map(line => clipEnd(line, MAX_LINE_CHARACTERS));
  const first = countFittingLines(lines, tokens * head);
  const last = countFittingLines(lines.slice(first).reverse(), tokens * (1 - head));
  const left = lines.length - first - last;
  if (left === 0) return lines.join("\n");
  const mark = `[… ${counted(left, "line")} left out${note}]`;
  return [...lines.slice(0, first), mark, ...lines.slice(lines.length - last)].join("\n");
}

const hasLongLine = (text: string): boolean => text.split("\n").some(line => line.length > MAX_LINE_CHARACTERS);

/** How many lines from the first on. */
function countFittingLines(lines: readonly string[], tokens: number): number {
  let left = tokens;
  for (const [index, line] of lines.entries()) {
    left -= estimateTokens(`${line}\n`);
    if (left < 0) return index;
  }
  return lines.length;
}
