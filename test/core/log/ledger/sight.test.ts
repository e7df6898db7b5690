/** Which of their words a person finds in the model's view, and bringing back those that are not. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { verifySession } from "../../../../src/core/proof/verify";
import { hash } from "../../../fakes/hash";
import { type Agent, conversation, say, words } from "../../../fakes/longConversation";
import { transcript } from "../../../fakes/model";

const sent = ({ models }: Agent) => JSON.stringify(models.requests.at(-1)?.prompt);

async function compact(agent: Agent): Promise<void> {
  agent.models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] something was done in these rounds" });
  await agent.session.compaction.compact();
  assert.equal(agent.session.history.records.at(-1)?.kind, "compaction");
}

/** So much was said that "go on" has no room. The window is small. */
async function talked(): Promise<Agent> {
  const agent = await conversation(0, 0, { settings: { "model.contextWindow": 8_000 } });
  await say(agent, "Please go on with it as it is.", { text: words(300, "Answer.") });
  for (let at = 1; at <= 30; at++) {
    const fact = `Customer ${at * 7919} is served by h${at}.corp.example, port ${8000 + at}, says Ms. K${at}lund of the Oslo office in building ${at}.`;
    await say(agent, `${fact} ${"Never touch file x".concat(String(at), ".ts there.")}`, {
      text: words(200, "Answer."),
    });
    if (at % 5 === 0) await compact(agent);
  }
  return agent;
}

describe("a person's words in the model's view", () => {
  it("are listed with what is seen of them", async () => {
    const agent = await talked();
    const list = await agent.session.words.list();
    assert.ok(list.length >= 8);
    const request = sent(agent);
    for (const { text, sight } of list) {
      if (sight === "whole") assert.ok(request.includes(text.split(". ").at(-1) ?? ""), text);
      if (sight === "none") assert.ok(!request.includes(text), text);
    }
    assert.ok(
      list.some(({ sight }) => sight !== "whole"),
      "there is no room for all",
    );
  });

  it("that are not seen are brought back with the next request, once, and stay", async () => {
    let agent = await talked();
    const lost = (await agent.session.words.list()).find(({ sight }) => sight === "none");
    assert.ok(lost, "something had no room");
    await agent.session.words.mark(lost, "pinned");
    await say(agent, "And now?", { text: "Yes." });
    assert.match(sent(agent), /brings back what they said before/);
    assert.ok(sent(agent).includes(lost.text));
    await say(agent, "Next.", { text: words(1_500, "Answer.") });
    assert.equal(sent(agent).split("brings back what they said before").length, 2, "it is told once");
    const session = await agent.session.close().then(() => openSession(agent.ports, agent.session.id));
    agent = { ...agent, session };
    for (let at = 0; at < 3; at++) {
      await say(agent, `Another matter, number ${at}, of Ms. L${at}berg.`, { text: words(1_500, "Answer.") });
      await compact(agent);
    }
    const again = (await agent.session.words.list()).find(({ recordId }) => recordId === lost.recordId);
    assert.deepEqual([again?.sight, again?.mark], ["whole", "pinned"]);
    await say(agent, "Last.", { text: "Yes." });
    assert.ok(transcript(agent.models.requests.at(-1)!).length > 0);
    assert.deepEqual((await verifySession(session.history.files, hash)).breaks.unexplained, undefined);
  });

  it("that are taken back are told as that, once, and stand struck out after the next compaction", async () => {
    const agent = await conversation(0, 0);
    await say(agent, "The port is 8443. Use tabs.", { text: words(2_600, "Noted.") });
    for (let at = 2; at <= 4; at++) await say(agent, `Question ${at}.`, { text: words(2_600, "Answer.") });
    await compact(agent);
    const [said] = await agent.session.words.list();
    assert.ok(said);
    await agent.session.words.mark(said, "struck");
    await say(agent, "And now?", { text: words(2_600, "Yes.") });
    assert.match(
      sent(agent),
      /takes back what they said before\. It holds no more:\\n- turn 1: “The port is 8443\. Use tabs\.”/,
    );
    for (let at = 6; at <= 7; at++) await say(agent, `Question ${at}.`, { text: words(2_600, "Answer.") });
    await compact(agent);
    await say(agent, "Last.", { text: "Yes." });
    assert.match(sent(agent), /turn 1: ~~“The port is 8443\. Use tabs\.”~~ \(taken back\)/);
    const [struck] = await agent.session.words.list();
    assert.ok(struck);
    await agent.session.words.mark(struck, "none");
    for (let at = 9; at <= 11; at++) await say(agent, `Question ${at}.`, { text: words(2_600, "Answer.") });
    await compact(agent);
    await say(agent, "Really.", { text: "Yes." });
    assert.match(sent(agent), /turn 1: “The port is 8443\. Use tabs\.”/);
    const report = await verifySession(agent.session.history.files, hash);
    assert.deepEqual([report.defects, report.breaks.unexplained], [[], undefined]);
  });

  it("of one form are pinned and taken back question by question", async () => {
    const agent = await conversation(0, 0);
    agent.session.subscribe(event => {
      if (event.type !== "record" || event.record.kind !== "question" || event.record.answer) return;
      const { questionId } = event.record;
      const values = { q1: ["PostgreSQL 15"], q2: ["PostgreSQL 15", "never as root"], q3: ["port 8443"] };
      queueMicrotask(() => agent.session.reply(questionId, { action: "accept", values }));
    });
    const options = [{ label: "PostgreSQL 15" }, { label: "SQLite" }];
    const questions = [
      { question: "Which one?", options, multiple: false },
      { question: "And for tests?", options, multiple: true },
      { question: "Where?", options: [], multiple: false },
    ];
    await say(
      agent,
      "Ask me.",
      { calls: [{ name: "AskUser", input: { questions } }] },
      { text: words(2_600, "Noted.") },
    );
    for (let at = 2; at <= 4; at++) await say(agent, `Question ${at}.`, { text: words(2_600, "Answer.") });
    await compact(agent);
    const find = async (asked: string, text: string) => {
      const found = (await agent.session.words.list()).find(each => each.asked === asked && each.text === text);
      assert.ok(found, `${asked} ${text}`);
      return found;
    };
    const marks = async () =>
      (await agent.session.words.list()).flatMap(({ text, mark }) => (mark === "none" ? [] : [`${mark} ${text}`]));
    await agent.session.words.mark(await find("Which one?", "PostgreSQL 15"), "struck");
    await agent.session.words.mark(await find("Where?", "port 8443"), "pinned");
    await agent.session.words.mark(await find("And for tests?", "never as root"), "struck");
    const marked = ["struck PostgreSQL 15", "struck never as root", "pinned port 8443"];
    assert.deepEqual(await marks(), marked);
    for (let at = 5; at <= 8; at++) await say(agent, `Question ${at}.`, { text: words(2_600, "Yes.") });
    await compact(agent);
    assert.deepEqual(await marks(), marked);
    await say(agent, "Last.", { text: "Yes." });
    assert.match(
      sent(agent),
      /question 1, turn 1: ‹Which one\?›, of your options the user chose ‹PostgreSQL 15›, and took that back/,
    );
    assert.match(
      sent(agent),
      /question 2, turn 1: ‹And for tests\?›, of your options the user chose ‹PostgreSQL 15›(?!, and)/,
    );
    assert.match(sent(agent), /~~“never as root”~~ \(taken back\)/);
    assert.match(sent(agent), /answering your question 4: “port 8443”/);
    const session = await agent.session.close().then(() => openSession(agent.ports, agent.session.id));
    assert.deepEqual(session.history.conversation, agent.session.history.conversation);
    assert.deepEqual((await verifySession(session.history.files, hash)).defects, []);
  });
});
