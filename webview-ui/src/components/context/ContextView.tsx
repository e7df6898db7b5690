import { useState } from "react";
import type { ContextPieces, ContextView as ContextState, RequestLine } from "../../../../src/shared/contextProtocol";
import { costText, formatCost } from "../../../../src/shared/cost";
import { plural, t } from "../../../../src/shared/l10n";
import { Button, IconButton, useBusy } from "../../controls/controls";
import { onEscape } from "../../controls/focus";
import { type GridRow, RowGrid, useOpenRows } from "../../controls/RowGrid";
import { type ContextFeed, useContextFeed } from "../../panel/contextFeed";
import { useNow, usePanel, usePanelState } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import {
  changeNumber,
  exactNumber,
  exactTokens,
  pieceWords,
  requestFacts,
  requestNote,
  requestTitle,
} from "../../text/contextWords";
import { formatClock, formatClockTime, formatPercent, formatTokens, visibleText } from "../../text/format";
import { Action } from "../status/Banners";
import { UndoCompaction } from "../status/Compaction";
import { ContextRows } from "./ContextRows";

/** What goes to the model, as it stands: how full the context is, what fills it, what was sent, and what can be done about it. */
export function ContextView({ close }: { close: () => void }) {
  const panel = usePanel();
  const feed = useContextFeed();
  return (
    <section className="context-view" aria-label={t("Context")} aria-busy={feed.view === null}>
      <div className="context-column">
        <div className="context-head">
          <h2 className="context-title">{t("Context")}</h2>
          <IconButton icon="question" label={t("How it works")} onClick={() => void panel.act("context-help")} />
          <IconButton icon="close" label={t("Close context")} onClick={close} />
        </div>
        <Total feed={feed} />
        <ContextRows feed={feed} />
        {feed.view && feed.view.turns + (feed.view.last ? 1 : 0) > 0 ? <Compacting view={feed.view} /> : null}
        <SentRequests feed={feed} />
      </div>
    </section>
  );
}

const share = (tokens: number, window: number) => `${Math.min(100, (100 * tokens) / Math.max(1, window))}%`;

function Total({ feed: { view, requests } }: { feed: ContextFeed }) {
  const known = usePanelState(state => state.session.context);
  const model = usePanelState(state => state.surroundings?.model);
  const window = view?.window ?? known?.window ?? (model?.state === "ready" ? model.contextWindow : undefined);
  const counted = view?.counted ?? known?.tokens;
  if (window === undefined || counted === undefined) return <p className="context-total quiet">{t("Counting…")}</p>;
  return (
    <div className="context-total">
      <p title={t("{0} of {1} tokens", exactNumber(counted), exactNumber(window))}>
        <strong>{t("{0} of {1} tokens", formatTokens(counted), formatTokens(window))}</strong>{" "}
        <span className="quiet">{formatPercent(counted / window)}</span>
      </p>
      <div className="context-bar" aria-hidden="true">
        {view?.strata.map(({ stratum, tokens }) => (
          <span key={stratum} className={`context-layer of-${stratum}`} style={{ width: share(tokens, window) }} />
        ))}
        {view ? <span className="context-mark" style={{ left: share(view.compactAt, window) }} /> : null}
      </div>
      <p className="context-facts quiet">
        {view ? <span>{limitWords(view)}</span> : null}
        {model?.state === "ready" && model.isWindowGuessed ? (
          <span>
            {t("{0} window assumed", formatTokens(window))} ·{" "}
            <Action action="set-window">{t("Set context window…")}</Action>
          </span>
        ) : null}
        <CacheState warmUntil={requests.find(({ purpose }) => purpose === undefined)?.warmUntil} />
      </p>
    </div>
  );
}

const limitWords = ({ held, compactAt, window }: ContextState) =>
  held
    ? t("Auto-compact is off because you undid it.")
    : t("Auto-compact at {0} ({1})", formatTokens(compactAt), formatPercent(compactAt / window));

/** How long the provider keeps what was sent, where that is known. */
function CacheState({ warmUntil }: { warmUntil: number | undefined }) {
  const now = useNow(warmUntil !== undefined);
  if (warmUntil === undefined) return null;
  return <span>{now < warmUntil ? t("Cache warm · {0} left", formatClock(warmUntil - now)) : t("Cache expired")}</span>;
}

/** Preview, run, undo and redo of a compaction, and what the session cost. */
function Compacting({ view }: { view: ContextState }) {
  const panel = usePanel();
  const [asking, setAsking] = useState(false);
  const idle = usePanelState(state => state.session.run === "idle");
  const readOnly = usePanelState(state => state.session.readOnly);
  const why = idle ? undefined : t("After the agent finishes");
  return (
    <div className="context-compacting">
      {asking ? <CompactForm close={() => setAsking(false)} /> : null}
      <div className="button-row">
        {readOnly || asking ? null : (
          <Button disabled={!idle} title={why} onClick={() => setAsking(true)}>
            {t("Compact now…")}
          </Button>
        )}
        <Button onClick={() => void panel.ask("previewCompaction", {})}>{t("What would go?")}</Button>
      </div>
      {view.last ? <LastOne last={view.last} /> : null}
      <p className="context-facts quiet">
        {spentWords(view).map(words => (
          <span key={words}>{words}</span>
        ))}
      </p>
    </div>
  );
}

function CompactForm({ close }: { close: () => void }) {
  const panel = usePanel();
  const [words, setWords] = useState("");
  const { busy, run } = useBusy(async () => {
    if (await panel.compact(words.trim() || undefined)) close();
  });
  return (
    <form
      className="context-form"
      onSubmit={event => {
        event.preventDefault();
        run();
      }}
      onKeyDown={onEscape(close)}
    >
      <label htmlFor="context-keep">{t("What should the summary keep? (optional)")}</label>
      <input
        id="context-keep"
        className="field"
        // biome-ignore lint/a11y/noAutofocus: it came with a click of the person
        autoFocus
        value={words}
        onChange={event => setWords(event.target.value)}
      />
      <div className="button-row">
        <Button primary type="submit" disabled={busy}>
          {t("Compact")}
        </Button>
        <Button onClick={close}>{t("Cancel")}</Button>
      </div>
    </form>
  );
}

function LastOne({ last: { compactionId, before, after, can } }: { last: NonNullable<ContextState["last"]> }) {
  const sizes = `${formatTokens(before)} → ${formatTokens(after)}`;
  return (
    <p title={`${exactTokens(before)} → ${exactTokens(after)}`}>
      {can === "undo" ? t("Last compaction: {0} tokens", sizes) : t("Compaction undone: {0} tokens", sizes)}
      {" · "}
      <UndoCompaction way={can} compactionId={compactionId} />
    </p>
  );
}

/** What the session and the day cost, and what of it came from the cache. */
function spentWords({ spent, today = 0 }: ContextState): string[] {
  const cost = costText(spent);
  const cached = spent.cachedInput ? formatPercent(spent.cachedInput / Math.max(1, spent.input)) : undefined;
  const parts = [
    cost ? t("This session cost {0}.", cost) : "",
    cached ? t("{0} of this session's input came from the cache.", cached) : "",
    today > 0 ? t("All sessions of today cost {0}.", formatCost(today)) : "",
  ];
  return parts.filter(Boolean);
}

/** The requests that were sent, newest first; each opens to what differs from the one before. */
function SentRequests({ feed }: { feed: ContextFeed }) {
  const { requests, hasOlder, unreadable, loadRequests } = feed;
  const panel = usePanel();
  const [open, toggle] = useOpenRows<number>();
  const rows = requests.flatMap(request => requestRows(request, open.has(request.number), { panel, toggle }));
  const more: GridRow = { key: "older", level: 1, name: t("Earlier requests"), activate: loadRequests };
  return (
    <section className="context-requests" aria-label={t("Requests")}>
      <h3 className="context-title">{t("Requests")}</h3>
      {requests.length === 0 ? (
        <p className="quiet">{t("Nothing was sent yet. Each request will appear here, exactly as it was sent.")}</p>
      ) : (
        <RowGrid label={t("Requests that were sent, newest first")} rows={hasOlder ? [...rows, more] : rows} />
      )}
      {unreadable > 0 ? (
        <p className="quiet">
          {plural(unreadable, "1 request cannot be read from the log.", "{0} requests cannot be read from the log.")}
        </p>
      ) : null}
    </section>
  );
}

type RequestActs = { panel: Panel; toggle(number: number): void };

function requestRows(request: RequestLine, isOpen: boolean, { panel, toggle }: RequestActs): GridRow[] {
  const { number, ts, model, usage } = request;
  const tokens = usage?.input ?? request.tokens;
  const exact = `${exactTokens(tokens)} · ${visibleText(model)} · ${formatClockTime(ts, Date.now())}`;
  const label = t("Request {0} as sent", number);
  const show = () => void panel.ask("openRequest", { number });
  const head: GridRow = {
    ...{ key: String(number), level: 1, name: requestTitle(request), note: requestNote(request), open: isOpen },
    ...{ number: formatTokens(tokens), exact, activate: () => toggle(number) },
    actions: <IconButton icon="go-to-file" label={label} tabIndex={-1} onClick={show} />,
  };
  if (!isOpen) return [head];
  const facts = requestFacts(request).map((name, at): GridRow => ({ key: `${number} fact ${at}`, level: 2, name }));
  return [
    head,
    ...facts,
    ...pieceRows(request, "added", t("new")),
    ...pieceRows(request, "changed", t("changed")),
    ...pieceRows(request, "removed", t("gone")),
  ];
}

function pieceRows(request: RequestLine, way: "added" | "removed" | "changed", note: string): GridRow[] {
  const { count, first }: ContextPieces = request[way];
  const key = `${request.number} ${way}`;
  const rows = first.map((piece, at): GridRow => {
    const numbers = { number: changeNumber(piece, way), exact: exactTokens(piece.tokens) };
    return { key: `${key} ${at}`, level: 2, name: pieceWords(piece), note, ...numbers };
  });
  const left = count - first.length;
  if (left > 0) rows.push({ key: `${key} more`, level: 2, name: plural(left, "and 1 more", "and {0} more"), note });
  return rows;
}
