import { type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { useFocusGivenBack } from "./focus";

/** A menu or dialog that a button opens. */
export interface PopupState {
  open: boolean;
  button: RefObject<HTMLButtonElement | null>;
  toggle(): void;
  /** gives the focus back to the button */
  close(): void;
  /** the focus went elsewhere */
  leave(): void;
}

export function usePopup(): PopupState {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const leave = () => setOpen(false);
  const close = () => {
    leave();
    button.current?.focus();
  };
  return { open, button, close, leave, toggle: () => setOpen(!open) };
}

/** Keys of a menu that is open: arrows, Home and End go round its items, Escape and Tab close it, and no other key leaves it. */
export function menuKeys(box: RefObject<HTMLElement | null>, close: () => void) {
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

interface PopupProps {
  box: RefObject<HTMLDivElement | null>;
  className: string;
  role: "menu" | "dialog";
  label: string;
  popup: Pick<PopupState, "button" | "close" | "leave">;
  onKeyDown(event: KeyboardEvent): void;
  children: ReactNode;
}

export function Popup({ box, className, role, label, popup, onKeyDown, children }: PopupProps) {
  useFocusGivenBack(box, popup.button);
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    // Left with Tab: nothing that is out of reach stays open. Without a target the whole window lost the focus.
    if (relatedTarget !== null && !box.current?.contains(relatedTarget)) popup.leave();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Escape does the same */}
      <div className="menu-backdrop" onClick={popup.close} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useAriaPropsSupportedByRole: its role is given */}
      <div
        ref={box}
        className={className}
        role={role}
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      >
        {children}
      </div>
    </>
  );
}

/** px */
const TALLEST = 352;
const GAP = 8;
/** px, around a menu that stands in the window */
const EDGE = 4;

/**
 * Where it hides nothing of what its button decides: below the button, else above the whole question; where neither has room,
 * right above the button.
 */
export function placeClear(menu: HTMLElement | null, opener: HTMLElement | null): void {
  const button = opener?.parentElement?.getBoundingClientRect();
  const asked = opener?.closest("[role=alertdialog], section")?.getBoundingClientRect();
  if (!menu || !button || !asked) return;
  const { style } = menu;
  style.maxHeight = "";
  const { offsetHeight: high, offsetWidth: wide } = menu;
  const isBelow = button.bottom + EDGE + high + EDGE <= window.innerHeight;
  const bottom = asked.top - EDGE - high >= EDGE ? asked.top : button.top;
  style.top = `${isBelow ? button.bottom + EDGE : Math.max(EDGE, bottom - EDGE - high)}px`;
  style.left = `${Math.max(EDGE, Math.min(button.left, window.innerWidth - wide - EDGE))}px`;
  style.maxHeight = isBelow ? "" : `${bottom - 2 * EDGE}px`;
}

/** As tall as there is room between the top of the panel and the composer, however that has grown. */
export function fitAbove(menu: HTMLElement | null): void {
  const composer = menu?.parentElement;
  if (!menu || !composer) return;
  menu.style.maxHeight = `${Math.max(0, Math.min(TALLEST, composer.getBoundingClientRect().top - GAP))}px`;
}
