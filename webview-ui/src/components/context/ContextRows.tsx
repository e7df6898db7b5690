import { useState } from "react";
import type { ContextRow } from "../../../../src/shared/contextProtocol";
import { plural, t } from "../../../../src/shared/l10n";
import type { ContextStratum } from "../../../../src/shared/manifest";
import type { McpServerRow } from "../../../../src/shared/mcp";
import { IconButton } from "../../controls/controls";
import { type GridRow, RowGrid, useOpenRows } from "../../controls/RowGrid";
import type { ContextFeed } from "../../panel/contextFeed";
import { usePanel, usePanelState } from "../../panel/hooks";
import { aboutTokens, pieceWords, rowNote, stratumWords } from "../../text/contextWords";
import { formatTokens, visibleText } from "../../text/format";
import { ServerSwitch } from "../tools/servers";

/** Turns that are shown at once, and with each more. */
const TURNS = 20;

/** What the next request holds: strata, the heaviest first, that open to their rows. */
export function ContextRows({ feed }: { feed: ContextFeed }) {
  const [open, toggle] = useOpenRows<ContextStratum>(["conversation"]);
  const [most, setMost] = useState(TURNS);
  const rowOf = useRow(feed);
  const { view, older } = feed;
  if (view === null) return <p className="quiet context-waiting">{t("Counting…")}</p>;
  const showMore = () => {
    setMost(most + 5 * TURNS);
    if (most + 5 * TURNS > view.rows.length + older.length) feed.loadTurns();
  };
  const rows = view.strata.flatMap(({ stratum, tokens }): GridRow[] => {
    const isOpen = open.has(stratum);
    const head: GridRow = {
      ...{ key: stratum, level: 1, name: stratumWords[stratum](), open: isOpen, tone: stratum },
      ...{ number: formatTokens(tokens), exact: aboutTokens(tokens), share: tokens / Math.max(1, view.tokens) },
      activate: () => toggle(stratum),
    };
    if (!isOpen) return [head];
    const own = view.rows.filter(row => row.stratum === stratum);
    if (stratum !== "conversation")
      return [head, ...own.map(rowOf), ...(stratum === "tools" ? otherServers(feed, rowOf) : [])];
    const turns = [...own.filter(({ kind }) => kind === "turn"), ...older];
    const left = view.turns - Math.min(most, turns.length);
    const name = plural(left, "1 earlier turn", "{0} earlier turns");
    const more: GridRow = { key: "more", level: 2, name, activate: showMore };
    const behind = own.filter(({ kind }) => kind !== "turn");
    return [head, ...turns.slice(0, most).map(rowOf), ...(left > 0 ? [more] : []), ...behind.map(rowOf)];
  });
  return (
    <>
      <RowGrid label={t("What the next request holds")} rows={rows} />
      {view.turns === 0 ? (
        <p className="quiet context-waiting">
          {t("Nothing was said yet. Your turns will appear here, each with its tokens.")}
        </p>
      ) : null}
    </>
  );
}

/** Servers without a tool in the request, those that are off too. */
function otherServers({ view, servers }: ContextFeed, rowOf: (row: ContextRow) => GridRow): GridRow[] {
  const used = new Set(view?.rows.flatMap(({ kind, name }) => (kind === "server" ? [name] : [])));
  return servers
    .filter(({ name }) => !used.has(wirePart(name)))
    .map(({ name, tools }) =>
      rowOf({
        ...{ key: `server:${wirePart(name)}`, kind: "server", name: wirePart(name), stratum: "tools", trust: "mcp" },
        ...{ tokens: 0, tools: tools?.count ?? 0 },
      }),
    );
}

/** A server's name as it stands in the names of its tools. */
const wirePart = (name: string) => name.replace(/[^a-zA-Z0-9_-]/g, "_");

function useRow({ view, servers }: ContextFeed): (row: ContextRow) => GridRow {
  const panel = usePanel();
  const pins = usePanelState(state => state.session.pins);
  const readOnly = usePanelState(state => state.session.readOnly);
  const newest = view?.rows.find(({ kind }) => kind === "turn")?.turn;
  const byName = new Map(servers.map(server => [wirePart(server.name), server]));
  return row => {
    const { key, kind, name, tokens, turn } = row;
    const server = kind === "server" ? byName.get(name) : undefined;
    const isPinned = turn !== undefined && kind === "turn" && pins.includes(turn);
    const actions = server ? (
      <ServerSwitch server={server} />
    ) : kind === "turn" && turn !== undefined && !readOnly ? (
      <TurnActions turn={turn} isPinned={isPinned} canCompact={turn !== newest} />
    ) : undefined;
    const isSent = tokens > 0;
    return {
      ...{ key, level: 2, name: server ? visibleText(server.name) : pieceWords(row) },
      note: server ? serverNote(row, server) : rowNote(row, isPinned),
      ...{ number: formatTokens(tokens), exact: aboutTokens(tokens), actions, hidesActions: kind === "turn" },
      ...(isSent ? { activate: () => void panel.ask("openContextRow", { key }) } : {}),
    };
  };
}

/** What a server would take where none of it is in the request. */
function serverNote(row: ContextRow, { state, tools }: McpServerRow): string {
  if (state === "off") return t("off");
  if (row.tokens > 0) return rowNote(row, false);
  return tools
    ? t("not in this request · {0} when all its tools are", formatTokens(tools.tokens))
    : t("not started yet");
}

/** @param canCompact the newest turn always stays */
function TurnActions({ turn, isPinned, canCompact }: { turn: number; isPinned: boolean; canCompact: boolean }) {
  const panel = usePanel();
  const idle = usePanelState(state => state.session.run === "idle");
  const fold = idle ? t("Summarise up to here") : t("Summarise up to here, after the agent finishes");
  const compact = () => void panel.ask("compact", { upTo: turn });
  const name = isPinned ? t("Unpin: let compactions summarise this turn") : t("Pin: keep this turn word for word");
  const pin = () => void panel.ask("pin", { turn, pinned: !isPinned });
  const icon = isPinned ? "pinned" : "pin";
  return (
    <>
      {canCompact ? <IconButton icon="fold-up" label={fold} tabIndex={-1} disabled={!idle} onClick={compact} /> : null}
      <IconButton icon={icon} label={name} tabIndex={-1} aria-pressed={isPinned} onClick={pin} />
    </>
  );
}
