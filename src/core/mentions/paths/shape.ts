/** What a path counts by its shape, without a look at where its letters stand. Pure. */
import { points } from "./points";
import type { Query } from "./query";
import type { PathStore } from "./store";

/** What depth and kind cost, whatever is typed. */
export function standingCost(depth: number, name: number, isFolder: boolean): number {
  const folders = depth * points.folder + name * points.folderCharacter;
  return Math.min(points.folderMost, folders) + (isFolder ? points.isFolder : 0);
}

/** Three numbers in one. Lengths over 255 count as that. */
export function shapeOf(initial: number, nameLength: number, cost: number): number {
  return (initial | (Math.min(255, nameLength) << 16) | (cost << 24)) >>> 0;
}

export const shape = {
  initial: (of: number) => of & 0xffff,
  nameLength: (of: number) => (of >>> 16) & 0xff,
  cost: (of: number) => of >>> 24,
};

/** What length, depth and kind cost: known before anything is compared. */
export function plainCost(store: PathStore, id: number, query: Query): number {
  const its = store.records.shape(id);
  const untyped = Math.max(0, shape.nameLength(its) - (query.length - query.tail));
  const standing = shape.cost(its) - (query.wantsFolder && store.kind(id) === "folder" ? points.isFolder : 0);
  return standing + Math.min(points.unmatchedMost, untyped * points.unmatched);
}

/** The most that `nameBonus` can be, without a look at the letters but the name's first. */
export function mostNameBonus(store: PathStore, id: number, query: Query): number {
  const typed = query.length - query.tail;
  const its = store.records.shape(id);
  if (typed === 0 || shape.initial(its) !== query.units[query.tail]) return 0;
  return nameBonusOf(store.records.stem(id), typed, shape.nameLength(its));
}

/** What it counts that the name is, or begins with, what was typed after the last `/`. */
export function nameBonus(store: PathStore, id: number, query: Query): number {
  const typed = query.length - query.tail;
  const size = store.records.size(id);
  const name = store.records.name(id);
  if (typed === 0 || typed > size - name) return 0;
  const from = store.records.start(id) + name;
  for (let at = 0; at < typed; at++) {
    if (store.units.data[from + at] !== query.units[query.tail + at]) return 0;
  }
  return nameBonusOf(store.records.stem(id), typed, size - name);
}

/** @param stem length of the name without its ending */
export function nameBonusOf(stem: number, typed: number, length: number): number {
  if (typed === length) return points.name;
  return typed === stem ? points.stem : points.prefix;
}
