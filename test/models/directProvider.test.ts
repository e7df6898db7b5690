/** The table of providers takes a row whose model has no HTTP below it, as VS Code's own models: a whole turn, and its proof. */

import assert from "node:assert/strict";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { createSession } from "../../src/core/agent/session/openSession";
import { verifySession } from "../../src/core/proof/verify";
import { createModels } from "../../src/models";
import type { Provider } from "../../src/models/provider";
import { settingsSchema } from "../../src/shared/settings";
import { world } from "../fakes/agent";
import { FakeClock } from "../fakes/clock";
import { hash } from "../fakes/hash";

type Model = InstanceType<typeof MockLanguageModelV4>;

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
};

function direct(model: Model): Provider {
  return {
    name: "openai-compatible",
    title: "a test",
    keyVariables: ["NONE"],
    serves: ({ host }) => host === "editor.invalid",
    load: async () => ({ kind: "direct", options: {}, model }),
    listModels: async () => [{ id: "one" }],
    capabilities: { needsKey: false },
  };
}

function answering(seen: string[]): Model {
  return new MockLanguageModelV4({
    doStream: async () => {
      seen.push("asked");
      const chunks = [
        { type: "stream-start" as const, warnings: [] },
        { type: "text-start" as const, id: "t" },
        { type: "text-delta" as const, id: "t", delta: "Hello." },
        { type: "text-end" as const, id: "t" },
        { type: "finish" as const, finishReason: { unified: "stop" as const, raw: "stop" }, usage },
      ];
      return { stream: simulateReadableStream({ chunks, chunkDelayInMs: null, initialDelayInMs: null }) };
    },
  });
}

function models(model: Model) {
  const settings = settingsSchema.parse({ "model.baseUrl": "http://editor.invalid/v1", "model.name": "one" });
  return createModels({
    settings: { get: () => settings },
    apiKey: async () => undefined,
    ...{ hash, clock: new FakeClock() },
    providers: [direct(model)],
  });
}

describe("a provider without HTTP", () => {
  it("a turn is sent after its manifest is synced, without a body's hash, and is proven", async () => {
    const seen: string[] = [];
    const { ports, disk } = world();
    const session = await createSession({ ...ports, models: models(answering(seen)) });
    await session.submit("Hi");
    await session.idle();
    assert.deepEqual(seen, ["asked"]);
    const manifest = JSON.parse((disk.text(session.id, "requests.jsonl") ?? "").trim());
    assert.equal(manifest.bodySha256, null);
    assert.match(manifest.requestSha256, /^[0-9a-f]{64}$/);
    const report = await verifySession(session.history.files, hash);
    assert.deepEqual([report.defects, report.proven], [[], 1]);
  });

  it("nothing is asked where the manifest cannot be written", async () => {
    const seen: string[] = [];
    const connection = await models(answering(seen)).connect();
    const model = connection.open(() => Promise.reject(new Error("the disk is full")));
    assert.ok(typeof model !== "string" && "doStream" in model);
    await assert.rejects(async () => model.doStream({ prompt: [] }), /the disk is full/);
    assert.deepEqual(seen, []);
  });
});
