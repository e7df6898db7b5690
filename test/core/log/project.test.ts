/** The conversation is a projection of records: the whole log gives what memory has. */
import assert from "node:assert/strict";
import { project } from "../../../src/core/log/project";
import { messageRecord } from "../../fakes/records";
import { Recorded } from "./recorded";

describe("the projection of a log", () => {
  it("knows whose content entered since a turn began: steering does not make it any better known", async () => {
    const recorded = await Recorded.start();
    await recorded.round("one", ["output of one"]);
    const { history } = recorded;
    const has = () => history.conversation.contentFrom.has("tool");
    assert.ok(has());
    await history.append(messageRecord("user", "on", { id: "msg_steer", step: 1, kind: "steer" }));
    assert.ok(has());
    await recorded.round("two");
    assert.ok(!has());
  });

  it("without a compaction and its undo has neither", async () => {
    const recorded = await Recorded.start();
    await recorded.round("one");
    await recorded.round("two");
    const compaction = await recorded.compact([1]);
    const undo = await recorded.history.undoCompaction(compaction);
    const { records } = recorded.history;
    const conversation = project(records.filter(({ seq }) => seq < compaction.seq || seq > undo.seq));
    assert.deepEqual(
      [conversation.undone.size, conversation.compactionHeld, conversation.messages.length],
      [0, false, 6],
    );
    assert.equal(project(records).compactionHeld, true);
  });
});
