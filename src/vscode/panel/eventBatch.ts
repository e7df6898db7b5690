/** Events on their way to the panel: one message a frame, the deltas of a frame joined. */
import type { AgentEvent, AgentEventOf } from "../../shared/events";

/** ms: a frame at 60 Hz */
const FRAME_MS = 16;
/** characters of a tool's live output in one frame; a card shows the newest only */
const MAX_OUTPUT = 20_000;

export interface Batch {
  add(event: AgentEvent): void;
  /** Forgets what waits: a snapshot holds it. */
  clear(): void;
}

/** @param later calls back once after so many ms, and gives back what cancels it */
export function createBatch(
  send: (events: AgentEvent[]) => void,
  later: (callback: () => void, ms: number) => () => void,
): Batch {
  let events: AgentEvent[] = [];
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel = undefined;
    const sent = events;
    events = [];
    send(sent);
  };
  return {
    add(event) {
      join(events, event);
      cancel ??= later(flush, FRAME_MS);
    },
    clear() {
      events = [];
      cancel?.();
      cancel = undefined;
    },
  };
}

function join(events: AgentEvent[], event: AgentEvent): void {
  const last = events.at(-1);
  const joined = last && joinedWith(last, event);
  if (joined) events[events.length - 1] = joined;
  else events.push(event);
}

/** One event that says what the two say; undefined: there is none. */
function joinedWith(last: AgentEvent, event: AgentEvent): AgentEvent | undefined {
  if ((last.type === "text" || last.type === "reasoning") && last.type === event.type) {
    return last.requestId === event.requestId ? { ...last, delta: last.delta + event.delta } : undefined;
  }
  if (last.type === "callInput" && event.type === "callInput" && last.callId === event.callId) return event;
  if (last.type === "output" && event.type === "output" && sameStream(last, event)) {
    return { ...event, text: (last.text + event.text).slice(-MAX_OUTPUT) };
  }
  return undefined;
}

function sameStream(one: AgentEventOf<"output">, other: AgentEventOf<"output">): boolean {
  return one.callId === other.callId && one.stream === other.stream;
}
