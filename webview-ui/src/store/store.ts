/**
 * Holds the state and tells who watches it. Actions are applied at once; watchers hear of streamed ones once a frame, so
 * that a burst of deltas costs one rendering, and only those of what streams: a long conversation has thousands of others.
 */
import { createListeners } from "../bridge/host";
import { reduce, type StoreAction } from "./reduce";
import { initialState, type PanelState } from "./state";

export interface Store {
  get(): PanelState;
  dispatch(action: StoreAction): void;
  /** Gives back what ends the watch. Of all but what streams. */
  subscribe(listener: () => void): () => void;
  /** Of `live` and `outputs` too. */
  subscribeToStreams(listener: () => void): () => void;
}

const same = <T extends object>(one: T, other: T) =>
  (Object.keys(one) as (keyof T)[]).every(name => one[name] === other[name]);

/** @param nextFrame calls back once, before the next picture is drawn */
export function createStore(nextFrame: (callback: () => void) => void): Store {
  let state = initialState;
  let told = state;
  let scheduled = false;
  const [settled, streams] = [createListeners<void>(), createListeners<void>()];
  const tell = () => {
    const { session, ...others } = told;
    const { live, outputs } = session;
    told = state;
    if (!same(others, told) || !same(session, { ...told.session, live, outputs })) settled.tell();
    streams.tell();
  };
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
    subscribe: settled.on,
    subscribeToStreams: streams.on,
  };
}
