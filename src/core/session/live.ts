/**
 * What has streamed and is in no record yet, for a panel that opens in the middle of it. Deltas are joined; what a record
 * holds by now is dropped.
 */
import type { AgentEvent } from "../../shared/events";

/** The session itself says what these said: its state, its background tasks. */
const KNOWN_OTHERWISE: ReadonlySet<AgentEvent["type"]> = new Set(["session", "state", "task"]);

const MOST_OUTPUT = 64 * 1024;

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
      this.events[this.events.length - 1] = { ...last, text: (last.text + event.text).slice(-MOST_OUTPUT) };
    } else {
      this.events.push(event);
    }
  }
}
