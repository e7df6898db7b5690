/** Names like one that is not there: a slip of the fingers, another ending, another folder. Pure. */
import { DOT, Folder, isSeparator, maskOf, SLASH } from "./fold";
import type { PathStore } from "./store";
import { Top } from "./top";

/** What a slip in the name costs, another ending, and what a folder in common counts. */
const SLIP = 10;
const ENDING = 8;
const COMMON = 4;
/** Separators that one of two names may have more than the other. */
const SEPARATORS = 4;

/** Best first; nothing where no name is like it. */
export function similar(store: PathStore, path: string, limit: number): { id: number; score: number }[] {
  const wanted = segmentsOf(path.replaceAll("\\", "/").replace(/^(?:\.{0,2}\/)+/, ""));
  const name = wanted.at(-1);
  if (!name || name.letters.length > 200) return [];
  const most = Math.min(3, 1 + Math.floor(name.stem / 5));
  const mask = name.letters.slice(0, name.stem).reduce((sum, unit) => sum | maskOf(unit), 0) & LETTERS;
  const top = new Top(limit);
  const shorter = (one: number, other: number) => store.records.size(one) < store.records.size(other);
  for (let id = 0; id < store.count; id++) {
    if (store.roots.data[id] === 0 || Math.abs(store.records.stem(id) - name.stem) > most + SEPARATORS) continue;
    if (bitsSet(stemMask(store, id) ^ mask) > 2 * most) continue;
    const cost = unlike(name, nameOf(store, id), most);
    if (cost === undefined || COMMON * (wanted.length - 1) - cost < top.least) continue;
    top.add(id, COMMON * inCommon(wanted, segmentsOf(store.path(id))) - cost, shorter);
  }
  return top.ids.map((id, at) => ({ id, score: top.score(at) }));
}

/** A segment's letters and digits, folded: `path-index.ts` and `pathIndex.ts` are the same. */
interface Segment {
  letters: number[];
  /** how many of them stand before its ending */
  stem: number;
}

/** undefined where the names differ in more than `most` letters, endings apart. */
function unlike(one: Segment, other: Segment, most: number): number | undefined {
  const slips = distance(one.letters.slice(0, one.stem), other.letters.slice(0, other.stem), most);
  if (slips === undefined) return undefined;
  return SLIP * slips + (one.letters.slice(one.stem).join() === other.letters.slice(other.stem).join() ? 0 : ENDING);
}

/** Bits of letters and digits: separators are left out of the comparison. */
const LETTERS = (1 << 27) - 1;

function segmentsOf(path: string): Segment[] {
  const { units, length } = new Folder().fold(path);
  const segments: Segment[] = [];
  let from = 0;
  for (let at = 0; at <= length; at++) {
    if (at < length && units[at] !== SLASH) continue;
    if (at > from) segments.push(segmentOf(units.subarray(from, at)));
    from = at + 1;
  }
  return segments.filter(({ letters }) => letters.length > 0);
}

function segmentOf(units: Uint16Array): Segment {
  const dot = units.lastIndexOf(DOT);
  const letters = (part: Uint16Array) => Array.from(part).filter(unit => !isSeparator(unit));
  const stem = letters(dot > 0 ? units.subarray(0, dot) : units);
  return { letters: dot > 0 ? [...stem, ...letters(units.subarray(dot))] : stem, stem: stem.length };
}

function nameOf(store: PathStore, id: number): Segment {
  const start = store.records.start(id);
  return segmentOf(store.units.data.subarray(start + store.records.name(id), start + store.records.size(id)));
}

/** Of the letters of its name, without its ending: a slip changes two of them at most. */
function stemMask(store: PathStore, id: number): number {
  const units = store.units.data;
  const from = store.records.start(id) + store.records.name(id);
  const to = from + store.records.stem(id);
  let mask = 0;
  for (let at = from; at < to; at++) mask |= maskOf(units[at] ?? 0);
  return mask & LETTERS;
}

/** Folders in common, whatever lies between them. */
function inCommon(wanted: readonly Segment[], found: readonly Segment[]): number {
  const folders = new Set(found.slice(0, -1).map(({ letters }) => letters.join()));
  return wanted.slice(0, -1).filter(({ letters }) => folders.has(letters.join())).length;
}

/** Letters put in, left out, replaced or swapped; undefined where that is more than `most`. */
function distance(one: readonly number[], other: readonly number[], most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  let twoAbove: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const here = [row];
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1] ? 0 : 1;
      let least = Math.min((above[at] ?? 0) + 1, (here[at - 1] ?? 0) + 1, (above[at - 1] ?? 0) + same);
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) {
        least = Math.min(least, (twoAbove[at - 2] ?? 0) + 1);
      }
      here.push(least);
    }
    if (Math.min(...here) > most) return undefined;
    [twoAbove, above] = [above, here];
  }
  const slips = above[other.length] ?? 0;
  return slips <= most ? slips : undefined;
}

function bitsSet(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
