import assert from "node:assert/strict";
import { type Fault, startOfflineModel } from "../../../../scripts/offline-model/server.mjs";
import type { AnswerPart, ModelConnection } from "../../../../src/core/ground/ports";
import { FakeClock } from "../../../fakes/clock";
import { apis, ask, done, models, plain, step, tools } from "../../../models/connect";

/** Server-sent events out of nothing, for what the offline model would never say. */
function events(lines: string[], beforeLine: () => void | Promise<void> = () => undefined): typeof fetch {
  return async () => {
    const left = [...lines];
    const body = new ReadableStream<Uint8Array>(
      {
        // Asked for once the line before was taken.
        async pull(controller) {
          const line = left.shift();
          if (line === undefined) return controller.close();
          await beforeLine();
          controller.enqueue(new TextEncoder().encode(line));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

const connectTo = (fetch: typeof globalThis.fetch) =>
  models({ "model.baseUrl": "http://models.example/v1" }, { fetch }).connect();

describe("modelStep: odd streams", () => {
  const TIMEOUT = 100_000;
  /** Before each line half the time-out passes. */
  const slow = async (lines: string[]) => {
    const clock = new FakeClock();
    const answer = events(lines, () => clock.advance(TIMEOUT / 2));
    let leftAt: number | undefined;
    const connection = await connectTo((url, init) => {
      init?.signal?.addEventListener("abort", () => {
        leftAt ??= clock.steady();
      });
      return answer(url, init);
    });
    return {
      connection,
      clock,
      leftAt: () => leftAt,
      ...(await step({ ...connection, timeoutMs: TIMEOUT }, ask(), { clock })),
    };
  };
  const saying = (delta: object, end = {}) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...end }] })}\n\n`;
  const hi = saying({ content: "Hi" }, { finish_reason: "stop" });

  it("counts bytes that carry nothing yet against the time-out", async () => {
    const { outcome } = await slow([...Array(20).fill(": still working\n\n"), hi]);
    assert.deepEqual(plain(done(outcome).parts), [{ type: "text", text: "Hi" }]);
  });

  it("does not give up while the answer goes on", async () => {
    const { outcome, clock } = await slow([...Array(60).fill(saying({ content: "word " })), hi]);
    assert.deepEqual(plain(done(outcome).parts), [{ type: "text", text: `${"word ".repeat(60)}Hi` }]);
    assert.deepEqual([clock.steady(), clock.calls], [61 * (TIMEOUT / 2), 0]);
  });

  it("gives up where there are signs of life, and nothing of an answer, for fifteen times the time-out", async () => {
    const { outcome, connection, leftAt } = await slow(Array(100).fill(": still working\n\n"));
    assert.ok(outcome.kind === "failed");
    assert.equal(connection.explain(outcome.error).code, "timeout");
    assert.match(connection.explain(outcome.error).message, /No reply from/);
    assert.equal(leftAt(), 15 * TIMEOUT);
  });

  const empty = ["", "  \n "];
  for (const content of empty) {
    it(`fails where the answer is ${JSON.stringify(content)}`, async () => {
      const data = JSON.stringify({
        choices: [{ index: 0, delta: { content, reasoning_content: "Hm." }, finish_reason: "stop" }],
      });
      const connection = await connectTo(events([`data: ${data}\n\n`]));
      const { outcome } = await step(connection);
      assert.ok(outcome.kind === "failed");
      assert.deepEqual(connection.explain(outcome.error).code, "bad-answer");
    });
  }

  it("makes one text of a body, and its bytes once", async () => {
    const long = "word ".repeat(10_000);
    const connection = await connectTo(events([hi]));
    const made: string[] = [];
    const restore = [JSON, TextEncoder.prototype].map((owner, at) => {
      const name = at === 0 ? "stringify" : "encode";
      const real = Reflect.get(owner, name);
      Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
        const value: { length: number } | undefined = Reflect.apply(real, this, args);
        if (value && value.length > long.length) made.push(name);
        return value;
      });
      return () => Reflect.set(owner, name, real);
    });
    const { outcome } = await step(connection, ask(long)).finally(() => restore.map(each => each()));
    assert.deepEqual([outcome.kind, made], ["answered", ["stringify", "encode"]]);
  });

  it("prints nothing, whatever happens", async () => {
    const printed: unknown[] = [];
    const { error, warn, log } = console;
    const note = (...args: unknown[]) => void printed.push(args);
    Object.assign(console, { error: note, warn: note, log: note });
    process.on("warning", note);
    const server = await startOfflineModel({ script: ({ model }) => ({ fault: model as Fault }) });
    try {
      for (const fault of ["500", "cut", "cut-clean", "garbage", "html", "bad-json-call", "unknown-tool"]) {
        for (const api of apis) {
          const settings = {
            "model.baseUrl": server.url,
            "model.api": api,
            "model.name": fault,
            "model.reasoning": "low",
          } as const;
          await step(await models(settings).connect(), { ...ask(), tools: [...tools].reverse() });
        }
      }
    } finally {
      await server.close();
      await new Promise(resolve => setImmediate(resolve));
      Object.assign(console, { error, warn, log });
      process.off("warning", note);
    }
    assert.deepEqual(printed, []);
  });

  describe("of a provider that does not hear the signal", () => {
    const never = new Promise<never>(() => undefined);
    type Parts = (beforeSend: () => Promise<void>) => AsyncIterable<AnswerPart>;
    const deaf = async (parts: Parts): Promise<ModelConnection> => ({
      ...(await connectTo(() => never)),
      open: beforeSend => ({ doStream: async () => ({ stream: parts(() => beforeSend(null)) }) }),
    });

    it("a stop ends the step at once, and what comes later is no part of it", async () => {
      const stop = new AbortController();
      const later = Promise.withResolvers<void>();
      const connection = await deaf(async function* () {
        yield { type: "text-delta", id: "1", delta: "Half" };
        await later.promise;
        yield { type: "text-delta", id: "1", delta: " and more" };
      });
      const { outcome, deltas } = await step(connection, ask(), { signal: stop.signal, onDelta: () => stop.abort() });
      later.resolve();
      await new Promise(setImmediate);
      assert.deepEqual([outcome, deltas.length], [{ kind: "stopped", parts: [{ type: "text", text: "Half" }] }, 1]);
    });

    it("the account of the request is waited for, and that it failed is told", async () => {
      const stop = new AbortController();
      const connection = await deaf(async function* (beforeSend) {
        yield await beforeSend().then(() => never);
      });
      const beforeSend = async () => {
        stop.abort();
        await new Promise(setImmediate);
        throw new Error("disk full");
      };
      await assert.rejects(step(connection, ask(), { signal: stop.signal, beforeSend }), /disk full/);
    });
  });
});
