/**
 * Searches in two passes: by a few numbers kept of each path, what it can count at most; then those that can count most are
 * looked at closely, until no other can be among the best. Pure.
 */
import { Aligner } from "./align";
import { Candidates } from "./candidates";
import { NearPoints } from "./near";
import { points } from "./points";
import { type Query, queryOf } from "./query";
import { nameBonus, plainCost } from "./shape";
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

  constructor(private readonly store: PathStore) {
    this.aligner = new Aligner(store);
    this.nearPoints = new NearPoints(store);
    this.candidates = new Candidates(store);
  }

  search(typed: string, limit: number, near: Near): Found[] {
    const query = queryOf(typed);
    if (!query) return [];
    const nearby = this.nearPoints.of(near.root, near.folder);
    const liked = likes(near);
    const top = new Top(limit);
    for (const [id, bonus] of liked) {
      const score = this.score(query, id);
      if (score !== undefined) top.add(id, score + bonus + (nearby[id] ?? 0), this.before);
    }
    let at = 0;
    for (const { count, step } of this.candidates.collect(query, nearby)) {
      const { order, bounds } = this.candidates;
      for (; at < count; at++) {
        const bound = bounds[at] ?? 0;
        if (bound + step < top.least) return this.found(query, top);
        const id = order[at] ?? 0;
        if (bound < top.least || liked.has(id)) continue;
        const score = this.score(query, id);
        if (score !== undefined) top.add(id, score + (nearby[id] ?? 0), this.before);
      }
    }
    return this.found(query, top);
  }

  private found(query: Query, top: Top): Found[] {
    return top.ids.map((id, at) => ({ id, score: top.score(at), positions: this.positions(query, id) }));
  }

  /** Of equal ones the shorter path, then the one that was there first. */
  private readonly before = (one: number, other: number): boolean => {
    const lengths = this.store.lengths.data;
    const [a, b] = [lengths[one] ?? 0, lengths[other] ?? 0];
    return a < b || (a === b && one < other);
  };

  private score(query: Query, id: number): number | undefined {
    if (((this.store.masks.data[id] ?? 0) & query.mask) !== query.mask) return undefined;
    const aligned = query.length === 0 ? 0 : this.aligner.score(query, id);
    if (aligned === undefined) return undefined;
    return aligned + nameBonus(this.store, id, query) - plainCost(this.store, id, query);
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
