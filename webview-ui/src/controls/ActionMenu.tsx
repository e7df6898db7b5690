/** The ⋯ of a row: what can be done with it. */
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { IconButton } from "./controls";
import { Popup, usePopup } from "./Popup";

export interface MenuAction {
  key: string;
  words: ReactNode;
  /** as the page shows it: "F2" */
  keys?: string;
  run(): void;
}

export function ActionMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  const popup = usePopup();
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!popup.open) return;
    placeBelow(menu.current, popup.button.current);
    menu.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });
  }, [popup.open, popup.button]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const items = [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") popup.close();
    event.stopPropagation();
    if (to !== undefined || event.key === "Escape") event.preventDefault();
  };
  return (
    <span className="row-menu">
      <IconButton
        ref={popup.button}
        icon="ellipsis"
        label={label}
        tabIndex={-1}
        aria-haspopup="menu"
        aria-expanded={popup.open}
        onClick={popup.toggle}
      />
      {popup.open ? (
        <Popup box={menu} className="menu" role="menu" label={label} popup={popup} onKeyDown={onKeyDown}>
          {actions.map(({ key, words, keys, run }) => (
            <button
              key={key}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className="menu-item"
              onClick={() => {
                popup.close();
                run();
              }}
            >
              <span className="menu-action">{words}</span>
              {keys === undefined ? null : <span className="quiet">{keys}</span>}
            </button>
          ))}
        </Popup>
      ) : null}
    </span>
  );
}

const GAP = 4;

/** Where the row scrolls, a menu in it would be cut: it stands in the window, below the button as far as there is room. */
function placeBelow(menu: HTMLElement | null, button: HTMLElement | null): void {
  if (!menu || !button) return;
  const { bottom, right } = button.getBoundingClientRect();
  const lowest = window.innerHeight - menu.offsetHeight - GAP;
  menu.style.top = `${Math.max(GAP, Math.min(bottom + GAP, lowest))}px`;
  menu.style.right = `${Math.max(GAP, document.documentElement.clientWidth - right)}px`;
}
