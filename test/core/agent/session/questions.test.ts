/** The agent asks the person: it waits as long as it takes, over a close and a crash, and nothing answers but a person. */
import assert from "node:assert/strict";
import { createSession, openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { SessionError } from "../../../../src/core/ground/ports";
import { verifySession } from "../../../../src/core/proof/verify";
import type { AgentEvent } from "../../../../src/shared/events";
import { kinds, last, read, runTurn, start, world } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { hash } from "../../../fakes/hash";

const database = {
  question: "Which database?",
  options: [{ label: "SQLite", description: "no server" }, { label: "Postgres" }],
};
const parts = { question: "Which parts?", options: [{ label: "Login" }, { label: "Billing" }], multiple: true };
const ask = (...questions: object[]) => ({ name: "AskUser", input: { questions } as never });

const openQuestion = (session: Session) =>
  eventually("it asks a question", () => {
    const record = session.history.records.findLast(({ kind }) => kind === "question");
    return record?.kind === "question" && !record.answer && session.state === "asking" ? record : undefined;
  });

/** What the model was told by the newest call. */
const told = (session: Session) => last(session, "result").forms.shown;

describe("a question of the agent's", () => {
  for (const mode of ["plan", "ask", "auto"] as const) {
    it(`waits for the person in mode ${mode}, and its answer goes to the model`, async () => {
      const { session, models } = await start({ mode });
      models.play({ calls: [ask(database, parts)] }, { text: "Good." });
      await session.submit("go");
      const { questionId, form } = await openQuestion(session);
      assert.equal(form.server, undefined);
      assert.deepEqual(
        form.fields.map(field => field.type === "choice" && field.options.map(option => option.recommended)),
        [
          [true, undefined],
          [true, undefined],
        ],
      );
      session.reply(questionId, {
        action: "accept",
        values: { q1: ["Postgres"], q2: ["Billing", "and the docs"] },
      });
      await session.idle();
      assert.equal(
        told(session),
        "The user answers:\nWhich database?\n→ Postgres\nWhich parts?\n→ Billing; in their own words: and the docs",
      );
      assert.equal(last(session, "turnEnd").reason, "done");
      const { defects } = await verifySession(session.history.files, hash);
      assert.deepEqual(defects, []);
    });
  }

  it("takes words about the whole of it, or that the agent decides", async () => {
    const { session, models } = await start();
    models.play({ calls: [ask(database)] }, { calls: [ask(parts)] }, { text: "Good." });
    await session.submit("go");
    session.reply((await openQuestion(session)).questionId, { action: "accept", words: "neither, use files" });
    const second = await eventually("it asks a question", () => {
      const record = last(session, "question");
      return record.form.fields[0]?.title === "Which parts?" && !record.answer ? record : undefined;
    });
    assert.match(told(session), /neither, use files/);
    session.reply(second.questionId, { action: "decline" });
    await session.idle();
    assert.match(told(session), /leaves this to you/);
  });

  it("is answered once, and only by what fits", async () => {
    const { session, models } = await start();
    models.play({ calls: [ask(database)] }, { text: "Good." });
    await session.submit("go");
    const { questionId } = await openQuestion(session);
    const reply = (values: Record<string, string[]>) => session.reply(questionId, { action: "accept", values });
    assert.throws(() => reply({}), /Choose an option/);
    assert.throws(() => reply({ q1: ["SQLite", "Postgres"] }), /Choose one/);
    assert.throws(() => reply({ q1: ["one", "two"] }), SessionError);
    reply({ q1: ["SQLite"] });
    assert.throws(() => reply({ q1: ["Postgres"] }), /not open any more/);
    await session.idle();
    assert.match(told(session), /→ SQLite/);
  });

  it("ends with Stop: nothing is answered, and a late answer is refused with what to do", async () => {
    const { session, models } = await start();
    models.play({ calls: [ask(database), read("src/a.ts")] });
    await session.submit("go");
    const { questionId } = await openQuestion(session);
    await session.stop();
    assert.equal(last(session, "turnEnd").reason, "stopped");
    assert.throws(() => session.reply(questionId, { action: "accept", words: "late" }), /Send what you want to say/);
    assert.equal(last(session, "question").answer?.by, "stop");
    assert.equal(models.requests.length, 1);
  });

  it("outlives its process: it waits where the session is opened again, and the answer goes on with the turn", async () => {
    const { session, models, ports } = await start();
    models.play({ calls: [read("src/a.ts"), ask(database), read("src/b.ts")] }, { text: "Good." });
    await session.submit("go");
    const { questionId } = await openQuestion(session);
    await session.close();
    assert.equal(kinds(session), "message message result question", "a close writes nothing");

    const again = await openSession(ports, session.id);
    assert.equal(again.state, "asking");
    assert.equal(again.question?.questionId, questionId);
    assert.equal(models.requests.length, 1, "nothing is sent before there is an answer");
    again.reply(questionId, { action: "accept", values: { q1: ["Postgres"] } });
    await again.idle();
    const results = again.history.records.filter(({ kind }) => kind === "result");
    assert.deepEqual(
      results.map(record => record.kind === "result" && record.toolName),
      ["Read", "AskUser", "Read"],
    );
    assert.equal(last(again, "turnEnd").reason, "done");
    assert.deepEqual((await verifySession(again.history.files, hash)).defects, []);
    await again.close();
  });

  it("is there after a crash, and after a second one; Stop ends it there as well", async () => {
    const { session, models, ports, disk } = await start();
    models.play({ calls: [ask(database)] });
    await session.submit("go");
    const { questionId } = await openQuestion(session);
    disk.crash();
    const second = await openSession(ports, session.id);
    disk.crash();
    const third = await openSession(ports, session.id);
    assert.deepEqual([second.question?.questionId, third.question?.questionId], [questionId, questionId]);
    await third.stop();
    assert.equal(last(third, "turnEnd").reason, "stopped");
    assert.equal(third.question, undefined);
    await third.close();
    const fourth = await openSession(ports, session.id);
    assert.equal(fourth.state, "idle");
  });

  it("keeps an answer whose process died before it could go on", async () => {
    const { session, models, ports } = await start();
    models.play({ calls: [ask(database)] });
    await session.submit("go");
    const { questionId, id: _, seq: __, ts: ___, ...asked } = await openQuestion(session);
    await session.close();
    // As the log stands in between: the answer is written, the call has no result.
    const files = await ports.storage.open(session.id);
    const line = { ...asked, questionId, answer: { action: "accept", values: { q1: ["SQLite"] }, by: "user" } };
    await files.append("history.jsonl", `${JSON.stringify({ id: "rec_x", seq: 4, ts: 1, ...line })}\n`);
    await files.close();
    const again = await openSession(ports, session.id);
    assert.equal(again.state, "idle", "nothing is sent by itself");
    assert.match(told(again), /→ SQLite/);
    assert.equal(last(again, "turnEnd").reason, "interrupted");
    models.play({ text: "Good." });
    await again.resume();
    await again.idle();
    assert.equal(last(again, "turnEnd").reason, "done");
  });

  it("is told to the model where nobody is there, and the turn goes on", async () => {
    const { session, models } = await start({ answers: "never" });
    models.play({ calls: [ask(database)] }, { text: "I took SQLite." });
    await runTurn(session, "go");
    assert.match(told(session), /^Nobody is there to answer/);
    assert.equal(last(session, "turnEnd").reason, "done");
  });

  it("stays in the log where somebody answers later", async () => {
    const { ports, models } = world({ answers: "later" });
    const session = await createSession(ports);
    const events: AgentEvent[] = [];
    session.subscribe(event => events.push(event));
    models.play({ calls: [ask(database)] }, { text: "Good." });
    await session.submit("go");
    const { questionId } = await openQuestion(session);
    await session.close();
    assert.ok(!events.some(event => event.type === "record" && event.record.kind === "turnEnd"));
    const again = await openSession(ports, session.id);
    again.reply(questionId, { action: "accept", words: "files" });
    await again.idle();
    assert.match(told(again), /files/);
    assert.equal(last(again, "turnEnd").reason, "done");
  });

  for (const [what, questions] of [
    ["a text without end", [{ question: "x".repeat(1_000_000) }]],
    ["500 options", [{ question: "Which?", options: Array.from({ length: 500 }, (_, at) => ({ label: `${at}` })) }]],
    ["five questions", Array.from({ length: 5 }, () => database)],
    ["the same option twice", [{ question: "Which?", options: [{ label: "A" }, { label: "A " }] }]],
    ["no question", []],
  ] as const) {
    it(`is not asked with ${what}: the model hears the bound`, async () => {
      const { session, models } = await start();
      models.play({ calls: [ask(...questions)] }, { text: "Good." });
      await runTurn(session, "go");
      assert.equal(last(session, "result").error?.code, "INVALID_INPUT");
      assert.ok(told(session).length < 500);
      assert.ok(!kinds(session).includes("question"));
    });
  }
});
