/** The ⋯ of a row: what can be done with it. */
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { IconButton } from "./controls";
import { menuKeys, Popup, placeBelow, usePopup } from "./Popup";

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
    menu.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });
  }, [popup.open]);
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
        <Popup
          box={menu}
          className="menu"
          role="menu"
          label={label}
          popup={popup}
          place={placeBelow}
          onKeyDown={menuKeys(menu, popup.close)}
        >
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
