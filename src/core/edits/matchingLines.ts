/** Which lines of a text stand in another one, in order. Pure. */
import { commonRuns, type LineRun } from "./commonRuns";

export type { LineRun };

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

/** Ascending, not overlapping, none empty. Where comparing would take too long, what lies between the ends matches nowhere. */
export function matchingLines(from: readonly string[], to: readonly string[]): LineRun[] {
  const most = Math.min(from.length, to.length);
  let head = 0;
  while (head < most && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < most - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail += 1;
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
  const [old, now] = linesInBoth(from, to);
  const runs: LineRun[] = [];
  for (const { from: first, to: other, length } of commonRuns(old.numbers, now.numbers) ?? []) {
    for (let at = 0; at < length; at += 1) {
      const [line, place] = [old.places[first + at] as number, now.places[other + at] as number];
      const last = runs.at(-1);
      if (last && last.from + last.length === line && last.to + last.length === place) last.length += 1;
      else runs.push({ from: line, to: place, length: 1 });
    }
  }
  return runs;
}

/** Lines of one text: where they stand, and a number for each, the same for the same line. */
interface Numbered {
  places: number[];
  numbers: Int32Array;
}

function linesInBoth(from: readonly string[], to: readonly string[]): [Numbered, Numbered] {
  const inFrom = new Set(from);
  const numberOf = new Map<string, number>();
  for (const line of to) if (inFrom.has(line) && !numberOf.has(line)) numberOf.set(line, numberOf.size);
  const numbered = (lines: readonly string[]): Numbered => {
    const places = [...lines.keys()].filter(place => numberOf.has(lines[place] as string));
    return { places, numbers: Int32Array.from(places, place => numberOf.get(lines[place] as string) as number) };
  };
  return [numbered(from), numbered(to)];
}
