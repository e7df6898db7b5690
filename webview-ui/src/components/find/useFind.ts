/** The conversation and its find bar: marks, the way to a match, the way from prompt to prompt, and their keys. */
import { type RefObject, useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { findExpression } from "../../../../src/shared/findProtocol";
import { holdsText } from "../../controls/focus";
import { type FindState, matchAt } from "../../panel/find";
import { useListener, usePanel } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { FoundMarks } from "./foundMarks";

/** A prompt nearer to the upper edge than this is at it, px. */
const NEAR = 64;

/** The prompt above the part in sight, or the one below its upper edge; undefined: none. */
async function nextPrompt(panel: Panel, scroller: HTMLElement, content: HTMLElement, by: 1 | -1) {
  for (;;) {
    const { top } = scroller.getBoundingClientRect();
    const { items, hasOlder, firstSeq } = panel.store.get().session;
    const prompts = items.flatMap(({ kind, key }) => (kind === "user" ? [key] : []));
    const drawn = [...content.querySelectorAll<HTMLElement>(".user[data-item]")];
    const places = new Map(drawn.map(item => [item.dataset.item, item.getBoundingClientRect().top]));
    const below = (key: string) => (places.get(key) ?? Number.NEGATIVE_INFINITY) - top;
    const found = by < 0 ? prompts.findLast(key => below(key) < -4) : prompts.find(key => below(key) > NEAR);
    if (found !== undefined || by > 0 || !hasOlder) return found;
    await panel.older();
    // Refused, and said so.
    if (panel.store.get().session.firstSeq === firstSeq) return undefined;
  }
}

export function useFindState<T>(select: (state: FindState) => T): T {
  const { find } = usePanel();
  const selected = () => select(find.get());
  return useSyncExternalStore(find.subscribe, selected, selected);
}

/** @param go what following the newest has to do with it: to leave it, or to go back to it */
export function useFoundMarks(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  { leave, jump }: { leave(): void; jump(): void },
): void {
  const panel = usePanel();
  useEffect(() => {
    if (scroller.current === null || content.current === null) return;
    const { find } = panel;
    const [box, inner] = [scroller.current, content.current];
    const marks = new FoundMarks(box, inner, leave);
    const show = () => {
      const state = find.get();
      marks.mark(state.open && state.query.text !== "" ? findExpression(state.query) : null, matchAt(state));
    };
    const ends = [
      marks.start(),
      find.subscribe(show),
      find.revealed.on(goal => marks.reveal(goal, goal.nth === undefined)),
      find.promptAsked.on(async by => {
        const key = await nextPrompt(panel, box, inner, by);
        if (key !== undefined) marks.reveal({ key });
        else if (by > 0) jump();
      }),
    ];
    show();
    return () => {
      for (const end of ends) end();
    };
  }, [panel, scroller, content, leave, jump]);
}

/** Keys of the whole panel. @param show brings the conversation back where something else is shown in its place */
export function useFindKeys(show: () => void): void {
  const panel = usePanel();
  const onShow = useEffectEvent(show);
  useEffect(() => panel.find.opened.on(() => onShow()), [panel]);
  useEffect(() => panel.find.revealed.on(() => onShow()), [panel]);
  useListener("keydown", event => {
    if (!event.defaultPrevented && !event.isComposing && act(event, panel)) event.preventDefault();
  });
}

/** Whether the key was one of these. */
function act(event: KeyboardEvent, { find }: Panel): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const mac = navigator.platform.startsWith("Mac");
  const isPlain = !ctrlKey && !metaKey && !altKey;
  if (key.toLowerCase() === "f" && !altKey && !shiftKey && (mac ? metaKey && !ctrlKey : ctrlKey && !metaKey)) {
    find.open(selectedWords());
    return true;
  }
  if ((key === "F3" && isPlain) || (mac && key.toLowerCase() === "g" && metaKey && !ctrlKey && !altKey)) {
    if (!find.get().open) find.open();
    else find.step(shiftKey ? -1 : 1);
    return true;
  }
  if ((key === "ArrowUp" || key === "ArrowDown") && altKey && !ctrlKey && !metaKey && !shiftKey) {
    // There it goes by paragraphs.
    if (mac && holdsText(event.target)) return false;
    find.promptAsked.tell(key === "ArrowUp" ? -1 : 1);
    return true;
  }
  return false;
}

/** What is selected, where it is a word or a few. */
function selectedWords(): string | undefined {
  const words = getSelection()?.toString().trim() ?? "";
  return words.length > 0 && words.length <= 200 && !words.includes("\n") ? words : undefined;
}
