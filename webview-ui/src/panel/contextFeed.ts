/** What the host tells of the context while its view is open: asked anew when something was recorded, sent or changed around it. */
import { useEffect, useState } from "react";
import type { ContextRow, ContextView } from "../../../src/shared/contextProtocol";
import type { McpServerRow } from "../../../src/shared/mcp";
import type { PanelResult } from "../../../src/shared/panelProtocol";
import { useAnswer } from "./answers";
import { usePanel, usePanelState } from "./hooks";
import type { Panel } from "./panel";

type SentPage = PanelResult<"sentRequests">;

/** Of requests, newest first, all pages that came are one. */
export interface ContextFeed extends SentPage {
  /** null: not known yet */
  view: ContextView | null;
  /** turns that were asked for beside the newest, newest first */
  older: readonly ContextRow[];
  servers: readonly McpServerRow[];
  loadTurns(): void;
  loadRequests(): void;
}

const askRequests = (panel: Panel) => panel.ask("sentRequests", {});
const askServers = (panel: Panel) => panel.ask("mcpServers", {});

/** Of one session: another one has its view drawn anew. */
export function useContextFeed(): ContextFeed {
  const panel = usePanel();
  const [mcp, setMcp] = useState(0);
  useEffect(() => panel.onMcpChanged(() => setMcp(times => times + 1)), [panel]);
  const recorded = usePanelState(({ session: { lastSeq, run, counters } }) => `${lastSeq} ${run} ${counters.step}`);
  const around = usePanelState(state => state.surroundings);
  const cause = `${recorded} ${mcp} ${JSON.stringify(around)}`;
  const [pages, setPages] = useState(0);
  const known = useAnswer(() => askView(panel, pages), { cause: `${cause} ${pages}` });
  const newest = useAnswer(askRequests, { cause });
  const servers = useAnswer(askServers, { cause: String(mcp) })?.servers ?? [];
  const [sent, setSent] = useState<SentPage>({ requests: [], hasOlder: false, unreadable: 0 });
  useEffect(() => setSent(before => (newest ? joined(before, newest) : before)), [newest]);
  return {
    ...{ view: known?.view ?? null, older: known?.older ?? [], servers, ...sent },
    loadTurns: () => setPages(pages + 1),
    loadRequests() {
      const before = sent.requests.at(-1)?.number;
      if (before !== undefined)
        void panel.ask("sentRequests", { before }).then(page => page && setSent(known => joined(known, page)));
    },
  };
}

/** @param pages so many of older turns, of the present conversation */
async function askView(panel: Panel, pages: number) {
  const { sessionId } = panel.store.get().session;
  const view = await panel.ask("contextView", {});
  // The ring has the same count as the view.
  if (view) panel.store.dispatch({ type: "counted", sessionId, use: { tokens: view.counted, window: view.window } });
  const older: ContextRow[] = [];
  let before = view?.rows.findLast(({ kind }) => kind === "turn")?.turn;
  for (let page = 0; page < pages && before !== undefined; page += 1) {
    const rows = (await panel.ask("contextTurns", { before }))?.rows ?? [];
    older.push(...rows);
    before = rows.at(-1)?.turn;
  }
  return view && inItsCount(view, older);
}

/** All in the provider's count, as the whole is: the rows about so. */
function inItsCount(view: ContextView, older: readonly ContextRow[]) {
  const scale = view.tokens > 0 ? view.counted / view.tokens : 1;
  const scaled = <Row extends { tokens: number }>(row: Row) => ({ ...row, tokens: Math.round(row.tokens * scale) });
  const [strata, rows] = [view.strata.map(scaled), view.rows.map(scaled)];
  return { view: { ...view, tokens: view.counted, strata, rows }, older: older.map(scaled) };
}

/** The page that has the oldest request says whether there are older ones. */
function joined(known: SentPage, page: SentPage): SentPage {
  const byNumber = new Map([...known.requests, ...page.requests].map(line => [line.number, line]));
  const requests = [...byNumber.values()].sort((a, b) => b.number - a.number);
  const { hasOlder } = requests.at(-1) === page.requests.at(-1) ? page : known;
  return { requests, hasOlder, unreadable: Math.max(known.unreadable, page.unreadable) };
}
