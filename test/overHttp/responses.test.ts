/** A session with a reasoning model behind OpenAI's Responses, over the wire: encrypted reasoning, and what it is bound to. */
import assert from "node:assert/strict";
import { importedLine } from "../../src/core/log/recordKinds";
import { type ResponsesAnswer, type ResponsesRequest, startResponsesServer } from "../wire/responsesServer";
import type { WorldOptions } from "./world";
import { endWorlds, foldAndUndo, proven, read, records, reopened, say, summaryFor, todos, words, world } from "./world";

async function withReasoning(options: WorldOptions & { answers: ResponsesAnswer[] }) {
  const { answers, settings, ...rest } = options;
  let id = 0;
  const server = await startResponsesServer(
    ({ input }) => summaryFor(input.at(-1)) ?? answers.shift() ?? { thought: `thought ${++id}`, text: "Done." },
  );
  const at = await world({
    ...rest,
    provider: server,
    key: "sk-test-0123456789abcdef",
    files: { "src/a.ts": words(2000), "src/b.ts": words(3000), ...rest.files },
    settings: {
      ...{ "model.name": "gpt-5.1", "model.api": "responses", "model.reasoning": "high" },
      ...settings,
    },
  });
  return { at, server };
}

const thoughts = ({ input }: ResponsesRequest) => input.filter(({ type }) => type === "reasoning").length;

describe("over HTTP: reasoning by OpenAI's Responses", () => {
  afterEach(endWorlds);

  it("travels encrypted with every step of its turn; nothing is stored", async () => {
    const { at, server } = await withReasoning({
      answers: [
        { thought: "first", calls: [todos("t1")] },
        { thought: "second", text: "Reading.", calls: [read("r1"), read("r2", "src/b.ts")] },
        { thought: "third", text: "Done." },
        { thought: "fourth", text: "Nothing more." },
      ],
    });
    await say(at, "Look at the files.");
    await say(at, "And now?");
    assert.deepEqual(server.refused, []);
    // Behind what settled as the second turn began none is bound any more.
    assert.deepEqual(server.served.map(thoughts), [0, 1, 2, 2]);
    for (const { store, include, reasoning } of server.served) {
      assert.equal(store, false);
      assert.ok(include?.includes("reasoning.encrypted_content"));
      assert.equal(reasoning?.effort, "high");
    }
    await proven(at);
  });

  it("after a fold, a compaction and its undo none travels that was bound to what changed, and the proof says so", async () => {
    const { at, server } = await withReasoning({
      settings: { "model.contextWindow": 30_000, "history.keepRounds": 1 },
      answers: [
        { thought: "first", calls: [read("r1")] },
        { thought: "second", calls: [read("r2", "src/b.ts")] },
        { thought: "third", text: "Read both." },
      ],
    });
    await foldAndUndo(at);
    assert.deepEqual(server.refused, []);
    assert.ok(server.served.some(body => thoughts(body) > 0));
  });

  it("of another model travels no more once the session chose this one, and what it chose survives", async () => {
    const { at, server } = await withReasoning({
      answers: [{ thought: "first", text: "One." }, { thought: "second", text: "Two." }, { text: "Three." }],
    });
    await say(at, "Hello.");
    await at.session.setModel({ name: "server:gpt-5.2", reasoning: "low" });
    await say(at, "And you?");
    const again = await reopened(at);
    assert.deepEqual(again.session.model, { name: "server:gpt-5.2", reasoning: "low" });
    await say(again, "Still you?");
    assert.deepEqual(
      server.served.map(body => [body.model, body.reasoning?.effort, thoughts(body)]),
      [
        ["gpt-5.1", "high", 0],
        ["gpt-5.2", "low", 0],
        ["gpt-5.2", "low", 1],
      ],
    );
    assert.deepEqual(server.refused, []);
    await proven(again);
  });

  it("goes on with the model that the session chose after a compaction, and an import leaves it out", async () => {
    const { at, server } = await withReasoning({ settings: { "history.keepRounds": 1 }, answers: [] });
    const chosen = { name: "server:gpt-5.2", reasoning: "low", contextWindow: 64_000 } as const;
    await at.session.setModel(chosen);
    for (let turn = 1; turn <= 4; turn++) await say(at, words(2000, `Question ${turn}.`));
    await at.session.compaction.compact();
    assert.equal(records(at, "compaction").length, 1);
    const again = await reopened(at);
    assert.deepEqual(again.session.model, chosen);
    await say(again, "Still you?");
    assert.equal(server.served.at(-1)?.model, "gpt-5.2");
    await proven(again);
    const lines = again.session.history.records.map(
      record => importedLine(record, { roots: [], isFolder: () => true })?.line ?? record,
    );
    const text = JSON.stringify(lines);
    assert.doesNotMatch(text, /server:gpt-5\.2/);
  });
});
