/** What the host sends by itself: it goes to the store, or into the composer. */
import type { Host, HostMessage } from "./bridge/host";
import type { PanelState } from "./store/state";
import type { Store } from "./store/store";

export type Compose = Extract<HostMessage, { type: "compose" }>;

type Events = Extract<HostMessage, { type: "events" }>;

export interface ListenDeps {
  host: Host;
  store: Store;
  /** ms since the epoch */
  clock(): number;
  /** fetches a snapshot */
  open(): Promise<void>;
  compose(compose: Compose): void;
  filesChanged(): void;
}

/** Records that were missed are fetched by opening again. */
export function listen({ host, store, clock, open, compose, filesChanged }: ListenDeps): void {
  type Handlers = { [T in HostMessage["type"]]: (message: Extract<HostMessage, { type: T }>) => void };
  let reopening = false;
  const closeGap = async () => {
    if (reopening) return;
    reopening = true;
    await open();
    reopening = false;
  };
  const handlers: Handlers = {
    events(message) {
      store.dispatch({ ...message, now: clock() });
      if (store.get().gap) void closeGap();
      const text = textToRestore(store.get(), message);
      if (text !== undefined) compose({ type: "compose", op: "restore", text, focus: true });
    },
    snapshot: message => store.dispatch({ ...message, now: clock() }),
    surroundings: message => store.dispatch(message),
    compose,
    filesChanged,
  };
  host.onMessage(message => {
    const handle = handlers[message.type] as (message: HostMessage) => void;
    handle(message);
  });
  host.onBroken(problem => store.dispatch({ type: "notice", text: problem }));
}

/**
 * What a turn was about that ended with history starting afresh: the model has no word of it any more, so its text is given
 * back to be sent again.
 */
function textToRestore({ session }: PanelState, { sessionId, events }: Events): string | undefined {
  if (sessionId !== session.sessionId) return undefined;
  for (const event of events) {
    if (event.type !== "record" || event.record.kind !== "turnEnd") continue;
    const { turn, error } = event.record;
    if (error?.code !== "context-reset") continue;
    const messages = session.chunks.flatMap(chunk => chunk.items).filter(item => item.kind === "user");
    return messages.find(message => message.turn === turn && !message.steer)?.text;
  }
  return undefined;
}
