/** How components reach the panel and its state. */
import { createContext, useContext, useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import type { PanelState } from "../store/state";
import type { Panel } from "./panel";

export const PanelContext = createContext<Panel | null>(null);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === null) throw new Error("No panel around this component.");
  return panel;
}

/**
 * A part of the state; renders again when that part is another object. `select` must not build anything new.
 * @param streams it is of what streams, `live` or `outputs`: asked for with every word
 */
export function usePanelState<T>(select: (state: PanelState) => T, streams = false): T {
  const { store } = usePanel();
  const selected = () => select(store.get());
  // The third is for the first picture, which is drawn when the panel is built (firstPicture.tsx).
  return useSyncExternalStore(streams ? store.subscribeToStreams : store.subscribe, selected, selected);
}

/** Says words to who hears the panel, whenever they change. "": nothing */
export function useSpoken(words: string): void {
  const { spoken } = usePanel();
  useEffect(() => {
    if (words !== "") spoken.tell(words);
  }, [spoken, words]);
}

/** Hears events of the whole page. Keys are heard before VS Code hears them, at the window: by then they may be taken. */
export function useListener<K extends keyof WindowEventMap>(
  kind: K,
  listener: (event: WindowEventMap[K]) => void,
  active = true,
): void {
  const latest = useEffectEvent(listener);
  useEffect(() => {
    if (!active) return;
    const listening = new AbortController();
    const target: EventTarget = kind === "keydown" ? document : window;
    target.addEventListener(kind, event => latest(event as WindowEventMap[K]), listening);
    return () => listening.abort();
  }, [kind, active]);
}

/** The time, ms since the epoch, renewed every second while `active`. */
export function useNow(active: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!active) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
