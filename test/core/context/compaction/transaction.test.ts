/** A compaction from end to end on fakes: when it happens, what stands after it, and everything that can go wrong. */

import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { leftOutReport } from "../../../../src/core/context/compaction/compactionReport";
import { readWholeLog } from "../../../../src/core/log/readLog";
import { turnReport } from "../../../../src/core/log/turnReport";
import { verifySession } from "../../../../src/core/proof/verify";
import { compactionLine } from "../../../../src/shared/entry";
import type { AgentEventOf } from "../../../../src/shared/events";
import { last, log, reopened, runTurn } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { hash } from "../../../fakes/hash";
import { type Agent, conversation, SUMMARY, say, words } from "../../../fakes/longConversation";
import { type ScriptedAnswer, transcript } from "../../../fakes/model";

const phases = ({ events }: Agent) =>
  events.filter((event): event is AgentEventOf<"compaction"> => event.type === "compaction").map(({ phase }) => phase);

async function proven({ session }: Agent) {
  const report = await verifySession(session.history.files, hash);
  assert.deepEqual(report.defects, []);
  assert.equal(report.proven, report.requests);
  assert.equal(report.breaks.unexplained, undefined);
  return report;
}

const sent = ({ models }: Agent) => transcript(models.requests.at(-1)!).join("\n");
/** what people said in turns that left, as recorded */
const sentWords = ({ session }: Agent) => JSON.stringify(last(session, "compaction").ledger);
const system = ({ models }: Agent) => JSON.stringify(models.requests.at(-1)!.prompt[0]);

async function compactedByItself() {
  const agent = await conversation(4, 7200);
  agent.models.summaries.push({ text: SUMMARY });
  await say(agent, "Question 5.", { text: words(7200, "Answer 5.") });
  await say(agent, "Question 6.", { text: "Answer 6." });
  return { agent, record: last(agent.session, "compaction") };
}

describe("compaction", () => {
  it("happens by itself at four fifths of the window, and the next request begins with the summary", async () => {
    const { agent, record } = await compactedByItself();
    assert.equal(record.reason, "threshold");
    assert.ok(record.tokens.after < record.tokens.before);
    assert.match(system(agent), /round half up/);
    assert.match(sent(agent), /Question 1\./, "what began it is verbatim");
    assert.doesNotMatch(sent(agent), /Answer 1\./);
    assert.match(sent(agent), /Question 6\./);
    assert.deepEqual(phases(agent), ["planning", "summarising", "checking", "committing", "done"]);
    assert.equal((await proven(agent)).breaks.compaction, 2, "the request for the summary and the one after it");
  });

  it("can be cancelled while the summary is written: history stays as it was and the turn goes on", async () => {
    const agent = await conversation(4, 7200);
    agent.models.summaries.push({ text: "## half", hang: true });
    agent.models.play({ text: words(7200, "Answer 5.") }, { text: "Answer 6." });
    await runTurn(agent.session, "Question 5.");
    const before = log(agent.disk, agent.session);
    await agent.session.submit("Question 6.");
    await eventually("the summary is written", () => phases(agent).includes("summarising"));
    agent.session.compaction.cancel();
    await agent.session.idle();
    assert.equal(phases(agent).at(-1), "cancelled");
    assert.ok(log(agent.disk, agent.session).startsWith(before));
    assert.match(sent(agent), /Answer 1\./);
    assert.equal(last(agent.session, "turnEnd").reason, "done");
    await proven(agent);
  });

  const failures: [string, ScriptedAnswer[], string][] = [
    ["is empty", [{ text: " " }, { text: "" }, { text: "\n" }], "failed"],
    ["calls tools only", Array(3).fill({ calls: [{ name: "Read", input: { file_path: "a" } }] }), "unusable"],
    ["fails", [{ fail: { code: "auth", message: "The key was refused.", retryable: false } }], "failed"],
  ];
  for (const [what, answers, code] of failures) {
    it(`is done by code alone where the summary ${what}`, async () => {
      const agent = await conversation(4, 2600);
      agent.models.summaries.push(...answers, ...answers);
      const compacting = agent.session.compaction.compact();
      const ticking = setInterval(() => agent.clock.waiting > 1 && agent.clock.advance(2000), 5);
      await compacting;
      clearInterval(ticking);
      assert.equal(last(agent.session, "compaction").failure?.code, code);
      assert.match(sentWords(agent), /Question 1\./);
      await proven(agent);
    });
  }

  it("sends what was typed meanwhile after it", async () => {
    const agent = await conversation(4, 2600);
    agent.models.summaries.push({ text: SUMMARY });
    agent.models.play({ text: "Meanwhile answered." });
    const compacting = agent.session.compaction.compact();
    assert.equal(agent.session.state, "running");
    await agent.session.submit("Meanwhile.");
    await compacting;
    await agent.session.idle();
    assert.match(sent(agent), /Meanwhile\./);
    assert.ok(last(agent.session, "compaction").seq < last(agent.session, "turnEnd").seq);
  });

  it("leaves history alone where there is nothing to compact, and says so", async () => {
    const agent = await conversation(2, 50);
    const before = log(agent.disk, agent.session);
    await agent.session.compaction.compact();
    assert.equal(phases(agent).at(-1), "unneeded");
    assert.equal(log(agent.disk, agent.session), before);
  });

  it("leaves a pinned round whole", async () => {
    const agent = await conversation(4, 2600);
    await agent.session.compaction.pin(1, true);
    agent.models.summaries.push({ text: SUMMARY });
    await agent.session.compaction.compact();
    await say(agent, "Next.", { text: "Yes." });
    assert.match(sent(agent), /Answer 1\./);
    assert.doesNotMatch(sent(agent), /Answer 2\./);
    await proven(agent);
    const again = await openSession(agent.ports, agent.session.id);
    assert.deepEqual(again.history.conversation.messages, agent.session.history.conversation.messages);
  });

  it("is undone and redone, keeping every turn made since, across restarts", async () => {
    const agent = await conversation(4, 2600);
    const original = structuredClone(agent.session.history.conversation.messages);
    agent.models.summaries.push({ text: SUMMARY });
    await agent.session.compaction.compact();
    await say(agent, "Since.", { text: "Made since." });
    const since = structuredClone(agent.session.history.conversation.messages.slice(-2));
    const compacted = structuredClone(agent.session.history.conversation.messages);
    await agent.session.compaction.undo();
    assert.deepEqual(agent.session.history.conversation.messages, [...original, ...since]);
    assert.equal(agent.session.history.conversation.compactionHeld, true);
    await say(agent, "After undo.", { text: "Yes." });
    assert.match(sent(agent), /Answer 1\./);
    await agent.session.compaction.redo();
    assert.deepEqual(agent.session.history.conversation.messages.slice(0, compacted.length), compacted);
    await say(agent, "After redo.", { text: "Yes." });
    assert.doesNotMatch(sent(agent), /Answer 1\./);
    const report = await proven(agent);
    assert.equal(report.breaks.undo, 1);
    const again = await reopened(agent.session, agent.ports);
    assert.deepEqual(again.history.conversation, agent.session.history.conversation);
    await assert.rejects(again.compaction.redo(), /no compaction to redo/);
    await again.compaction.undo();
    assert.equal(again.history.conversation.messages[0]?.id, original[0]?.id);
  });

  it("starts afresh where nothing is short enough: all of it is in the archive", async () => {
    const agent = await conversation(4, 2600);
    const refused = { fail: { code: "context-too-long" as const, message: "Too long.", retryable: false } };
    agent.models.summaries.push({ text: SUMMARY }, { text: SUMMARY }, { text: SUMMARY });
    await say(agent, "Question 5.", refused, refused, refused);
    assert.equal(last(agent.session, "turnEnd").error?.code, "context-reset");
    assert.deepEqual(agent.session.history.conversation.messages, []);
    await say(agent, "Question 6.", { text: "Afresh." });
    assert.equal(last(agent.session, "turnEnd").reason, "done");
    await proven(agent);
    await agent.session.compaction.undo();
    assert.match(JSON.stringify(agent.session.history.conversation.messages), /Question 5\./);
  });

  it("counts all of a turn of which it took the first steps, with what the summary cost", async () => {
    const agent = await conversation(1, 50, { mode: "auto" });
    agent.models.reportsUsage = true;
    agent.models.summaries.push({ text: SUMMARY, input: 7, output: 3 });
    const step = (input: number) => ({
      calls: [{ name: "Bash", input: { command: `echo ${input}` } }],
      ...{ text: words(8000, "Thinking."), input },
    });
    await say(agent, "Work.", ...[8500, 17_000, 25_500, 34_000, 15_000].map(step), { text: "Done." });
    const compaction = last(agent.session, "compaction");
    assert.equal(compaction.snapshot.soFar?.turn, 2);
    const { steps, toolCalls, usage } = last(agent.session, "turnEnd");
    assert.deepEqual({ steps, toolCalls }, { steps: 6, toolCalls: 5 });
    assert.deepEqual(usage, { input: 100_107, output: 63, cachedInput: 0 });
    assert.match(sent(agent), /Work\./, "what was asked stays");
    await proven(agent);
  });

  it("says in the provider's count what the last request took, and the first one after it", async () => {
    const agent = await conversation(3, 2600);
    agent.models.reportsUsage = true;
    await say(agent, "Count.", { text: words(2600, "Counted."), input: 3000, output: 1000 });
    agent.models.summaries.push({ text: SUMMARY });
    const { tokens: estimated } = await agent.session.compaction.use();
    await agent.session.compaction.compact();
    const record = last(agent.session, "compaction");
    const { tokens, counted } = record;
    const shown = agent.events.findLast(event => event.type === "compaction");
    assert.deepEqual(shown?.type === "compaction" && shown.tokens, { before: estimated, after: counted?.after });
    assert.equal(counted?.before, 3000);
    assert.ok(counted.after < counted.before && counted.before < tokens.before);
    await say(agent, "And on.", { text: "On.", input: 2345, output: 10 });
    const { records } = await readWholeLog(agent.session.history.files);
    const line = compactionLine(record);
    assert.match(line, /^History compacted: 3k → /);
    assert.ok(leftOutReport(record, records).sections.at(-1)?.title.includes(line));
    const told = turnReport({ records, decisions: [] }, record.snapshot.turn)?.sections.flatMap(({ lines }) => lines);
    assert.ok(told?.some(({ label }) => label === `${line}, as you asked.`));
  });

  it("keeps a message that is typed in the very moment of the commit", async () => {
    const agent = await conversation(4, 2600);
    agent.models.summaries.push({ text: SUMMARY });
    const typed: Promise<void>[] = [];
    agent.session.subscribe(event => {
      if (event.type === "compaction" && event.phase === "committing") typed.push(agent.session.submit("Typed then."));
    });
    agent.models.play({ text: "Answered." });
    await agent.session.compaction.compact();
    await Promise.all(typed);
    await agent.session.idle();
    assert.match(sent(agent), /Typed then\./);
    assert.deepEqual(agent.session.history.conversation.pending, []);
  });

  it("moves rules of folders to L2, where they are read anew", async () => {
    const nested = { "src/AGENTS.md": "Nested rule one.", "src/a.ts": "export {};\n" };
    const agent = await conversation(3, 2600, { files: nested });
    await say(
      agent,
      "Read it.",
      { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
      { text: words(2600, "Ok.") },
    );
    assert.match(sent(agent), /Nested rule one/);
    agent.models.summaries.push({ text: SUMMARY });
    await agent.session.compaction.compact();
    await say(agent, "Next.", { text: "Yes." });
    assert.match(system(agent), /Nested rule one/);
    assert.equal(sent(agent).split("Nested rule one").length, 1, "not among the messages any more");
    await proven(agent);
  });
});
