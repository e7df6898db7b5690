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
  const known = new Map(before.map(chunk => [chunk.key, chunk]));
  const starts = new Set(known.keys());
  const cut: { key: string; items: ConversationItem[] }[] = [];
  const keys = new Set<string>();
  let [rows, inRun, isNew] = [0, false, true];
  for (const item of items) {
    const goesOn = inRun && (isLook(item) || isBetween(item));
    inRun = goesOn || isLook(item);
    const last = cut.at(-1);
    const isStart = starts.delete(item.key);
    const isFull = rows >= MAX_ROWS && !goesOn;
    if (last === undefined || keys.has(item.key) || isFull || (isStart && !(isNew && goesOn))) {
      const isTaken = cut.some(({ key }) => key === item.key);
      cut.push({ key: isTaken ? `${item.key} ${cut.length}` : item.key, items: [item] });
      keys.clear();
      [rows, isNew] = [0, !isStart];
    } else {
      last.items.push(item);
      // A run that was loaded in two pieces is one, in the chunk that is drawn already.
      if (isStart) [last.key, isNew] = [item.key, false];
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
