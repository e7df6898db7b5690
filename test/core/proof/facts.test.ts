/** `strata verify --facts`: what people said, and what of it stands in the newest request. */
import assert from "node:assert/strict";
import { ViewSearch } from "../../../src/core/proof/inView";
import { verify } from "../../../src/terminal/transfer";
import { runTurn } from "../../fakes/agent";
import { compactMessages } from "../../fakes/compacted";
import { hash } from "../../fakes/hash";
import { type Agent, conversation, say, words } from "../../fakes/longConversation";
import { printed } from "../../terminal/printed";

const SUMMARY = { text: "### ✅ Completed Milestones\n* [✓] Some questions were answered" };
async function report({ session }: Pick<Agent, "session">) {
  const view = await (await ViewSearch.open(session.history.files, hash)).view({});
  return { facts: view.said ?? [], request: view.request.number, isUnproven: view.isUnproven };
}
const told = async (agent: Pick<Agent, "session">) =>
  (await report(agent)).facts.map(({ turn, text, stands }) => `${turn} ${stands}: ${text.slice(0, 30)}`);

/** The first message goes, and nothing of it is kept. */
const forget = ({ session: { history } }: Pick<Agent, "session">, ids: readonly string[]) =>
  compactMessages(history, ids, { ledger: [] });

describe("what people said, in the newest request", () => {
  it("stands word for word, in the conversation and behind a compaction", async () => {
    const agent = await conversation(3, 2600);
    await say(agent, "The staging database is at 10.0.3.7. 決定は火曜日です。", { text: "Noted." });
    for (const turn of [5, 6]) await say(agent, `Question ${turn}.`, { text: words(2600, "Yes.") });
    assert.ok((await report(agent)).facts.every(({ stands }) => stands === "whole"));
    agent.models.summaries.push(SUMMARY);
    await agent.session.compaction.compact();
    await say(agent, "Where is it?", { text: "There." });
    const { facts, request, isUnproven } = await report(agent);
    assert.deepEqual([facts.length, isUnproven], [7, undefined]);
    assert.deepEqual(
      facts.filter(({ stands }) => stands !== "whole"),
      [],
    );
    assert.ok(request !== undefined && request > 6);
  });

  it("is missed with the compaction that took it, whatever a model repeats", async () => {
    const agent = await conversation(1, 20);
    await say(agent, "The port is 8443.", { text: "The port is 8443." });
    await say(agent, "no", { text: "Another note." });
    const gone = agent.session.history.conversation.messages
      .filter(({ role, metadata }) => role === "user" && (metadata?.turn === 2 || metadata?.turn === 3))
      .map(({ id }) => id);
    await forget(agent, gone);
    await say(agent, "Which one, and of what note?", { text: "That." });
    assert.deepEqual(await told(agent), [
      "1 whole: Question 1.",
      "2 no: The port is 8443.",
      "3 no: no",
      "4 whole: Which one, and of what note?",
    ]);
  });

  it("not where another message begins as it did", async () => {
    const agent = await conversation(1, 20);
    await say(agent, "The port is 8443. The host is heron.local.", { text: "Noted." });
    const message = agent.session.history.conversation.messages.find(
      ({ role, metadata }) => role === "user" && metadata?.turn === 2,
    );
    await forget(agent, [message?.id ?? ""]);
    await say(agent, "Once more: The port is 8443.", { text: "Noted." });
    assert.equal((await report(agent)).facts[1]?.stands, "no");
  });

  it("counts only the branch that the conversation is on", async () => {
    const agent = await conversation(2, 20);
    await agent.session.rewind.rewind(2, "conversation");
    await say(agent, "Otherwise.", { text: "So be it." });
    assert.deepEqual(await told(agent), ["1 whole: Question 1.", "3 whole: Otherwise."]);
  });

  const TOLD: Record<string, [words: string, tell: (agent: Agent, words: string) => Promise<void>]> = {
    "words of a denial": [
      "keep old0 and move it to /srv/attic",
      async ({ session, models }, words) => {
        models.play({ calls: [{ name: "Bash", input: { command: "rm -rf old0" } }] }, { text: "I leave it." });
        const stop = session.subscribe(event => {
          if (event.type !== "record" || event.record.kind !== "approval" || event.record.answer) return;
          const { approvalId } = event.record;
          queueMicrotask(() => session.answer(approvalId, { decision: "deny", scope: "once", words }));
        });
        await runTurn(session, "Begin.");
        stop();
      },
    ],
    "an option that was chosen": [
      "PostgreSQL 15, on port 5432",
      async ({ session, models }, words) => {
        const question = { question: "Which?", options: [{ label: words }, { label: "MySQL" }] };
        models.play({ calls: [{ name: "AskUser", input: { questions: [question] } }] }, { text: "Noted." });
        const stop = session.subscribe(event => {
          if (event.type !== "record" || event.record.kind !== "question" || event.record.answer) return;
          const { questionId } = event.record;
          queueMicrotask(() => session.reply(questionId, { action: "accept", values: { q1: [words] } }));
        });
        await runTurn(session, "Begin.");
        stop();
      },
    ],
  };
  for (const [what, [said, tell]] of Object.entries(TOLD))
    it(`knows ${what}: at once, behind a compaction, and where one took them`, async () => {
      const agent = await conversation(1, 20, { mode: "ask", settings: { "permissions.runEverything": false } });
      const found = async () => (await report(agent)).facts.filter(({ text }) => text === said);
      const stands = async () => (await found()).map(fact => fact.stands);
      await tell(agent, said);
      await say(agent, "Go on.", { text: words(2_600, "Yes.") });
      assert.deepEqual(await stands(), ["whole"]);
      for (const turn of [1, 2, 3]) await say(agent, `Question ${turn}.`, { text: words(2_600, "Yes.") });
      agent.models.summaries.push(SUMMARY);
      await agent.session.compaction.compact();
      await say(agent, "And now?", { text: "This." });
      assert.deepEqual(await stands(), ["whole"]);
      const { messages } = agent.session.history.conversation;
      await forget(agent, [messages[0]?.id ?? ""]);
      await say(agent, "Still?", { text: said });
      assert.deepEqual(await stands(), ["no"]);
    });

  it("is printed, as lines and as JSON", async () => {
    const agent = await conversation(2, 20);
    const print = async (json: boolean) => {
      const { texts, streams } = printed();
      const code = await verify(agent.ports.storage, { session: agent.session.id, json, facts: true }, streams);
      return { code, ...texts };
    };
    await agent.session.close();
    const { code, out } = await print(false);
    assert.equal(code, 0);
    assert.match(out, /What you said .*\n {2}\+ turn 1: Question 1\.\n {2}\+ turn 2: Question 2\.\n/);
    assert.equal(JSON.parse((await print(true)).out).facts.length, 2);
  });
});
