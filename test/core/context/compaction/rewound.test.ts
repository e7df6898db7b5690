/** Compactions and going back to an earlier turn: every turn before it is in view or in a summary, never in both or in neither. */
import assert from "node:assert/strict";
import { type Agent, conversation, say, words } from "../../../fakes/longConversation";
import { transcript } from "../../../fakes/model";

const SUMMARY = { text: "### ✅ Completed Milestones\n* [✓] something was done in these rounds" };

async function compact(agent: Agent): Promise<void> {
  agent.models.summaries.push(SUMMARY);
  await agent.session.compaction.compact();
  assert.equal(agent.session.history.records.at(-1)?.kind, "compaction");
}

/** Questions in view of the newest request, by number. */
const inView = ({ models }: Agent): number[] =>
  [
    ...transcript(models.requests.at(-1)!)
      .join("\n")
      .matchAll(/^user: Question (\d+)\./gm),
  ].map(([, number]) => Number(number));

describe("going back behind compactions", () => {
  it("brings the first turns back where a later compaction took the record of an earlier one along", async () => {
    const agent = await conversation(4, 2_600);
    await compact(agent);
    await say(agent, "Question 5.", { text: words(2_600, "Answer 5.") });
    await say(agent, "Question 6.", { text: words(2_600, "Answer 6.") });
    await compact(agent);
    await agent.session.rewind.rewind(3, "conversation");
    await say(agent, "Question 7.", { text: words(2_600, "Answer 7.") });
    assert.deepEqual(inView(agent), [1, 2, 7]);
    assert.deepEqual(agent.session.history.conversation.summaries, []);
  });

  it("keeps what a compaction took away out of view, though it was undone on another branch", async () => {
    const agent = await conversation(4, 2_600);
    await compact(agent);
    await say(agent, "Question 5.", { text: words(2_600, "Answer 5.") });
    await say(agent, "Question 6.", { text: words(2_600, "Answer 6.") });
    await agent.session.compaction.undo();
    await say(agent, "Question 7.", { text: words(2_600, "Answer 7.") });
    // The undo is behind this place: here the summary stands.
    await agent.session.rewind.rewind(6, "conversation");
    await say(agent, "Question 8.", { text: words(2_600, "Answer 8.") });
    assert.deepEqual(inView(agent), [3, 4, 5, 8]);
    await compact(agent);
    await say(agent, "Question 9.", { text: words(2_600, "Answer 9.") });
    assert.deepEqual(inView(agent), [5, 8, 9]);
  });
});
