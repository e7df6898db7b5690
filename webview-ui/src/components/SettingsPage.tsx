import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { t } from "../../../src/shared/l10n";
import { type SettingsAct, type SettingsPageName, settingsPages } from "../../../src/shared/settingsProtocol";
import { Button } from "../controls/controls";
import { ROVING_ROW, useRoving } from "../controls/roving";
import { useAnswer } from "../panel/answers";
import { usePanel, usePanelState } from "../panel/hooks";
import type { Panel } from "../panel/panel";
import { Loading } from "./Loading";
import { ServersView } from "./ServersView";
import { FactLine, matchesSetting, SettingRow } from "./SettingRow";

const pageTitles: Readonly<Record<SettingsPageName, () => string>> = {
  model: () => t("Model"),
  permissions: () => t("Permissions and sandbox"),
  tools: () => t("Tools and servers"),
  skills: () => t("Skills, prompts and agents"),
  hooks: () => t("Hooks"),
  storage: () => t("Storage and log"),
};

const askSettings = (panel: Panel) => panel.ask("settings", {});

/** All that can be set, in an editor tab: six pages, and a search over all of them. */
export function SettingsPage() {
  const panel = usePanel();
  const [page, setPage] = useState<SettingsPageName>("model");
  const [query, setQuery] = useState("");
  const [changes, setChanges] = useState(0);
  const notice = usePanelState(state => state.notice);
  useEffect(() => void panel.open(), [panel]);
  useEffect(() => panel.onMcpChanged(() => setChanges(count => count + 1)), [panel]);
  const onChanged = () => setChanges(count => count + 1);
  const known = useAnswer(askSettings, { cause: String(changes), onFocus: true });
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  // Each wish to see a page counts once: after it the person goes where they like.
  const granted = useRef(0);
  useEffect(() => {
    if (known?.wanted === undefined || known.wanted.nth === granted.current) return;
    granted.current = known.wanted.nth;
    setQuery("");
    setPage(known.wanted.page);
  }, [known]);
  const isSearch = words.length > 0;
  const show = (chosen: SettingsPageName) => {
    // What is told of is of the page that was left.
    panel.say(null);
    setQuery("");
    setPage(chosen);
  };
  const rows = known?.rows.filter(row => (isSearch ? matchesSetting(row, words) : row.page === page)) ?? [];
  return (
    <main className="page settings">
      <header className="settings-head">
        <h1>{t("Strata Settings")}</h1>
        <input
          type="search"
          value={query}
          aria-label={t("Search settings")}
          placeholder={t("Search settings")}
          onChange={event => setQuery(event.target.value)}
        />
        {notice ? <p role="alert">{notice.text}</p> : null}
      </header>
      <PageTabs {...{ page, show }} />
      <PageChoice {...{ page, show }} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard */}
      <section className="settings-body" role="tabpanel" tabIndex={0} aria-labelledby={`settings-tab-${page}`}>
        <h2 className={isSearch ? undefined : "settings-title"}>
          {isSearch ? t("Found settings") : pageTitles[page]()}
        </h2>
        {known === null ? <Loading again={() => setChanges(count => count + 1)} /> : null}
        {known !== null && isSearch && rows.length === 0 ? (
          <p className="quiet">{t("No setting has these words.")}</p>
        ) : null}
        {isSearch ? null : <PageFacts key={page} {...{ page, changes, onChanged }} />}
        {rows.length > 0 ? (
          <ul className="setting-rows" aria-label={t("Settings")}>
            {rows.map(row => (
              <SettingRow key={row.name} row={row} onChanged={onChanged} />
            ))}
          </ul>
        ) : null}
      </section>
    </main>
  );
}

interface PagesProps {
  page: SettingsPageName;
  show(page: SettingsPageName): void;
}

/** In place of the tabs where there is no room beside the rows: a style shows one of the two. */
function PageChoice({ page, show }: PagesProps) {
  return (
    <select
      className="settings-choice"
      aria-label={t("Pages of settings")}
      value={page}
      onChange={event => show(event.target.value as SettingsPageName)}
    >
      {settingsPages.map(each => (
        <option key={each} value={each}>
          {pageTitles[each]()}
        </option>
      ))}
    </select>
  );
}

/** One tab stop: arrows go from page to page. */
function PageTabs({ page, show }: PagesProps) {
  const list = useRef<HTMLDivElement>(null);
  const keys = useRoving(list);
  const onKeyDown = (event: KeyboardEvent) => {
    keys.onKeyDown(event);
    // Where an arrow led, that is shown.
    if (event.defaultPrevented && document.activeElement instanceof HTMLElement) document.activeElement.click();
  };
  return (
    <div
      ref={list}
      className="settings-tabs"
      role="tablist"
      aria-orientation="vertical"
      aria-label={t("Pages of settings")}
      {...keys}
      onKeyDown={onKeyDown}
    >
      {settingsPages.map(each => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`settings-tab-${each}`}
          aria-selected={each === page}
          {...ROVING_ROW}
          onClick={() => show(each)}
        >
          {pageTitles[each]()}
        </button>
      ))}
    </div>
  );
}

/** What a page opens beside its rows. */
const pageActs = (page: SettingsPageName): readonly { act: SettingsAct; words: string }[] => {
  if (page === "permissions") return [{ act: "try-command", words: t("Try a command…") }];
  if (page === "hooks") return [{ act: "review-hooks", words: t("Approve, revoke or try hooks…") }];
  if (page !== "storage") return [];
  return [
    { act: "remove-sessions", words: t("Remove sessions…") },
    { act: "restore-session", words: t("Restore a session…") },
    { act: "open-log", words: t("Open log") },
    { act: "log-level", words: t("Set log level…") },
  ];
};

interface PageFactsProps {
  page: SettingsPageName;
  /** how often something changed that they are about */
  changes: number;
  onChanged(): void;
}

function PageFacts({ page, changes, onChanged }: PageFactsProps) {
  const panel = usePanel();
  const ask = useCallback((from: Panel) => from.ask("settingsFacts", { page }), [page]);
  const facts = useAnswer(ask, { cause: String(changes), onFocus: true });
  const shown = facts?.facts.filter(fact => fact.page === page) ?? [];
  const acts = pageActs(page);
  return (
    <>
      {page === "tools" ? <ServersView /> : null}
      {page === "model" ? <Button onClick={() => panel.act("choose-model")}>{t("Choose model…")}</Button> : null}
      {acts.length > 0 ? (
        <div className="settings-acts">
          {acts.map(({ act, words }) => (
            <Button key={act} onClick={() => void panel.ask("settingsAct", { act })}>
              {words}
            </Button>
          ))}
        </div>
      ) : null}
      {page === "hooks" && facts !== null && shown.length === 0 ? (
        <p className="quiet">{t("No hooks are configured here.")}</p>
      ) : null}
      {shown.map(({ section: { kind, title, lines } }) => (
        <section key={kind} className="facts">
          {title === pageTitles[page]() ? null : <h3>{title}</h3>}
          <ul>
            {lines.map(line => (
              <FactLine key={`${line.label} ${line.from}`} {...line} onChanged={onChanged} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
