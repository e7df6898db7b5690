/** What the list of sessions asks of the host: what is there, a search page by page, and what is done with one. */

import { type SetStateAction, useCallback, useEffect, useState } from "react";
import type { PanelResult } from "../../../src/shared/panelProtocol";
import type { SessionHit } from "../../../src/shared/sessionsProtocol";
import { usePanel } from "./hooks";

type SessionOverview = Required<PanelResult<"sessions">>;

/** null: not known yet. `reload` asks anew. */
export function useSessionOverview(onRefused: () => void): {
  known: SessionOverview | null;
  reload(): Promise<void>;
} {
  const panel = usePanel();
  const [known, setKnown] = useState<SessionOverview | null>(null);
  const reload = useCallback(async () => {
    const answer = await panel.ask("sessions", {});
    if (answer) setKnown({ deleted: [], ...answer });
    return answer !== undefined;
  }, [panel]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, however often the way out is another function
  useEffect(() => {
    void reload().then(isThere => !isThere && onRefused());
  }, [reload]);
  return { known, reload: async () => void (await reload()) };
}

/** Typing goes on: ms without a letter before the search begins. */
const PAUSE_MS = 150;
/** Who sees so many types another word. */
const MAX_HITS = 300;

interface SearchUnderWay {
  hits: readonly SessionHit[];
  searching: boolean;
}

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
        const page: PanelResult<"searchSessions"> | undefined = await panel.ask("searchSessions", {
          ...{ query: words, from },
        });
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
