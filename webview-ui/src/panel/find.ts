/** Finding words in the whole conversation: the host searches the log, page by page; what is found is loaded where it is not. */
import { errorMessage } from "../../../src/shared/errorMessage";
import type { FindHit, FindPage, FindQuery } from "../../../src/shared/findProtocol";
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
  /** the match that is looked at: the item's key, and which of its matches, from 0 */
  at: MatchPlace | null;
  /** what went wrong; null: nothing */
  problem: string | null;
}

interface MatchPlace {
  key: string;
  nth: number;
}

/** What the conversation scrolls to. `nth` absent: to the item itself */
export interface RevealTarget {
  key: string;
  nth?: number;
}

const nothing: FindState = {
  open: false,
  query: { text: "", matchCase: false, wholeWord: false },
  hits: [],
  total: 0,
  searching: false,
  at: null,
  problem: null,
};

export class PanelFind {
  readonly #changed = createListeners<void>();
  readonly #revealed = createListeners<RevealTarget>();
  readonly #opened = createListeners<void>();
  readonly #promptAsked = createListeners<1 | -1>();
  #state = nothing;
  /** which search this is: answers of an earlier one are dropped */
  #search = 0;
  #upTo = 0;
  #fetching = false;
  #goal: RevealTarget | undefined;
  /** of which session, and where it stands, the hits are */
  #of: { sessionId: string; rewound: string | null; lastSeq: number };
  /** the item that is looked at: a search begins there */
  #here: () => string | undefined = () => undefined;
  readonly subscribe = this.#changed.on;
  /** Scroll there, and open what hides it. */
  readonly onReveal = this.#revealed.on;
  /** The person wants to see the next prompt, or the one before. */
  readonly onPromptAsked = this.#promptAsked.on;
  readonly askForPrompt = this.#promptAsked.tell;
  /** It is opened, or opened again: the query is typed. */
  readonly onOpen = this.#opened.on;

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

  /** @param here says which item is in sight, the lowest one. Gives back what ends that */
  lookFrom(here: () => string | undefined): () => void {
    this.#here = here;
    return () => {
      this.#here = () => undefined;
    };
  }

  /** @param text to look for; else what was looked for last */
  open(text?: string): void {
    const query = text ? { ...this.#state.query, text } : this.#state.query;
    this.#set({ open: true, query });
    this.#opened.tell();
    this.#begin();
  }

  close(): void {
    this.#search += 1;
    this.#set({ ...nothing, query: this.#state.query });
  }

  ask(change: Partial<FindQuery>): void {
    this.#set({ query: { ...this.#state.query, ...change } });
    this.#begin();
  }

  /** To the next match, or the one before; from the last to the first. */
  step(by: 1 | -1): void {
    const { hits, at } = this.#state;
    if (hits.length === 0) return;
    const found = hits.findIndex(({ key }) => key === at?.key);
    const nth = (at?.nth ?? 0) + by;
    if (at !== null && found >= 0 && nth >= 0 && nth < (hits[found]?.count ?? 0)) {
      this.#goTo(found, nth);
      return;
    }
    const next = (found + by + hits.length) % hits.length;
    this.#goTo(next, by > 0 ? 0 : (hits[next]?.count ?? 1) - 1);
  }

  /** Shows an item, wherever in the log it is. @param seq number of its record */
  async reveal(key: string, seq: number, nth?: number): Promise<void> {
    const search = this.#search;
    if (!isLoaded(this.store.get().session, seq)) await this.older(seq);
    if (search !== this.#search) return;
    this.#goal = nth === undefined ? { key } : { key, nth };
    this.#revealed.tell(this.#goal);
  }

  /** Where to go that nobody went to yet: the conversation may be drawn anew for it. */
  takeGoal(): RevealTarget | undefined {
    const goal = this.#goal;
    this.#goal = undefined;
    return goal;
  }

  #goTo(index: number, nth: number): void {
    const hit = this.#state.hits[index];
    if (hit === undefined) return;
    this.#set({ at: { key: hit.key, nth } });
    void this.reveal(hit.key, hit.seq, nth);
  }

  #begin(): void {
    this.#search += 1;
    this.#upTo = 0;
    this.#of = this.store.get().session;
    const { text } = this.#state.query;
    this.#set({ hits: [], total: 0, at: null, problem: null, searching: text !== "" });
    if (text !== "") void this.#fetch("find", 0);
  }

  /** One page after the other, until all are here or something else is looked for. */
  async #fetch(first: "find" | "findOn", after: number): Promise<void> {
    const search = this.#search;
    this.#fetching = true;
    try {
      for (let method = first; ; method = "findOn") {
        const page = await this.host.request(method, method === "find" ? { ...this.#state.query, after } : {});
        if (search !== this.#search) return;
        this.#take(page);
        if (page.done) break;
      }
      this.#fetching = false;
      this.#follow();
    } catch (error) {
      if (search === this.#search) this.#set({ searching: false, problem: errorMessage(error) });
    }
  }

  #take({ hits: found, done, upTo, missing }: FindPage): void {
    this.#upTo = Math.max(this.#upTo, upTo);
    const hits = merged(this.#state.hits, found);
    const total = hits.reduce((sum, { count }) => sum + count, 0);
    const problem = missing ? t("Part of the log could not be searched.") : this.#state.problem;
    this.#set({ hits, total, searching: !done, problem });
    if (this.#state.at !== null || hits.length === 0) return;
    const nearest = this.#nearest();
    this.#goTo(nearest, (hits[nearest]?.count ?? 1) - 1);
  }

  /** Of the hits that are in sight or above, the lowest; else the first. */
  #nearest(): number {
    const { hits } = this.#state;
    const { items, firstSeq } = this.store.get().session;
    const places = new Map(items.map(({ key }, place) => [key, place]));
    const here = places.get(this.#here() ?? "") ?? Number.POSITIVE_INFINITY;
    const isAbove = ({ key, seq }: FindHit) => (places.get(key) ?? (seq < (firstSeq ?? 0) ? -1 : 0)) <= here;
    return Math.max(0, hits.findLastIndex(isAbove));
  }

  /** The session went on, or another one is shown. */
  #follow(): void {
    const { session } = this.store.get();
    const { sessionId, rewound, lastSeq } = this.#of;
    if (!this.#state.open || this.#state.query.text === "") return;
    if (session.sessionId !== sessionId && sessionId !== "") this.close();
    else if (session.sessionId !== sessionId || session.rewound !== rewound) this.#begin();
    else if (session.lastSeq !== lastSeq && !this.#fetching && this.#state.problem === null) {
      this.#of = session;
      void this.#fetch("find", this.#upTo);
    }
  }

  #set(change: Partial<FindState>): void {
    this.#state = { ...this.#state, ...change };
    this.#changed.tell();
  }
}

/** Which match is looked at, from 1; 0: none */
export function placeOf({ hits, at }: FindState): number {
  const found = hits.findIndex(({ key }) => key === at?.key);
  if (at === null || found < 0) return 0;
  return hits.slice(0, found).reduce((sum, { count }) => sum + count, at.nth + 1);
}

const isLoaded = ({ hasOlder, firstSeq }: SessionView, seq: number) =>
  !hasOlder || firstSeq === null || seq >= firstSeq;

/** What a call was given and what came of it stand in one item, where the first of them stands. */
function merged(hits: readonly FindHit[], found: readonly FindHit[]): FindHit[] {
  const byKey = new Map(hits.map(hit => [hit.key, hit]));
  for (const hit of found) {
    const known = byKey.get(hit.key);
    const seq = Math.min(hit.seq, known?.seq ?? hit.seq);
    byKey.set(hit.key, { key: hit.key, seq, count: hit.count + (known?.count ?? 0) });
  }
  return [...byKey.values()].sort((a, b) => a.seq - b.seq);
}
