/** What a person does while a turn runs, and where turns end by themselves. */

import assert from "node:assert/strict";
import { SessionError } from "../../../../src/core/ground/ports";
import { kinds, last, read, runTurn, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { transcript } from "../../../fakes/model";
import { pluck } from "../../../fakes/pluck";

describe("steer, queue, stop", () => {
  it("takes a steering message into the next step and a queued one into the next turn", async () => {
    const held = Promise.withResolvers<void>();
    const { session, models, shell } = await start({ mode: "auto", shell: { "*": { before: held.promise } } });
    models.play({ calls: [{ name: "Bash", input: { command: "slow" } }] }, { text: "One." }, { text: "Two." });
    await session.submit("first");
    await eventually("command 1 runs", () => shell.runs[0]);
    await session.submit("steered", "steer");
    await session.submit("queued", "queue");
    await session.submit("gone", "queue");
    const [, , gone] = session.history.conversation.pending;
    await session.messages.edit(session.history.conversation.pending[1]!.pendingId, "queued, edited");
    await session.messages.remove(gone!.pendingId);
    held.resolve();
    await session.idle();
    assert.equal(session.history.conversation.pending.length, 0);
    assert.match(transcript(models.requests[1]!).at(-1)!, /^user: steered$/);
    assert.match(transcript(models.requests[2]!).at(-1)!, /^user: queued, edited$/);
    assert.equal(models.requests.length, 3);
    assert.equal(session.history.conversation.turn, 2);
    await assert.rejects(session.messages.remove(gone!.pendingId), SessionError);
  });

  it("goes on for a steering message that came while the last answer streamed", async () => {
    const { session, models, clock } = await start();
    models.play({ fail: { code: "server", message: "503", retryable: true } }, { text: "One." }, { text: "Two." });
    await session.submit("first");
    await eventually("it waits", () => clock.waiting > 0);
    await session.submit("more", "steer");
    await clock.advance(1000);
    await session.idle();
    assert.equal(session.history.conversation.turn, 1);
    assert.match(transcript(models.requests.at(-1)!).at(-1)!, /^user: more$/);
  });

  it("keeps what had streamed when it is stopped, and holds the queue", async () => {
    const { session, models } = await start();
    models.play({ text: "Half an ans", hang: true });
    await session.submit("go");
    await eventually("text streams", () => session.live().some(event => event.type === "text"));
    await session.submit("later", "queue");
    await session.stop();
    const answer = session.history.conversation.messages.at(-1)!;
    assert.deepEqual(
      answer.parts.map(part => part.type === "text" && part.text),
      ["Half an ans"],
    );
    assert.equal(answer.metadata?.stopped, true);
    assert.equal(last(session, "turnEnd").reason, "stopped");
    assert.deepEqual(pluck(session.history.conversation.pending, "text"), ["later"]);
    assert.equal(models.requests.length, 1);
    assert.deepEqual(session.live(), []);
  });

  it("refuses an empty message", async () => {
    const { session } = await start();
    await assert.rejects(session.submit("  \n"), SessionError);
    assert.equal(kinds(session), "");
  });
});

describe("limits", () => {
  it("stops before the same call the fourth time in a row, and continues when told to", async () => {
    const { session, models } = await start();
    const same = { calls: [read("src/a.ts")] };
    models.play(same, same, same, same, { text: "Sorry." });
    await runTurn(session, "go");
    assert.equal(last(session, "turnEnd").error?.code, "repeated-call");
    assert.equal(last(session, "result").error?.code, "ABORTED");
    assert.equal(models.requests.length, 4);
    await session.resume();
    await session.idle();
    assert.equal(last(session, "turnEnd").reason, "done");
    assert.equal(session.history.conversation.turn, 1);
  });

  it("stops after maxSteps and continues when told to", async () => {
    const { session, models } = await start({ maxSteps: 2 });
    models.play({ calls: [read("src/a.ts")] }, { calls: [{ name: "LS", input: {} }] }, { text: "Done." });
    await runTurn(session, "go");
    assert.equal(last(session, "turnEnd").error?.code, "max-steps");
    await session.resume();
    await session.idle();
    assert.equal(last(session, "turnEnd").reason, "done");
  });
});
