/** The stream of a session's events: durable and live ones, in order, to whoever listens. */
import type { AgentEvent } from "../../shared/events";
import type { Logger } from "../ports";

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

/**
 * What has streamed and is in no record yet, for a panel that opens in the middle of it. Deltas are joined; what a record
 * holds by now is dropped.
 */

/** The session itself says what these said: its state, its background tasks. */
const KNOWN_OTHERWISE: ReadonlySet<AgentEvent["type"]> = new Set(["session", "state", "task"]);

const MAX_OUTPUT = 64 * 1024;

export class LiveEvents {
  private events: AgentEvent[] = [];

  take(event: AgentEvent): void {
    if (event.type === "record") this.forget(event);
    else if (event.type === "request") this.events = [event];
    else if (!KNOWN_OTHERWISE.has(event.type)) this.join(event);
  }

  snapshot(): AgentEvent[] {
    return [...this.events];
  }

  private forget({ record }: Extract<AgentEvent, { type: "record" }>): void {
    if (record.kind === "result") {
      this.events = this.events.filter(event => !("callId" in event) || event.callId !== record.callId);
    } else if (record.kind === "turnEnd") {
      this.events = [];
    } else if (record.kind === "attempt" || (record.kind === "message" && record.message.role === "assistant")) {
      this.events = this.events.filter(event => event.type === "retry");
    }
  }

  private join(event: AgentEvent): void {
    const last = this.events.at(-1);
    if (last && (event.type === "text" || event.type === "reasoning") && last.type === event.type) {
      this.events[this.events.length - 1] = { ...last, delta: last.delta + event.delta };
    } else if (last?.type === "callInput" && event.type === "callInput" && last.callId === event.callId) {
      this.events[this.events.length - 1] = event;
    } else if (
      last?.type === "output" &&
      event.type === "output" &&
      last.callId === event.callId &&
      last.stream === event.stream
    ) {
      this.events[this.events.length - 1] = { ...last, text: (last.text + event.text).slice(-MAX_OUTPUT) };
    } else {
      this.events.push(event);
    }
  }
}
