/** Sessions of a window: which is shown, which run on, which another window writes. */

import assert from "node:assert/strict";
import { createSession } from "../../src/core/agent/session/openSession";
import { eventually } from "../fakes/eventually";
import { ended, startHost as start } from "../fakes/panelHost";

describe("sessions of a window", () => {
  it("are the same after a reload", async () => {
    const { panel, models, open, sessions } = start();
    models.play({ text: "Hello." });
    const client = panel();
    await client.request("open", {});
    await client.request("submit", { text: "hi", delivery: "steer" });
    await ended(client);
    await sessions.close();
    const again = open().panel();
    await again.request("open", {});
    assert.equal(again.snapshot?.sessionId, client.snapshot?.sessionId);
    assert.deepEqual(again.records, client.records);
  });

  it("a new one takes every panel along; an empty one is used again", async () => {
    const { panel, models } = start();
    models.play({ text: "Hello." });
    const [one, two] = [panel(), panel()];
    await one.request("open", {});
    await two.request("open", {});
    const first = one.snapshot?.sessionId;
    assert.equal((await one.request("newSession", {})).sessionId, first);
    await one.request("submit", { text: "hi", delivery: "steer" });
    await ended(one);
    await one.request("newSession", {});
    assert.notEqual(one.snapshot?.sessionId, first);
    assert.equal(two.snapshot?.sessionId, one.snapshot?.sessionId);
    const { sessions } = await one.request("sessions", {});
    assert.deepEqual(
      sessions.map(({ id, title, running }) => ({ id, title, running })),
      [{ id: first, title: "hi", running: false }],
    );
    await two.request("openSession", { id: first ?? "" });
    assert.equal(one.snapshot?.sessionId, first);
    assert.equal(one.kinds(), "message message turnEnd");
  });

  it("one that runs goes on when another is shown, and gives its lock back at its end", async () => {
    const { panel, models, ports, sessions: all } = start();
    models.play({ text: "Long", hang: true }, { text: "Short." });
    const client = panel();
    await client.request("open", {});
    const running = client.snapshot?.sessionId ?? "";
    await client.request("submit", { text: "long work", delivery: "steer" });
    await client.request("newSession", {});
    await client.request("submit", { text: "short work", delivery: "steer" });
    await ended(client);
    const list = async () => {
      const { sessions } = await client.request("sessions", {});
      return Object.fromEntries(sessions.map(({ title, running }) => [title, running]));
    };
    assert.deepEqual(await list(), { "long work": true, "short work": false });
    await client.request("openSession", { id: running });
    assert.equal(client.state, "running");
    await client.request("newSession", {});
    await client.request("openSession", { id: running });
    await client.request("stop", {});
    await ended(client);
    await client.request("newSession", {});
    // Behind the close of the one that was left.
    await all.show();
    const elsewhere = await ports.storage.open(running);
    assert.equal(elsewhere.writable, true, "its lock is free");
    await elsewhere.close();
  });

  it("one that another window writes is read-only, until that window is gone", async () => {
    const { panel, ports, memory } = start();
    const elsewhere = await createSession(ports);
    await elsewhere.setMode("plan");
    memory.last = elsewhere.id;
    const client = panel();
    const snapshot = await client.request("open", {});
    assert.deepEqual([snapshot.readOnly, snapshot.mode], [true, "plan"]);
    await assert.rejects(client.request("submit", { text: "hi", delivery: "steer" }), /open in another window/);
    await elsewhere.setMode("edits");
    await elsewhere.close();
    await eventually("this window can write", () => client.snapshot?.readOnly === false);
    assert.equal(client.snapshot?.mode, "edits");
  });

  it("one that cannot be opened any more gives way to a new one, and the user is told", async () => {
    const { panel, ports, memory, lost } = start();
    const files = await ports.storage.create("ses_newer");
    const header = { kind: "header", version: 99, sessionId: "ses_newer", created: 0, archives: [] };
    await files.append("history.jsonl", `${JSON.stringify(header)}\n`);
    await files.close();
    memory.last = "ses_newer";
    const client = panel();
    await client.request("open", {});
    assert.notEqual(client.snapshot?.sessionId, "ses_newer");
    assert.equal(lost.length, 1);
    assert.match(lost[0] ?? "", /newer version of Strata/);
  });

  it("show the session that the host works on, also when another was opened while they waited", async () => {
    const { host, sessions, panel, slow } = start();
    const shown = panel();
    const first = await shown.request("open", {});
    const gate = Promise.withResolvers<void>();
    slow.gate = gate.promise;
    const session = await sessions.show();
    await session.submit("so that a new session is another one");
    await session.idle();
    const late = host.sendSnapshot(session);
    const second = await sessions.create();
    gate.resolve();
    await late;
    await eventually("the other session is shown", () => shown.snapshot?.sessionId === second.id);
    assert.notEqual(first.sessionId, second.id);
  });

  it("tell who follows the running state when the session changes", async () => {
    const { sessions, models } = start();
    const states: string[] = [];
    sessions.subscribe((_, event) => {
      if (event.type === "state") states.push(event.state);
    });
    models.play({ text: "x", hang: true });
    const running = await sessions.show();
    await running.submit("go");
    await sessions.create();
    assert.equal(states.at(-1), "idle");
    await sessions.openById(running.id);
    assert.equal(states.at(-1), "running");
    await sessions.close();
  });
});
