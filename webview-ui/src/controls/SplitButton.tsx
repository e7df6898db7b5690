/** One default button, and a menu of what else the same press can mean. */
import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { Button, Icon } from "./controls";
import { menuKeys, Popup, placeClear, usePopup } from "./Popup";

export interface SplitItem {
  key: string;
  words: ReactNode;
  run(): void;
}

/** `aria-disabled` is of both halves: the focus stays where it is. */
interface SplitButtonProps extends Omit<ComponentProps<typeof Button>, "primary" | "disabled"> {
  /** of the button that opens the menu, and of the menu */
  menuLabel: string;
  /** what stands above the items */
  heading?: string | undefined;
  items: readonly SplitItem[];
}

export function SplitButton({ menuLabel, heading, items, ...button }: SplitButtonProps) {
  const popup = usePopup();
  const off = button["aria-disabled"];
  const isOff = off === true || off === "true";
  // the second click of a double click chooses nothing: the first one changed what stands here
  const open = (event: MouseEvent) => void (event.detail > 1 || isOff || popup.toggle());
  return (
    <span className={items.length > 0 ? "split" : "split single"}>
      <Button primary {...button} />
      {items.length === 0 ? null : (
        <button
          ref={popup.button}
          type="button"
          className="button primary split-more"
          aria-haspopup="menu"
          aria-expanded={popup.open}
          aria-label={menuLabel}
          aria-disabled={off}
          title={menuLabel}
          onClick={open}
        >
          <Icon name="chevron-down" />
        </button>
      )}
      {/* What scrolls, or is drawn by itself, would cut it off. */}
      {popup.open
        ? createPortal(<SplitMenu label={menuLabel} heading={heading} items={items} popup={popup} />, document.body)
        : null}
    </span>
  );
}

interface SplitMenuProps extends Pick<SplitButtonProps, "heading" | "items"> {
  label: string;
  popup: ReturnType<typeof usePopup>;
}

function SplitMenu({ label, heading, items, popup }: SplitMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    menu.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });
  }, []);
  return (
    <Popup
      box={menu}
      className="menu of-split"
      role="menu"
      label={label}
      popup={popup}
      place={placeClear}
      onKeyDown={menuKeys(menu, popup.close)}
    >
      {heading === undefined ? null : <p className="menu-heading quiet">{heading}</p>}
      {items.map(({ key, words, run }) => (
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
          <span>{words}</span>
        </button>
      ))}
    </Popup>
  );
}
