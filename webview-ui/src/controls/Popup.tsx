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
}

/** The item that is chosen, else the first, has the focus. Its class says where it stands by its button (controls.css). */
export function Menu({ className = "", label, heading, items, popup }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
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
      <div
        ref={box}
        className={`menu ${className}`}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        {...{ onBlur, onKeyDown }}
      >
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
