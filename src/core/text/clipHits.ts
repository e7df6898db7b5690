/** A long line around what was found in it. Pure. */
import { clipEnd, count, cutPoint } from "./format";

type Span = readonly [from: number, to: number];

const MOST_SHOWN = 4;

/**
 * At most some `most` characters of a line: those around its first hits, with "…" where something is left out, and how many
 * hits are not shown.
 * @param more hits that `text` does not have any more
 */
export function clipHits(text: string, hits: readonly Span[], most: number, more = 0): string {
  if (text.length <= most && more === 0) return text;
  if (hits.length === 0) return clipEnd(text, most);
  const shown = hits.slice(0, Math.min(MOST_SHOWN, Math.ceil(most / 100)));
  const room = Math.floor(most / shown.length);
  const windows: [number, number][] = [];
  for (const [from, to] of shown) {
    const before = Math.max(Math.floor((room - (to - from)) / 2), Math.floor(room / 8));
    const start = cutPoint(text, Math.max(0, Math.min(from - before, text.length - room)));
    const end = cutPoint(text, Math.min(text.length, start + room));
    const last = windows.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else windows.push([start, end]);
  }
  const within = ([from]: Span) => windows.some(([start, end]) => from >= start && from < end);
  const left = more + hits.filter(hit => !within(hit)).length;
  const first = windows[0]?.[0] ?? 0;
  const last = windows.at(-1)?.[1] ?? text.length;
  const parts = windows.map(([start, end]) => text.slice(start, end)).join(" … ");
  const note = left > 0 ? ` [${count(left)} more ${left === 1 ? "hit" : "hits"} in this line]` : "";
  return `${first > 0 ? "… " : ""}${parts}${last < text.length ? " …" : ""}${note}`;
}

/** Where the hits are in a text in which something else was replaced; those that cannot be found again are left out. */
export function movedHits(before: string, hits: readonly Span[], after: string): Span[] {
  if (before === after) return [...hits];
  let at = 0;
  return hits.flatMap(([from, to]) => {
    const found = after.indexOf(before.slice(from, to), at);
    if (found < 0) return [];
    at = found + to - from;
    return [[found, at] as const];
  });
}
