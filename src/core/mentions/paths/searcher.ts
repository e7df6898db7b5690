/**
 * Searches in passes: by a few numbers kept of each path, what it can count at most; those that can count most by a closer
 * look at these numbers; and of them, letter by letter, those that still can, until no other can be among the best. Pure.
 */
import { Aligner } from "./align";
import { Candidates } from "./candidates";
import { Letters } from "./letters";
import { NearPoints } from "./near";
import { points } from "./points";
import { type Query, queryOf } from "./query";
import { mostNameBonus, nameBonus, plainCost } from "./shape";
import type { PathStore } from "./store";
import { Top } from "./top";

/** Entries by number, -1 for what is not there. */
export interface Near {
  /** of the current file, 0 without one */
  root: number;
  folder: number;
  open: readonly number[];
  recent: readonly number[];
}

export interface Found {
  id: number;
  score: number;
  /** in the entry's units */
  positions: number[];
}

export class Searcher {
  private readonly aligner: Aligner;
  private readonly nearPoints: NearPoints;
  private readonly candidates: Candidates;
  private readonly letters: Letters;

  constructor(private readonly store: PathStore) {
    this.aligner = new Aligner(store);
    this.nearPoints = new NearPoints(store);
    this.candidates = new Candidates(store);
    this.letters = new Letters(store);
  }

  search(typed: string, limit: number, near: Near): Found[] {
    const query = queryOf(typed);
    if (!query) return [];
    this.letters.use(query);
    const nearby = this.nearPoints.of(near.root, near.folder);
    const liked = likes(near);
    const top = new Top(limit);
    for (const [id, bonus] of liked) {
      const score = this.score(query, id);
      if (score !== undefined) top.add(id, score + bonus + (nearby[id] ?? 0), this.before);
    }
    const most = (id: number) => this.most(query, id) + (nearby[id] ?? 0);
    for (const { count, step } of this.candidates.collect(query, nearby, { most, least: () => top.least })) {
      const { order, bounds } = this.candidates;
      for (let at = 0; at < count; at++) {
        const bound = bounds[at] ?? 0;
        if (bound + step < top.least) return this.found(query, top);
        const id = order[at] ?? 0;
        if (bound < top.least || liked.has(id)) continue;
        const near = nearby[id] ?? 0;
        const score = this.score(query, id, top.least - near);
        if (score !== undefined) top.add(id, score + near, this.before);
      }
    }
    return this.found(query, top);
  }

  private found(query: Query, top: Top): Found[] {
    return top.ids.map((id, at) => ({ id, score: top.score(at), positions: this.positions(query, id) }));
  }

  /** Of equal ones the shorter path, then the one that was there first. */
  private readonly before = (one: number, other: number): boolean => {
    const { records } = this.store;
    const [a, b] = [records.size(one), records.size(other)];
    return a < b || (a === b && one < other);
  };

  /** The most that an entry can count, by what letters it has. */
  private most(query: Query, id: number): number {
    return this.letters.most(query, id) + mostNameBonus(this.store, id, query) - plainCost(this.store, id, query);
  }

  /** @returns undefined where it does not match, or counts less than `least` */
  private score(query: Query, id: number, least = Number.NEGATIVE_INFINITY): number | undefined {
    if ((this.store.records.mask(id) & query.mask) !== query.mask || this.most(query, id) < least) return undefined;
    const plain = nameBonus(this.store, id, query) - plainCost(this.store, id, query);
    if (query.length === 0) return plain;
    const aligned = this.aligner.score(query, id, { least: least - plain, rest: this.letters.rest });
    return aligned === undefined ? undefined : aligned + plain;
  }

  private positions(query: Query, id: number): number[] {
    return query.length === 0 ? [] : this.aligner.positions(query, id);
  }
}

function likes({ open, recent }: Near): Map<number, number> {
  const found = new Map<number, number>();
  const add = (id: number, bonus: number) => {
    if (id >= 0) found.set(id, Math.max(bonus, found.get(id) ?? 0));
  };
  open.forEach((id, at) => {
    add(id, points.open + Math.max(0, points.recent - points.recentLess * at) / 2);
  });
  recent.forEach((id, at) => {
    add(id, Math.max(0, points.recent - points.recentLess * at));
  });
  return found;
}
