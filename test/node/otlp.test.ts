import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { createSession } from "../../src/core/agent/session/openSession";
import type { Span } from "../../src/core/ground/ports";
import { OtlpTelemetry } from "../../src/node/otlp";
import { type Settings, settingsSchema } from "../../src/shared/settings";
import { runTurn, world } from "../fakes/agent";
import { FakeClock } from "../fakes/clock";
import { eventually } from "../fakes/eventually";
import { listening } from "../fakes/http";
import { pluck } from "../fakes/pluck";

interface Received {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: OtlpBody;
}
interface OtlpBody {
  resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  status: { code?: number; message?: string };
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** A collector that keeps what it gets; `status` and `silent` say how it answers. */
async function startCollector() {
  const received: Received[] = [];
  const state = { status: 200, silent: false, location: "" };
  const { url, close } = await listening(async (request, response) => {
    received.push({ path: request.url, headers: request.headers, body: JSON.parse(await text(request)) });
    if (state.silent) return;
    response.writeHead(state.status, state.location ? { location: state.location } : {});
    response.end("{}");
  });
  const spans = () =>
    received.flatMap(({ body }) => body.resourceSpans.flatMap(each => each.scopeSpans[0]?.spans ?? []));
  return { url, received, state, spans, close };
}

describe("spans sent to a collector", () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let warnings: string[];
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock();
    collector = await startCollector();
    warnings = [];
  });
  afterEach(() => collector.close());

  const telemetryFor = (settings: Partial<Settings>, env: Record<string, string> = {}) =>
    new OtlpTelemetry({
      ...{ env, clock, version: "9.9.9", settings: { get: () => settingsSchema.parse(settings) } },
      logger: { log: (_, message, fields) => warnings.push(`${message} ${JSON.stringify(fields)}`) },
    });
  const span = (id: string): Span => ({
    ...{ trace: "run_1", id, name: `chat ${id}`, kind: "client", start: 1_700_000_000_000, end: 1_700_000_000_500 },
    attributes: { "gen_ai.request.model": "m", count: 3, share: 0.5, on: true, list: ["a", "b"] },
  });

  async function turn(settings: Partial<Settings>) {
    const telemetry = telemetryFor({ "telemetry.otlpEndpoint": collector.url, ...settings });
    const { ports, models } = world({ secrets: { environment: { APP_TOKEN: "sk9fQ2xLr7VbT3mZ" } } });
    const session = await createSession({ ...ports, telemetry });
    models.play({ text: "The answer is sk9fQ2xLr7VbT3mZ, of course." });
    await runTurn(session, "What is the question?");
    await telemetry.flush();
    return JSON.stringify(collector.received.map(({ body }) => body));
  }

  it("a turn arrives as OTLP in JSON, without content", async () => {
    const text = await turn({});
    const [chat, agent] = collector.spans();
    assert.deepEqual(
      [chat?.name, chat?.kind, agent?.name, agent?.kind],
      ["chat scripted", 3, "invoke_agent Strata", 1],
    );
    assert.equal(chat?.traceId, agent?.traceId);
    assert.equal(chat?.parentSpanId, agent?.spanId);
    assert.match(`${chat?.traceId} ${chat?.spanId}`, /^[0-9a-f]{32} [0-9a-f]{16}$/);
    assert.match(`${chat?.startTimeUnixNano}`, /^\d+000000$/);
    const attributes = new Map(chat?.attributes.map(({ key, value }) => [key, value]));
    assert.deepEqual(attributes.get("gen_ai.usage.input_tokens"), { intValue: "100" });
    assert.deepEqual(attributes.get("gen_ai.response.finish_reasons"), {
      arrayValue: { values: [{ stringValue: "stop" }] },
    });
    for (const said of ["The answer", "question", "sk9fQ2xLr7VbT3mZ"]) assert.ok(!text.includes(said), said);
  });

  it("nothing is sent without an address", async () => {
    await turn({ "telemetry.otlpEndpoint": "" });
    assert.deepEqual(collector.received, []);
  });

  it("to the traces of the address, with the headers of the environment, never on to another host", async () => {
    const other = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-team=a=b,broken,=no" };
    const telemetry = telemetryFor({ "telemetry.otlpEndpoint": `${collector.url}/base/` }, env);
    telemetry.record(span("a"));
    await telemetry.flush();
    const [first] = collector.received;
    assert.deepEqual([first?.path, first?.headers.authorization], ["/base/v1/traces", "Bearer abc"]);
    assert.deepEqual([first?.headers["x-team"], first?.headers["content-type"]], ["a=b", "application/json"]);
    assert.deepEqual(first?.body.resourceSpans[0]?.resource.attributes, [
      { key: "service.name", value: { stringValue: "strata" } },
      { key: "service.version", value: { stringValue: "9.9.9" } },
    ]);
    Object.assign(collector.state, { status: 307, location: `${other.url}/v1/traces` });
    telemetry.record(span("b"));
    await telemetry.flush();
    assert.deepEqual(other.received, []);
    await other.close();
  });

  it("what a collector does not take is dropped, and said once as long as it lasts", async () => {
    const telemetry = telemetryFor({ "telemetry.otlpEndpoint": collector.url });
    for (const [name, status] of [
      ["a", 503],
      ["b", 401],
      ["c", 200],
    ] as const) {
      collector.state.status = status;
      collector.received.length = 0;
      telemetry.record(span(name));
      await telemetry.flush();
    }
    assert.equal(warnings.length, 1, warnings.join("\n"));
    assert.match(warnings[0] ?? "", /takes no spans.*503/);
    assert.deepEqual(pluck(collector.spans(), "name"), ["chat c"]);
    const astray = telemetryFor({ "telemetry.otlpEndpoint": "collector" });
    astray.record(span("a"));
    await astray.flush();
    assert.match(warnings.join("\n"), /no http address/);
  });

  it("spans leave together after two seconds", async () => {
    const telemetry = telemetryFor({ "telemetry.otlpEndpoint": collector.url });
    telemetry.record(span("a"));
    telemetry.record(span("b"));
    await eventually("a time to send", () => clock.calls === 1);
    await clock.advance(1_999);
    assert.equal(collector.received.length, 0);
    await clock.advance(1);
    await eventually("a batch", () => collector.received.length === 1);
    assert.equal(collector.received[0]?.body.resourceSpans[0]?.scopeSpans[0]?.spans.length, 2);
  });

  it("the queue has a bound: beside a collector that does not answer the newest are dropped", async () => {
    collector.state.silent = true;
    const telemetry = telemetryFor({ "telemetry.otlpEndpoint": collector.url });
    for (let at = 0; at < 5_000; at++) telemetry.record(span(String(at)));
    await eventually("a batch", () => collector.received.length === 1);
    await collector.close();
    await telemetry.flush();
    assert.match(warnings.join("\n"), /takes no spans.*"dropped":2696/);
  });

  it("one that never answers holds neither a turn nor the end of the program up", async () => {
    collector.state.silent = true;
    const text = turn({});
    await eventually("the spans", () => collector.received.length > 0);
    await clock.advance(2_000);
    assert.match(await text, /chat scripted/);
  });
});
