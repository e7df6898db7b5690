/** The list of items. All functions give back what they were given where nothing changed. Pure. */
import type { ConversationItem, EndItem } from "./state";

type ItemChange = (item: ConversationItem) => ConversationItem | null;

/** Tells an item from all others. */
export const idOf = (item: ConversationItem): string => (item.kind === "tool" ? item.id : item.key);

/** The newest item with this key. */
export const find = (items: readonly ConversationItem[], key: string) => items.findLast(item => item.key === key);

/** The end of a turn with this key. */
export function findEnd(items: readonly ConversationItem[], key: string | null | undefined): EndItem | undefined {
  const end = key == null ? undefined : find(items, key);
  return end?.kind === "end" ? end : undefined;
}

/** As `find`, among the items of the newest two turns: a new one would be looked for in all of a long session. */
export function findRecent(items: readonly ConversationItem[], key: string): ConversationItem | undefined {
  let ends = 0;
  for (let at = items.length - 1; at >= 0 && ends < 2; at -= 1) {
    if (items[at]?.key === key) return items[at];
    if (items[at]?.kind === "end") ends += 1;
  }
  return undefined;
}

/** Where the newest two turns begin, with the end before them: what is looked for there alone is not found before. */
export function recentFrom(items: readonly ConversationItem[]): number {
  const end = items.findLastIndex(({ kind }) => kind === "end");
  const before = items.findLastIndex(({ kind }, at) => kind === "end" && at < end);
  return Math.max(0, before);
}

/** Replaces the newest item with this key; null takes it out. */
export function replace(items: readonly ConversationItem[], key: string, change: ItemChange) {
  const at = items.findLastIndex(item => item.key === key);
  const item = items[at];
  const next = item && change(item);
  if (next === item || next === undefined) return items;
  return next === null ? items.toSpliced(at, 1) : items.with(at, next);
}

/** Puts the item in the place of the newest one with its key, or at the end. */
export const put = (items: readonly ConversationItem[], item: ConversationItem): readonly ConversationItem[] =>
  findRecent(items, item.key) === undefined ? [...items, item] : replace(items, item.key, () => item);

/** Changes items of the turn under way, those since the newest end; null takes one out. */
export function mapTurn(items: readonly ConversationItem[], change: ItemChange): readonly ConversationItem[] {
  const from = items.findLastIndex(({ kind }) => kind === "end") + 1;
  const turn = items.slice(from);
  const next = turn.map(change);
  if (next.every((item, at) => item === turn[at])) return items;
  return [...items.slice(0, from), ...next.filter(item => item !== null)];
}
