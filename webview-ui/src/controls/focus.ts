import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";

/** The composer's text box by its id: whoever closes something gives the focus back to it. */
export const COMPOSER_ID = "composer-text";

export function focusComposer(): void {
  document.getElementById(COMPOSER_ID)?.focus({ preventScroll: true });
}

/**
 * Where it goes away with the focus in it, the composer gets that.
 * @param heir a button in it: the one that takes its place gets the focus that it had
 */
export function useFocusHandedOn<T extends HTMLElement>(heir?: RefObject<HTMLElement | null>) {
  const box = useRef<T>(null);
  useLayoutEffect(() => {
    const element = box.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const had = heir?.current === document.activeElement;
      focusComposer();
      // A card that came with it keeps it.
      const isFree = () => document.activeElement?.id === COMPOSER_ID;
      if (had) queueMicrotask(() => isFree() && heir?.current?.focus({ preventScroll: true }));
    };
  }, [heir]);
  return box;
}

/** The same of what floats: the button that opened it gets the focus, unless that went too. */
export function useFocusGivenBack(box: RefObject<HTMLElement | null>, button: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = box.current;
    const opener = button.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      // Whether its button stays is known when all has changed; what took the focus meanwhile keeps it.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        if (opener?.isConnected) opener.focus({ preventScroll: true });
        else focusComposer();
      });
    };
  }, [box, button]);
}

/** For who opened it, to write on. */
export function focusAtEnd(box: HTMLTextAreaElement | null): void {
  box?.focus({ preventScroll: true });
  box?.setSelectionRange(box.value.length, box.value.length);
}

/** A key handler: Escape leaves, and nothing around it hears the key then. */
export const onEscape = (leave: () => void) => (event: KeyboardEvent) => {
  if (event.defaultPrevented || event.nativeEvent.isComposing || event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  leave();
};

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
