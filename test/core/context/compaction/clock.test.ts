/** Somebody sets the clock back while the agent works: times are for people, nothing depends on their order. */
import assert from "node:assert/strict";
import { verifySession } from "../../../../src/core/proof/verify";
import { last, read, reopened, runTurn, start } from "../../../fakes/agent";
import { hash } from "../../../fakes/hash";

describe("a clock that goes back", () => {
  it("changes nothing but times: turns, compaction, undo, redo, opening anew, proof", async () => {
    const settings = { "model.contextWindow": 40_000, "history.keepRounds": 1 };
    const { session, models, clock, ports } = await start({ settings });
    const began = clock.now();
    let hours = 0;
    clock.now = () => began - ++hours * 3_600_000;
    for (const turn of [1, 2, 3]) {
      models.play({ calls: [read("src/a.ts")] }, { text: `Answer ${turn}. ${"word ".repeat(3000)}` });
      await runTurn(session, `Question ${turn}.`);
    }
    const { history } = session;
    const original = structuredClone(history.conversation.messages);
    await session.compaction.compact();
    const compacted = structuredClone(history.conversation.messages);
    assert.ok(compacted.length < original.length);
    const [summary] = last(session, "compaction").summaries;
    assert.ok(summary && summary.startTs <= summary.cutoffTs);
    await session.compaction.undo();
    assert.deepEqual(history.conversation.messages, original);
    await session.compaction.redo();
    assert.deepEqual(history.conversation.messages, compacted);
    const durations = history.records.flatMap(record => ("durationMs" in record ? (record.durationMs ?? []) : []));
    assert.ok(durations.length >= 3 && Math.min(...durations) >= 0, `${durations}`);
    const again = await reopened(session, ports);
    assert.deepEqual(again.history.conversation, history.conversation);
    assert.deepEqual((await verifySession(again.history.files, hash)).defects, []);
  });
});
