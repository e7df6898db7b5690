import assert from "node:assert/strict";
import { createSession } from "../../../../src/core/agent/session/openSession";
import { verifySession } from "../../../../src/core/proof/verify";
import { last, reopened, runTurn, type WorldOptions, world } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { hash } from "../../../fakes/hash";

async function begin(options: WorldOptions = {}) {
  const agent = world(options);
  const ports = { ...agent.ports, titles: true };
  const session = await createSession(ports);
  const titled = () => eventually("it has a title", () => last(session, "title"));
  const say = async (text: string) => {
    await runTurn(session, text);
  };
  const requests = () => (agent.disk.text(session.id, "requests.jsonl") ?? "").trimEnd().split("\n");
  const verified = () => verifySession(session.history.files, hash);
  return { ...agent, ports, session, titled, say, requests, verified };
}

describe("a session's title", () => {
  it("comes after the first turn, from its words alone, by one small request that is accounted for", async () => {
    const { models, session, titled, say, requests, verified, ports, logged } = await begin();
    models.play(
      { text: "The rounding is repaired.", input: 900 },
      { text: '**"Rounding of invoices."**\n', input: 70 },
    );
    await say("Please repair the rounding in the invoice.");
    const { title, model, usage, requestId } = await titled();
    assert.equal(title, "Rounding of invoices");
    assert.deepEqual([model, usage?.input], ["scripted", 70]);
    const [, asked] = models.requests;
    assert.equal(asked?.tools?.length ?? 0, 0);
    const text = JSON.stringify(asked?.prompt);
    assert.match(text, /Please repair the rounding in the invoice\.[\s\S]*The rounding is repaired\./);
    const manifest = JSON.parse(requests()[1] ?? "");
    assert.deepEqual([manifest.purpose, manifest.requestId, manifest.keep], ["title", requestId, 0]);
    assert.ok(manifest.totalTokens < 400, `${manifest.totalTokens}`);
    const [listed] = await ports.storage.list();
    assert.equal(listed?.title, "Rounding of invoices");
    const lines = logged as { message: string; fields: Record<string, unknown> }[];
    const digest = lines.findLast(({ message }) => message === "model request");
    const { runId } = session.history.conversation;
    assert.deepEqual(
      [digest?.fields.purpose, digest?.fields.runId, digest?.fields.requestId],
      ["title", runId, requestId],
    );
    const report = await verified();
    assert.deepEqual([report.requests, report.proven, report.defects], [2, 2, []]);
    assert.equal(session.history.conversation.messages.length, 2);
  });

  it("is paid for: the session and the day have its cost", async () => {
    const { models, session, titled, say, spending, ports } = await begin();
    models.prices = { input: 1, output: 1, dearer: [] };
    models.play({ text: "One.", input: 1_000_000, output: 0 }, { text: "Counting", input: 500_000, output: 0 });
    await say("Count.");
    assert.equal((await titled()).usage?.cost, 0.5);
    const { spent, today } = await session.compaction.use();
    assert.deepEqual([spent.cost, today, spending.entries.length], [1.5, 1.5, 2]);
    await session.close();
    assert.equal((await ports.storage.list())[0]?.cost, 1.5);
  });

  it("breaks no prefix: the next step is told against the step before it, in this process and in the next", async () => {
    const { models, session, titled, say, requests, verified, ports } = await begin();
    models.play({ text: "One." }, { text: "Counting" }, { text: "Two." });
    await say("Count.");
    await titled();
    await say("Go on.");
    const step = JSON.parse(requests()[2] ?? "");
    assert.ok(step.keep > 0 && step.sharedTokens > 100);
    assert.deepEqual([step.cause, step.unexplained], [undefined, undefined]);
    assert.equal(step.previous, JSON.parse(requests()[1] ?? "").self);
    const again = await reopened(session, ports);
    models.play({ text: "Three." });
    await runTurn(again, "And on.");
    const later = JSON.parse(requests()[3] ?? "");
    assert.ok(later.keep > 0);
    assert.equal(later.unexplained, undefined);
    const report = await verified();
    assert.deepEqual([report.requests, report.proven, report.defects], [4, 4, []]);
  });

  it("never holds a turn up, and closing does not wait for it", async () => {
    const { models, session, say } = await begin();
    models.play({ text: "One." }, { text: "Coun", hang: true }, { text: "Two." });
    await say("Count.");
    await eventually("a second request is sent", () => models.requests.length === 2);
    await say("Go on.");
    assert.equal(last(session, "turnEnd").turn, 2);
    await session.close();
    assert.equal(session.history.conversation.title, "Count.");
  });

  it("is not asked for where it is switched off, where there is one, and where the turn did not end well; and only once", async () => {
    const off = await begin({ settings: { "sessions.titles": false } });
    off.models.play({ text: "One." });
    await off.say("Count.");
    await off.session.close();
    assert.equal(off.models.requests.length, 1);

    const named = await begin();
    await named.session.history.append({ kind: "title", title: "Mine" });
    named.models.play({ text: "One." });
    await named.say("Count.");
    await named.session.close();
    assert.deepEqual([named.models.requests.length, named.session.history.conversation.title], [1, "Mine"]);

    const { models, session, say, logged } = await begin();
    models.play({ fail: { code: "auth", message: "No.", retryable: false } }, { text: "One." });
    await say("Count.");
    models.play({ fail: { code: "server", message: "Down.", retryable: true } }, { text: "Two." }, { text: "Three." });
    await say("Count again.");
    await eventually("the failure is logged", () => JSON.stringify(logged).includes("was not named"));
    await say("Go on.");
    await session.close();
    assert.equal(models.requests.length, 4);
    assert.equal(session.history.conversation.title, "Count.");
    assert.equal(last(session, "title"), undefined);
  });

  it("what is an answer rather than a name is none: the first words remain", async () => {
    const { models, session, say, ports, logged } = await begin();
    models.play({ text: "One." }, { text: `I am sorry, but ${"I can not name this ".repeat(10)}` });
    await say("Count.");
    await eventually("the title is logged", () => JSON.stringify(logged).includes('"title"'));
    await session.close();
    assert.equal(session.history.conversation.title, "Count.");
    assert.equal((await ports.storage.list())[0]?.title, "Count.");
  });
});
