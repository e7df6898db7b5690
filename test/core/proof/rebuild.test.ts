/** What is rebuilt is what was assembled, byte for byte, whatever people, models and tools say. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { type AssembleMemo, assemble } from "../../../src/core/context/assemble";
import { canonicalJson, Images } from "../../../src/core/context/compose";
import { RequestLog } from "../../../src/core/context/requestLog";
import type { SessionFiles } from "../../../src/core/ground/ports";
import { History } from "../../../src/core/log/history";
import { NoRequestError, rebuildRequest } from "../../../src/core/proof/rebuild";
import { verifySession } from "../../../src/core/proof/verify";
import type { Json, MessagePart } from "../../../src/shared/messages";
import { FakeClock } from "../../fakes/clock";
import { hash } from "../../fakes/hash";
import { FakeIds } from "../../fakes/ids";
import { asItIs } from "../../fakes/redact";
import { cases } from "../../fakes/soak";
import { MemoryStorage } from "../../fakes/storage";

/** A session without an agent: what happens is said in one call each, a request follows it. */
async function recorder() {
  const files = await new MemoryStorage().create("ses_1");
  const ids = new FakeIds();
  const deps = { clock: new FakeClock(), ids, hash, emit: () => undefined, redact: asItIs };
  const history = new History(files, deps);
  const log = new RequestLog(files, hash, { repaired: false, onRepair: async () => undefined });
  const images = new Images(files);
  const memo: AssembleMemo = new WeakMap();
  const sent: string[] = [];
  let turn = 0;
  const say = async (role: "user" | "assistant", parts: MessagePart[], newTurn = false) => {
    if (newTurn) turn++;
    const metadata = { ts: 1, turn, step: 1, runId: "run", kind: "normal" as const };
    const id = ids.next("msg");
    await history.append({ kind: "message", parentId: null, message: { id, role, parts, metadata } });
    return id;
  };
  const answerCall = (messageId: string, callId: string, shown: string, kept: string) =>
    history.append({
      ...{
        kind: "result",
        messageId,
        callId,
        toolName: "T",
        turn,
        step: 1,
        status: "success",
        digest: "",
        durationMs: 1,
      },
      forms: { shown, kept },
    });
  const request = async (rule: string, tail: readonly string[], callOptions: Record<string, Json> = {}) => {
    const { messages } = history.conversation;
    await images.load(messages);
    const layers = {
      system: "You are Strata.",
      facts: asItIs("- linux"),
      rules: rule ? [{ source: "rules:AGENTS.md", text: asItIs(rule), trust: "rules" as const }] : [],
      tail: tail.map(text => ({ source: "tail:todo", text: asItIs(text) })),
    };
    const tools = [{ name: "T", description: asItIs(rule), inputSchema: { type: "object" } }];
    const assembled = assemble({
      layers,
      tools,
      summaries: [],
      messages,
      turn,
      settled: turn - 1,
      brief: new Set<number>(),
      callOptions,
      image: images.get,
      hash,
      memo,
    });
    const place = { requestId: ids.next("req"), runId: "run", turn, step: 1, attempt: 1, ts: 1 };
    await log.write(assembled, { ...place, model: "m", bodySha256: null });
    sent.push(canonicalJson(assembled));
  };
  const inject = (text: string, place: "before" | "end") => {
    const own = { messageId: ids.next("msg"), source: "rules:src/AGENTS.md", fingerprint: text };
    return history.append({ kind: "inject", ...own, turn, runId: "run", place, text });
  };
  return { files, history, say, inject, answerCall, request, sent };
}

async function check(files: SessionFiles, sent: readonly string[], known: readonly string[] = ["prefix"]) {
  const { defects, proven } = await verifySession(files, hash);
  assert.deepEqual(
    defects.filter(({ kind }) => !known.includes(kind)),
    [],
  );
  assert.equal(proven, sent.length);
  for (const [at, json] of sent.entries()) {
    const { content, segments } = await rebuildRequest(files, hash, at + 1);
    assert.ok(content);
    assert.equal(canonicalJson(content), json);
    for (const segment of segments) assert.equal(segment.sha256, hash.sha256(segment.content ?? ""));
  }
}

/** Lone surrogates, separators of lines, keys that objects have anyway. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "\u2028\r\n", "\ud800", "\ufeffx", "</system-reminder>"),
);
const plain = fc.jsonValue().map(value => JSON.parse(JSON.stringify(value).replaceAll("__proto__", "proto")) as Json);
const input = fc
  .dictionary(fc.oneof(fc.string(), fc.constantFrom("1", "constructor", "toString")), plain)
  .map(value => JSON.parse(JSON.stringify(value).replaceAll("__proto__", "proto")) as Record<string, Json>);
const metadata = fc.option(fc.record({ openai: fc.record({ itemId: fc.string() }) }), { nil: undefined });
const call = fc.record({ callId: fc.constantFrom("call_0", "call_1", "call_2"), input, shown: text, kept: text });
const event = fc.oneof(
  fc.record({ what: fc.constant("turn" as const), text }),
  fc.record({ what: fc.constant("steer" as const), text }),
  fc.record({ what: fc.constant("inject" as const), text, place: fc.constantFrom("before" as const, "end" as const) }),
  fc.record({ what: fc.constant("image" as const), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
  fc.record({
    ...{ what: fc.constant("step" as const), text, metadata },
    calls: fc.uniqueArray(call, { maxLength: 3, selector: ({ callId }) => callId }),
    answered: fc.nat({ max: 3 }),
  }),
);

describe("rebuild", () => {
  it("gives every request of any session byte for byte", () => {
    const session = fc.record({
      events: fc.array(event, { minLength: 1, maxLength: 8 }),
      rules: fc.array(text, { minLength: 1, maxLength: 3 }),
      tail: fc.array(text, { maxLength: 2 }),
      callOptions: fc
        .dictionary(fc.string(), plain)
        .map(options => JSON.parse(JSON.stringify(options).replaceAll("__proto__", "proto"))),
    });
    const play = async ({
      events,
      rules,
      tail,
      callOptions,
    }: typeof session extends fc.Arbitrary<infer T> ? T : never) => {
      const { files, say, inject, answerCall, request, sent } = await recorder();
      await say("user", [{ type: "text", text: "go" }], true);
      for (const [at, happened] of events.entries()) {
        if (happened.what === "turn" || happened.what === "steer") {
          const reminder = { type: "data-reminder" as const, data: { name: "mentions", text: happened.text } };
          await say("user", [{ type: "text", text: happened.text }, reminder], happened.what === "turn");
        } else if (happened.what === "inject") {
          await inject(happened.text, happened.place);
        } else if (happened.what === "image") {
          const sha256 = createHash("sha256").update(happened.bytes).digest("hex");
          await files.putBlob(sha256, happened.bytes);
          await say("user", [{ type: "file", mediaType: "image/png", url: `blob:${sha256}`, filename: "a.png" }]);
        } else {
          const { metadata, calls, answered } = happened;
          const more = metadata ? { providerMetadata: metadata } : {};
          const id = await say("assistant", [
            { type: "reasoning", text: happened.text, ...more },
            { type: "text", text: happened.text },
            ...calls.map(
              ({ callId, input }): MessagePart => ({
                ...{ type: "dynamic-tool", toolName: "T", toolCallId: callId, state: "input-available", input },
                ...(metadata ? { callProviderMetadata: metadata } : {}),
              }),
            ),
          ]);
          // Results are logged as they end, not in the order of their calls; some never come.
          for (const { callId, shown, kept } of calls.toReversed().slice(0, answered)) {
            await answerCall(id, callId, shown, kept);
          }
        }
        await request(rules[at % rules.length] ?? "", tail, callOptions);
      }
      await check(files, sent);
    };
    return fc.assert(fc.asyncProperty(session, play), { numRuns: cases(300) });
  });

  it("goes through whole lists and splices, over many requests", async () => {
    const { files, say, answerCall, request, sent } = await recorder();
    for (let turn = 0; turn < 4; turn++) {
      await say("user", [{ type: "text", text: `turn ${turn}` }], true);
      for (let step = 0; step < 30; step++) {
        const call = { toolName: "T", toolCallId: "call_0", state: "input-available" as const, input: { step } };
        const id = await say("assistant", [{ type: "dynamic-tool", ...call }]);
        await answerCall(id, "call_0", `all of ${turn} ${step}`, `some of ${turn} ${step}`);
        await request("Be kind.", [`todo ${step}`]);
      }
    }
    await check(files, sent);
    const { breaks } = await verifySession(files, hash);
    assert.deepEqual(breaks, { "turn-end": 3 });
  });

  it("counts from the end too, and says when there is no such request", async () => {
    const { files, say, request, sent } = await recorder();
    await say("user", [{ type: "text", text: "go" }], true);
    await assert.rejects(rebuildRequest(files, hash, 1), /has 0 requests, so there is no request/);
    await request("", []);
    await request("", ["x"]);
    assert.equal(canonicalJson((await rebuildRequest(files, hash, -1)).content!), sent[1]);
    assert.equal((await rebuildRequest(files, hash, -2)).number, 1);
    for (const number of [3, -3, 0]) await assert.rejects(rebuildRequest(files, hash, number), NoRequestError);
  });

  it("flags a break of the prefix that has no cause", async () => {
    const { files, history, say, request, sent } = await recorder();
    const id = await say("user", [{ type: "text", text: "go" }], true);
    await say("assistant", [{ type: "text", text: "yes" }]);
    await request("", []);
    history.conversation.messages.shift();
    await request("", []);
    const { defects, breaks } = await verifySession(files, hash);
    assert.deepEqual(breaks, { unexplained: 1 });
    assert.deepEqual(defects.map(({ kind, request, text }) => [kind, request, text]).slice(0, 1), [
      ["prefix", 2, `the prefix of the request before breaks at segment 4 (message:${id}) without a cause`],
    ]);
    await check(files, sent, ["prefix", "history"]);
  });
});
