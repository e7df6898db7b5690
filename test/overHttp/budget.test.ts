/** When history is folded and compacted, by what the provider counts: rarely, and never by itself after an undo. */
import assert from "node:assert/strict";
import { endWorlds, newest, phases, proven, records, rounds, say, type World, words, world } from "./world";

const settings = { "model.contextWindow": 30_000, "history.keepRounds": 2, "context.memory": "plain" as const };
const compactions = (at: World) => records(at, "compaction").length;

describe("over HTTP: the budget", () => {
  afterEach(endWorlds);

  it("goes by what the provider counted, and shows how far the estimate is from it", async () => {
    const at = await world({ settings });
    await rounds(at, 1, 4, 5000);
    const use = await at.session.compaction.use();
    const { input = 0, output = 0 } = at.session.history.conversation.usage ?? {};
    assert.ok(input > 0);
    assert.ok(Math.abs(use.tokens - input - output) < 100, `${use.tokens} beside ${input}`);
    const { ratio = 0 } = use.calibration ?? {};
    assert.ok(ratio > 0.66 && ratio < 0.84, `${ratio}: a quarter beside a third`);
    assert.equal(use.window, 30_000);
    // By the estimate alone this would be too much already: 0.8 × 30,000 tokens are 24,000.
    const { requestTokens: estimated = 0 } = newest(at, "message").message.metadata;
    assert.ok(estimated > 22_000 && use.tokens < 19_000);
    await say(at, words(2000, "Question 5."), { text: "Answer 5." });
    assert.equal(compactions(at), 0);
    await rounds(at, 6, 7, 5000);
    assert.equal(compactions(at), 1);
    await proven(at);
  });

  it("does not ask again at once after the user cancelled", async () => {
    const at = await world({ settings });
    await rounds(at, 1, 4, 6000);
    at.script.summaries.push({ fault: "hang" });
    at.session.subscribe(event => {
      if (event.type === "compaction" && event.phase === "summarising")
        setImmediate(() => at.session.compaction.cancel());
    });
    await rounds(at, 5, 5, 6000);
    assert.equal(phases(at).at(-1), "cancelled");
    const before = phases(at).length;
    await rounds(at, 6, 6, 100);
    assert.equal(phases(at).length, before);
    assert.equal(newest(at, "turnEnd").reason, "done");
    await proven(at);
  });
});
