/**
 * The most that the letters of a query can count in a path, by which letters and pairs of letters its folders and its name
 * have, not by where they stand: a closer look than all paths get (candidates.ts), for a small part of what aligning them
 * takes. Pure.
 */
import { maskOf, pairBit } from "./fold";
import { firstCounts, mostOfMark, otherCounts, points } from "./points";
import type { Query } from "./query";
import { Field, RECORD } from "./records";
import { shape } from "./shape";
import type { PathStore } from "./store";

/** No place for a letter: more than all can count. */
const NEVER = -1_000_000;

/** What a letter is where it stands, as bits: the first of the name, at the beginning of a word, right after the one before. */
const INITIAL = 1;
const HEAD = 2;
const FOLLOWS = 4;

const markOf = (bits: number) => (bits & INITIAL ? mostOfMark.initial : bits & HEAD ? mostOfMark.head : 0);
const firstOf = (bits: number) => firstCounts(markOf(bits));
const otherOf = (bits: number) => otherCounts(markOf(bits), (bits & FOLLOWS) !== 0);
const byBits = (count: (bits: number) => number) => Int32Array.from({ length: 8 }, (_, bits) => count(bits));

/** The most the first letter can count by those bits, and any other one. */
const first = byBits(firstOf);
const firstInName = byBits(bits => points.inName + firstOf(bits));
const others = byBits(otherOf);
const othersInName = byBits(bits => points.inName + otherOf(bits));

export class Letters {
  /** the most that the query's letters from each one on can count in the path that was asked about last; 0 after the last */
  rest = new Int32Array(1);
  /** of each letter of the query: its bit in masks, and that of it and the one before in pairs */
  private bits = new Uint8Array(0);
  private pairs = new Uint8Array(0);

  constructor(private readonly store: PathStore) {}

  /** For the calls of `most` that follow. */
  use({ units, length }: Query): void {
    this.rest = new Int32Array(length + 1);
    this.bits = Uint8Array.from(units, unit => 31 - Math.clz32(maskOf(unit)));
    this.pairs = Uint8Array.from(units, (unit, at) => (at === 0 ? 0 : pairBit(units[at - 1] ?? 0, unit)));
  }

  /** Once a letter stands in the name, so do all after it: the most of all ways to go from folders to name. */
  most({ units, length, upper }: Query, id: number): number {
    const { rest, bits, pairs } = this;
    const words = this.store.records.words.data;
    const record = id * RECORD;
    const name = words[record + Field.name] ?? 0;
    const nameHeads = words[record + Field.nameHeads] ?? 0;
    const folders = words[record + Field.folders] ?? 0;
    const folderHeads = words[record + Field.folderHeads] ?? 0;
    const initial = shape.initial(words[record + Field.shape] ?? 0);
    // From the last letter on: all that follow in the name, or the best of both.
    let allInName = 0;
    let best = 0;
    for (let at = length - 1; at >= 0; at--) {
      const bit = bits[at] ?? 0;
      const pair = pairs[at] ?? 0;
      const word = record + (pair >>> 5);
      const capital = (upper[at] ?? 0) * points.sameCase;
      let inFolder = NEVER;
      let inName = NEVER;
      if ((folders >>> bit) & 1) {
        const follows = ((words[word + Field.folderPairs] ?? 0) >>> (pair & 31)) & 1;
        const is = (((folderHeads >>> bit) & 1) << 1) | (follows << 2);
        inFolder = best + ((at === 0 ? first : others)[is] ?? 0);
      }
      if ((name >>> bit) & 1) {
        const follows = ((words[word + Field.namePairs] ?? 0) >>> (pair & 31)) & 1;
        const is = (initial === units[at] ? INITIAL : 0) | (((nameHeads >>> bit) & 1) << 1) | (follows << 2);
        inName = allInName + ((at === 0 ? firstInName : othersInName)[is] ?? 0);
      }
      allInName = inName + capital;
      best = Math.max(inFolder, inName) + capital;
      rest[at] = best;
    }
    return best;
  }
}
