import type { FocusEvent, KeyboardEvent, ReactNode, RefObject } from "react";
import { useLayoutEffect, useRef, useState } from "react";
import { Icon } from "./controls";
import { useFocusGivenBack } from "./focus";

type PopupState = ReturnType<typeof usePopup>;

/** A menu that a button opens. `leave`: the focus went elsewhere; `close` gives it back to the button. */
export function usePopup() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const leave = () => setOpen(false);
  const close = () => {
    leave();
    button.current?.focus();
  };
  const toggle = () => setOpen(!open);
  /** what its button has */
  const opener = { ref: button, "aria-haspopup": "menu", "aria-expanded": open, onClick: toggle } as const;
  return { open, button, close, leave, toggle, opener };
}

/** Keys of a menu that is open: arrows, Home and End go round its items, Escape and Tab close it, and no other key leaves it. */
function menuKeys(box: RefObject<HTMLElement | null>, close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const items = [...(box.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    event.stopPropagation();
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    // a key that is held presses one item after the other
    else if (!(event.key === "Enter" && event.repeat)) return;
    if (event.key !== "Tab") event.preventDefault();
  };
}

type Placing = (box: HTMLElement, button: HTMLElement) => void;

export interface MenuAction {
  key: string;
  words: ReactNode;
  /** as the page shows it: "F2" */
  keys?: string;
  /** of items of which one is chosen */
  checked?: boolean;
  run(): void;
}

interface MenuProps {
  className?: string;
  label: string;
  /** what stands above the items */
  heading?: string | undefined;
  items: readonly MenuAction[];
  popup: PopupState;
  /** Puts it where it belongs: when it opens, and whenever its button may have moved. */
  place: Placing;
}

/** The item that is chosen, else the first, has the focus. */
export function Menu({ className = "menu", label, heading, items, popup, place }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  usePlaced(box, popup.button, place);
  useFocusGivenBack(box, popup.button);
  useLayoutEffect(() => {
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector);
    (find("[aria-checked=true]") ?? find("[role^=menuitem]"))?.focus({ preventScroll: true });
  }, []);
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    // Left with Tab: nothing that is out of reach stays open. Without a target the whole window lost the focus.
    if (relatedTarget !== null && !box.current?.contains(relatedTarget)) popup.leave();
  };
  const onKeyDown = menuKeys(box, popup.close);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape does the same */}
      <div className="menu-backdrop" onClick={popup.close} />
      <div ref={box} className={className} role="menu" aria-label={label} tabIndex={-1} {...{ onBlur, onKeyDown }}>
        {heading === undefined ? null : <p className="menu-heading quiet">{heading}</p>}
        {items.map(({ key, words, keys, checked, run }) => (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: where it is none to choose from, it has none
          <button
            key={key}
            type="button"
            role={checked === undefined ? "menuitem" : "menuitemradio"}
            aria-checked={checked}
            tabIndex={-1}
            className="menu-item"
            onClick={() => {
              popup.close();
              run();
            }}
          >
            {checked === undefined ? null : <Icon name={checked ? "check" : "blank"} />}
            <span className="menu-action">{words}</span>
            {keys === undefined ? null : <span className="quiet">{keys}</span>}
          </button>
        ))}
      </div>
    </>
  );
}

/** Its button moves where something around it scrolls, or has another size: the window, the conversation as the footer grows. */
function usePlaced(box: RefObject<HTMLDivElement | null>, opener: PopupState["button"], place: Placing): void {
  useLayoutEffect(() => {
    const button = opener.current;
    const again = () => void (box.current && button && place(box.current, button));
    again();
    const listening = new AbortController();
    document.addEventListener("scroll", again, { passive: true, capture: true, signal: listening.signal });
    window.addEventListener("resize", again, { signal: listening.signal });
    const observer = new ResizeObserver(again);
    for (let around = button?.parentElement; around; around = around.parentElement) observer.observe(around);
    return () => {
      listening.abort();
      observer.disconnect();
    };
  }, [box, opener, place]);
}

/** px */
const TALLEST = 352;
const GAP = 8;
/** px, around what stands in the window */
const EDGE = 4;

/** As far to the right as the button, or as there is room. */
const leftOf = (box: HTMLElement, button: DOMRect) =>
  `${Math.max(EDGE, Math.min(button.left, window.innerWidth - box.offsetWidth - EDGE))}px`;

/** Above its button where there is room, else below it; never out of the panel. */
export function placeAbove(box: HTMLElement, opener: HTMLElement): void {
  const button = opener.getBoundingClientRect();
  const above = button.top - box.offsetHeight - EDGE;
  const lowest = window.innerHeight - box.offsetHeight - EDGE;
  box.style.top = `${Math.max(EDGE, Math.min(above >= EDGE ? above : button.bottom + EDGE, lowest))}px`;
  box.style.left = leftOf(box, button);
}

/** The same below it: where its row scrolls, a menu in it would be cut. */
export function placeBelow(box: HTMLElement, opener: HTMLElement): void {
  const { bottom, right } = opener.getBoundingClientRect();
  const lowest = window.innerHeight - box.offsetHeight - EDGE;
  box.style.top = `${Math.max(EDGE, Math.min(bottom + EDGE, lowest))}px`;
  box.style.right = `${Math.max(EDGE, document.documentElement.clientWidth - right)}px`;
}

/**
 * Where it hides nothing of what its button decides: below the button, else above the whole question; where neither has room,
 * right above the button.
 */
export function placeClear(menu: HTMLElement, opener: HTMLElement): void {
  const button = opener.parentElement?.getBoundingClientRect();
  const asked = opener.closest("[role=alertdialog], section")?.getBoundingClientRect();
  if (!button || !asked) return;
  const { style } = menu;
  style.maxHeight = "";
  const { offsetHeight: high } = menu;
  const isBelow = button.bottom + EDGE + high + EDGE <= window.innerHeight;
  const bottom = asked.top - EDGE - high >= EDGE ? asked.top : button.top;
  style.top = `${isBelow ? button.bottom + EDGE : Math.max(EDGE, bottom - EDGE - high)}px`;
  style.left = leftOf(menu, button);
  style.maxHeight = isBelow ? "" : `${bottom - 2 * EDGE}px`;
}

/** As tall as there is room between the top of the panel and the composer, however that has grown. */
export function fitAbove(menu: HTMLElement | null): void {
  const composer = menu?.parentElement;
  if (!menu || !composer) return;
  menu.style.maxHeight = `${Math.max(0, Math.min(TALLEST, composer.getBoundingClientRect().top - GAP))}px`;
}
