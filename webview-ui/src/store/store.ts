/**
 * Holds the state and tells who watches it. Actions are applied at once; watchers hear of streamed ones once a frame, so
 * that a burst of deltas costs one rendering.
 */
import { createListeners } from "../bridge/host";
import { reduce, type StoreAction } from "./reduce";
import { initialState, type PanelState } from "./state";

export interface Store {
  get(): PanelState;
  dispatch(action: StoreAction): void;
  /** Gives back what ends the watch. */
  subscribe(listener: () => void): () => void;
}

/** @param nextFrame calls back once, before the next picture is drawn */
export function createStore(nextFrame: (callback: () => void) => void): Store {
  let state = initialState;
  let scheduled = false;
  const { tell, on } = createListeners<void>();
  return {
    get: () => state,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      if (action.type !== "events") return tell();
      if (scheduled) return;
      scheduled = true;
      nextFrame(() => {
        scheduled = false;
        tell();
      });
    },
    subscribe: on,
  };
}
