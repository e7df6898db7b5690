/**
 * What can match at all, in the order of the most it can count: by what letters a path has, where words begin with them, and
 * which of them follow each other. That is a few numbers of each path, so a hundred thousand take a few milliseconds. Pure.
 */
import { maskOf, pairBit } from "./fold";
import { firstCounts, mostOfMark, otherCounts, points } from "./points";
import type { Query } from "./query";
import { Field, PAIR_WORDS, RECORD } from "./records";
import { nameBonusOf, shape } from "./shape";
import type { PathStore } from "./store";

/** Bounds are sorted in so many steps, of at least so many points. */
const STEPS = 2048;
const STEP = 4;
/** So many are sorted first: mostly the best are among them. */
const PART = 2000;
/** No fewer than a typed character can count, and all else together. */
const MOST_CHARACTER = 170;
const MOST_ELSE = 900;
/** No fewer than all can cost, what is passed over before a character excepted. */
const COSTS = points.unmatchedMost + points.folderMost + points.isFolder;

/** What a character is in a path, as bits: in its name, at the beginning of a word there or of one in its folders … */
const IN_NAME = 1;
const NAME_HEAD = 2;
const FOLDER_HEAD = 4;
/** … the first of the name, right after the one typed before. */
const INITIAL = 8;
const FOLLOWS = 16;

function markOf(bits: number): number {
  if (bits & INITIAL) return mostOfMark.initial;
  return bits & (NAME_HEAD | FOLDER_HEAD) ? mostOfMark.head : 0;
}

const ofName = (bits: number): number => (bits & IN_NAME ? points.inName : 0);

/** The most the first character can count, by those bits. */
const first = Int32Array.from({ length: 16 }, (_, bits) => ofName(bits) + firstCounts(markOf(bits)));

/** And any other one. */
const others = Int32Array.from(
  { length: 32 },
  (_, bits) => ofName(bits) + otherCounts(markOf(bits), (bits & FOLLOWS) !== 0),
);

export interface Closer {
  most(id: number): number;
  least(): number;
}

export class Candidates {
  /** numbers of entries, the most promising first */
  order = new Int32Array(0);
  /** the most each of those can count */
  bounds = new Int32Array(0);
  private ids = new Int32Array(0);
  private unsorted = new Int32Array(0);

  constructor(private readonly store: PathStore) {}

  /**
   * Fills `order` and `bounds` with a first part and then, if that is called for, with the rest. Bounds descend but for less
   * than `step`.
   * @param nearby points to add, by entry
   * @param closer what the rest is chosen and ordered by: the most an entry can count by a closer look, and what it has to
   * @returns of each part, how many it has
   */
  *collect(query: Query, nearby: Uint8Array, closer: Closer): Generator<{ count: number; step: number }> {
    if (this.ids.length < this.store.count) {
      const size = Math.ceil(this.store.count * 1.1);
      this.order = new Int32Array(size);
      this.bounds = new Int32Array(size);
      this.ids = new Int32Array(size);
      this.unsorted = new Int32Array(size);
    }
    const lowest = -COSTS - query.length * points.gap;
    const step = Math.max(STEP, Math.ceil((query.length * MOST_CHARACTER + MOST_ELSE - lowest) / STEPS));
    const found = this.bound(query, nearby);
    const bucket = (bound: number) => Math.max(0, STEPS - (((bound - lowest) / step) | 0));
    const places = this.places(found, bucket);
    let end = 0;
    while ((places[end] ?? found) < PART && end <= STEPS) end++;
    const count = places[end] ?? found;
    this.put(found, bucket, places, end);
    yield { count, step };
    if (count === found) return;
    const left = this.narrow(found, bound => bucket(bound) >= end, closer, lowest);
    this.put(left, bucket, this.places(left, bucket), STEPS + 1);
    yield { count: left, step };
  }

  /** Keeps of `ids` and `unsorted` what was not had and counts enough. In the order of entries: any other takes much longer. */
  private narrow(found: number, isLeft: (bound: number) => boolean, closer: Closer, lowest: number): number {
    const { ids, unsorted } = this;
    // Below the lowest is what cannot match at all.
    const enough = Math.max(lowest, closer.least());
    let count = 0;
    for (let at = 0; at < found; at++) {
      const bound = unsorted[at] ?? 0;
      if (bound < enough || !isLeft(bound)) continue;
      const id = ids[at] ?? 0;
      const closest = closer.most(id);
      if (closest < enough) continue;
      ids[count] = id;
      unsorted[count++] = closest;
    }
    return count;
  }

  /** Into `ids` and `unsorted`. @returns how many can match */
  private bound(query: Query, nearby: Uint8Array): number {
    const { store, ids, unsorted } = this;
    const { length, tail, mask, units } = query;
    const bits = units.map(unit => 31 - Math.clz32(maskOf(unit)));
    const pairs = units.map((unit, at) => (at === 0 ? 0 : pairBit(units[at - 1] ?? 0, unit)));
    const words = store.records.words.data;
    const typed = length - tail;
    const always = query.capitals * points.sameCase + (query.wantsFolder ? points.isFolder : 0);
    const [bitOfFirst, unitOfFirst] = [bits[0] ?? 0, length > 0 ? (units[0] ?? 0) : -1];
    const entries = store.count;
    let count = 0;
    for (let id = 0; id < entries; id++) {
      const record = id * RECORD;
      const name = words[record + Field.name] ?? 0;
      const has = (words[record + Field.folders] ?? 0) | name;
      if ((has & mask) !== mask || has === 0) continue;
      const head = words[record + Field.nameHeads] ?? 0;
      const folder = words[record + Field.folderHeads] ?? 0;
      const its = words[record + Field.shape] ?? 0;
      const initial = shape.initial(its);
      let bound = always - shape.cost(its) + (nearby[id] ?? 0);
      if (length > 0) {
        const is =
          ((name >>> bitOfFirst) & 1) | (((head >>> bitOfFirst) & 1) << 1) | (((folder >>> bitOfFirst) & 1) << 2);
        bound += first[is | (initial === unitOfFirst ? INITIAL : 0)] ?? 0;
      }
      for (let at = 1; at < length; at++) {
        const bit = bits[at] ?? 0;
        const pair = pairs[at] ?? 0;
        const word = record + Field.folderPairs + (pair >>> 5);
        const follows = (((words[word] ?? 0) | (words[word + PAIR_WORDS] ?? 0)) >>> (pair & 31)) & 1;
        const is = ((name >>> bit) & 1) | (((head >>> bit) & 1) << 1) | (((folder >>> bit) & 1) << 2) | (follows << 4);
        bound += others[is | (initial === units[at] ? INITIAL : 0)] ?? 0;
      }
      const nameLength = shape.nameLength(its);
      if (typed > 0 && initial === units[tail]) bound += nameBonusOf(store.records.stem(id), typed, nameLength);
      if (nameLength > typed) bound -= Math.min(points.unmatchedMost, (nameLength - typed) * points.unmatched);
      ids[count] = id;
      unsorted[count++] = bound;
    }
    return count;
  }

  /** Where each bucket begins. */
  private places(count: number, bucket: (bound: number) => number): Int32Array {
    const places = new Int32Array(STEPS + 2);
    for (let at = 0; at < count; at++) {
      const next = bucket(this.unsorted[at] ?? 0) + 1;
      places[next] = (places[next] ?? 0) + 1;
    }
    for (let at = 1; at < places.length; at++) places[at] = (places[at] ?? 0) + (places[at - 1] ?? 0);
    return places;
  }

  /** Puts what belongs into the first `buckets` there. */
  private put(count: number, bucket: (bound: number) => number, places: Int32Array, buckets: number): void {
    const { ids, unsorted, order, bounds } = this;
    for (let at = 0; at < count; at++) {
      const bound = unsorted[at] ?? 0;
      const its = bucket(bound);
      if (its >= buckets) continue;
      const place = places[its] ?? 0;
      places[its] = place + 1;
      order[place] = ids[at] ?? 0;
      bounds[place] = bound;
    }
  }
}
