/** Rooms in an order: each imports only rooms that come before it, by values and by types alike. */
import type { Import } from "./imports";

export type Layers = {
  /** beginning of the paths, with `/` at its end */
  under: string;
  /** Folders below `under`, the lowest first; `.` stands for the files that lie in `under` itself. */
  order: readonly string[];
  /** files at the top that may import everything, and that nothing imports */
  roots?: readonly string[];
};

/** Imports that go up, and rooms without a place in the order, a sentence each. */
export function layerBreaks(imports: readonly Import[], { under, order, roots = [] }: Layers): string[] {
  const inside = imports.filter(({ from, to }) => from.startsWith(under) && to.startsWith(under));
  const breaks = inside.flatMap(({ from, to }) => {
    if (roots.includes(from)) return [];
    const [low, high] = [from, to].map(path => order.indexOf(roomOf(path, under, order)));
    if (low === undefined || high === undefined || low < 0 || high < 0 || high <= low) return [];
    return [`${from} must not import ${to}: ${order[high]} is above ${order[low]}`];
  });
  const places = new Set(imports.flatMap(({ from, to }) => [from, to]).filter(path => path.startsWith(under)));
  const unplaced = [...places].filter(path => !roots.includes(path) && !order.includes(roomOf(path, under, order)));
  return [...breaks, ...unplaced.map(path => `${path} stands in a room without a place in the order of ${under}`)];
}

/** The longest entry of the order that a file lies in; else its first folder. */
function roomOf(path: string, under: string, order: readonly string[]): string {
  const rest = path.slice(under.length);
  const fitting = order.filter(room => rest.startsWith(`${room}/`));
  const longest = fitting.toSorted((a, b) => b.length - a.length)[0];
  return longest ?? (rest.includes("/") ? rest.slice(0, rest.indexOf("/")) : ".");
}
