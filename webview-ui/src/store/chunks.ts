/** The item list, in chunks. All functions give back what they were given where nothing changed. */
import type { Chunk, Item } from "./state";

/** Items a chunk. Small: the last chunk is compared item by item on each change; large: few chunks to skip. */
const MAX_ITEMS = 16;

export function append(chunks: readonly Chunk[], item: Item): readonly Chunk[] {
  const last = chunks.at(-1);
  if (last === undefined || last.items.length >= MAX_ITEMS) return [...chunks, { key: item.key, items: [item] }];
  return [...chunks.slice(0, -1), { key: last.key, items: [...last.items, item] }];
}

/** The newest item with this key. */
export function find(chunks: readonly Chunk[], key: string): Item | undefined {
  for (let index = chunks.length - 1; index >= 0; index -= 1) {
    const item = chunks[index]?.items.find(candidate => candidate.key === key);
    if (item !== undefined) return item;
  }
  return undefined;
}

/** Replaces the newest item with this key; null takes it out. Searches from the end: that is where things change. */
export function replace(chunks: readonly Chunk[], key: string, change: (item: Item) => Item | null): readonly Chunk[] {
  for (let index = chunks.length - 1; index >= 0; index -= 1) {
    const chunk = chunks[index];
    const at = chunk?.items.findIndex(candidate => candidate.key === key) ?? -1;
    const item = chunk?.items[at];
    if (chunk === undefined || item === undefined) continue;
    const next = change(item);
    if (next === item) return chunks;
    const items = next === null ? chunk.items.toSpliced(at, 1) : chunk.items.with(at, next);
    return items.length === 0 ? chunks.toSpliced(index, 1) : chunks.with(index, { key: chunk.key, items });
  }
  return chunks;
}

/** Puts the item in the place of the newest one with its key, or at the end. */
export function put(chunks: readonly Chunk[], item: Item): readonly Chunk[] {
  return find(chunks, item.key) === undefined ? append(chunks, item) : replace(chunks, item.key, () => item);
}

/** Changes any item; null takes it out. Chunks in which nothing changed stay the same object. */
export function mapItems(chunks: readonly Chunk[], change: (item: Item) => Item | null): readonly Chunk[] {
  let changed = false;
  const next: Chunk[] = [];
  for (const chunk of chunks) {
    const items = chunk.items.map(change);
    if (items.every((item, index) => item === chunk.items[index])) {
      next.push(chunk);
      continue;
    }
    changed = true;
    const kept = items.filter(item => item !== null);
    if (kept.length > 0) next.push({ key: chunk.key, items: kept });
  }
  return changed ? next : chunks;
}
