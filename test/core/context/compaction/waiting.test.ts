/** How long a summary is waited for, what is made of what came, and what of it counts. */

import assert from "node:assert/strict";
import { last } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { type Agent, conversation, say } from "../../../fakes/longConversation";
import type { ScriptedAnswer } from "../../../fakes/model";

const HALF = "### ✅ Completed Milestones\n* [✓] Rounding - half up\n* [✓] Parsing - only ha";

/** Compacts by hand; resolves when the model was asked and is waited for. */
async function asked(agent: Agent, ...answers: ScriptedAnswer[]): Promise<{ ended: Promise<void> }> {
  const before = agent.models.summaryRequests.length;
  agent.models.summaries.push(...answers);
  const ended = agent.session.compaction.compact();
  await eventually(
    "the summary is asked for, under its limit",
    () => agent.models.summaryRequests.length > before && agent.clock.waiting > 0,
  );
  return { ended };
}

const text = ({ session }: Agent) => last(session, "compaction").summaries.at(-1)?.text ?? "";

/** Its requests end as the setting says. */
async function slow(seconds = 120): Promise<Agent> {
  const agent = await conversation(4, 2600, { settings: { "model.timeoutSeconds": seconds } });
  agent.models.timeoutMs = seconds * 1000;
  return agent;
}

describe("waiting for a summary", () => {
  it("ends after two minutes without a word, or as long as a person waits for their model", async () => {
    for (const seconds of [5, 30, 120, 600]) {
      const agent = await slow(seconds);
      const { ended } = await asked(agent, { text: HALF, hang: true });
      const all = Math.max(120, seconds) * 1000;
      await agent.clock.advance(all - 1);
      assert.equal(last(agent.session, "compaction"), undefined, `${seconds}`);
      await agent.clock.advance(1);
      await ended;
      const { failure } = last(agent.session, "compaction");
      const message = "Summary generation timed out, keeping recent history only.";
      assert.deepEqual(failure, { code: "timeout", message });
      assert.doesNotMatch(text(agent), /Rounding/, "what came until then is no summary");
      assert.equal(agent.models.summaryRequests.length, 1, "asked once");
    }
  });

  it("what the user told stands in the request after it, though the model did not write it down", async () => {
    const agent = await conversation(3, 2600);
    await say(agent, "The staging database is at 10.0.3.7, and the deploy key is called heron.", { text: "Noted." });
    for (const turn of [5, 6]) await say(agent, `Question ${turn}. ${"word ".repeat(2_600)}`, { text: "Yes." });
    agent.models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] Some questions were answered" });
    await agent.session.compaction.compact();
    await say(agent, "Where is it?", { text: "There." });
    assert.match(JSON.stringify(agent.models.requests.at(-1)), /10\.0\.3\.7, and the deploy key is called heron/);
  });
});
