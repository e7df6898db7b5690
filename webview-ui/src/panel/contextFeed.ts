/** What the host tells of the context, kept up to date while a turn runs: asked anew when something of it changed, one question at a time. */
import { useEffect, useRef, useState } from "react";
import type { ContextRow, ContextView, RequestLine } from "../../../src/shared/contextProtocol";
import type { McpServerRow } from "../../../src/shared/mcp";
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

type FeedState = Omit<ContextFeed, "loadTurns" | "loadRequests">;

const nothing: FeedState = { view: null, older: [], requests: [], hasOlderRequests: false, unreadable: 0, servers: [] };

export function useContextFeed(): ContextFeed {
  const panel = usePanel();
  const [known, setKnown] = useState<FeedState>(nothing);
  const sessionId = usePanelState(state => state.session.sessionId);
  const feed = useRef<Feed>(undefined);
  // One feed a session: what comes late for another one is dropped.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another session nothing holds
  useEffect(() => {
    setKnown(nothing);
    const own = new Feed(panel, setKnown);
    feed.current = own;
    own.refreshServers();
    const end = panel.onMcpChanged(() => {
      own.refreshServers();
      own.refresh();
    });
    return () => {
      end();
      own.close();
    };
  }, [panel, sessionId]);
  // Runs behind that effect, so it asks the new one first.
  useChanges(() => feed.current?.refresh());
  return { ...known, loadTurns: () => feed.current?.loadTurns(), loadRequests: () => feed.current?.loadRequests() };
}

/** Whatever the next request is made of. */
function useChanges(refresh: () => void): void {
  const sessionId = usePanelState(state => state.session.sessionId);
  const context = usePanelState(state => state.session.context);
  const run = usePanelState(state => state.session.run);
  const pins = usePanelState(state => state.session.pins);
  const undone = usePanelState(state => state.session.undone);
  const compactions = usePanelState(state => state.session.compactions);
  const todos = usePanelState(state => state.session.todos);
  const around = usePanelState(state => state.surroundings);
  const latest = useRef(refresh);
  latest.current = refresh;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of any of them is the reason
  useEffect(() => latest.current(), [sessionId, context, run, pins, undone, compactions, todos, around]);
}

class Feed {
  #known = nothing;
  #busy = false;
  #again = false;
  #closed = false;
  #pages = 0;

  constructor(
    private readonly panel: Panel,
    private readonly show: (known: FeedState) => void,
  ) {}

  close(): void {
    this.#closed = true;
  }

  refresh(): void {
    if (this.#busy) this.#again = true;
    else void this.#read();
  }

  refreshServers(): void {
    void this.panel.ask("mcpServers", {}).then(answer => answer && this.#tell({ servers: answer.servers }));
  }

  loadTurns(): void {
    this.#pages += 1;
    this.refresh();
  }

  loadRequests(): void {
    const before = this.#known.requests.at(-1)?.number;
    if (before !== undefined)
      void this.panel.ask("sentRequests", { before }).then(page => page && this.#take(page, "older"));
  }

  async #read(): Promise<void> {
    this.#busy = true;
    do {
      this.#again = false;
      const [view, page] = await Promise.all([this.panel.ask("contextView", {}), this.panel.ask("sentRequests", {})]);
      if (view) this.#tell({ view, older: await this.#older(view) });
      if (page) this.#take(page, "newest");
    } while (this.#again && !this.#closed);
    this.#busy = false;
  }

  /** As many pages as were asked for, of the conversation as it is now. */
  async #older(view: ContextView): Promise<ContextRow[]> {
    const older: ContextRow[] = [];
    let before = view.rows.findLast(({ kind }) => kind === "turn")?.turn;
    for (let page = 0; page < this.#pages && before !== undefined; page += 1) {
      const rows = (await this.panel.ask("contextTurns", { before }))?.rows ?? [];
      older.push(...rows);
      before = rows.at(-1)?.turn;
    }
    return older;
  }

  #take(page: { requests: RequestLine[]; hasOlder: boolean; unreadable: number }, which: "newest" | "older"): void {
    const [first, last] = [page.requests.at(0)?.number ?? 0, page.requests.at(-1)?.number ?? 0];
    const others = this.#known.requests.filter(({ number }) => (which === "newest" ? number < last : number > first));
    const isOnly = which === "newest" && others.length === 0;
    this.#tell({
      requests: which === "newest" ? [...page.requests, ...others] : [...others, ...page.requests],
      ...(which === "older" || isOnly ? { hasOlderRequests: page.hasOlder } : {}),
      unreadable: isOnly ? page.unreadable : Math.max(this.#known.unreadable, page.unreadable),
    });
  }

  #tell(change: Partial<FeedState>): void {
    if (this.#closed) return;
    this.#known = { ...this.#known, ...change };
    this.show(this.#known);
  }
}
