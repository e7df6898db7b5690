/** What was learnt of a model by asking it is in the log: a restart keeps it, and another model or window has none of it. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { last } from "../../../fakes/agent";
import { compactMessages } from "../../../fakes/compacted";
import { type Agent, conversation, say } from "../../../fakes/longConversation";

const refused = { fail: { code: "context-too-long" as const, message: "Too long.", retryable: false } };
const window = async ({ session }: Pick<Agent, "session">) => (await session.compaction.use()).window;

async function reopened(agent: Agent): Promise<Agent> {
  await agent.session.close();
  return { ...agent, session: await openSession(agent.ports, agent.session.id) };
}

async function withCeiling(): Promise<{ agent: Agent; ceiling: number }> {
  const agent = await conversation(4, 2600);
  agent.models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] Rounding - half up" });
  await say(agent, "Question 5.", refused, { text: "It fits now." });
  const ceiling = await window(agent);
  assert.ok(ceiling < 40_000, `${ceiling}`);
  return { agent, ceiling };
}

describe("what was learnt of a model", () => {
  it("its window: stays over a restart, a compaction and its undo", async () => {
    const { agent, ceiling } = await withCeiling();
    const after = await reopened(agent);
    assert.equal(await window(after), ceiling);
    const { history } = after.session;
    await compactMessages(history, [history.conversation.messages[0]?.id ?? ""]);
    const again = await reopened(after);
    assert.equal(await window(again), ceiling);
    await again.session.compaction.undo();
    assert.equal(await window(again), ceiling);
  });

  it("its window: a request that is taken all the same puts it right, over a restart too", async () => {
    const { agent } = await withCeiling();
    await say(agent, `Question 6. ${"word ".repeat(12_000)}`, { text: "Yes." });
    assert.equal(await window(agent), 40_000);
    assert.equal(await window(await reopened(agent)), 40_000);
  });

  it("names no address", async () => {
    const { agent } = await withCeiling();
    const record = last(agent.session, "modelLimits");
    assert.match(record.ceiling?.model ?? "", /^[0-9a-f]{16}$/);
  });

  it("is left out of an import", async () => {
    const { importedLine } = await import("../../../../src/core/log/recordKinds");
    const line = { kind: "modelLimits", id: "r", seq: 1, ts: 1, ceiling: { model: "m", tokens: 9 } };
    const imported = importedLine(line, {} as Parameters<typeof importedLine>[1]);
    assert.deepEqual(imported?.line, { kind: "modelLimits", id: "r", seq: 1, ts: 1 });
  });
});
