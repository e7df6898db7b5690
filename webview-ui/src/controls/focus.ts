import { type KeyboardEvent, useLayoutEffect, useRef } from "react";

/** The composer's text box by its id: whoever closes something gives the focus back to it. */
export const COMPOSER_ID = "composer-text";

export function focusComposer(): void {
  document.getElementById(COMPOSER_ID)?.focus({ preventScroll: true });
}

/** Where it goes away with the focus in it, the composer gets that. */
export function useFocusHandedOn<T extends HTMLElement>() {
  const box = useRef<T>(null);
  useLayoutEffect(() => {
    const element = box.current;
    return () => {
      if (element?.contains(document.activeElement)) focusComposer();
    };
  }, []);
  return box;
}

/** Somebody is writing there. */
export function holdsText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && /checkbox|radio/.test(target.type)) return false;
  return (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) && target.value !== "";
}

/** A letter, typed where nothing takes letters. */
export function isTyping(event: KeyboardEvent | globalThis.KeyboardEvent): boolean {
  if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !(event.target as Element).matches("input, textarea, select, [role^=menuitem]");
}
