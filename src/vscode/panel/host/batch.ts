/** Events on their way to the panel. Pure but for who calls back. */
import { addJoined } from "../../../core/agent/session/events";
import type { AgentEvent } from "../../../shared/events";

/** ms: a frame at 60 Hz */
const FRAME_MS = 16;
/** characters of a tool's live output in one frame; a card shows the newest only */
const MAX_OUTPUT = 20_000;

/**
 * Events on their way to the panel: one message a frame, the deltas of a frame joined.
 * @param later calls back once after so many ms, and gives back what cancels it
 */
export function createBatch(
  send: (events: AgentEvent[]) => void,
  later: (callback: () => void, ms: number) => () => void,
) {
  let events: AgentEvent[] = [];
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel = undefined;
    send(events.splice(0));
  };
  return {
    add(event: AgentEvent): void {
      addJoined(events, event, MAX_OUTPUT);
      cancel ??= later(flush, FRAME_MS);
    },
    /** Forgets what waits: a snapshot holds it. */
    clear(): void {
      events = [];
      cancel?.();
      cancel = undefined;
    },
  };
}
