/**
 * Holds the state and tells who watches it. Actions are applied at once; watchers hear of streamed ones once a frame, so
 * that a burst of deltas costs one rendering. A long conversation has thousands of watchers: those of what streams are
 * few, and alone hear where nothing else is new.
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

function isStreamAlone(before: PanelState, { session, ...others }: PanelState): boolean {
  const same = <T extends object>(one: T, other: T) =>
    (Object.keys(one) as (keyof T)[]).every(at => one[at] === other[at]);
  const { live, outputs } = before.session;
  return same(others, before) && same({ ...session, live, outputs }, before.session);
}

/** @param nextFrame calls back once, before the next picture is drawn */
export function createStore(nextFrame: (callback: () => void) => void): Store {
  let state = initialState;
  let told = state;
  let scheduled = false;
  const [settled, streams] = [createListeners<void>(), createListeners<void>()];
  const tell = () => {
    const isStream = isStreamAlone(told, state);
    told = state;
    if (!isStream) settled.tell();
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
