/** Rows and chunks of the conversation: calls that only read, one after the other, are one row. Pure. */
import { toolTraits } from "../../../src/shared/toolTraits";
import type { AnswerItem, Chunk, ConversationItem, ItemOf, ToolItem } from "./state";

/** What a run is made of: its calls, and thoughts between them. */
export type LooksItem = ToolItem | AnswerItem;

type ConversationRow =
  | { kind: "item"; key: string; item: ConversationItem }
  /** `key`: of its first call */
  | { kind: "looks"; key: string; items: readonly LooksItem[] };

/** What the todo line says needs no row: unless it went wrong. */
export const saidByTodoLine = ({ toolName, phase }: ItemOf<"tool">) =>
  toolTraits(toolName).row === "failures" &&
  (phase === "writing" || phase === "waiting" || phase === "running" || phase === "success");

/** A call that asks is a row of its own: it is answered there. */
const isLook = (item: ConversationItem): item is ToolItem =>
  item.kind === "tool" && toolTraits(item.toolName).looksAt !== undefined && item.phase !== "asking";

/** It parts no run: a thought without a word, and what has no row. */
const isBetween = (item: ConversationItem): item is LooksItem =>
  item.kind === "answer"
    ? !item.live && item.text === "" && !item.stopped && item.cutOff === null
    : item.kind === "tool" && saidByTodoLine(item);

export function rowsOf(items: readonly ConversationItem[]): ConversationRow[] {
  const rows: ConversationRow[] = [];
  let run: { key: string; items: LooksItem[] } | undefined;
  let between: LooksItem[] = [];
  const close = () => {
    if (run) rows.push({ kind: "looks", ...run });
    for (const item of between) rows.push({ kind: "item", key: item.key, item });
    [run, between] = [undefined, []];
  };
  for (const item of items) {
    if (isLook(item)) {
      run ??= { key: item.key, items: [] };
      run.items.push(...between, item);
      between = [];
    } else if (run && isBetween(item)) between.push(item);
    else {
      close();
      rows.push({ kind: "item", key: item.key, item });
    }
  }
  close();
  return rows;
}

/** Rows a chunk. Small: a change draws the last chunk anew; large: few chunks to skip. */
const MAX_ROWS = 16;

/**
 * Cuts the items into chunks, where they were cut before, so that no row moves from one to another; one in which nothing changed is
 * the same object. A run of looking stays in one chunk, and within a chunk a key names one item: ids of calls may come again.
 */
export function chunksOf(items: readonly ConversationItem[], before: readonly Chunk[]): readonly Chunk[] {
  // Where the last one stays, others may have come in front.
  const fromEnd = items.length > 0 && items.at(-1) === before.at(-1)?.items.at(-1);
  const firsts = new Set(before.map(chunk => chunk.items[0]?.key));
  const namesBefore = namesOf(
    before.flatMap(chunk => chunk.items),
    firsts,
    fromEnd,
  );
  const names = namesOf(items, firsts, fromEnd);
  const starts = new Map(before.map(chunk => [chunk.items[0] && namesBefore.get(chunk.items[0]), chunk.key]));
  const known = new Map(before.map(chunk => [chunk.key, chunk]));
  const taken = new Set(known.keys());
  const freeKey = (wanted: string) => {
    let key = wanted;
    for (let nth = taken.size; taken.has(key); nth += 1) key = `${wanted} ${nth}`;
    taken.add(key);
    return key;
  };
  const cut: { key: string; items: ConversationItem[] }[] = [];
  const keys = new Set<string>();
  let [rows, inRun, isNew] = [0, false, true];
  for (const item of items) {
    const goesOn = inRun && (isLook(item) || isBetween(item));
    inRun = goesOn || isLook(item);
    const last = cut.at(-1);
    const name = names.get(item);
    const start = name === undefined ? undefined : starts.get(name);
    const isFull = rows >= MAX_ROWS && !goesOn;
    if (last === undefined || keys.has(item.key) || isFull || (start !== undefined && !(isNew && goesOn))) {
      cut.push({ key: start ?? freeKey(item.key), items: [item] });
      keys.clear();
      [rows, isNew] = [0, start === undefined];
    } else {
      last.items.push(item);
      // A run that was loaded in two pieces is one, in the chunk that is drawn already.
      if (start !== undefined) [last.key, isNew] = [start, false];
    }
    keys.add(item.key);
    if (!goesOn) rows += 1;
  }
  const chunks = cut.map(chunk => {
    const old = known.get(chunk.key);
    return old?.items.length === chunk.items.length && old.items.every((item, at) => item === chunk.items[at])
      ? old
      : chunk;
  });
  return chunks.length === before.length && chunks.every((chunk, at) => chunk === before[at]) ? before : chunks;
}

/** What tells items with one of these keys from all others: the key, and how many with it come before them, or after. */
function namesOf(items: readonly ConversationItem[], keys: ReadonlySet<string | undefined>, fromEnd: boolean) {
  const counts = new Map<string, number>();
  const names = new Map<ConversationItem, string>();
  for (const item of fromEnd ? items.toReversed() : items) {
    if (!keys.has(item.key)) continue;
    const nth = (counts.get(item.key) ?? 0) + 1;
    counts.set(item.key, nth);
    names.set(item, `${item.key} ${nth}`);
  }
  return names;
}
