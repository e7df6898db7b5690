/** The item list, in chunks. All functions give back what they were given where nothing changed. */
import { rowsOf } from "./looks";
import type { Chunk, ConversationItem } from "./state";

/** Rows a chunk. Small: the last chunk is compared item by item on each change; large: few chunks to skip. */
const MAX_ROWS = 16;

export function append(chunks: readonly Chunk[], item: ConversationItem): readonly Chunk[] {
  const last = chunks.at(-1);
  if (last === undefined) return [newChunk(item.key, item)];
  const items = [...last.items, item];
  // A run of looking is one row, so it stays in one chunk.
  const isFull = items.length > MAX_ROWS && rowsOf(items).length > MAX_ROWS;
  // Ids of calls may come again: within a chunk a key names one.
  if (isFull || last.items.some(({ key }) => key === item.key)) {
    return [...chunks, newChunk(freeKey(chunks, item.key), item)];
  }
  return chunks.with(-1, { ...last, items });
}

const newChunk = (key: string, item: ConversationItem): Chunk => ({ key, items: [item] });

/** Two chunks never have one key. */
function freeKey(chunks: readonly Chunk[], wanted: string): string {
  const taken = new Set(chunks.map(({ key }) => key));
  let key = wanted;
  for (let place = chunks.length; taken.has(key); place += 1) key = `${wanted} ${place}`;
  return key;
}

/** Puts older chunks in front; a run of looking that was loaded in two pieces is one again. */
export function prepend(older: readonly Chunk[], chunks: readonly Chunk[]): readonly Chunk[] {
  const [last, first] = [older.at(-1), chunks[0]];
  if (last === undefined || first === undefined) return [...older, ...chunks];
  const items = [...last.items, ...first.items];
  // Within a chunk a key names one.
  if (new Set(items.map(({ key }) => key)).size < items.length) return [...older, ...chunks];
  if (rowsOf(items).length === rowsOf(last.items).length + rowsOf(first.items).length) return [...older, ...chunks];
  return [...older.slice(0, -1), { key: first.key, items }, ...chunks.slice(1)];
}

/** The newest item with this key. */
export function find(chunks: readonly Chunk[], key: string): ConversationItem | undefined {
  return chunks[lastWith(chunks, key)]?.items.find(item => item.key === key);
}

/** The same among the items of the newest two turns: what is new would be looked for in all of a long session. */
export function findRecent(chunks: readonly Chunk[], key: string): ConversationItem | undefined {
  let ends = 0;
  for (let at = chunks.length - 1; at >= 0 && ends < 2; at -= 1) {
    const items = chunks[at]?.items ?? [];
    for (let place = items.length - 1; place >= 0; place -= 1) {
      if (items[place]?.key === key) return items[place];
      if (items[place]?.kind === "end") ends += 1;
    }
  }
  return undefined;
}

/** Place of the newest chunk that has an item with this key; -1: none. Plain loops: a long session asks thousands of times. */
function lastWith(chunks: readonly Chunk[], key: string): number {
  for (let at = chunks.length - 1; at >= 0; at -= 1) {
    for (const item of chunks[at]?.items ?? []) if (item.key === key) return at;
  }
  return -1;
}

/** Replaces the newest item with this key; null takes it out. Searches from the end: that is where things change. */
export function replace(
  chunks: readonly Chunk[],
  key: string,
  change: (item: ConversationItem) => ConversationItem | null,
): readonly Chunk[] {
  const index = lastWith(chunks, key);
  const chunk = chunks[index];
  if (chunk === undefined) return chunks;
  const [changed] = mapItems([chunk], item => (item.key === key ? change(item) : item));
  if (changed === chunk) return chunks;
  return changed === undefined ? chunks.toSpliced(index, 1) : chunks.with(index, changed);
}

/** Puts the item in the place of the newest one with its key, or at the end. */
export function put(chunks: readonly Chunk[], item: ConversationItem): readonly Chunk[] {
  return findRecent(chunks, item.key) === undefined ? append(chunks, item) : replace(chunks, item.key, () => item);
}

/** Changes any item; null takes it out. Chunks in which nothing changed stay the same object. */
export function mapItems(
  chunks: readonly Chunk[],
  change: (item: ConversationItem) => ConversationItem | null,
): readonly Chunk[] {
  const next = chunks.map(chunk => {
    const items = chunk.items.map(change);
    if (items.every((item, index) => item === chunk.items[index])) return chunk;
    return { ...chunk, items: items.filter(item => item !== null) };
  });
  return next.every((chunk, index) => chunk === chunks[index]) ? chunks : next.filter(({ items }) => items.length > 0);
}

/** `mapItems` of the turn under way, what came since the newest end: ended turns are not looked at again. */
export function mapTurn(
  chunks: readonly Chunk[],
  change: (item: ConversationItem) => ConversationItem | null,
): readonly Chunk[] {
  const from = Math.max(
    0,
    chunks.findLastIndex(({ items }) => items.some(item => item.kind === "end")),
  );
  const turn = chunks.slice(from);
  const next = mapItems(turn, change);
  return next === turn ? chunks : [...chunks.slice(0, from), ...next];
}
