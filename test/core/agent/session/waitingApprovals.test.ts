/** A question about a permission waits as long as it takes: over a close, a crash, and files that move meanwhile. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { verifySession } from "../../../../src/core/proof/verify";
import { edit, kinds, last, read, reopened, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { hash } from "../../../fakes/hash";

const bash = (command: string) => ({ name: "Bash", input: { command } });

const waiting = (session: Session) =>
  eventually("it asks", () => {
    const [asked] = session.history.conversation.asked;
    return asked && session.state === "asking" ? { approvalId: asked[0], action: asked[1] } : undefined;
  });

const allow = (session: Session, approvalId: string) =>
  session.answer(approvalId, { decision: "allow", scope: "once" });

const resultsOf = (session: Session) =>
  session.history.records.flatMap(record => (record.kind === "result" ? [`${record.toolName} ${record.status}`] : []));

describe("an approval that waits", () => {
  it("outlives its process: the same question waits where the session is opened again, and the turn goes on", async () => {
    const { session, models, ports, shell } = await start();
    models.play({ calls: [bash("npm test"), read("src/a.ts")] }, { text: "Good." });
    await session.submit("go");
    const { approvalId } = await waiting(session);
    await session.close();
    assert.equal(kinds(session), "message message approval", "a close writes nothing");

    const again = await openSession(ports, session.id);
    assert.equal((await waiting(again)).approvalId, approvalId);
    assert.equal(kinds(again), "message message approval", "it is the same question");
    assert.equal(models.requests.length, 1, "nothing is sent before there is an answer");
    assert.equal(shell.runs.length, 0);
    allow(again, approvalId);
    await again.idle();
    assert.deepEqual(resultsOf(again), ["Bash success", "Read success"]);
    assert.equal(shell.runs.length, 1);
    assert.equal(last(again, "turnEnd").reason, "done");
    assert.deepEqual((await verifySession(again.history.files, hash)).defects, []);
    await again.close();
  });

  it("waits on where the session is left before it is asked again", async () => {
    const { session, models, ports } = await start({ answers: "later" });
    models.play({ calls: [{ name: "Write", input: { file_path: "new.txt", content: "two\n" } }] }, { text: "Good." });
    await session.submit("go");
    const { approvalId } = await waiting(session);
    await session.close();
    await (await openSession(ports, session.id)).close();
    const again = await openSession(ports, session.id);
    assert.equal((await waiting(again)).approvalId, approvalId);
    assert.equal(kinds(again), "message message approval");
  });

  it("takes an answer before it is asked again, once", async () => {
    const { session, models, ports } = await start({ answers: "later" });
    models.play({ calls: [{ name: "Write", input: { file_path: "new.txt", content: "two\n" } }] }, { text: "Good." });
    await session.submit("go");
    const { approvalId } = await waiting(session);
    await session.close();
    const again = await openSession(ports, session.id);
    allow(again, approvalId);
    await again.idle();
    assert.deepEqual(resultsOf(again), ["Write success"]);
    assert.throws(() => allow(again, approvalId), /already answered/);
  });

  it("is there after two crashes; Stop ends it there as well", async () => {
    const { session, models, ports, disk } = await start();
    models.play({ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", "one", "two")] });
    await session.submit("go");
    const { approvalId } = await waiting(session);
    disk.crash();
    assert.equal((await waiting(await openSession(ports, session.id))).approvalId, approvalId);
    disk.crash();
    const third = await openSession(ports, session.id);
    assert.equal((await waiting(third)).approvalId, approvalId);
    assert.equal(third.proposal(approvalId)?.after, "two\n");
    await third.stop();
    assert.equal(last(third, "turnEnd").reason, "stopped");
    assert.equal(last(third, "approval").answer?.by, "stop");
    await third.close();
    assert.equal((await openSession(ports, session.id)).state, "idle");
  });

  it("is asked anew where what it binds is another by now", async () => {
    const { session, models, ports, shell } = await start();
    models.play({ calls: [{ name: "Write", input: { file_path: "new.txt", content: "one\n" } }] }, { text: "Good." });
    await session.submit("go");
    const first = await waiting(session);
    await session.close();
    // As the log stands of a question about other bytes.
    const disk = await ports.storage.open(session.id);
    const line = ((await disk.read("history.jsonl")) ?? "").trim().split("\n").at(-1) ?? "";
    const moved = { ...JSON.parse(line), id: "rec_x", seq: 3, approvalId: "apr_x" };
    await disk.append(
      "history.jsonl",
      `${JSON.stringify({ ...moved, action: { ...moved.action, binds: "other" } })}\n`,
    );
    await disk.close();
    const again = await openSession(ports, session.id);
    const second = await waiting(again);
    assert.ok(!["apr_x", first.approvalId].includes(second.approvalId));
    assert.match(second.action.reason ?? "", /the file changed while you were asked/);
    assert.throws(() => allow(again, "apr_x"), /already answered/);
    allow(again, second.approvalId);
    await again.idle();
    assert.equal(shell.runs.length, 0);
    assert.deepEqual(resultsOf(again), ["Write success"]);
    await again.close();
  });

  it("does nothing by itself where it cannot be asked again: the person lets it go on", async () => {
    const { session, models, ports, files, shell } = await start();
    models.play({ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", "one", "two"), bash("make")] });
    await session.submit("go");
    const { approvalId } = await waiting(session);
    await session.close();
    files.put("src/a.ts", "zero\none\n");
    const again = await openSession(ports, session.id);
    await again.idle();
    assert.equal(last(again, "turnEnd").error?.code, "question-gone");
    assert.deepEqual(resultsOf(again), ["Read success", "Edit error", "Bash error"]);
    assert.deepEqual([models.requests.length, shell.runs.length], [2, 0]);
    assert.throws(() => allow(again, approvalId), /already answered/);
    models.play({ text: "I look again." });
    await again.resume();
    await again.idle();
    assert.equal(last(again, "turnEnd").reason, "done");
  });

  it("is answered by the person, whatever mode and settings are by then", async () => {
    const { session, models, ports, shell } = await start();
    models.play({ calls: [bash("npm test")] }, { text: "Good." });
    await session.submit("go");
    const { approvalId } = await waiting(session);
    await session.setMode("auto");
    const again = await reopened(session, ports);
    assert.equal((await waiting(again)).approvalId, approvalId);
    assert.equal(shell.runs.length, 0);
    allow(again, approvalId);
    await again.idle();
    assert.equal(shell.runs.length, 1);
  });

  it("waits again without a model, beside calls that only read", async () => {
    const { session, models, ports } = await start({ files: { "src/a.ts": "one\n", ".env": "A=1\n" } });
    models.play({ calls: [read("src/a.ts"), read(".env"), read("src/a.ts")] }, { text: "Good." });
    await session.submit("go");
    const { approvalId } = await waiting(session);
    await session.close();
    models.connectError = new Error("no model yet");
    const again = await openSession(ports, session.id);
    assert.equal((await waiting(again)).approvalId, approvalId);
    models.connectError = undefined;
    allow(again, approvalId);
    await again.idle();
    assert.equal(resultsOf(again).filter(each => each === "Read success").length, 3);
    assert.equal(last(again, "turnEnd").reason, "done");
  });

  it("is over where nobody is there: the turn was interrupted, and nothing ran", async () => {
    const { session, models, ports, shell } = await start();
    models.play({ calls: [bash("npm test")] }, { text: "Good." });
    await session.submit("go");
    await waiting(session);
    const again = await reopened(session, { ...ports, answers: "never" });
    assert.equal(again.state, "idle");
    assert.equal(last(again, "turnEnd").reason, "interrupted");
    assert.equal(shell.runs.length, 0);
  });

  it("stays while somebody writes: what they send steers, and is read with what the call gave", async () => {
    const { session, models } = await start();
    models.play({ calls: [bash("npm test")] }, { text: "Good." });
    await session.submit("go");
    const { approvalId } = await waiting(session);
    await session.submit("and use tabs");
    assert.equal(session.state, "asking");
    assert.equal(session.history.conversation.asked.size, 1);
    allow(session, approvalId);
    await session.idle();
    assert.deepEqual(resultsOf(session), ["Bash success"]);
    const steered = session.history.conversation.messages.filter(({ metadata }) => metadata?.kind === "steer");
    assert.equal(steered.length, 1);
  });
});
