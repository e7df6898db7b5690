/** A compaction over real HTTP, as a user meets it: by itself, by hand, refused, cut, cancelled, undone. */

import assert from "node:assert/strict";
import { eventually } from "../fakes/eventually";
import { endWorlds, newest, proven, records, rounds, say, sent, type World, words, world } from "./world";

/** A window that five rounds of 6,000 tokens fill; folding has tests of its own. */
const settings = { "model.contextWindow": 40_000, "history.keepRounds": 2, "context.memory": "plain" as const };

async function conversation(turns: number, tokens: number, more = {}): Promise<World> {
  const at = await world({ settings: { ...settings, ...more } });
  await rounds(at, 1, turns, tokens);
  return at;
}

describe("over HTTP: compaction", () => {
  afterEach(endWorlds);

  for (const api of ["chat", "responses"] as const) {
    it(`happens by itself when the provider's count says so (${api})`, async () => {
      const at = await conversation(6, 7000, { "model.api": api });
      await say(at, "Question 7.", { text: "Answer 7." });
      const { reason, tokens, failure, usage } = newest(at, "compaction");
      assert.deepEqual([reason, failure], ["threshold", undefined]);
      assert.ok(tokens.after < tokens.before);
      assert.ok(
        (usage?.input ?? 0) > 10_000 && (usage?.cachedInput ?? 0) > 0.9 * (usage?.input ?? 0),
        "it came from the cache",
      );
      const [system] = at.script.asked.at(-1)?.messages ?? [];
      assert.match(system?.text ?? "", /Original Goal[\s\S]*Question 1\.[\s\S]*Question 2\.[^\n]*→ Answer 2\./);
      assert.doesNotMatch(sent(at), /\nAnswer 1\.\n/);
      assert.match(sent(at), /Question 7\./);
      assert.equal(newest(at, "turnEnd").reason, "done");
      assert.equal((await proven(at)).breaks.compaction, 2);
    });
  }

  it("asks with the same tools and the same beginning, and the server finds that in its cache", async () => {
    const at = await conversation(4, 2600);
    await at.session.compaction.compact("keep the names");
    const asked = at.script.askedForSummary.at(-1);
    assert.deepEqual(asked?.body.tools, at.script.asked.at(-1)?.body.tools);
    assert.deepEqual(asked?.messages.slice(0, 5), at.script.asked.at(-1)?.messages.slice(0, 5));
    assert.equal(asked?.body.max_tokens, 2000);
    assert.match(asked?.messages.at(-1)?.text ?? "", /keep the names/);
    assert.equal(records(at, "compaction").at(-1)?.guidance, "keep the names");
    await proven(at);
  });

  it("sends less again where the server counts more than the setting says", async () => {
    const at = await world({ settings: { ...settings, "model.contextWindow": 200_000 }, serverWindow: 20_000 });
    await rounds(at, 1, 8, 5000);
    assert.deepEqual([...new Set(records(at, "turnEnd").map(({ reason }) => reason))], ["done"]);
    assert.equal(records(at, "compaction")[0]?.reason, "context-too-long");
    assert.match(sent(at), /Question 8\./);
    assert.ok(((await proven(at)).breaks["context-error-retry"] ?? 0) > 0);
  });

  it("is stopped with the turn that waits for it", async () => {
    const at = await conversation(5, 7000);
    at.script.summaries.push({ fault: "hang" });
    await at.session.submit(words(7000, "Question 6."));
    await eventually("the summary is asked for", () => at.script.askedForSummary.length > 0);
    await at.session.stop();
    assert.equal(newest(at, "turnEnd").reason, "stopped");
    assert.equal(records(at, "compaction").length, 0);
    await say(at, "Question 7.", { text: "Answer 7." });
    assert.equal(newest(at, "turnEnd").reason, "done");
    await proven(at);
  });
});
