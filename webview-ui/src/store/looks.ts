/** Rows and chunks of the conversation: calls that only read, one after the other, are one row. Pure. */
import { toolTraits } from "../../../src/shared/toolTraits";
import { idOf } from "./items";
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
    for (const item of between) rows.push({ kind: "item", key: idOf(item), item });
    [run, between] = [undefined, []];
  };
  for (const item of items) {
    if (isLook(item)) {
      run ??= { key: item.id, items: [] };
      run.items.push(...between, item);
      between = [];
    } else if (run && isBetween(item)) between.push(item);
    else {
      close();
      rows.push({ kind: "item", key: idOf(item), item });
    }
  }
  close();
  return rows;
}

/** Rows a chunk. Small: a change draws the last chunk anew; large: few chunks to skip. */
const MAX_ROWS = 16;

/**
 * Cuts the items into chunks, where they were cut before, so that no row moves from one to another; one in which nothing changed is
 * the same object. A run of looking stays in one chunk.
 */
export function chunksOf(items: readonly ConversationItem[], before: readonly Chunk[]): readonly Chunk[] {
  const { kept, from } = unchanged(items, before);
  const starts = new Map(before.slice(kept).map(chunk => [chunk.items[0] && idOf(chunk.items[0]), chunk]));
  const known = new Map(before.map(chunk => [chunk.key, chunk]));
  const cut: { key: string; items: ConversationItem[] }[] = [];
  let [rows, inRun, isNew] = [0, false, true];
  for (const item of items.slice(from)) {
    const goesOn = inRun && (isLook(item) || isBetween(item));
    inRun = goesOn || isLook(item);
    const id = idOf(item);
    const start = starts.get(id)?.key;
    const last = cut.at(-1);
    if (last === undefined || (start === undefined ? rows >= MAX_ROWS && !goesOn : !(isNew && goesOn))) {
      // It may be the name of a chunk that a longer run begins by now.
      cut.push({ key: start ?? (known.has(id) ? `${id} again` : id), items: [item] });
      [rows, isNew] = [0, start === undefined];
    } else {
      last.items.push(item);
      // A run that was loaded in two pieces is one, in the chunk that is drawn already.
      if (start !== undefined) [last.key, isNew] = [start, false];
    }
    if (!goesOn) rows += 1;
  }
  const chunks = cut.map(chunk => {
    const old = known.get(chunk.key);
    return old?.items.length === chunk.items.length && isAt(chunk.items, 0, old) ? old : chunk;
  });
  const all = [...before.slice(0, kept), ...chunks];
  return all.length === before.length && all.every((chunk, at) => chunk === before[at]) ? before : all;
}

/** How many chunks stay in front, and the items in them; new items may belong to the one behind them. */
function unchanged(items: readonly ConversationItem[], before: readonly Chunk[]) {
  let [kept, from, size] = [0, 0, 0];
  for (const chunk of before) {
    if (!isAt(items, from + size, chunk)) break;
    from += size;
    size = chunk.items.length;
    kept += 1;
  }
  return { kept: Math.max(0, kept - 1), from };
}

const isAt = (items: readonly ConversationItem[], from: number, chunk: Chunk) =>
  chunk.items.every((item, nth) => item === items[from + nth]);
