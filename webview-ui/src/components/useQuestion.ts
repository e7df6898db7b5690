import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { usePanelState } from "../hooks";
import { focusComposer } from "./composerFocus";

/** A key meant for what stood there before must not answer a question that nobody has seen yet, ms. */
const TOO_SOON_MS = 300;

/** Focus moves to the question, but never out of text that is being typed and never out of the editor; then back. */
export function useTakeFocus(box: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = box.current;
    const typing = holdsText(document.activeElement);
    if (document.hasFocus() && !typing) element?.focus({ preventScroll: true });
    return () => {
      if (element?.contains(document.activeElement)) focusComposer();
    };
  }, [box]);
}

function holdsText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && target.type === "checkbox") return false;
  return (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) && target.value !== "";
}

/**
 * Ctrl+Enter (⌘ Enter) from anywhere in the panel allows the oldest question, if it can be seen; else it shows it. Not
 * from text that is being written, not by a key that is held, and not before the question could be noticed.
 */
export function useAllowKey(box: RefObject<HTMLElement | null>, allow: () => void) {
  const latest = useRef(allow);
  latest.current = allow;
  const oldest = usePanelState(state => state.session.questions[0]);
  const since = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time begins anew with another question in front
  useEffect(() => {
    since.current = performance.now();
  }, [oldest]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const element = box.current;
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || element === null) return;
      if (event.repeat || event.defaultPrevented || holdsText(event.target)) return;
      if (document.querySelector(".approval") !== element) return;
      event.preventDefault();
      if (performance.now() - since.current < TOO_SOON_MS) return;
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom > 0 && top < window.innerHeight) latest.current();
      else element.scrollIntoView({ block: "nearest" });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [box]);
}
