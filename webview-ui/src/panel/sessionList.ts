/** What the list of sessions asks of the host: the sessions, and a search page by page. */

import { type SetStateAction, useCallback, useEffect, useRef, useState } from "react";
import type { PanelResult } from "../../../src/shared/panelProtocol";
import type { SessionHit } from "../../../src/shared/sessionsProtocol";
import { usePanel, usePanelState } from "./hooks";

type SessionOverview = Required<PanelResult<"sessions">>;
type HitPage = PanelResult<"searchSessions">;

/**
 * null: not known yet. `reload` asks anew; so does what the host says, and who comes back to the page.
 * @param held a person writes in a row, which may go: it is asked afterwards
 */
export function useSessionOverview(held: boolean, onRefused: () => void) {
  const panel = usePanel();
  const changes = usePanelState(state => state.sessionChanges);
  const [known, setKnown] = useState<SessionOverview | null>(null);
  /** how often it was asked, and the newest of them that is shown */
  const asked = useRef(0);
  const shown = useRef(0);
  const reload = useCallback(async () => {
    asked.current += 1;
    const own = asked.current;
    const answer = await panel.ask("sessions", {});
    if (answer && own > shown.current) {
      shown.current = own;
      setKnown({ deleted: [], ...answer });
    } else if (!answer && own === 1) onRefused();
  }, [panel, onRefused]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the changes are why it is asked
  useEffect(() => {
    if (held) return;
    const ask = () => void reload();
    ask();
    window.addEventListener("focus", ask);
    return () => window.removeEventListener("focus", ask);
  }, [reload, held, changes]);
  return { known, reload };
}

/** ms without a letter before the search begins */
const PAUSE_MS = 150;
/** Who sees so many types another word. */
const MAX_HITS = 300;

type SearchUnderWay = { hits: readonly SessionHit[]; searching: boolean };

/** The hits so far; of nothing, none. */
export function useSessionSearch(query: string): SearchUnderWay {
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
