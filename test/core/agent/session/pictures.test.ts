/** Pictures that a person sends: kept as blobs, sent with their message, also where it waits, over a crash. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { SessionError } from "../../../../src/core/ground/ports";
import { verifySession } from "../../../../src/core/proof/verify";
import { last, runTurn, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { hash } from "../../../fakes/hash";
import { png } from "../../../fakes/png";

describe("a message with pictures", () => {
  it("reaches the model with them, in their order, and stays proven", async () => {
    const { session, models } = await start();
    const kept = [await session.keepPicture("one.png", png(4, 4)), await session.keepPicture("two.png", png(8, 4))];
    models.play({ text: "I see." }, { text: "Still." });
    await runTurn(session, "Compare [Picture 1: one.png] [Picture 2: two.png]", "steer", kept);
    const { message } = session.history.records.flatMap(each => (each.kind === "message" ? each : []))[0] ?? {};
    assert.deepEqual(
      message?.parts.map(part => (part.type === "file" ? part.filename : part.type)),
      ["text", "one.png", "two.png"],
    );
    const sent = JSON.stringify(models.requests[0]);
    assert.ok(sent.includes(Buffer.from(png(4, 4)).toString("base64")));
    await runTurn(session, "And now?");
    assert.ok(JSON.stringify(models.requests[1]).includes(Buffer.from(png(8, 4)).toString("base64")));
    assert.deepEqual((await verifySession(session.history.files, hash)).defects, []);
  });

  it("is refused where a picture is kept in another session: nothing is sent without it", async () => {
    const { session, models } = await start();
    const kept = await (await start()).session.keepPicture("one.png", png(4, 4));
    await assert.rejects(
      session.submit("look", "steer", [kept]),
      /^SessionError: one\.png is not kept in this session/,
    );
    assert.deepEqual([session.state, session.history.records.length], ["idle", 0]);
    models.play({ text: "I see." });
    await runTurn(session, "look", "steer", [await session.keepPicture("one.png", png(4, 4))]);
    assert.equal(last(session, "turnEnd").reason, "done");
  });

  it("may have no words", async () => {
    const { session, models } = await start();
    models.play({ text: "I see." });
    await runTurn(session, "", "steer", [await session.keepPicture("one.png", png(4, 4))]);
    assert.equal(last(session, "turnEnd").reason, "done");
    await assert.rejects(session.submit(" ", "steer", []), SessionError);
  });

  it("waits with them, is edited, and has them after a crash", async () => {
    const { session, models, ports, disk } = await start();
    models.play({ calls: [{ name: "Bash", input: { command: "make" } }] });
    await session.submit("go");
    await eventually("it asks", () => session.state === "asking" || undefined);
    await session.submit("look", "queue", [await session.keepPicture("one.png", png(4, 4))]);
    const [pending] = session.history.conversation.pending;
    assert.ok(pending);
    await session.messages.edit(pending.pendingId, "look here");
    disk.crash();
    const again = await openSession(ports, session.id);
    await again.stop();
    models.play({ text: "I see." });
    await again.sendPending(pending.pendingId);
    await again.idle();
    assert.ok(JSON.stringify(models.requests.at(-1)).includes(Buffer.from(png(4, 4)).toString("base64")));
    assert.equal(again.history.conversation.pending.length, 0);
    await again.close();
  });

  it("is refused what is no picture, with its name", async () => {
    const { session } = await start();
    for (const bytes of [new Uint8Array(0), Buffer.from("<svg/>"), png(4, 4).subarray(0, 40)])
      await assert.rejects(session.keepPicture("logo.svg", bytes), /^SessionError: logo\.svg can't be used/);
  });
});
