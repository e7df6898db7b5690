/** Runs of looking: calls that only read, one after the other, are one row of the conversation. Pure. */
import { toolTraits } from "../../../src/shared/toolTraits";
import type { AnswerItem, ConversationItem, ItemOf, ToolItem } from "./state";

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

/** A call that asks stands for itself: it is answered there. */
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
