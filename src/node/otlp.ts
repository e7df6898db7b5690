/**
 * Sends spans to the person's own collector: OTLP over HTTP, as JSON. Nothing waits for it: spans gather in a queue with a bound and leave in
 * batches; what a collector does not take is dropped.
 * OpenTelemetry's SDK would be some twenty packages with global state for one POST.
 */
import { createHash } from "node:crypto";
import type { Clock, Logger, SettingsSource, Span, Telemetry } from "../core/ground/ports";
import { errorMessage } from "../shared/errorMessage";
import { unlessFails } from "./errno";
import { nodeClock } from "./system";

interface OtlpOptions {
  settings: SettingsSource;
  /** `OTEL_EXPORTER_OTLP_HEADERS`: what the collector asks for, as `name=value,name=value` */
  env: Readonly<Record<string, string | undefined>>;
  logger: Logger;
  /** of Strata */
  version: string;
  /** default: this machine's */
  clock?: Clock;
}

const MAX_WAITING = 2_048;
const BATCH = 256;
const GATHER_MS = 2_000;
const ANSWER_MS = 10_000;
/** ms for waiting spans when the program ends */
const LAST_MS = 2_000;

export class OtlpTelemetry implements Telemetry {
  /** as JSON, oldest first */
  private waiting: string[] = [];
  private dropped = 0;
  private isFailing = false;
  /** calls the next batch off */
  private timer: (() => void) | undefined;
  private sending: Promise<void> | undefined;
  private readonly headers: Record<string, string>;
  private readonly clock: Clock;

  constructor(private readonly options: OtlpOptions) {
    const { OTEL_EXPORTER_OTLP_TRACES_HEADERS: own, OTEL_EXPORTER_OTLP_HEADERS: all } = options.env;
    this.headers = parseHeaders(own || all || "");
    this.clock = options.clock ?? nodeClock;
  }

  get isOn(): boolean {
    return this.endpoint !== "";
  }

  private get endpoint(): string {
    return this.options.settings.get()["telemetry.otlpEndpoint"].trim();
  }

  record(span: Span): void {
    if (this.waiting.length >= MAX_WAITING) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(JSON.stringify(toOtlp(span)));
    if (this.waiting.length >= BATCH) this.sendNow();
    else this.timer ??= this.clock.after(GATHER_MS, () => this.sendNow(), "aside");
  }

  /** Sends what waits, as far as that can be done soon. Never rejects. */
  async flush(): Promise<void> {
    if (this.waiting.length === 0 && !this.sending) return;
    const over = Promise.withResolvers<void>();
    const cancel = this.clock.after(LAST_MS, over.resolve);
    const all = async () => {
      await this.sending;
      this.sendNow();
      await this.sending;
    };
    await Promise.race([all(), over.promise]);
    cancel();
  }

  private sendNow(): void {
    this.timer?.();
    this.timer = undefined;
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined;
    });
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      const problem = await this.post(batch);
      // Said once, not with every batch, as long as it lasts.
      if (problem !== undefined && !this.isFailing) {
        const { dropped } = this;
        this.options.logger.log("warning", "the collector takes no spans: they are dropped", { problem, dropped });
      }
      this.isFailing = problem !== undefined;
    }
  }

  /** @returns what went wrong */
  private async post(batch: readonly string[]): Promise<string | undefined> {
    const url = tracesUrl(this.endpoint);
    if (!url) return "strata.telemetry.otlpEndpoint is no http address";
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { ...this.headers, "content-type": "application/json" },
        body: requestBody(batch, this.options.version),
        // The headers are for this collector alone.
        redirect: "error",
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await response.body?.cancel();
      return response.ok ? undefined : `it answered with ${response.status}`;
    } catch (error) {
      return errorMessage(error);
    }
  }
}

/** `/v1/traces` is put behind it where it does not end so. undefined: it is no address of the web */
function tracesUrl(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith("/v1/traces") ? path : `${path}/v1/traces`;
  return url.href;
}

/** As OpenTelemetry's own exporters read it; what makes no sense is passed over. */
function parseHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of text.split(",")) {
    const at = pair.indexOf("=");
    const [name, text] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    // A "%" may stand for itself.
    const value = unlessFails(() => decodeURIComponent(text), text);
    if (at > 0 && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value)) headers[name] = value;
  }
  return headers;
}

function requestBody(spans: readonly string[], version: string): string {
  const resource = JSON.stringify({ attributes: attributes({ "service.name": "strata", "service.version": version }) });
  const scope = JSON.stringify({ name: "strata", version });
  const scopeSpans = `[{"scope":${scope},"spans":[${spans.join(",")}]}]`;
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":${scopeSpans}}]}`;
}

const toOtlp = ({ trace, id, parent, name, kind, start, end, attributes: facts, error }: Span): object => ({
  traceId: hexId(trace, 32),
  spanId: hexId(`${trace} ${id}`, 16),
  ...(parent !== undefined && { parentSpanId: hexId(`${trace} ${parent}`, 16) }),
  name,
  kind: kind === "client" ? 3 : 1,
  startTimeUnixNano: nanoseconds(start),
  endTimeUnixNano: nanoseconds(Math.max(start, end)),
  attributes: attributes(facts),
  status: error === undefined ? {} : { code: 2, message: error },
});

const hexId = (text: string, digits: number) => createHash("sha256").update(text).digest("hex").slice(0, digits);
const nanoseconds = (ms: number) => `${Math.round(ms)}000000`;

const attributes = (facts: Span["attributes"]): object[] =>
  Object.entries(facts).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: Span["attributes"][string]): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map(text => ({ stringValue: text })) } };
}
