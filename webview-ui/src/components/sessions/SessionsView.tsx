import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../../../src/shared/l10n";
import type { SessionSummary } from "../../../../src/shared/sessionsProtocol";
import { Icon, IconButton, LinkButton } from "../../controls/controls";
import { isTyping } from "../../controls/focus";
import { topsOf, WindowedList } from "../../controls/WindowedList";
import { usePanel, usePanelState, useSpoken } from "../../panel/hooks";
import { useFreshOverview, useSessionOverview, useSessionSearch } from "../../panel/sessionList";
import { foundLines, missingIn, type SessionGroupName, type SessionLine, sessionLines } from "../../text/sessionGroups";
import { DeletedRow, type SessionDeeds, SessionRow } from "./SessionRow";

/** px of the rows, at the page's own size of letters */
const HEIGHTS: Record<SessionLine["kind"], number> = { group: 28, session: 44, deleted: 44 };

/** The sessions of this workspace. Typing searches, arrows move, Enter opens, F2 renames, Delete deletes, Esc goes back. */
export function SessionsView({ close }: { close: () => void }) {
  const waiting = usePanelState(state => state.waiting);
  const { known, reload } = useSessionOverview(close);
  const [query, setQuery] = useState("");
  const [toggled, setToggled] = useState<ReadonlySet<SessionGroupName>>(new Set());
  const search = useSessionSearch(query);
  const isSearch = query.trim() !== "";
  const lines: SessionLine[] =
    known === null
      ? []
      : isSearch
        ? foundLines(search.hits, known.sessions)
        : sessionLines({ ...known, waiting }, toggled, Date.now());
  const scroller = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const heights = lines.map(({ kind }) => HEIGHTS[kind]);
  const focus = useRowFocus(lines, heights, scroller);
  const { deeds, renaming, undo } = useSessionDeeds({ close, reload, focusRow: focus.moveTo });
  const isWhole = known !== null && known.more === 0;
  useFreshOverview(reload, renaming !== null, isWhole ? missingIn(search.hits, known.sessions) : "");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (isTyping(event)) {
      // Not prevented: it goes into the box. The panel would move the focus into the composer.
      box.current?.focus();
      return event.stopPropagation();
    }
    if (event.key === "Escape") {
      if (query === "") close();
      else {
        setQuery("");
        box.current?.focus();
      }
    } else if (event.key === "ArrowUp" && focus.at <= 0 && event.target !== box.current) box.current?.focus();
    else if (event.target === box.current && event.key === "Enter") openFirst(lines, deeds);
    else if (!focus.onKey(event, box.current)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const row = (at: number) => {
    const line = lines[at];
    const active = at === focus.at;
    if (line?.kind === "group")
      return <GroupLine line={line} active={active} toggle={() => setToggled(flipped(toggled, line.group))} />;
    if (line?.kind === "deleted") return <DeletedRow deleted={line.deleted} active={active} deeds={deeds} />;
    if (line === undefined) return null;
    const words = isSearch ? query : "";
    return <SessionRow line={line} query={words} active={active} renaming={renaming === line.key} deeds={deeds} />;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the rows
    <div className="sessions" onKeyDown={onKeyDown}>
      <h2 className="visually-hidden">{t("Sessions")}</h2>
      <SearchBox box={box} query={query} setQuery={setQuery} />
      {undo}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the focus in a row tells which one is the list's tab stop */}
      <div ref={scroller} className="sessions-scroller" onFocus={focus.onFocus} onBlur={focus.onBlur}>
        <WindowedList
          {...{ scroller, heights, row }}
          keys={lines.map(({ key }) => key)}
          label={t("Sessions")}
          active={focus.at}
        />
        <ListNote known={known !== null} empty={lines.length === 0} query={query.trim()} searching={search.searching} />
      </div>
    </div>
  );
}

function openFirst(lines: readonly SessionLine[], deeds: SessionDeeds): void {
  const first = lines.find(({ kind }) => kind === "session");
  if (first?.kind === "session") deeds.open(first.session.id);
}

function flipped(toggled: ReadonlySet<SessionGroupName>, group: SessionGroupName): ReadonlySet<SessionGroupName> {
  const next = new Set(toggled);
  if (!next.delete(group)) next.add(group);
  return next;
}

interface SearchBoxProps {
  box: React.RefObject<HTMLInputElement | null>;
  query: string;
  setQuery(query: string): void;
}

function SearchBox({ box, query, setQuery }: SearchBoxProps) {
  useLayoutEffect(() => box.current?.focus(), [box]);
  return (
    <div className="sessions-search">
      <Icon name="search" />
      <input
        ref={box}
        type="search"
        dir="auto"
        aria-label={t("Search sessions")}
        placeholder={t("Search titles and text")}
        value={query}
        onChange={event => setQuery(event.target.value)}
      />
      {query === "" ? null : (
        <IconButton
          icon="close"
          label={t("Clear search")}
          onClick={() => {
            setQuery("");
            box.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** Said once when it changes: how much was found, or why there is nothing. */
function ListNote(props: { known: boolean; empty: boolean; query: string; searching: boolean }) {
  const { known, empty, query, searching } = props;
  const words = () => {
    if (!known) return t("Loading…");
    if (query !== "" && searching) return t("Searching…");
    if (!empty) return "";
    return query === "" ? t("No sessions in this workspace yet.") : t("No session contains “{0}”.", query);
  };
  useSpoken(words());
  return <p className="quiet sessions-empty">{words()}</p>;
}

const groupNames: Record<SessionGroupName, () => string> = {
  waiting: () => t("Waiting for you"),
  running: () => t("Working"),
  pinned: () => t("Pinned"),
  today: () => t("Today"),
  older: () => t("Older"),
  deleted: () => t("Deleted"),
};

interface GroupLineProps {
  line: Extract<SessionLine, { kind: "group" }>;
  active: boolean;
  toggle: () => void;
}

function GroupLine({ line: { group, size, open }, active, toggle }: GroupLineProps) {
  return (
    <h3 className="session-group">
      <button
        type="button"
        tabIndex={active ? 0 : -1}
        data-focus={active ? "" : undefined}
        aria-expanded={open}
        onClick={toggle}
      >
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        {groupNames[group]()}
        {open ? null : <span className="quiet">{size}</span>}
      </button>
    </h3>
  );
}

/**
 * One row is the list's tab stop; which, is known by its key, so that it stays where others come and go. Not `useRoving`: the
 * next row may not be drawn yet.
 */
function useRowFocus(
  lines: readonly SessionLine[],
  heights: readonly number[],
  scroller: React.RefObject<HTMLDivElement | null>,
) {
  const [key, setKey] = useState<string | null>(null);
  /** a row is to get the focus once it is drawn */
  const [due, setDue] = useState(false);
  const last = useRef(0);
  const isIn = useRef(false);
  const found = lines.findIndex(line => line.key === key);
  // Where the row went, the next one has its place.
  const first = lines.findIndex(({ kind }) => kind !== "group");
  const at = found >= 0 ? found : key === null ? Math.max(0, first) : Math.min(last.current, lines.length - 1);
  last.current = Math.max(0, at);
  useLayoutEffect(() => {
    const box = scroller.current;
    // Its row went away with the focus in it: the row in its place has it, where the list stands.
    if (!due && isIn.current && document.activeElement === document.body)
      box?.querySelector<HTMLElement>("[data-focus]")?.focus({ preventScroll: true });
    if (!due || at < 0) return;
    setDue(false);
    if (!box) return;
    const tops = topsOf(heights);
    const [top = 0, bottom = 0] = [tops[at], tops[at + 1]];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
    box.querySelector<HTMLElement>("[data-focus]")?.focus({ preventScroll: true });
  });
  const go = (to: number) => {
    setKey(lines[Math.max(0, Math.min(lines.length - 1, to))]?.key ?? null);
    setDue(true);
  };
  return {
    at,
    /** @param key absent: the row that is there now */
    moveTo(next?: string) {
      if (next !== undefined) setKey(next);
      setDue(true);
    },
    onBlur({ relatedTarget }: { relatedTarget: EventTarget | null }) {
      // null: the window lost it, or the row is gone
      isIn.current &&= relatedTarget === null;
    },
    onFocus({ target }: { target: EventTarget }) {
      isIn.current = true;
      const item = (target as Element).closest<HTMLElement>("li");
      const index = Number(item?.getAttribute("aria-posinset") ?? 0) - 1;
      const focused = lines[index];
      if (focused && focused.key !== key) setKey(focused.key);
    },
    /** false: no key of the list */
    onKey(event: KeyboardEvent, box: HTMLElement | null): boolean {
      const isBox = event.target === box;
      const row = (event.target as Element).closest("li");
      const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / HEIGHTS.session) - 1);
      if (event.key === "ArrowRight" && !isBox) row?.querySelector<HTMLElement>("[aria-haspopup]")?.focus();
      else if (event.key === "ArrowLeft" && !isBox) row?.querySelector<HTMLElement>("[data-focus]")?.focus();
      else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))
        row?.querySelector<HTMLElement>("[aria-haspopup]")?.click();
      else if (event.key === "ArrowDown") go(isBox ? Math.max(0, first) : at + 1);
      else if (event.key === "ArrowUp" && !isBox) go(at - 1);
      else if (event.key === "PageDown") go(at + page);
      else if (event.key === "PageUp" && !isBox) go(at - page);
      else if (event.key === "Home" && !isBox) go(0);
      else if (event.key === "End" && !isBox) go(lines.length - 1);
      else return false;
      return true;
    },
  };
}

interface DeedParts {
  close(): void;
  reload(): Promise<void>;
  focusRow(key?: string): void;
}

interface GoneSession {
  key: string;
  title: string;
  /** where it was shown, the session that is shown now in its place */
  instead?: string;
}

function useSessionDeeds({ close, reload, focusRow }: DeedParts) {
  const panel = usePanel();
  const current = usePanelState(state => state.session.sessionId);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [gone, setGone] = useState<GoneSession | null>(null);
  const isDone = async (asked: Promise<unknown>) => {
    const answer = await asked;
    await reload();
    return answer !== undefined;
  };
  const restore = async (key: string) => {
    const answer = await panel.ask("restoreSession", { key });
    if (answer) panel.leftInList.delete(answer.id);
    setGone(null);
    // What was shown before it was deleted is shown again; the empty session in its place goes.
    if (answer && key === gone?.key && gone.instead !== undefined && gone.instead === current) {
      panel.leftInList.add(current);
      await panel.openSession(answer.id);
    }
    await reload();
    focusRow(answer?.id);
  };
  const remove = async ({ id, title }: SessionSummary) => {
    // Where it is shown, a new one comes in its place before the answer does.
    panel.leftInList.add(id);
    const answer = await panel.ask("deleteSession", { id });
    if (answer) {
      const instead = id === current ? panel.store.get().session.sessionId : undefined;
      setGone({ key: answer.key, title: title || t("Untitled session"), ...(instead !== undefined && { instead }) });
    } else panel.leftInList.delete(id);
    await reload();
    focusRow();
  };
  const deeds: SessionDeeds = {
    open: id => void (id === current ? Promise.resolve() : panel.openSession(id)).then(close),
    openTab: id => void panel.ask("openSessionTab", { id }),
    beginRename: setRenaming,
    rename(id, title) {
      setRenaming(null);
      const renamed = title === null ? Promise.resolve(true) : isDone(panel.ask("renameSession", { id, title }));
      void renamed.then(() => focusRow(id));
    },
    pin: (id, pinned) => void isDone(panel.ask("pinSession", { id, pinned })).then(() => focusRow(id)),
    duplicate: id =>
      void panel.ask("duplicateSession", { id }).then(copy => reload().then(() => focusRow(copy?.id ?? id))),
    exportIt: id => void panel.ask("exportSession", { id }),
    remove: session => void remove(session),
    restore: key => void restore(key),
    purge: key => void isDone(panel.ask("purgeSession", { key })).then(() => focusRow()),
  };
  useSpoken(gone === null ? "" : t("Deleted “{0}”.", gone.title));
  const undo =
    gone === null ? null : (
      <p className="sessions-gone">
        <span dir="auto">{t("Deleted “{0}”.", gone.title)}</span>{" "}
        <LinkButton onClick={() => deeds.restore(gone.key)}>{t("Undo")}</LinkButton>
      </p>
    );
  return { deeds, renaming, undo };
}
