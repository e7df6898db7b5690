/** Answers that come later than `fetch` waits for one, and go as they come from it. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { patientFetch } from "../../src/node/httpFetch";
import { eventually } from "../fakes/eventually";
import { listening } from "../fakes/http";
import { ask, models, step } from "../models/connect";
import { events } from "../wire/rawServer";

/** Where Node keeps what sends for `fetch`. */
const PLACE = Symbol.for("undici.globalDispatcher.1");
type Dispatcher = { constructor: new (limits: object) => Dispatcher };
const places = globalThis as unknown as Record<symbol, Dispatcher>;

const patient = patientFetch(() => 300_001);
const piece = (content: string) => ({ id: "c", choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const end = { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };

describe("fetch that waits", () => {
  let server: Awaited<ReturnType<typeof listening>>;
  let answer: (response: ServerResponse, body: string) => void;
  let before: Dispatcher;
  let later: (() => void)[] = [];

  beforeEach(async () => {
    server = await listening(async (request, response) => {
      if (request.method === "GET") return void response.writeHead(404).end();
      answer(response, await text(request));
    });
    later = [];
    new Headers();
    before = places[PLACE] as Dispatcher;
    // Node's 300 s, as 20 ms.
    places[PLACE] = new before.constructor({ headersTimeout: 20, bodyTimeout: 20 });
  });

  afterEach(async () => {
    places[PLACE] = before;
    await server.close();
  });

  const post = (fetch: typeof globalThis.fetch, init: RequestInit = {}) =>
    fetch(server.url, { method: "POST", body: "asked", ...init });

  /** Resolves when Node's own has lost its patience with an answer that does not come. */
  async function outwaited(): Promise<void> {
    answer = () => undefined;
    await assert.rejects(post(patientFetch(() => 120_000)));
  }

  it("for the head of a model's answer, and between two pieces, where so long a time is set", async () => {
    answer = response => {
      void outwaited().then(async () => {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n");
        await outwaited();
        response.end(events(piece("Hello"), piece(" world"), end).join(""));
      });
    };
    const settings = { "model.provider": "server", "model.baseUrl": server.url, "model.timeoutSeconds": 420 } as const;
    const { outcome } = await step(await models(settings, { patientFetch }).connect(), ask());
    assert.deepEqual(outcome.parts, [{ type: "text", text: "Hello world" }]);
  });

  it("sends and gives what fetch does", async () => {
    const heard: string[] = [];
    answer = (response, body) => {
      heard.push(body);
      response.writeHead(201, { "content-encoding": "gzip", "x-a": "1", "set-cookie": ["a=1", "b=2"] });
      response.end(gzipSync("packed"));
    };
    const response = await post(patient, { body: new URLSearchParams({ a: "1 2" }) });
    assert.deepEqual([response.status, response.headers.get("x-a"), response.url], [201, "1", `${server.url}/`]);
    assert.deepEqual(response.headers.getSetCookie(), ["a=1", "b=2"]);
    assert.deepEqual([await response.text(), heard], ["packed", ["a=1+2"]]);
    answer = response => response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync("brotli"));
    assert.equal(await (await post(patient)).text(), "brotli");
    answer = response => response.writeHead(302, { location: "/elsewhere" }).end();
    assert.equal((await post(patient)).status, 302);
    answer = response => response.writeHead(101, { connection: "upgrade", upgrade: "h2c" }).end();
    await assert.rejects(post(patient));
    answer = response => response.writeHead(204).end();
    assert.equal((await post(patient)).body, null);
  });

  it("fails as fetch does", async () => {
    answer = response => {
      response.write("half");
      later.push(() => response.destroy());
    };
    const response = await post(patient);
    const text = response.text();
    await eventually("it was asked", () => later.length > 0);
    later.shift()?.();
    await assert.rejects(text, { name: "TypeError", message: "terminated" });
    await assert.rejects(patient("http://127.0.0.1:1", { method: "POST" }), ({ message, cause }: Error) => {
      assert.equal(message, "fetch failed");
      return (cause as { code?: string }).code === "ECONNREFUSED";
    });
  });

  it("ends with its signal, before the head and behind it, and where nobody reads on", async () => {
    let closed = 0;
    answer = response => {
      response.on("close", () => (closed += 1));
      later.push(() => response.write("one"));
    };
    const reason = new Error("enough");
    const stop = new AbortController();
    const asked = post(patient, { signal: stop.signal });
    await eventually("it was asked", () => later.length === 1);
    stop.abort(reason);
    await assert.rejects(asked, reason);
    await eventually("the server hears", () => closed === 1);

    const again = new AbortController();
    const begun = post(patient, { signal: again.signal });
    await eventually("it was asked", () => later.length === 2);
    later[1]?.();
    const text = (await begun).text();
    again.abort(reason);
    await assert.rejects(text, reason);
    await eventually("the server hears", () => closed === 2);

    const left = post(patient);
    await eventually("it was asked", () => later.length === 3);
    later[2]?.();
    await (await left).body?.cancel();
    await eventually("the server hears", () => closed === 3);
  });
});
