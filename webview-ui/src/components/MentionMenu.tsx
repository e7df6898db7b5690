import { useLayoutEffect, useRef } from "react";
import { type AttachmentKind, attachmentKind } from "../../../src/shared/mentions/attachments";
import type { MentionItem } from "../../../src/shared/mentions/panelProtocol";
import { Icon } from "../controls/controls";
import { type Menu, type Piece, pathPieces } from "../mentions/menu";
import { usePanelState } from "../panel/hooks";
import { count } from "../text/format";

const MENTION_LIST_ID = "mention-list";
const mentionOptionId = (index: number) => `mention-option-${index}`;

/** Above the composer, so that it covers nothing of what is typed; the focus stays in the text box. */
export function MentionMenu({ menu, choose }: { menu: Menu; choose: (item: MentionItem) => void }) {
  const { items, selected } = menu;
  const list = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => fitAbove(box.current));
  useLayoutEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const note = useNote(menu);
  // What they bring takes two lines: room for it is there before one is chosen.
  const hasAttachments = items.some(({ kind }) => kind === "attachment");
  if (items.length === 0 && note === undefined) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press on the menu leaves the focus where it is
    <div
      ref={box}
      className={isSearching(menu) ? "mention-menu searching" : "mention-menu"}
      onMouseDown={event => event.preventDefault()}
    >
      <div ref={list} id={MENTION_LIST_ID} className="mention-list" role="listbox" aria-label="What can be mentioned">
        {items.map((item, index) => (
          <Option key={item.mention} item={item} index={index} selected={index === selected} choose={choose} />
        ))}
      </div>
      {note === undefined ? null : (
        <div className={hasAttachments ? "mention-note tall" : "mention-note"}>
          {menu.indexing || isSearching(menu) ? <Icon name="loading codicon-modifier-spin" /> : null}
          {note}
        </div>
      )}
    </div>
  );
}

/** There is nothing yet, not even of what was typed before. */
const isSearching = ({ items, current, indexing }: Menu) => !current && !indexing && items.length === 0;

const TALLEST = 352;
const GAP = 8;

/** As tall as there is room between the top of the panel and the composer, however that has grown. */
export function fitAbove(menu: HTMLElement | null): void {
  const composer = menu?.parentElement;
  if (!menu || !composer) return;
  menu.style.maxHeight = `${Math.max(0, Math.min(TALLEST, composer.getBoundingClientRect().top - GAP))}px`;
}

interface OptionProps {
  item: MentionItem;
  index: number;
  selected: boolean;
  choose: (item: MentionItem) => void;
}

function Option({ item, index, selected, choose }: OptionProps) {
  const { label, hint, kind } = item;
  const { name, hint: folder } = pathPieces(label, item.positions);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text box's, which keeps the focus
    <div
      id={mentionOptionId(index)}
      className="mention-option"
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      title={kind === "attachment" ? hint : kind === "resource" ? `${label} ${hint ?? ""}` : label}
      onClick={() => choose(item)}
    >
      <Icon name={mentionIcon(kind, label)} />
      <span className="mention-name">
        {kind === "resource" ? label : <Pieces pieces={name} />}
        {kind === "folder" ? "/" : ""}
      </span>
      <span className="mention-hint">{hint === undefined ? <Pieces pieces={folder} /> : hint}</span>
    </div>
  );
}

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ text, matched }, index) =>
    matched ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
      <b key={index}>{text}</b>
    ) : (
      text
    ),
  );
}

/** What stands below the list: why there is nothing, what is still to come, or what else could be done. */
function useNote(menu: Menu): string | undefined {
  const { items, current, indexing, typed, selected } = menu;
  const hasNoFolder = usePanelState(state => state.surroundings?.workspace === "none");
  const choice = items[selected];
  if (choice?.kind === "attachment") return choice.hint;
  if (indexing) return items.length === 0 ? "Still indexing the files" : "Still indexing: more files will come";
  if (isSearching(menu)) return "Searching";
  if (current && items.length === 0) {
    return hasNoFolder ? "No folder is open, so there are no files to mention" : `Nothing matches “${typed.query}”`;
  }
  if (typed.query === "" && items.length > 0) return "Or hold Shift and drag files here from the explorer";
  return items.some(({ kind }) => kind === "attachment") ? "" : undefined;
}

/** For screen readers. */
export function spokenMenu({ items, current, indexing }: Menu): string {
  if (!current) return "";
  const more = indexing ? ", still indexing" : "";
  return items.length === 0 ? `Nothing matches${more}` : `${count(items.length, "suggestion")}${more}`;
}

/** While the menu is open the box is a combobox: screen readers then tell of the choice in the list. */
export function listAttributes(menu: Menu | undefined) {
  if (menu === undefined) return {};
  const hasItems = menu.items.length > 0;
  return {
    role: "combobox",
    "aria-haspopup": "listbox",
    "aria-autocomplete": "list",
    "aria-expanded": hasItems,
    ...(hasItems
      ? { "aria-controls": MENTION_LIST_ID, "aria-activedescendant": mentionOptionId(menu.selected) }
      : undefined),
  } as const;
}

const attachments: Record<AttachmentKind, string> = {
  problems: "warning",
  selection: "list-selection",
  changes: "diff",
  terminal: "terminal",
};

const code =
  "bash c cc clj cpp cs css cts cxx dart erl ex go h hpp hs html java jl js jsx kt less lua m mjs ml mts php pl ps1 py r rb rs scala scss sh sql svelte swift ts tsx vue xml zig";
const media = "avif bmp gif ico jpeg jpg mp3 mp4 ogg png svg wav webm webp";
const others: Record<string, string> = {
  md: "markdown",
  mdx: "markdown",
  json: "json",
  jsonc: "json",
  jsonl: "json",
  ipynb: "notebook",
  pdf: "file-pdf",
  zip: "file-zip",
  gz: "file-zip",
  tgz: "file-zip",
  "7z": "file-zip",
  txt: "file-text",
};

const byEnding = new Map([
  ...code.split(" ").map(ending => [ending, "file-code"] as const),
  ...media.split(" ").map(ending => [ending, "file-media"] as const),
  ...Object.entries(others),
]);

/** The codicon of what a mention names. @param path of a file or folder, or an attachment's name */
export function mentionIcon(kind: MentionItem["kind"], path: string): string {
  if (kind === "resource") return "plug";
  if (kind === "folder") return "folder";
  const attachment = attachmentKind(path);
  if (kind === "attachment" && attachment) return attachments[attachment];
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return byEnding.get(ending ?? "") ?? "file";
}
