import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { focusComposer } from "./composerFocus";

/** Focus moves to the question, but never out of text that is being typed and never out of the editor; then back. */
export function useTakeFocus(box: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = box.current;
    const active = document.activeElement;
    const typing = (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement) && active.value !== "";
    if (document.hasFocus() && !typing) element?.focus({ preventScroll: true });
    return () => {
      if (element?.contains(document.activeElement)) focusComposer();
    };
  }, [box]);
}

/** Ctrl+Enter (⌘ Enter) from anywhere in the panel allows the oldest question, if it can be seen; else it shows it. */
export function useAllowKey(box: RefObject<HTMLElement | null>, allow: () => void) {
  const latest = useRef(allow);
  latest.current = allow;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const element = box.current;
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || element === null) return;
      if (document.querySelector(".approval") !== element) return;
      event.preventDefault();
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom > 0 && top < window.innerHeight) latest.current();
      else element.scrollIntoView({ block: "nearest" });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [box]);
}
