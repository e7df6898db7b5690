/** A person changes a proposal: what the log, the panel and the next request know of it. */
import assert from "node:assert/strict";
import { SessionError } from "../../../src/core/ground/ports";
import type { ApprovalAnswer } from "../../../src/shared/approval";
import { edit, everything, last, log, read, reopened, runTurn, start } from "../../fakes/agent";
import { eventually } from "../../fakes/eventually";
import { transcript } from "../../fakes/model";
import { numbered } from "../looking/harness";

const secret = `sk-proj-${"a1B2".repeat(8)}`;
const once: Pick<ApprovalAnswer, "decision" | "scope"> = { decision: "allow", scope: "once" };

/** A session that asks whether `one` may become `two`. */
async function asking(options: Parameters<typeof start>[0] = {}) {
  const agent = await start({ mode: "ask", ...options });
  agent.models.play({ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", "one", "two")] }, { text: "ok" });
  await agent.session.submit("go");
  const { approvalId } = await eventually("it asks", () => last(agent.session, "approval"));
  return { ...agent, approvalId };
}

describe("a proposal in a session", () => {
  it("can be had while its question is open, and answered with other text", async () => {
    const { session, files, models, approvalId } = await asking();
    const proposal = session.proposal(approvalId);
    assert.deepEqual([proposal?.ref.path, proposal?.before, proposal?.after], ["src/a.ts", "one\n", "two\n"]);
    session.answer(approvalId, once, "three\n");
    assert.equal(session.proposal(approvalId), undefined);
    await session.idle();
    assert.equal(files.onDisk("/ws/app/src/a.ts"), "three\n");
    const { answer, action } = last(session, "approval");
    assert.deepEqual(answer, {
      ...{ ...once, by: "user" },
      edited: { added: 1, removed: 1, diff: "--- src/a.ts\n+++ src/a.ts\n@@ -1,1 +1,1 @@\n-two\n+three" },
    });
    assert.match(JSON.stringify(action.detail), /-one\\n\+two/, "what was asked stays what was asked");
    assert.match(transcript(models.requests.at(-1)!).at(-1)!, /The user changed your proposal[^\n]*\n-two\n\+three/);
    assert.throws(() => session.answer(approvalId, once, "four\n"), SessionError);
  });

  it("that comes back as it was, but for line ends, is not changed", async () => {
    const { session, files, models, approvalId } = await asking();
    session.answer(approvalId, once, "two\r\n");
    await session.idle();
    assert.equal(files.onDisk("/ws/app/src/a.ts"), "two\n");
    assert.deepEqual(last(session, "approval").answer, { ...once, by: "user" });
    assert.doesNotMatch(transcript(models.requests.at(-1)!).at(-1)!, /The user changed/);
  });

  it("that is denied is not written, whatever was made of it", async () => {
    const { session, files, approvalId } = await asking();
    session.answer(approvalId, { decision: "deny", scope: "once" }, "three\n");
    await session.idle();
    assert.deepEqual([files.asked, files.onDisk("/ws/app/src/a.ts")], [[], "one\n"]);
    assert.deepEqual(last(session, "approval").answer, { decision: "deny", scope: "once", by: "user" });
  });

  it("is nobody's any more when the turn is stopped", async () => {
    const { session, files, approvalId } = await asking();
    await session.stop();
    assert.deepEqual([session.proposal(approvalId), last(session, "approval").answer?.by], [undefined, "stop"]);
    assert.deepEqual([files.asked, files.onDisk("/ws/app/src/a.ts")], [[], "one\n"]);
  });

  it("is in memory only; what the person types reaches the file and is a placeholder everywhere else but in the question", async () => {
    const { session, files, disk, models, events, approvalId } = await asking({
      files: { "src/a.ts": `one\nkey = "${secret}"\n` },
    });
    assert.equal(session.proposal(approvalId)?.before, `one\nkey = "${secret}"\n`);
    const typed = secret.replaceAll("a1", "z9");
    const text = `two\nkey = "${typed}"\n`;
    session.answer(approvalId, once, text);
    await session.idle();
    assert.equal(files.onDisk("/ws/app/src/a.ts"), text);
    const told = events.filter(({ type }) => type !== "question");
    for (const seen of [everything(disk), JSON.stringify(models.requests), JSON.stringify(told)]) {
      assert.ok(!seen.includes(secret) && !seen.includes(typed));
    }
    assert.match(last(session, "approval").answer?.edited?.diff ?? "", /\+key = "\[secret:openai-key:[0-9a-f]+\]"/);
    assert.match(last(session, "result").forms.shown, /\+key = "\[secret:openai-key:/);
  });

  it("goes along where the file changed meanwhile: asked anew, with both changes", async () => {
    const content = "one\n2\n3\n4\n";
    const { session, files, models, approvalId } = await asking({ files: { "src/a.ts": content } });
    files.edit("/ws/app/src/a.ts", `${content}typed\n`);
    session.answer(approvalId, once, "eins\n2\n3\n4\n");
    const second = await eventually("it asks", () => {
      const question = last(session, "approval");
      return question.approvalId === approvalId ? undefined : question;
    });
    assert.match(second.action.reason ?? "", /^the file changed while you were asked: what you changed/);
    assert.match(JSON.stringify(second.action.detail), /-one\\n\+eins\\n/);
    const proposal = session.proposal(second.approvalId);
    assert.deepEqual(
      [proposal?.before, proposal?.after, proposal?.proposed],
      [`${content}typed\n`, "eins\n2\n3\n4\ntyped\n", "two\n2\n3\n4\ntyped\n"],
    );
    session.answer(second.approvalId, once);
    await session.idle();
    assert.equal(files.inEditor("/ws/app/src/a.ts"), "eins\n2\n3\n4\ntyped\n");
    assert.deepEqual(
      last(session, "approval").answer?.edited?.added,
      1,
      "as the model proposed it to what was accepted",
    );
    const told = transcript(models.requests.at(-1)!).at(-1)!;
    assert.match(told, /\n-two\n\+eins\n/);
    assert.match(told, /Since you read the file, it changed in other places too/);
  });

  it("keeps the news of the change when the turn is over", async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index} of this file\n`).join("");
    const { session, approvalId } = await asking({ files: { "src/a.ts": `one\n${lines}` } });
    session.answer(approvalId, once, `three\n${lines.replaceAll("line", "row")}`);
    await session.idle();
    const { forms, digest } = last(session, "result");
    assert.match(forms.kept ?? "", /"left":"… what the user changed of the proposal, obs:\w{12}"/);
    assert.match(forms.kept ?? "", /"changedByUser":true/);
    assert.match(digest, / · revised by you$/);
  });

  it("and told of in part is not taken away by the next Write, in a session opened later either", async () => {
    const file_path = "/ws/app/new.ts";
    const proposed = numbered(60);
    const theirs = numbered(60, line => (line <= 40 ? `mine ${line}` : `line ${line}`));
    const write = (content: string) => ({ calls: [{ name: "Write", input: { file_path, content } }] });
    const agent = await start({ mode: "ask" });
    const { files, models } = agent;
    models.play(write(proposed), { text: "ok" });
    await agent.session.submit("go");
    agent.session.answer((await eventually("it asks", () => last(agent.session, "approval"))).approvalId, once, theirs);
    await agent.session.idle();
    assert.match(last(agent.session, "result").forms.shown, /… 68 more lines: Read new\.ts before/);
    const session = await reopened(agent.session, agent.ports);
    await session.setMode("edits");
    const meant = [proposed.replace("line 60", "line sixty"), proposed.replace("line 3\n", "3\n")];
    models.play(...meant.map(write), { text: "ok" });
    await runTurn(session, "on");
    assert.equal(files.onDisk(file_path), theirs.replace("line 60", "line sixty"));
    assert.match(last(session, "result").forms.shown, /changed since you read it, where this edit is made\./);
  });

  it("changed with an allow for the session: later edits of the file are not asked", async () => {
    const { session, files, models, disk, approvalId } = await asking();
    session.answer(approvalId, { decision: "allow", scope: "session" }, "three\n");
    await session.idle();
    models.play({ calls: [edit("src/a.ts", "three", "four")] }, { text: "ok" });
    await runTurn(session, "on");
    assert.equal(files.onDisk("/ws/app/src/a.ts"), "four\n");
    assert.equal(log(disk, session).match(/"kind":"approval"/g)?.length, 2);
  });
});
