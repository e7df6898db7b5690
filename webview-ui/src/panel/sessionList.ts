/** What the list of sessions asks of the host: what is there, a search page by page, and what is done with one. */

import { type SetStateAction, useCallback, useEffect, useRef, useState } from "react";
import type { PanelResult } from "../../../src/shared/panelProtocol";
import type { SessionHit } from "../../../src/shared/sessionsProtocol";
import { usePanel, usePanelState } from "./hooks";

type SessionOverview = Required<PanelResult<"sessions">>;

/** Several screens: they stand there while thousands are on their way. */
const FIRST = 100;

/** null: not known yet. `reload` asks anew. */
export function useSessionOverview(onRefused: () => void): {
  known: SessionOverview | null;
  reload(): Promise<void>;
} {
  const panel = usePanel();
  const [known, setKnown] = useState<SessionOverview | null>(null);
  /** how often it was asked, and the newest of them that is shown */
  const asked = useRef(0);
  const shown = useRef(0);
  const reload = useCallback(async () => {
    asked.current += 1;
    const own = asked.current;
    // What is there already does not go away for a moment.
    const params = own === 1 ? { first: FIRST } : {};
    const show = (answer: PanelResult<"sessions"> | undefined) => {
      if (!answer || own < shown.current) return answer;
      shown.current = own;
      setKnown({ deleted: [], more: 0, ...answer });
      return answer;
    };
    const answer = show(await panel.ask("sessions", params));
    if (answer?.more) void panel.ask("sessions", {}).then(show);
    return answer !== undefined;
  }, [panel]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, however often the way out is another function
  useEffect(() => {
    void reload().then(isThere => !isThere && onRefused());
  }, [reload]);
  return { known, reload: async () => void (await reload()) };
}

/**
 * Asks anew when the host says that something changed, and when a person comes back to the page.
 * @param held somebody writes in a row, which may go: afterwards
 * @param missing what was found and is in no row, in a word; "": nothing
 */
export function useFreshOverview(reload: () => Promise<void>, held: boolean, missing: string): void {
  const changes = usePanelState(state => state.sessionChanges);
  const [returns, setReturns] = useState(0);
  useEffect(() => {
    const count = () => setReturns(before => before + 1);
    window.addEventListener("focus", count);
    return () => window.removeEventListener("focus", count);
  }, []);
  const now = `${changes} ${returns} ${missing}`;
  const known = useRef(now);
  useEffect(() => {
    if (held || known.current === now) return;
    // What was missing and is there now is no reason.
    const isWhole = known.current.startsWith(`${changes} ${returns} `) && missing === "";
    known.current = now;
    if (!isWhole) void reload();
  }, [reload, held, now, changes, returns, missing]);
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
