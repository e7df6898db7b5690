/** One default button, and a menu of what else the same press can mean. */
import { type ComponentProps, type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { Button, Icon } from "./controls";
import { Popup, usePopup } from "./Popup";

export interface SplitItem {
  key: string;
  words: ReactNode;
  run(): void;
}

interface SplitButtonProps extends Omit<ComponentProps<typeof Button>, "primary"> {
  /** of the button that opens the menu, and of the menu */
  menuLabel: string;
  /** what stands above the items */
  heading?: string | undefined;
  items: readonly SplitItem[];
}

export function SplitButton({ menuLabel, heading, items, ...button }: SplitButtonProps) {
  const popup = usePopup();
  // the second click of a double click chooses nothing: the first one changed what stands here
  const open = (event: MouseEvent) => void (event.detail > 1 || popup.toggle());
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
          title={menuLabel}
          onClick={open}
        >
          <Icon name="chevron-down" />
        </button>
      )}
      {popup.open ? <SplitMenu label={menuLabel} heading={heading} items={items} popup={popup} /> : null}
    </span>
  );
}

interface SplitMenuProps extends Pick<SplitButtonProps, "heading" | "items"> {
  label: string;
  popup: ReturnType<typeof usePopup>;
}

function SplitMenu({ label, heading, items, popup }: SplitMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const options = () => [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  useEffect(() => {
    menu.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const all = options();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) all.at(to % all.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") popup.close();
    // a key that is held presses one item after the other
    else if (!(event.key === "Enter" && event.repeat)) return event.stopPropagation();
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Popup box={menu} className="menu upward" role="menu" label={label} popup={popup} onKeyDown={onKeyDown}>
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
