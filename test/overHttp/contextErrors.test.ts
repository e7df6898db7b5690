/** A provider that finds the request too long, in the words of each: less goes out, and the turn ends well. */

import assert from "node:assert/strict";
import { eventually } from "../fakes/eventually";
import { contextAnswers } from "../models/contextBodies";
import { endWorlds, newest, proven, records, rounds, say, sent, undoAll, words, world } from "./world";

const settings = { "history.keepRounds": 2, "context.memory": "plain" as const };

describe("over HTTP: the request is too long", () => {
  afterEach(endWorlds);

  // All of them are read in test/models/failure.test.ts; here those of the servers used most, through the whole session.
  const named = /^(OpenAI, Chat|Anthropic$|Google$|vLLM$|llama\.cpp, (older|found)|Ollama$)/;
  for (const { server, status, body, headers } of contextAnswers.filter(answer => named.test(answer.server))) {
    it(`${server} (${status})`, async () => {
      const at = await world({ settings });
      await rounds(at, 1, 3, 3000);
      const response = { status, body, ...(headers ? { headers } : {}) };
      await say(at, "Question 4.", { response }, { text: "Answer 4." });
      assert.equal(newest(at, "compaction").reason, "context-too-long");
      assert.equal(newest(at, "turnEnd").reason, "done");
      assert.match(sent(at), /Question 4\./);
      assert.doesNotMatch(sent(at), /^Answer 1\.$/m);
      assert.equal((await proven(at)).breaks["context-error-retry"], 1);
    });
  }

  it("keeps less each time, and the smaller window in mind", async () => {
    const at = await world({ settings });
    await rounds(at, 1, 8, 6000);
    await rounds(at, 9, 14, 300);
    at.script.serverWindow = 4000;
    await say(at, "Question 15.", { text: "Answer 15." });
    const sizes = at.script.asked.slice(-3).map(({ body }) => JSON.stringify(body).length);
    assert.deepEqual(
      sizes,
      [...new Set(sizes)].sort((a, b) => b - a),
      "each is shorter",
    );
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.ok((await at.session.compaction.use()).window < 20_000);
    await proven(at);
  });

  it("sends no request again that the server refused", async () => {
    const at = await world({ settings });
    await say(at, "Question 1.", { fault: "context-length" });
    const { error } = newest(at, "turnEnd");
    assert.deepEqual([error?.code, error?.actions], ["context-reset", ["set-window", "choose-model"]]);
    assert.equal(at.script.asked.length, 1);
    await say(at, "Question 2.", { text: "Answer 2." });
    assert.equal(newest(at, "turnEnd").reason, "done");
    await proven(at);
  });

  it("leaves history alone where the user cancels", async () => {
    const at = await world({ settings });
    await rounds(at, 1, 4, 2000);
    at.script.summaries.push({ fault: "hang" });
    at.script.play({ fault: "context-length" });
    await at.session.submit("Question 5.");
    await eventually("the summary is asked for", () => at.script.askedForSummary.length > 0);
    at.session.compaction.cancel();
    await at.session.idle();
    assert.equal(newest(at, "turnEnd").error?.code, "context-too-long");
    assert.equal(records(at, "compaction").length, 0);
    assert.equal(at.script.asked.length, 5);
    await at.session.resume();
    await at.session.idle();
    assert.equal(newest(at, "turnEnd").reason, "done");
    await proven(at);
  });

  it("starts afresh where every one is refused: the text is given back, Undo and Recall have the rest", async () => {
    const at = await world({ settings });
    await rounds(at, 1, 4, 2000);
    at.script.serverWindow = 0;
    await say(at, "Question 5.");
    at.script.serverWindow = Number.POSITIVE_INFINITY;
    const { error } = newest(at, "turnEnd");
    assert.equal(error?.code, "context-reset");
    assert.match(error?.message ?? "", /^Too long for offline-model\. I set the conversation aside/);
    assert.deepEqual(error?.actions.slice(0, 3), ["send-alone", "bring-back", "set-window"]);
    assert.deepEqual(at.session.history.conversation.messages, []);
    await say(at, "Question 6.", { text: "Answer 6." });
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.match(sent(at), /Question 1\./, "the goal is in the summary");
    await proven(at);
    await undoAll(at);
    assert.match(JSON.stringify(at.session.history.conversation.messages), /Question 1\..*Question 5\..*Question 6\./);
    await proven(at);
  });

  it("does so in the middle of a long turn too: what the tools said goes, the user's words stay", async () => {
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`f${at}.txt`, words(3000, `File ${at}.`)]));
    const at = await world({ settings, files, serverWindow: 12_000 });
    const reads = Object.keys(files).map(file_path => ({ calls: [{ name: "Read", input: { file_path } }] }));
    await say(at, "Read all of them.", ...reads, { text: "All read." });
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.equal(newest(at, "turnEnd").toolCalls, 6);
    assert.ok(records(at, "compaction").length + records(at, "fold").length > 0);
    assert.match(sent(at), /Read all of them\./);
    assert.match(sent(at), /1\tFile 5\./);
    await proven(at);
  });
});
