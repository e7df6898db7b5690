import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { later } from "../../../src/shared/async";
import type { CallableName } from "../../../src/shared/slashCommand";
import { ArgumentProposals, type Proposals } from "../mentions/proposals";
import { completed, type SlashItem, slashMenu } from "../mentions/slash";
import { usePanel, usePanelState } from "../panel/hooks";
import { fitAbove } from "./MentionMenu";

const SLASH_LIST_ID = "slash-list";
const optionId = (index: number) => `slash-option-${index}`;

/**
 * What a message that begins with a slash may become. `textChanged` is told of every text: only one that begins so renders
 * anything.
 */
export function useSlashMenu(put: (text: string) => void) {
  const callable = useCallable();
  const [typed, setTyped] = useState<string>();
  const [selected, setSelected] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const { names, refresh } = callable;
  const { proposals, control } = useProposals(names);
  const [textChanged] = useState(() => (text: string, atEnd: boolean) => {
    control.textChanged(text, atEnd);
    const isCommand = text.startsWith("/") && !text.includes("\n");
    if (text === "/") void refresh();
    setTyped(isCommand ? text : undefined);
    setSelected(0);
    setDismissed(false);
  });
  const menu = typed === undefined || dismissed ? undefined : slashMenu(typed, names);
  const choose = (item: SlashItem) => put(completed(item));
  /** @returns whether the key is the menu's */
  const key = (pressed: string): boolean => {
    if (menu?.written) {
      const wanted = control.key(pressed);
      if (typeof wanted === "string") put(wanted);
      return wanted !== false;
    }
    if (menu === undefined) return false;
    const { length } = menu.items;
    const item = menu.items[Math.min(selected, length - 1)];
    if (pressed === "ArrowDown" || pressed === "ArrowUp") {
      setSelected((selected + (pressed === "ArrowDown" ? 1 : length - 1)) % length);
      return true;
    }
    if (pressed === "Escape") {
      setDismissed(true);
      return true;
    }
    if (item === undefined || !(pressed === "Tab" || pressed === "Enter")) return false;
    // The whole name stands there already: Enter sends it.
    if (pressed === "Enter" && typed === `/${item.name}`) return false;
    choose(item);
    return true;
  };
  return { menu, proposals, selected, choose, put, key, textChanged, names };
}

/** What a server proposes for what is typed behind the name of its prompt. */
function useProposals(names: readonly CallableName[]) {
  const panel = usePanel();
  const [proposals, show] = useState<Proposals>();
  const known = useRef(names);
  useEffect(() => {
    known.current = names;
  }, [names]);
  const [control] = useState(
    () =>
      new ArgumentProposals({
        ask: question => panel.proposals(question),
        callable: () => known.current,
        show,
        later,
      }),
  );
  useEffect(() => () => control.close(), [control]);
  return { proposals, control };
}

/** The skills and prompts that can be called; asked for anew whenever a command is begun. */
function useCallable() {
  const panel = usePanel();
  const [names, setNames] = useState<readonly CallableName[]>([]);
  const [refresh] = useState(() => async () => setNames(await panel.callable()));
  return { names, refresh };
}

type Control = ReturnType<typeof useSlashMenu>;

/** Above the composer; the focus stays in the text box. */
export function SlashMenu({ control: { menu, proposals, selected, choose, put } }: { control: Control }) {
  const idle = usePanelState(state => state.session.run === "idle");
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const inSight = proposals ? (proposals.selected ?? -1) + 1 : selected;
    list.current?.children[inSight]?.scrollIntoView({ block: "nearest" });
  }, [selected, proposals]);
  useLayoutEffect(() => fitAbove(list.current));
  if (menu === undefined) return null;
  return (
    <div
      ref={list}
      id={SLASH_LIST_ID}
      className="mention-menu slash-menu"
      role="listbox"
      aria-label="Commands, skills and prompts"
      onMouseDown={event => event.preventDefault()}
    >
      {menu.items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text box's, which keeps the focus
        <div
          key={item.name}
          id={optionId(index)}
          className="mention-option"
          role="option"
          aria-selected={!menu.written && index === selected}
          tabIndex={-1}
          title={item.meaning}
          onClick={() => choose(item)}
        >
          <span className="mention-name">
            /{item.name} {item.after === "" ? null : <span className="quiet">{item.after}</span>}
          </span>
          <span className="mention-hint">{!item.own || idle ? item.meaning : whileRunning(item)}</span>
        </div>
      ))}
      {proposals?.items.map(({ value, text }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text box's, which keeps the focus
        <div
          key={value}
          id={optionId(index + 1)}
          className="mention-option"
          role="option"
          aria-selected={index === proposals.selected}
          tabIndex={-1}
          title={value}
          onClick={() => put(text)}
        >
          <span className="mention-name">{value}</span>
          <span className="mention-hint">{index === 0 ? proposals.name : ""}</span>
        </div>
      ))}
    </div>
  );
}

/** History is not changed under a turn that runs. */
const waits: readonly string[] = ["compact", "undo", "redo"];
const whileRunning = ({ name, meaning }: SlashItem) =>
  waits.includes(name) ? "Once the agent is done, or stopped" : meaning;

/** While the menu is open the box is a combobox: screen readers then tell of the choice in the list. */
export function slashAttributes({ menu, proposals, selected }: Control) {
  const active = menu?.written ? proposals && (proposals.selected ?? -1) + 1 : selected;
  if (menu === undefined || active === undefined) return {};
  return {
    role: "combobox",
    "aria-haspopup": "listbox",
    "aria-autocomplete": "list",
    "aria-expanded": true,
    "aria-controls": SLASH_LIST_ID,
    "aria-activedescendant": optionId(active),
  } as const;
}
