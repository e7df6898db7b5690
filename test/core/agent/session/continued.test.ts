/** A turn that goes on after its end, and what may happen around a compaction: nothing is sent in another form for it. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { SessionError } from "../../../../src/core/ground/ports";
import { verifySession } from "../../../../src/core/proof/verify";
import { createRedactor } from "../../../../src/core/secrets/redact";
import { everything, last, read, start, type WorldOptions } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { hash } from "../../../fakes/hash";
import { conversation, say, settings, words } from "../../../fakes/longConversation";
import { type ScriptedAnswer, transcript } from "../../../fakes/model";

const lines = (many: number) => Array.from({ length: many }, (_, at) => `line ${at} of a long text`).join("\n");
const tooLong: ScriptedAnswer = { fail: { code: "context-too-long", message: "too long", retryable: false } };

const compactions = ({ history }: Session) => history.records.filter(({ kind }) => kind === "compaction").length;

describe("a turn that goes on after its end", () => {
  it("sends what it had read as it was shown, with the bytes of the request before", async () => {
    const agent = await start({ maxSteps: 2, files: { "src/a.ts": lines(900), "src/b.ts": lines(900) } });
    const { session, models } = agent;
    models.play({ calls: [read("src/a.ts")] }, { calls: [{ name: "LS", input: {} }] }, { calls: [read("src/b.ts")] });
    await say(agent, "go");
    await session.resume();
    await session.idle();
    const sent = models.requests.map(transcript);
    for (const [at, request] of sent.slice(1).entries())
      assert.deepEqual(request.slice(0, sent[at]?.length), sent[at], `request ${at + 2}`);
    assert.deepEqual((await verifySession(session.history.files, hash)).breaks, {});
  });

  it("knows in another process what is secret in the workspace, though nobody said anything there", async () => {
    const envFiles = { read: async (scope: string) => (scope === "workspace" ? ["TOKEN=zebra7Qx93Lm2Zt81\n"] : []) };
    const shell = { "*": { output: [["stdout", "zebra7Qx93Lm2Zt81\n"]] } } satisfies WorldOptions["shell"];
    const agent = await start({ maxSteps: 1, mode: "auto", secrets: { envFiles }, shell });
    const cat = { calls: [{ name: "Bash", input: { command: "cat notes.txt" } }] };
    agent.models.play(cat, cat);
    await say(agent, "go");
    await agent.session.close();
    const redactor = createRedactor(text => hash.sha256(`key ${text}`), { envFiles });
    const again = await openSession({ ...agent.ports, redactor }, agent.session.id);
    await again.resume();
    await again.idle();
    assert.equal(again.history.records.filter(({ kind }) => kind === "result").length, 2);
    assert.doesNotMatch(everything(agent.disk), /zebra7Qx93Lm2Zt81/);
  });

  it("has its own beginning summarised where it is too large, as before its end", async () => {
    const small = { ...settings, "model.contextWindow": 20_000 };
    const agent = await start({
      maxSteps: 3,
      settings: small,
      files: { "src/a.ts": lines(500), "src/b.ts": lines(900) },
    });
    const { session, models } = agent;
    models.reportsUsage = false;
    const said = lines(900);
    models.play({ text: said, calls: [read("src/a.ts")] }, { calls: [{ name: "LS", input: {} }] });
    models.play({ calls: [read("src/b.ts")] });
    await say(agent, "go");
    await session.resume();
    await session.idle();
    assert.equal(last(session, "turnEnd").reason, "done");
    assert.equal(compactions(session), 1);
    assert.deepEqual((await verifySession(session.history.files, hash)).defects, []);
  });

  it("does not go on where everything was set aside: there is nothing to send", async () => {
    const agent = await conversation(3, 1000);
    agent.models.summaries.push(...Array<ScriptedAnswer>(6).fill(tooLong));
    await say(agent, "Question 4.", tooLong, tooLong);
    assert.equal(last(agent.session, "turnEnd").error?.code, "context-reset");
    const asked = agent.models.requests.length;
    await assert.rejects(agent.session.resume(), SessionError);
    assert.equal(agent.models.requests.length, asked);
    await agent.session.compaction.undo();
    await agent.session.resume();
    await agent.session.idle();
    assert.equal(last(agent.session, "turnEnd").reason, "done");
  });
});

describe("around a compaction", () => {
  it("leaves a round that is pinned while the summary is written", async () => {
    const agent = await conversation(4, 2600);
    agent.models.summaries.push({ text: "## half", hang: true });
    const compacting = agent.session.compaction.compact();
    await eventually(
      "the summary is asked for, under its limit",
      () => agent.models.summaryRequests.length > 0 && agent.clock.waiting > 0,
    );
    await agent.session.compaction.pin(1, true);
    await agent.clock.advance(120_000);
    await compacting;
    const turns = agent.session.history.conversation.messages.map(({ metadata }) => metadata?.turn);
    assert.deepEqual(turns, [1, 1, 3, 3, 4, 4]);
    assert.equal(last(agent.session, "compaction").rounds.pinned, 1);
  });

  it("compacts at four fifths again, although a compaction was cancelled when there was more", async () => {
    const agent = await conversation(5, 7200);
    agent.models.summaries.push({ text: "## half", hang: true });
    agent.models.play({ text: words(3000, "Answer 6.") });
    await agent.session.submit("Question 6.");
    await eventually("the summary is asked for", () => agent.models.summaryRequests[0]);
    agent.session.compaction.cancel();
    await agent.session.idle();
    await agent.session.compaction.compact();
    for (let turns = 0; turns < 20 && (await agent.session.compaction.use()).tokens < 32_000; turns++)
      await say(agent, "More.", { text: words(4000, "So.") });
    await say(agent, "And now?", { text: "Yes." });
    assert.equal(last(agent.session, "compaction").reason, "threshold");
  });

  it("says why a request does not begin as one for a summary that had everything folded", async () => {
    const agent = await start({
      settings: { ...settings, "history.keepRounds": 1 },
      files: { "src/a.ts": lines(400) },
    });
    agent.models.reportsUsage = false;
    for (let turn = 1; turn <= 4; turn++)
      await say(agent, `Question ${turn}.`, { calls: [read("src/a.ts")] }, { text: "ok" });
    agent.models.summaries.push(tooLong, { text: "## half", hang: true });
    const compacting = agent.session.compaction.compact();
    await eventually(
      "the summary is asked for, under its limit",
      () => agent.models.summaryRequests.length > 1 && agent.clock.waiting > 0,
    );
    agent.session.compaction.cancel();
    await compacting;
    await say(agent, "Next.", { text: "ok" });
    assert.deepEqual((await verifySession(agent.session.history.files, hash)).defects, []);
  });

  it("believes another model, or another window, than the one that was refused, whoever chose it", async () => {
    const agent = await conversation(3, 2000);
    const { session, models } = agent;
    models.others.set("other", 30_000);
    const window = async () => (await session.compaction.use()).window;
    await say(agent, "Question 4.", tooLong, { text: "ok" });
    assert.ok((await window()) < 20_000);
    await session.setModel({ name: "other" });
    assert.equal(await window(), 30_000);
    await session.setModel({});
    assert.ok((await window()) < 20_000);
    models.contextWindow = 200_000;
    assert.equal(await window(), 200_000);
  });

  it("leaves what the user said to steer the turn whose beginning is summarised", async () => {
    const paths = Array.from({ length: 8 }, (_, at) => `src/f${at}.ts`);
    const files = Object.fromEntries(paths.map(path => [path, lines(300)]));
    const agent = await start({ settings: { ...settings, "model.contextWindow": 16_000 }, files });
    const { session, models } = agent;
    models.reportsUsage = false;
    models.play(...paths.map(path => ({ text: lines(300), calls: [read(path)] })));
    let steered: Promise<void> | undefined;
    session.subscribe(event => {
      if (event.type === "record" && event.record.kind === "result") steered ??= session.submit("Also the docs.");
    });
    await say(agent, "Fix it.", { text: "Done." });
    await steered;
    assert.ok(compactions(session) > 0);
    assert.ok(transcript(models.requests.at(-1)!).includes("user: Also the docs."));
    assert.deepEqual((await verifySession(session.history.files, hash)).defects, []);
  });
});
