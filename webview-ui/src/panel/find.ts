/** Finding words in the whole conversation: the host searches the log; records with matches are loaded where they are missing. */
import { errorMessage } from "../../../src/shared/errorMessage";
import type { FindHit, FindQuery } from "../../../src/shared/findProtocol";
import { t } from "../../../src/shared/l10n";
import { createListeners, type Host } from "../bridge/host";
import type { SessionView } from "../store/state";
import type { Store } from "../store/store";

export interface FindState {
  open: boolean;
  query: FindQuery;
  /** in the order of the conversation, one for each item */
  hits: readonly FindHit[];
  total: number;
  searching: boolean;
  /** which of all matches is looked at, from 0; null: none */
  at: number | null;
  /** what went wrong; null: nothing */
  problem: string | null;
}

/** What the conversation scrolls to: which of the item's matches, from 0. `nth` absent: to the item itself */
export type RevealTarget = { key: string; nth?: number };

const query: FindQuery = { text: "", matchCase: false, wholeWord: false };
const nothing: FindState = { open: false, query, hits: [], total: 0, searching: false, at: null, problem: null };

export class PanelFind {
  readonly #changed = createListeners<void>();
  /** Scroll there, and open what hides it. */
  readonly revealed = createListeners<RevealTarget>();
  /** It is opened, or opened again: the query is typed. */
  readonly opened = createListeners<void>();
  /** The person wants to see the next prompt, or the one before. */
  readonly promptAsked = createListeners<1 | -1>();
  #state = nothing;
  /** which search this is: answers of an earlier one are dropped */
  #search = 0;
  /** which way to an item this is: one that waits for older records is dropped for a later one */
  #way = 0;
  /** the session as the hits know it */
  #of: { sessionId: string; rewound: string | null; lastEnd: string | null };
  readonly subscribe = this.#changed.on;

  /** @param older fetches records from before those that are loaded, down to that number */
  constructor(
    private readonly host: Host,
    private readonly store: Store,
    private readonly older: (until: number) => Promise<void>,
  ) {
    this.#of = store.get().session;
    store.subscribe(() => this.#follow());
  }

  get = (): FindState => this.#state;

  /** @param text to look for; else what was looked for last */
  open(text?: string): void {
    const query = text ? { ...this.#state.query, text } : this.#state.query;
    this.#set({ open: true, query });
    this.opened.tell();
    this.#begin();
  }

  close(): void {
    this.#search += 1;
    this.#way += 1;
    this.#set({ ...nothing, query: this.#state.query });
  }

  ask(change: Partial<FindQuery>): void {
    this.#set({ query: { ...this.#state.query, ...change } });
    this.#begin();
  }

  /** To the next match, or the one before; from the last to the first. */
  step(by: 1 | -1): void {
    const { at, total } = this.#state;
    if (total > 0) this.#goTo(((at ?? -by) + by + total) % total);
  }

  /** Shows an item, wherever in the log it is. @param seq number of its record */
  async reveal(key: string, seq: number, nth?: number): Promise<void> {
    this.#way += 1;
    const way = this.#way;
    if (!isLoaded(this.store.get().session, seq)) await this.older(seq);
    if (way === this.#way) this.revealed.tell(nth === undefined ? { key } : { key, nth });
  }

  #goTo(at: number): void {
    this.#set({ at });
    const found = matchAt(this.#state);
    if (found !== undefined) void this.reveal(found.key, found.seq, found.nth);
  }

  #begin(): void {
    this.#set({ hits: [], total: 0, at: null, problem: null });
    void this.#look();
  }

  /** Asks for all matches as they are now; the one that is looked at stays. */
  async #look(): Promise<void> {
    this.#search += 1;
    const search = this.#search;
    this.#of = this.store.get().session;
    const { query } = this.#state;
    this.#set({ searching: query.text !== "" });
    if (query.text === "") return;
    try {
      const { hits, missing } = await this.host.request("find", query);
      if (search !== this.#search) return;
      const total = hits.reduce((sum, { count }) => sum + count, 0);
      const problem = missing ? t("Part of the log could not be searched.") : null;
      this.#set({ hits, total, problem, searching: false, at: placeOf(hits, matchAt(this.#state)) });
      // The newest comes first, as in the conversation that is read from its end.
      if (this.#state.at === null && total > 0) this.#goTo(total - 1);
    } catch (error) {
      if (search === this.#search) this.#set({ searching: false, problem: errorMessage(error) });
    }
  }

  /** A turn ended, or another session is shown. */
  #follow(): void {
    const { session } = this.store.get();
    const { sessionId, rewound, lastEnd } = this.#of;
    if (!this.#state.open || this.#state.query.text === "") return;
    if (session.sessionId !== sessionId && sessionId !== "") this.close();
    else if (session.sessionId !== sessionId || session.rewound !== rewound) this.#begin();
    else if (session.lastEnd !== null && session.lastEnd !== lastEnd) void this.#look();
  }

  #set(change: Partial<FindState>): void {
    this.#state = { ...this.#state, ...change };
    this.#changed.tell();
  }
}

/** The match that is looked at; undefined: none */
export function matchAt({ hits, at }: FindState): Required<RevealTarget & { seq: number }> | undefined {
  let nth = at ?? -1;
  for (const { key, seq, count } of hits) {
    if (nth >= 0 && nth < count) return { key, seq, nth };
    nth -= count;
  }
  return undefined;
}

/** Where that match stands now, from 0; null: it is gone */
function placeOf(hits: readonly FindHit[], match: Required<RevealTarget> | undefined): number | null {
  const index = hits.findIndex(({ key, count }) => key === match?.key && match.nth < count);
  return index < 0 ? null : hits.slice(0, index).reduce((sum, { count }) => sum + count, match?.nth ?? 0);
}

const isLoaded = ({ hasOlder, firstSeq }: SessionView, seq: number) =>
  !hasOlder || firstSeq === null || seq >= firstSeq;
