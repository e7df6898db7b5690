/** Hours of work go by: what is far above the end goes, from the page and from the store, while nobody is there. */
import { type RefObject, useEffect } from "react";
import { usePanel } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import type { Chunk } from "../../store/state";

/** Of a conversation higher than `MOST` the last `KEPT` stay, px: thirty screens. */
const MOST = 45_000;
const KEPT = 30_000;
/** So near to the end nobody reads what is far above it, px. */
const AT_END = 200;
/** A page that is never at rest is looked at anyway, ms. */
const PATIENCE_MS = 500;

/** @param whole what is drawn by itself is drawn: only now it is as high as it is */
export function useLetGo(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  chunks: readonly Chunk[],
  whole: boolean,
): void {
  const panel = usePanel();
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each of them the conversation may be too high
  useEffect(() => {
    if (!whole) return;
    const look = () => {
      if (scroller.current && content.current) panel.letGo(countToLetGo(panel, scroller.current, content.current));
    };
    // When it was drawn: then nothing is laid out for it.
    const handle = requestIdleCallback(look, { timeout: PATIENCE_MS });
    return () => cancelIdleCallback(handle);
  }, [panel, scroller, content, chunks, whole]);
}

/** How many chunks at the beginning nobody is at. */
function countToLetGo(panel: Panel, box: HTMLElement, content: HTMLElement): number {
  if (box.scrollHeight <= MOST || box.scrollHeight - box.scrollTop - box.clientHeight > AT_END) return 0;
  if (panel.find.get().open) return 0;
  const all = [...content.querySelectorAll(":scope > .chunk")];
  if (all.length !== panel.store.get().session.chunks.length) return 0;
  const end = content.getBoundingClientRect().bottom;
  const near = all.findIndex(chunk => end - chunk.getBoundingClientRect().top <= KEPT);
  const held = all.findIndex(isHeld);
  return Math.min(...[near, held].filter(at => at >= 0), all.length - 1);
}

/** Somebody has selected something in it, or is at it by key, or writes there. */
function isHeld(chunk: Element): boolean {
  const selection = getSelection();
  if (selection !== null && !selection.isCollapsed && selection.containsNode(chunk, true)) return true;
  return chunk.contains(document.activeElement) || chunk.querySelector("textarea, input, [contenteditable]") !== null;
}
