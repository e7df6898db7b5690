/** The conversation and its find bar: marks, the way to a match, the way from prompt to prompt, and their keys. */
import { type RefObject, useEffect, useSyncExternalStore } from "react";
import { findExpression } from "../../../../src/shared/findProtocol";
import { holdsText } from "../../controls/focus";
import type { FindState } from "../../panel/find";
import { usePanel } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { FoundMarks } from "./foundMarks";
import { nextPrompt } from "./nextPrompt";

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
      const { open, query, at } = find.get();
      marks.mark(open && query.text !== "" ? findExpression(query) : null, at);
    };
    const go = () => {
      const goal = find.takeGoal();
      if (goal !== undefined) marks.reveal(goal);
    };
    const ends = [
      marks.start(),
      find.subscribe(show),
      find.onReveal(go),
      find.lookFrom(() => marks.lowest()),
      find.onPromptAsked(async by => {
        const key = await nextPrompt(panel, box, inner, by);
        if (key !== undefined) marks.reveal({ key });
        else if (by > 0) jump();
      }),
    ];
    show();
    go();
    return () => {
      for (const end of ends) end();
    };
  }, [panel, scroller, content, leave, jump]);
}

/** Keys of the whole panel. @param show brings the conversation back where something else is shown in its place */
export function useFindKeys(show: () => void): void {
  const panel = usePanel();
  useEffect(() => {
    const ends = [panel.find.onOpen(show), panel.find.onReveal(show)];
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || !act(event, panel)) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => {
      document.removeEventListener("keydown", listen);
      for (const end of ends) end();
    };
  }, [panel, show]);
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
    find.askForPrompt(key === "ArrowUp" ? -1 : 1);
    return true;
  }
  return false;
}

/** What is selected, where it is a word or a few. */
function selectedWords(): string | undefined {
  const words = getSelection()?.toString().trim() ?? "";
  return words.length > 0 && words.length <= 200 && !words.includes("\n") ? words : undefined;
}
