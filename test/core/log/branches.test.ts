/** Branches over a compaction: what it set aside is there again where it has no effect, and every branch can be gone back to. */
import assert from "node:assert/strict";
import { project } from "../../../src/core/log/project";
import { Recorded } from "./recorded";

describe("a branch that begins before a compaction", () => {
  it("has the conversation as it stood, and leads back to the compacted one", async () => {
    const recorded = await Recorded.start();
    for (const asked of ["one", "two", "three"]) await recorded.round(asked, [`output of ${asked}`]);
    const { history } = recorded;
    const whole = structuredClone(history.conversation.messages);
    const head = history.records.at(-1)?.seq ?? 0;
    await recorded.compact([1]);
    const compacted = structuredClone(history.conversation.messages);
    assert.ok(compacted.length < whole.length);
    const tip = history.records.at(-1)?.seq ?? 0;
    const go = (to: number) =>
      history.turnTo({ kind: "rewind", phase: "done", rewindId: `rwd_${to}`, turn: 1, head: to });
    await go(head);
    assert.deepEqual(history.conversation.messages, whole);
    assert.deepEqual(history.conversation.summaries, []);
    await go(tip);
    assert.deepEqual(history.conversation.messages, compacted);
    assert.equal(history.conversation.summaries.length, 1);
    await go(head);
    assert.deepEqual(history.conversation.messages, whole);
    assert.deepEqual(project(history.records), history.conversation);
  });
});
