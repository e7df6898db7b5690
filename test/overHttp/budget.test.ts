/** When history is folded and compacted, by what the provider counts: rarely, and never by itself after an undo. */
import assert from "node:assert/strict";
import { endWorlds, newest, phases, proven, records, rounds, say, sent, type World, words, world } from "./world";

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
    const estimated = use.layers.reduce((sum, { tokens }) => sum + tokens, 0);
    assert.ok(estimated > 22_000 && use.tokens < 19_000);
    await say(at, words(2000, "Question 5."), { text: "Answer 5." });
    assert.equal(compactions(at), 0);
    await rounds(at, 6, 7, 5000);
    assert.equal(compactions(at), 1);
    await proven(at);
  });

  it("waits for a tenth of the window of new content after a compaction, though what stays is large", async () => {
    const at = await world({ settings });
    // A pinned round that takes more than two thirds of the window: what a compaction leaves is above four fifths still.
    await say(at, words(28_000, "Question 1."), { text: "Answer 1." });
    await at.session.compaction.pin(1, true);
    await rounds(at, 2, 4, 3500);
    assert.equal(compactions(at), 1);
    for (let turn = 5; turn <= 7; turn++) await say(at, `Question ${turn}.`, { text: `Answer ${turn}.` });
    const { tokens: estimated, window } = await at.session.compaction.use();
    assert.ok(estimated > 0.8 * window, `${estimated} of ${window}`);
    assert.equal(compactions(at), 1);
    await rounds(at, 8, 8, 4000);
    assert.equal(compactions(at), 2);
    assert.match(sent(at), /^Question 1\.$/m);
    await proven(at);
  });

  it("does not begin by itself after an undo, until the user asks for it or the provider refuses", async () => {
    const at = await world({ settings, serverWindow: 40_000 });
    await rounds(at, 1, 5, 6000);
    assert.equal(compactions(at), 1);
    await at.session.compaction.undo();
    await rounds(at, 6, 7, 6000);
    assert.equal(compactions(at), 1);
    assert.match(sent(at), /^Answer 1\.$/m);
    await rounds(at, 8, 9, 6000);
    assert.deepEqual([compactions(at), newest(at, "compaction").reason], [2, "context-too-long"]);
    assert.equal(newest(at, "turnEnd").reason, "done");
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

  it("folds only after three quarters of the limit of new outputs", async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}.txt`, words(1000, `File ${n}.`)]));
    const at = await world({ files });
    const reads = Object.keys(files).map(file_path => ({ calls: [{ name: "Read", input: { file_path } }] }));
    await say(at, "Read all.", ...reads, { text: "Read." });
    const steps = at.script.asked.length;
    const folds = records(at, "fold");
    assert.ok(folds.length >= 2 && folds.length <= Math.ceil((60 * 2000) / 18_000), `${folds.length} folds`);
    assert.equal((await proven(at)).breaks.fold, folds.length);
    const places = at.events.flatMap((event, index) =>
      event.type === "record" && event.record.kind === "fold" ? [index] : [],
    );
    for (const [n, place] of places.slice(1).entries()) {
      const between = at.events
        .slice(places[n], place)
        .filter(event => event.type === "record" && event.record.kind === "result");
      assert.ok(between.length >= 8, `${between.length} outputs between two folds`);
    }
    assert.equal(steps, 61);
  });
});
