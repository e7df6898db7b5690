/** When a session says that its model's window is small: only where compactions that began by themselves follow each other soon. */
import assert from "node:assert/strict";
import { type Agent, conversation, say, words } from "../../../fakes/longConversation";

/** Counts how often it is said from now on: a compaction archives what said it. */
function notesOf({ session }: Agent): () => number {
  let count = 0;
  session.subscribe(event => {
    if (event.type === "record" && event.record.kind === "note" && event.record.code === "small-window") count++;
  });
  return () => count;
}
/** of the newest compaction */
const newest = ({ session }: Agent) => session.history.conversation.compacted?.id;
const summarised = (agent: Agent) =>
  agent.models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] something was done in these rounds" });

/** Until a compaction more began by itself. */
async function untilNext(agent: Agent, tokens: number): Promise<void> {
  const before = newest(agent);
  for (let turn = 1; newest(agent) === before; turn++) {
    assert.ok(turn < 40, "it compacts by itself");
    summarised(agent);
    await say(agent, `More, ${turn}.`, { text: words(tokens, "Answer.") });
  }
}

describe("a window that is small for its conversation", () => {
  it("is named once where compactions by themselves follow each other soon", async () => {
    const agent = await conversation(0, 0);
    const notes = notesOf(agent);
    await untilNext(agent, 9_000);
    assert.equal(notes(), 0);
    for (let at = 0; at < 3; at++) await untilNext(agent, 9_000);
    assert.equal(notes(), 1);
  });

  it("is none where they are rare", async () => {
    const agent = await conversation(0, 0);
    const notes = notesOf(agent);
    for (let at = 0; at < 3; at++) await untilNext(agent, 1_500);
    assert.equal(notes(), 0);
  });

  it("is none because a person compacted by hand shortly before", async () => {
    const agent = await conversation(0, 0, { settings: { "history.keepRounds": 11 } });
    const notes = notesOf(agent);
    for (let turn = 1; turn <= 14; turn++) await say(agent, `Question ${turn}.`, { text: words(2_000, "Answer.") });
    summarised(agent);
    await agent.session.compaction.compact();
    assert.ok(newest(agent));
    const { turn } = agent.session.history.conversation;
    await untilNext(agent, 6_000);
    assert.ok(agent.session.history.conversation.turn - turn < 5);
    assert.equal(notes(), 0);
  });
});
