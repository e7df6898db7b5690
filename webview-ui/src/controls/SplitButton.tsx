/** Buttons with a menu: one default and what else the same press can mean, or ⋯ alone. */
import type { ComponentProps, MouseEvent } from "react";
import { createPortal } from "react-dom";
import { Button, Icon, IconButton } from "./controls";
import { Menu, type MenuAction, usePopup } from "./Popup";

/** `aria-disabled` is of both halves: the focus stays where it is. */
interface SplitButtonProps extends Omit<ComponentProps<typeof Button>, "disabled"> {
  /** of the button that opens the menu, and of the menu */
  menuLabel: string;
  items: readonly MenuAction[];
}

export function SplitButton({ menuLabel, items, primary = true, ...button }: SplitButtonProps) {
  const popup = usePopup();
  const off = button["aria-disabled"];
  const isOff = off === true || off === "true";
  // the second click of a double click chooses nothing: the first one changed what stands here
  const open = (event: MouseEvent) => void (event.detail > 1 || isOff || popup.toggle());
  return (
    <span className={items.length > 0 ? "split" : "split single"}>
      <Button primary={primary} {...button} />
      {items.length === 0 ? null : (
        <button
          {...popup.opener}
          type="button"
          className={`button ${primary ? "primary " : ""}split-more`}
          aria-label={menuLabel}
          aria-disabled={off}
          title={menuLabel}
          onClick={open}
        >
          <Icon name="chevron-down" />
        </button>
      )}
      <FloatingMenu className="of-split" label={menuLabel} {...{ items, popup }} />
    </span>
  );
}

/** What scrolls, or is drawn by itself, would cut it off. */
const FloatingMenu = (menu: ComponentProps<typeof Menu>) =>
  menu.popup.open ? createPortal(<Menu {...menu} />, document.body) : null;

/** The ⋯ of rarer actions. @param inList at the right of a row */
export function MoreMenu({ label, items, inList }: { label: string; items: readonly MenuAction[]; inList?: true }) {
  const popup = usePopup();
  return (
    <span className={inList && "row-menu"}>
      <IconButton icon="ellipsis" label={label} {...popup.opener} />
      <FloatingMenu className={inList ? "of-row" : "of-more"} {...{ label, items, popup }} />
    </span>
  );
}
