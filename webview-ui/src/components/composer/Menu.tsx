import { useLayoutEffect, useRef } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import { Icon, Pieces } from "../../controls/controls";
import type { Menu, MenuItem } from "../../mentions/menu";
import { usePanelState } from "../../panel/hooks";

const LIST_ID = "menu-list";
const optionId = (index: number) => `menu-option-${index}`;

/** Above the composer, so that it covers nothing of what is typed; the focus stays in the text box. */
export function ComposerMenu({ menu, choose }: { menu: Menu; choose: (item: MenuItem) => void }) {
  const { subject, items, selected } = menu;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const note = useNote(menu);
  // There is nothing yet, not even of what was typed before.
  const isSearching = !menu.current && !menu.indexing && items.length === 0;
  const look = isSearching ? "searching" : "";
  const label = subject.of === "mention" ? t("What can be mentioned") : t("Commands, skills and prompts");
  if (items.length === 0 && note === undefined) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press on the menu leaves the focus where it is
    <div className={`mention-menu ${look}`} onMouseDown={event => event.preventDefault()}>
      <div ref={list} id={LIST_ID} className="mention-list" role="listbox" aria-label={label}>
        {items.map((item, index) => (
          <Option key={item.text} item={item} index={index} selected={index === selected} choose={() => choose(item)} />
        ))}
      </div>
      {note === undefined ? null : (
        <div className="mention-note">
          {menu.indexing || isSearching ? <Icon name="loading codicon-modifier-spin" /> : null}
          {note}
        </div>
      )}
    </div>
  );
}

type OptionProps = { item: MenuItem; index: number; selected: boolean; choose(): void };

function Option({ item: { icon, name, after, hint, title }, index, selected, choose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text box's, which keeps the focus
    <div
      id={optionId(index)}
      className={icon === undefined ? "mention-option plain" : "mention-option"}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      title={title}
      onClick={choose}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <span className="mention-name">
        <Pieces pieces={name} />
        {after ? <span className="mention-after quiet"> {after}</span> : null}
      </span>
      <span className="mention-hint">
        <Pieces pieces={hint} />
      </span>
    </div>
  );
}

/** What stands below a list of mentions: why there is nothing, what is still to come, or what else could be done. */
function useNote({ subject, items, current, indexing }: Menu): string | undefined {
  const hasNoFolder = usePanelState(state => state.surroundings?.workspace === "none");
  if (subject.of !== "mention") return undefined;
  if (indexing) return items.length === 0 ? t("Still indexing the files") : t("Still indexing: more files will come");
  if (items.length === 0) {
    if (!current) return t("Searching");
    return hasNoFolder
      ? t("No folder is open, so there are no files to mention")
      : t("Nothing matches “{0}”", subject.query);
  }
  return subject.query === "" ? t("Or hold Shift and drag files here from the explorer") : undefined;
}

/** For screen readers. */
export function spokenMenu({ subject, items, current, indexing }: Menu): string {
  if (!current || (subject.of !== "mention" && items.length === 0)) return "";
  const found = items.length === 0 ? t("Nothing matches") : plural(items.length, "1 suggestion", "{0} suggestions");
  return indexing ? t("{0}, still indexing", found) : found;
}

/** While the menu is open the box is a combobox: screen readers then tell of the choice in the list. */
export function listAttributes(menu: Menu | undefined) {
  if (menu === undefined) return {};
  const { items, selected, subject } = menu;
  const hasItems = items.length > 0;
  if (subject.of !== "mention" && !hasItems) return {};
  return {
    role: "combobox",
    "aria-haspopup": "listbox",
    "aria-autocomplete": "list",
    "aria-expanded": hasItems,
    ...(hasItems && { "aria-controls": LIST_ID, "aria-activedescendant": optionId(selected) }),
  } as const;
}
