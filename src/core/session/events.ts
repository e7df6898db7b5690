/** The stream of a session's events: durable and live ones, in order, to whoever listens. */
import type { AgentEvent } from "../../shared/events";
import type { Logger } from "../ports";
import { LiveEvents } from "./live";

/** Who listens to a session. A listener that throws is its own fault and stops nobody. */
export class Events {
  private readonly listeners = new Set<(event: AgentEvent) => void>();
  readonly live = new LiveEvents();

  constructor(private readonly logger: Logger) {}

  emit = (event: AgentEvent): void => {
    this.live.take(event);
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        this.logger.log("error", "a listener of the session failed", { error: String(error) });
      }
    }
  };

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
