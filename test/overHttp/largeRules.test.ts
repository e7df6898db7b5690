/** Rules files that leave no room: they are named as the reason, and the conversation is as it was. */
import assert from "node:assert/strict";
import { endWorlds, newest, proven, records, rounds, say, sent, type World, words, world } from "./world";

const facts = async (at: World, to: number) => {
  for (let turn = 1; turn <= to; turn++) await say(at, `Fact ${turn} is plover-${turn}.`, { text: `Noted ${turn}.` });
};

/** Each under 32 KB, which is the most of one file. */
const rules: Record<string, Record<string, string>> = {
  "AGENTS.md": { "AGENTS.md": words(9000) },
  "CLAUDE.md": { "CLAUDE.md": words(9000, "C") },
  "copilot-instructions.md": { ".github/copilot-instructions.md": words(9000, "G") },
  "CODE_LAW.md": { "CODE_LAW.md": words(9000, "L") },
  "three together": { "AGENTS.md": words(4000, "A"), "CLAUDE.md": words(4000, "C"), "CODE_LAW.md": words(4000, "L") },
};

describe("over HTTP: rules files larger than the window", () => {
  afterEach(endWorlds);

  for (const [name, files] of Object.entries(rules)) {
    it(`${name}: named, and nothing of the conversation goes`, async () => {
      const at = await world();
      await facts(at, 5);
      at.script.serverWindow = 8_000;
      for (const [path, text] of Object.entries(files)) at.write(path, text);
      await say(at, "Fact 6 is plover-6.");
      const { error } = newest(at, "turnEnd");
      assert.equal(error?.code, "rules-too-long");
      for (const path of Object.keys(files)) assert.ok(error.message.includes(path), error.message);
      assert.deepEqual(records(at, "compaction"), []);
      // They are made shorter: all of it is there.
      for (const path of Object.keys(files)) at.write(path, "Be short.");
      await say(at, "Go on.", { text: "Gladly." });
      assert.equal(newest(at, "turnEnd").reason, "done");
      for (let turn = 1; turn <= 6; turn++) assert.ok(sent(at).includes(`plover-${turn}.`), `fact ${turn}`);
      await proven(at);
    });
  }

  it("where the window is set smaller than they are, no compaction is tried either", async () => {
    const at = await world({ settings: { "model.contextWindow": 8_000 } });
    await facts(at, 4);
    at.script.serverWindow = 8_000;
    at.write("AGENTS.md", words(9000));
    await say(at, "Fact 5 is plover-5.");
    assert.equal(newest(at, "turnEnd").error?.code, "rules-too-long");
    assert.deepEqual(records(at, "compaction"), []);
  });

  it("a conversation that is too long beside rules that are not goes the usual way", async () => {
    const at = await world({ settings: { "history.keepRounds": 2 }, files: { "AGENTS.md": words(1000) } });
    await rounds(at, 1, 6, 3000);
    at.script.serverWindow = 12_000;
    await say(at, "Question 7.", { text: "Answer 7." });
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.ok(records(at, "compaction").length > 0);
  });
});
