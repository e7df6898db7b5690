/**
 * How well a path fits what was typed: the best of all ways to find the typed characters in it, in order. Characters count
 * where words begin, where they follow each other and in the name; what is passed over costs. Pure.
 */
import { Mark } from "./fold";
import { points } from "./points";
import type { Query } from "./query";
import type { PathStore } from "./store";

const NEVER = -1_000_000;

export interface Enough {
  least: number;
  rest: ArrayLike<number>;
}

/** Keeps its arrays from one path to the next. */
export class Aligner {
  private best = new Int32Array(4096);
  private first = new Int32Array(64);
  private last = new Int32Array(64);

  constructor(private readonly store: PathStore) {}

  /**
   * @param enough what it has to count, and the most that the characters from each one on can
   * @returns undefined where the path does not have the typed characters in that order, or it counts too little
   */
  score(query: Query, id: number, enough?: Enough): number | undefined {
    const found = this.fill(query, id, enough);
    return found === undefined ? undefined : found.score;
  }

  /** Offsets in the entry's units, ascending; the entry fits the query. */
  positions(query: Query, id: number): number[] {
    const found = this.fill(query, id);
    if (!found) return [];
    const { length } = query;
    const size = this.store.records.size(id);
    const start = this.store.records.start(id);
    const positions = new Array<number>(length);
    let at = found.at;
    for (let row = length - 1; row >= 0; row--) {
      positions[row] = at;
      if (row > 0) at = this.before(query, row, at, size, start, id);
    }
    return positions;
  }

  /** Which place of the character before led to the score at (row, at). */
  private before(query: Query, row: number, at: number, size: number, start: number, id: number): number {
    const mark = this.store.marks.data[start + at] ?? 0;
    const own = this.own(query, row, at, mark, id);
    const bonus = points.mark[mark & Mark.kinds] ?? 0;
    const wanted = (this.best[row * size + at] ?? NEVER) - own;
    const above = (row - 1) * size;
    const [from, to] = [this.first[row - 1] ?? 0, this.last[row - 1] ?? 0];
    if (at - 1 <= to && wanted === (this.best[above + at - 1] ?? NEVER) + Math.max(bonus, points.follows))
      return at - 1;
    for (let place = Math.min(at - 2, to); place >= from; place--) {
      const gap = points.gap + points.gapCharacter * (at - 2 - place);
      if (wanted === (this.best[above + place] ?? NEVER) - gap + bonus) return place;
    }
    return at - 1;
  }

  /** What a character counts at its place, whatever stands before it. */
  private own(query: Query, row: number, at: number, mark: number, id: number): number {
    const inName = at >= this.store.records.name(id) ? points.inName : 0;
    return inName + ((query.upper[row] ?? 0) === 1 && (mark & Mark.upper) !== 0 ? points.sameCase : 0);
  }

  private fill(query: Query, id: number, enough?: Enough): { score: number; at: number } | undefined {
    const size = this.store.records.size(id);
    const start = this.store.records.start(id);
    if (!this.bounds(query, start, size)) return undefined;
    if (this.best.length < size * query.length) this.best = new Int32Array(size * query.length * 2);
    for (let row = 0; row < query.length; row++) {
      const most = this.fillRow(query, row, start, size, id);
      if (enough && most + (enough.rest[row + 1] ?? 0) < enough.least) return undefined;
    }
    const lastRow = (query.length - 1) * size;
    let [score, at] = [NEVER, 0];
    for (let place = this.first[query.length - 1] ?? 0; place <= (this.last[query.length - 1] ?? 0); place++) {
      const here = this.best[lastRow + place] ?? NEVER;
      if (here > score) [score, at] = [here, place];
    }
    return { score, at };
  }

  /** The first and the last place each character can have. */
  private bounds({ units: typed, length }: Query, start: number, size: number): boolean {
    if (this.first.length < length) {
      this.first = new Int32Array(length * 2);
      this.last = new Int32Array(length * 2);
    }
    const units = this.store.units.data;
    let at = 0;
    for (let row = 0; row < length; row++) {
      while (at < size && units[start + at] !== typed[row]) at++;
      if (at === size) return false;
      this.first[row] = at++;
    }
    at = size - 1;
    for (let row = length - 1; row >= 0; row--) {
      while (units[start + at] !== typed[row]) at--;
      this.last[row] = at--;
    }
    return true;
  }

  /** `best[row, at]`: the most that the first `row + 1` characters can count if the last of them stands at `at`. @returns the most of them */
  private fillRow(query: Query, row: number, start: number, size: number, id: number): number {
    const { best } = this;
    const units = this.store.units.data;
    const marks = this.store.marks.data;
    const name = this.store.records.name(id);
    const wanted = query.units[row] ?? 0;
    const upper = (query.upper[row] ?? 0) === 1;
    const [from, to] = [this.first[row] ?? 0, this.last[row] ?? 0];
    const [above, here] = [(row - 1) * size, row * size];
    const [aboveFrom, aboveTo] = row === 0 ? [0, -1] : [this.first[row - 1] ?? 0, this.last[row - 1] ?? 0];
    let apart = NEVER;
    let most = NEVER;
    for (let at = row === 0 ? from : aboveFrom + 1; at <= to; at++) {
      const twoBefore = at - 2;
      if (twoBefore >= aboveFrom && twoBefore <= aboveTo) {
        apart = Math.max(apart - points.gapCharacter, (best[above + twoBefore] ?? NEVER) - points.gap);
      } else apart -= points.gapCharacter;
      if (at < from) continue;
      if (units[start + at] !== wanted) {
        best[here + at] = NEVER;
        continue;
      }
      const mark = marks[start + at] ?? 0;
      const bonus = points.mark[mark & Mark.kinds] ?? 0;
      const own = (at >= name ? points.inName : 0) + (upper && (mark & Mark.upper) !== 0 ? points.sameCase : 0);
      if (row === 0) {
        const score = own + bonus + (bonus >> 1);
        best[here + at] = score;
        most = Math.max(most, score);
        continue;
      }
      const next = at - 1 <= aboveTo ? (best[above + at - 1] ?? NEVER) + Math.max(bonus, points.follows) : NEVER;
      const score = own + Math.max(next, apart + bonus);
      best[here + at] = score;
      most = Math.max(most, score);
    }
    return most;
  }
}
