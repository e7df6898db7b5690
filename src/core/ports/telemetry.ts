/** What was done, how long it took and how it ended, for a collector of the person's own (docs/logs.md). */

type SpanValue = string | number | boolean | readonly string[];

/** A piece of work that has ended. */
export interface Span {
  /** what belongs together has the same; any text */
  trace: string;
  /** its own; any text */
  id: string;
  /** id of the span around it */
  parent?: string;
  name: string;
  /** client: a request to a server */
  kind: "internal" | "client";
  /** ms since the epoch */
  start: number;
  end: number;
  /** by the names of OpenTelemetry's conventions */
  attributes: Readonly<Record<string, SpanValue>>;
  /** why it failed, in a word */
  error?: string;
}

export interface Telemetry {
  /** Content (what was said and read) only where the person switched that on. */
  readonly wants: "nothing" | "facts" | "content";
  /** Never throws and never waits: what cannot be delivered is dropped. */
  record(span: Span): void;
}
