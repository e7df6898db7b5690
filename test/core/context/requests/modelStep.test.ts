import assert from "node:assert/strict";
import type { ModelMessage } from "ai";
import type { OfflineScript } from "../../../../scripts/offline-model/server.mjs";
import { FakeClock } from "../../../fakes/clock";
import { eventually } from "../../../fakes/eventually";
import { hash } from "../../../fakes/hash";
import { apis, ask, call, done, plain, step, withModel } from "../../../models/connect";

for (const api of apis) {
  describe(`modelStep over HTTP: ${api}`, () => {
    it("streams reasoning, text and parallel calls, in the order they came", () => {
      const text = "First I read the file.\n\n1. `a`\n2. ünïcode 你好 🚀";
      const calls = [
        { name: "Read", input: { file_path: "src/a.ts", offset: 3 } },
        { name: "LS", input: {} },
        { name: "Read", input: { file_path: 'b "quoted" \\ \n.ts' } },
      ];
      return withModel(
        { api, script: () => ({ reasoning: "What is there to read?", text, calls }) },
        async connection => {
          const { outcome, deltas } = await step(connection);
          const { parts, finishReason } = done(outcome);
          assert.equal(finishReason, "tool-calls");
          assert.deepEqual(plain(parts), [
            { type: "reasoning", text: "What is there to read?" },
            { type: "text", text },
            ...calls.map(({ name, input }, index) => call(name, input, index)),
          ]);
          const said = (type: string) =>
            deltas.map(delta => (delta.type === type && "delta" in delta ? delta.delta : "")).join("");
          assert.equal(said("text"), text);
          assert.equal(said("reasoning"), "What is there to read?");
          assert.ok(deltas.filter(delta => delta.type === "text").length > 3, "in pieces");
          const written = deltas.flatMap(delta =>
            delta.type === "callInput" && delta.toolName === "Read" ? [delta.chars] : [],
          );
          assert.ok(written.includes(JSON.stringify(calls[0]?.input).length), written.join());
          const ids = parts.flatMap(part => (part.type === "dynamic-tool" ? [part.toolCallId] : []));
          assert.equal(new Set(ids).size, 3);
        },
      );
    });

    it("reports usage, and on the next request what the prefix cache saved", () =>
      withModel({ api, script: () => ({ reasoning: "Four words of thought.", text: "Done." }) }, async connection => {
        const first = done((await step(connection)).outcome);
        assert.ok(first.usage && first.usage.input > 50 && first.usage.output >= 2);
        assert.equal(first.usage.cachedInput, 0);
        assert.equal(first.usage.reasoning, 6);
        const longer = ask();
        longer.messages.push({ role: "assistant", content: "Done." }, { role: "user", content: "Thanks" });
        const { usage } = done((await step(connection, longer)).outcome);
        assert.ok(
          usage?.cachedInput !== undefined && usage.cachedInput >= first.usage.input - 1,
          JSON.stringify(usage),
        );
        assert.ok(usage.input > usage.cachedInput);
      }));

    it("hashes exactly the bytes that arrive, before they leave", () =>
      withModel({ api, script: () => ({ text: "Hi" }) }, async (connection, server) => {
        const { hashes } = await step(connection, ask("ünïcode 你好"), {
          beforeSend: async () => assert.equal(server.requests.length, 0),
        });
        assert.deepEqual(hashes, [hash.sha256(server.requests[0]?.rawBody ?? "")]);
      }));

    it("sends nothing where beforeSend rejects, and rejects with the same", () =>
      withModel({ api, script: () => ({ text: "Hi" }) }, async (connection, server) => {
        const full = new Error("disk full");
        const sending = step(connection, ask(), { beforeSend: () => Promise.reject(full) });
        await assert.rejects(sending, error => error === full);
        assert.equal(server.requests.length, 0);
      }));

    it("sends whole conversations: nothing refers to what a server keeps", () => {
      const script: OfflineScript = ({ messages }) =>
        messages.at(-1)?.role === "tool"
          ? {
              text: `I thought "${messages.map(message => message.reasoning ?? "").join("")}" and got ${messages.at(-1)?.text}.`,
            }
          : { reasoning: "Look first.", calls: [{ name: "LS", input: {} }] };
      // A name that the SDK knows to reason: only then it asks for the reasoning in a form to send back.
      return withModel({ api, script, settings: { "model.name": "gpt-5" } }, async (connection, server) => {
        const first = done((await step(connection)).outcome);
        const made = first.parts.find(part => part.type === "dynamic-tool");
        assert.ok(made?.type === "dynamic-tool");
        const answered: ModelMessage[] = [
          ...ask().messages,
          {
            role: "assistant",
            content: first.parts.map(part => {
              if (part.type === "reasoning")
                return { type: "reasoning", text: part.text, ...options(part.providerMetadata) };
              return {
                type: "tool-call",
                toolCallId: made.toolCallId,
                toolName: "LS",
                input: {},
                ...options(made.callProviderMetadata),
              };
            }),
          },
          {
            role: "tool",
            content: [
              {
                type: "tool-result",
                toolCallId: made.toolCallId,
                toolName: "LS",
                output: { type: "text", value: "src/" },
              },
            ],
          },
        ];
        const second = done((await step(connection, { ...ask(), messages: answered })).outcome);
        assert.deepEqual(plain(second.parts), [{ type: "text", text: 'I thought "Look first." and got src/.' }]);
        const body = server.requests[1]?.body;
        assert.equal(body.previous_response_id, undefined);
        if (api === "responses") assert.equal(body.store, false);
        const roles = (body.messages ?? body.input).map((item: { role?: string }) => item.role);
        assert.equal(roles.filter((role: string) => role === "system" || role === "developer").length, 1);
      });
    });

    // The others: test/models/faults.test.ts, for every provider.
    for (const [fault, code, words] of [
      ["cut", "cut", /lost in the middle of the answer/],
      ["garbage", "bad-answer", /does not answer like a model server/],
    ] as const) {
      it(`${fault} fails as ${code}`, () =>
        withModel({ api, script: () => ({ fault }) }, async (connection, server) => {
          const { outcome } = await step(connection);
          assert.ok(outcome.kind === "failed");
          const failure = connection.explain(outcome.error);
          assert.deepEqual([failure.code, failure.retryable], [code, true]);
          assert.match(failure.message, words);
          assert.equal(server.requests.length, 1, "retries are the caller's");
        }));
    }

    it("keeps the text that came before a cut, and no call whose input broke off", () => {
      const text = "I will now read the file. ";
      const input = { file_path: "x".repeat(2000) };
      return withModel(
        { api, script: () => ({ text, calls: [{ name: "Read", input }], fault: "cut-clean" }) },
        async connection => {
          const { outcome } = await step(connection);
          assert.equal(outcome.kind, "failed");
          assert.deepEqual(plain(outcome.parts), [{ type: "text", text }]);
        },
      );
    });

    it("turns broken JSON into one call that says what is wrong", () =>
      withModel({ api, script: () => ({ fault: "bad-json-call" }) }, async connection => {
        const calls = done((await step(connection)).outcome).parts.filter(part => part.type === "dynamic-tool");
        assert.equal(calls.length, 1);
        const [broken] = calls;
        assert.equal(broken?.input, '{"file_path": "src/inv');
        assert.match(broken?.errorText ?? "", /^it is not valid JSON \(.+\)\.$/);
      }));

    it("calls that are numbered alike, or not at all, get ids of their own", () => {
      const calls = ["c", "c", "constructor", "__proto__", "c"].map(id => ({ id, name: "LS", input: {} }));
      return withModel({ api, script: () => ({ calls }) }, async connection => {
        const { parts } = done((await step(connection)).outcome);
        const ids = parts.flatMap(part => (part.type === "dynamic-tool" ? [part.toolCallId] : []));
        assert.deepEqual([ids.length, new Set(ids).size], [5, 5]);
        assert.deepEqual(ids.slice(2, 4), ["constructor", "__proto__"]);
      });
    });

    it("turns an unknown tool into one call that names the tools there are", () =>
      withModel({ api, script: () => ({ fault: "unknown-tool" }) }, async connection => {
        const calls = done((await step(connection)).outcome).parts.filter(part => part.type === "dynamic-tool");
        assert.deepEqual(plain(calls), [
          {
            ...call("Frobnicate", { level: 11 }, 0),
            errorText: 'there is no tool "Frobnicate", only Read, LS.',
          },
        ]);
      }));

    it("stops in the middle: what had come stays, calls that were not complete do not", () => {
      const stop = new AbortController();
      const script = () => ({
        text: "One two three. ",
        calls: [{ name: "Read", input: { file_path: "x".repeat(4000) } }],
        chunkDelayMs: 5,
      });
      return withModel({ api, script }, async connection => {
        const { outcome } = await step(connection, ask(), {
          signal: stop.signal,
          onDelta: delta => delta.type === "callInput" && delta.chars > 100 && stop.abort(),
        });
        assert.equal(outcome.kind, "stopped");
        assert.deepEqual(plain(outcome.parts), [{ type: "text", text: "One two three. " }]);
      });
    });

    it("sends nothing when it was stopped before", () =>
      withModel({ api, script: () => ({ text: "Hi" }) }, async (connection, server) => {
        const { outcome } = await step(connection, ask(), { signal: AbortSignal.abort() });
        assert.deepEqual(outcome, { kind: "stopped", parts: [] });
        assert.equal(server.requests.length, 0);
      }));

    it("gives up after the time-out without a byte", () =>
      withModel({ api, script: () => ({ fault: "hang" }) }, async (connection, server) => {
        const clock = new FakeClock();
        let isOver = false;
        const asked = step({ ...connection, timeoutMs: 100_000 }, ask(), { clock }).finally(() => {
          isOver = true;
        });
        await eventually("the request", () => server.requests.length > 0);
        await clock.advance(100_000);
        assert.equal(isOver, false);
        await clock.advance(25_000);
        const { outcome } = await asked;
        assert.equal(clock.calls, 0, "nobody looks any more");
        assert.ok(outcome.kind === "failed");
        assert.equal(connection.explain(outcome.error).code, "timeout");
      }));
  });
}

function options(metadata: unknown): { providerOptions?: Record<string, Record<string, never>> } {
  return metadata ? { providerOptions: metadata as Record<string, Record<string, never>> } : {};
}
