import type { KeyboardEvent, RefObject, SetStateAction } from "react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { stateWord } from "../../../../src/shared/entry";
import { t } from "../../../../src/shared/l10n";
import type { PanelResult } from "../../../../src/shared/panelProtocol";
import type { SessionHit, SessionSummary } from "../../../../src/shared/sessionsProtocol";
import { Icon, IconButton, LinkButton, Toggle } from "../../controls/controls";
import { isTyping } from "../../controls/focus";
import { useOpenRows } from "../../controls/RowGrid";
import { ROVING_ROW, useRoving } from "../../controls/roving";
import { useReloaded } from "../../panel/answers";
import { usePanel, usePanelState, useSpoken } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { capital } from "../../text/format";
import { foundLines, type SessionGroupName, type SessionLine, sessionLines } from "../../text/sessionGroups";
import { DeletedRow, type SessionDeeds, SessionRow } from "./SessionRow";

/** Rows that are drawn at once, and with each "Show more". */
const PAGE = 200;

/** The sessions of this workspace. Typing searches, arrows move, Enter opens, F2 renames, Delete deletes, Esc goes back. */
export function SessionsView({ close }: { close: () => void }) {
  const waiting = usePanelState(state => state.waiting);
  const [renaming, setRenaming] = useState<string | null>(null);
  const { known, reload } = useSessionOverview(renaming !== null, close);
  const [query, setQuery] = useState("");
  const [most, setMost] = useState(PAGE);
  const [toggled, toggle] = useOpenRows<SessionGroupName>();
  const search = useSessionSearch(query);
  const isSearch = query.trim() !== "";
  const grouped = () => (known ? sessionLines({ ...known, waiting }, toggled, Date.now()) : []);
  const lines = isSearch ? foundLines(search.hits, known?.sessions ?? []) : grouped();
  const box = useRef<HTMLInputElement>(null);
  const roving = useRoving<HTMLUListElement>();
  const list = roving.ref;
  const focusRow = useRowFocus(list);
  const { deeds, undo } = useSessionDeeds({ close, reload, focusRow, setRenaming });
  const clear = () => {
    setQuery("");
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (isTyping(event)) {
      // Not prevented: it goes into the box. The panel would move the focus into the composer.
      box.current?.focus();
      return event.stopPropagation();
    }
    const isBox = event.target === box.current;
    const row = (event.target as Element).closest("li");
    if (event.key === "Escape") (query === "" ? close : clear)();
    else if (event.key === "ArrowUp" && row !== null && row === list.current?.firstElementChild) box.current?.focus();
    else if (isBox && event.key === "Enter") openFirst(lines, deeds);
    else if (isBox && event.key === "ArrowDown") focusFirst(list.current, ".session-row :enabled", ":enabled");
    else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))
      row?.querySelector<HTMLElement>("[aria-haspopup]")?.click();
    else return roving.onKeyDown(event);
    event.preventDefault();
    event.stopPropagation();
  };
  const rowOf = (line: SessionLine) => {
    if (line.kind === "group") return <GroupLine line={line} toggle={() => toggle(line.group)} />;
    if (line.kind === "deleted") return <DeletedRow deleted={line.deleted} deeds={deeds} />;
    return <SessionRow line={line} query={isSearch ? query : ""} renaming={renaming === line.key} deeds={deeds} />;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the rows
    <div className="sessions" onKeyDown={onKeyDown}>
      <h2 className="visually-hidden">{t("Sessions")}</h2>
      <SearchBox {...{ box, query, setQuery, clear }} />
      {undo}
      <div className="sessions-scroller">
        <ul aria-label={t("Sessions")} {...roving} onKeyDown={undefined}>
          {lines.slice(0, most).map(line => (
            <li
              key={line.key}
              className={line.kind === "group" ? "of-group" : undefined}
              data-key={line.key}
              {...ROVING_ROW}
            >
              {rowOf(line)}
            </li>
          ))}
          {lines.length > most ? (
            <li {...ROVING_ROW}>
              <LinkButton onClick={() => setMost(most + PAGE)}>{t("Show more")}</LinkButton>
            </li>
          ) : null}
        </ul>
        <ListNote known={known !== null} empty={lines.length === 0} query={query.trim()} searching={search.searching} />
      </div>
    </div>
  );
}

/** @returns gives a session's row the focus, or the list's tab stop where it is not drawn; without a key the row in its place has it */
function useRowFocus(list: RefObject<HTMLElement | null>): (key?: string) => void {
  const [due, setDue] = useState<string>();
  useLayoutEffect(() => {
    if (due === undefined) return;
    focusFirst(list.current, `[data-key="${CSS.escape(due)}"] .session`, "[tabindex='0']");
    setDue(undefined);
  });
  return setDue;
}

function focusFirst(list: HTMLElement | null, wanted: string, otherwise: string): void {
  (list?.querySelector<HTMLElement>(wanted) ?? list?.querySelector<HTMLElement>(otherwise))?.focus();
}

function openFirst(lines: readonly SessionLine[], deeds: SessionDeeds): void {
  const first = lines.find(({ kind }) => kind === "session");
  if (first?.kind === "session") deeds.open(first.session.id);
}

interface SearchBoxProps {
  box: RefObject<HTMLInputElement | null>;
  query: string;
  setQuery(query: string): void;
  clear(): void;
}

function SearchBox({ box, query, setQuery, clear }: SearchBoxProps) {
  useLayoutEffect(() => box.current?.focus(), [box]);
  return (
    <div className="sessions-search">
      <Icon name="search" />
      <input
        ref={box}
        className="field"
        type="search"
        dir="auto"
        aria-label={t("Search sessions")}
        placeholder={t("Search titles and text")}
        value={query}
        onChange={event => setQuery(event.target.value)}
      />
      {query === "" ? null : <IconButton icon="close" label={t("Clear search")} onClick={clear} />}
    </div>
  );
}

/** Said once when it changes: how much was found, or why there is nothing. */
function ListNote(props: { known: boolean; empty: boolean; query: string; searching: boolean }) {
  const { known, empty, query, searching } = props;
  const none = query === "" ? t("No sessions in this workspace yet.") : t("No session contains “{0}”.", query);
  const found = query !== "" && searching ? t("Searching…") : empty ? none : "";
  const words = known ? found : t("Loading…");
  useSpoken(words);
  return <p className="quiet sessions-empty">{words}</p>;
}

const groupNames: Record<SessionGroupName, () => string> = {
  waiting: () => capital(stateWord("waiting")),
  running: () => capital(stateWord("running")),
  pinned: () => t("Pinned"),
  today: () => t("Today"),
  older: () => t("Older"),
  deleted: () => t("Deleted"),
};

function GroupLine({ line, toggle }: { line: Extract<SessionLine, { kind: "group" }>; toggle(): void }) {
  const { group, size, open } = line;
  return (
    <h3 className="session-group">
      <Toggle open={open} onClick={toggle}>
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        {groupNames[group]()}
        {open ? null : <span className="quiet">{size}</span>}
      </Toggle>
    </h3>
  );
}

interface DeedParts {
  close(): void;
  reload(): Promise<void>;
  focusRow(key?: string): void;
  /** null: no row's name is written */
  setRenaming(key: string | null): void;
}

function useSessionDeeds({ close, reload, focusRow, setRenaming }: DeedParts) {
  const panel = usePanel();
  const current = usePanelState(state => state.session.sessionId);
  const [gone, setGone] = useState<{ key: string; title: string } | null>(null);
  const isDone = async (asked: Promise<unknown>) => {
    const answer = await asked;
    await reload();
    return answer !== undefined;
  };
  const restore = async (key: string) => {
    const answer = await panel.ask("restoreSession", { key });
    if (answer) panel.leftInList.delete(answer.id);
    setGone(null);
    await reload();
    focusRow(answer?.id);
  };
  const remove = async ({ id, title }: SessionSummary) => {
    // Where it is shown, a new one comes in its place before the answer does.
    panel.leftInList.add(id);
    const answer = await panel.ask("deleteSession", { id });
    if (answer) setGone({ key: answer.key, title: title || t("Untitled session") });
    else panel.leftInList.delete(id);
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
  return { deeds, undo };
}

type HitPage = PanelResult<"searchSessions">;

/** null: not known yet. @param held a person writes in a row, which may go: it is asked afterwards */
function useSessionOverview(held: boolean, onRefused: () => void) {
  const changes = usePanelState(state => state.sessionChanges);
  const ask = async (panel: Panel) => {
    const overview = await panel.ask("sessions", {});
    if (overview === undefined && known === null) onRefused();
    return overview && { deleted: [], ...overview };
  };
  const { answer: known, reload } = useReloaded(ask, { cause: String(changes), onFocus: true, held });
  return { known, reload };
}

/** ms without a letter before the search begins */
const PAUSE_MS = 150;
/** Who sees so many types another word. */
const MAX_HITS = 300;

type SearchUnderWay = { hits: readonly SessionHit[]; searching: boolean };

/** The hits so far; of nothing, none. */
function useSessionSearch(query: string): SearchUnderWay {
  const panel = usePanel();
  const [found, setFound] = useState<SearchUnderWay>({ hits: [], searching: false });
  useEffect(() => {
    const words = query.trim();
    if (words === "") return setFound({ hits: [], searching: false });
    let wanted = true;
    const set = (next: SetStateAction<SearchUnderWay>) => wanted && setFound(next);
    const search = async () => {
      let hits: readonly SessionHit[] = [];
      for (let from: number | null = 0; wanted && from !== null && hits.length < MAX_HITS; ) {
        const page: HitPage | undefined = await panel.ask("searchSessions", { query: words, from });
        hits = [...hits, ...(page?.hits ?? [])];
        from = page?.next ?? null;
        set({ hits, searching: from !== null });
      }
      set({ hits, searching: false });
    };
    setFound(before => ({ ...before, searching: true }));
    const timer = setTimeout(search, PAUSE_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [panel, query]);
  return found;
}
