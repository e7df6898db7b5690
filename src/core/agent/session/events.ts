/** The stream of a session's events: durable and live ones, in order. */
import type { AgentEvent } from "../../../shared/events";
import type { Logger } from "../../ground/ports";

/** characters of a command's live output that are kept for a panel that opens in the middle of it */
const MAX_OUTPUT = 64 * 1024;

/** The session itself says what these said: its state, its background tasks. */
const KNOWN_OTHERWISE: ReadonlySet<AgentEvent["type"]> = new Set(["session", "state", "task"]);

/** Who listens to a session. A listener that throws does not stop the others. */
export class Events {
  private readonly listeners = new Set<(event: AgentEvent) => void>();
  /** What has streamed and is in no record yet: what a record holds by now is dropped. */
  private streamed: AgentEvent[] = [];
  /** the newest of each child that has not ended */
  private readonly children = new Map<string, AgentEvent>();

  constructor(private readonly logger: Logger) {}

  emit = (event: AgentEvent): void => {
    if (event.type === "record") this.forget(event);
    else if (event.type === "request") this.streamed = [event];
    else if (event.type === "child") this.children.set(event.childId, event);
    else if (!KNOWN_OTHERWISE.has(event.type)) addJoined(this.streamed, event, MAX_OUTPUT);
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

  /** For a panel that opens in the middle of a turn. */
  live(): AgentEvent[] {
    return [...this.streamed, ...this.children.values()];
  }

  private forget({ record }: Extract<AgentEvent, { type: "record" }>): void {
    if (record.kind === "result") {
      this.streamed = this.streamed.filter(event => !("callId" in event) || event.callId !== record.callId);
    } else if (record.kind === "child" && record.phase === "ended") {
      this.children.delete(record.childId);
    } else if (record.kind === "turnEnd") {
      this.streamed = [];
    } else if (record.kind === "attempt" || (record.kind === "message" && record.message.role === "assistant")) {
      this.streamed = this.streamed.filter(event => event.type === "retry");
    }
  }
}

/** Adds an event to a list; joined to the last one where it continues that. @param maxOutput characters of a command's output */
export function addJoined(events: AgentEvent[], event: AgentEvent, maxOutput: number): void {
  const last = events.at(-1);
  const joined = last && joinEvents(last, event, maxOutput);
  if (joined) events[events.length - 1] = joined;
  else events.push(event);
}

/** undefined: they stay two */
function joinEvents(last: AgentEvent, event: AgentEvent, maxOutput: number): AgentEvent | undefined {
  if ((last.type === "text" || last.type === "reasoning") && last.type === event.type)
    return last.requestId === event.requestId ? { ...last, delta: last.delta + event.delta } : undefined;
  if (last.type === "callInput" && event.type === "callInput" && last.callId === event.callId) return event;
  if (last.type === "output" && event.type === "output" && last.callId === event.callId) {
    if (last.stream === event.stream) return { ...last, text: (last.text + event.text).slice(-maxOutput) };
  }
  return undefined;
}
