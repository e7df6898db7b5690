/** What the host tells of the context while its view is open: asked anew when something was recorded, sent or changed around it. */
import { useEffect, useState } from "react";
import type { ContextRow, ContextView, RequestLine } from "../../../src/shared/contextProtocol";
import type { McpServerRow } from "../../../src/shared/mcp";
import type { PanelResult } from "../../../src/shared/panelProtocol";
import { useAnswer } from "./answers";
import { usePanel, usePanelState } from "./hooks";
import type { Panel } from "./panel";

export interface ContextFeed {
  /** null: not known yet */
  view: ContextView | null;
  /** turns that were asked for beside the newest, newest first */
  older: readonly ContextRow[];
  /** newest first */
  requests: readonly RequestLine[];
  hasOlderRequests: boolean;
  unreadable: number;
  servers: readonly McpServerRow[];
  loadTurns(): void;
  loadRequests(): void;
}

const askView = (panel: Panel) => panel.ask("contextView", {});
const askRequests = (panel: Panel) => panel.ask("sentRequests", {});
const askServers = (panel: Panel) => panel.ask("mcpServers", {});

/** Of one session: another one has its view drawn anew. */
export function useContextFeed(): ContextFeed {
  const panel = usePanel();
  const [mcp, setMcp] = useState(0);
  useEffect(() => panel.onMcpChanged(() => setMcp(times => times + 1)), [panel]);
  const recorded = usePanelState(({ session: { lastSeq, run, context } }) => `${lastSeq} ${run} ${context?.tokens}`);
  const around = usePanelState(state => state.surroundings);
  const cause = `${recorded} ${mcp} ${JSON.stringify(around)}`;
  const view = useAnswer(askView, { cause });
  const newest = useAnswer(askRequests, { cause });
  const servers = useAnswer(askServers, { cause: String(mcp) })?.servers ?? [];
  const [turns, setTurns] = useState<readonly ContextRow[]>([]);
  const [pages, setPages] = useState<readonly EarlierRequests[]>([]);
  const all = newest === null ? pages : [...pages, newest];
  const byNumber = new Map(all.flatMap(({ requests }) => requests).map(line => [line.number, line]));
  const requests = [...byNumber.values()].sort((a, b) => b.number - a.number);
  const ofView = view?.rows.filter(({ kind }) => kind === "turn") ?? [];
  const first = ofView.at(-1)?.turn ?? 0;
  const byTurn = new Map(turns.map(row => [row.turn ?? 0, row]));
  return {
    ...{ view, requests, servers },
    older: [...byTurn].sort(([a], [b]) => b - a).flatMap(([turn, row]) => (turn < first ? row : [])),
    hasOlderRequests: (pages.at(-1) ?? newest)?.hasOlder === true,
    unreadable: Math.max(0, ...all.map(({ unreadable }) => unreadable)),
    loadTurns() {
      const before = Math.min(first, ...byTurn.keys());
      // Those of the view leave it as others come.
      const add = (rows: readonly ContextRow[]) => setTurns(known => [...known, ...ofView, ...rows]);
      void panel.ask("contextTurns", { before }).then(page => page && add(page.rows));
    },
    loadRequests() {
      const before = requests.at(-1)?.number;
      if (before !== undefined)
        void panel.ask("sentRequests", { before }).then(page => page && setPages(known => [...known, page]));
    },
  };
}

type EarlierRequests = PanelResult<"sentRequests">;
