/** What goes wrong under a session: the model, the disk, the process, a second window. */

import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { NoModelError, SessionError, StorageError } from "../../../../src/core/ground/ports";
import { decodeLog } from "../../../../src/core/log/codec";
import { kinds, last, log, read, runTurn, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { transcript } from "../../../fakes/model";
import { pluck } from "../../../fakes/pluck";

describe("failures of the model", () => {
  it("retries what can pass, with the server's own delay, keeping what had come", async () => {
    const { session, models, clock, events } = await start();
    models.play(
      { fail: { code: "rate-limit", message: "Slow down.", retryable: true, retryAfterMs: 7000 } },
      { text: "Half", fail: { code: "cut", message: "Cut.", retryable: true } },
      { text: "Whole." },
    );
    await session.submit("go");
    await eventually("it waits", () => clock.waiting > 0);
    await clock.advance(6999);
    assert.equal(models.requests.length, 1);
    await clock.advance(1);
    await eventually("it waits", () => clock.waiting > 0);
    await clock.advance(1000);
    await session.idle();
    assert.deepEqual(
      pluck(
        events.filter(event => event.type === "retry"),
        "delayMs",
      ),
      [7000, 1000],
    );
    assert.equal(last(session, "attempt").reason, "Cut.");
    assert.deepEqual(transcript(models.requests[2]!), transcript(models.requests[0]!));
    assert.equal(last(session, "turnEnd").reason, "done");
  });

  for (const [asked, waited] of [
    [0, [0, 1000, 2000, 4000]],
    [20, [20, 1000, 2000, 4000]],
    [3000, [3000, 3000, 3000, 4000]],
    [undefined, [1000, 2000, 4000, 8000]],
  ] as const) {
    it(`a server that asks for ${asked ?? "no"} ms gets time: a date that is over spends no five tries in a moment`, async () => {
      const { session, models, clock, events } = await start();
      const fail = { code: "rate-limit", message: "Slow down.", retryable: true } as const;
      models.play(...Array(4).fill({ fail: { ...fail, ...(asked === undefined ? {} : { retryAfterMs: asked }) } }), {
        text: "Whole.",
      });
      await session.submit("go");
      for (const ms of waited) {
        if (ms === 0) continue;
        await eventually("it waits", () => clock.waiting > 0);
        await clock.advance(ms);
      }
      await session.idle();
      assert.deepEqual(
        pluck(
          events.filter(event => event.type === "retry"),
          "delayMs",
        ),
        waited,
      );
      assert.equal(last(session, "turnEnd").reason, "done");
    });
  }

  it("gives up at once where trying again cannot help; Retry goes on with the same turn", async () => {
    const { session, models } = await start();
    models.play({ fail: { code: "auth", message: "The key was refused.", retryable: false } }, { text: "Hello." });
    await runTurn(session, "go");
    assert.deepEqual(last(session, "turnEnd").error, {
      code: "auth",
      message: "The key was refused.",
      actions: ["set-key", "choose-model", "retry", "check-connection"],
    });
    await session.resume();
    await session.idle();
    assert.deepEqual(transcript(models.requests[1]!), transcript(models.requests[0]!));
    assert.equal(kinds(session), "message turnEnd message turnEnd");
  });

  it("can be stopped while it waits to try again", async () => {
    const { session, models, clock } = await start();
    models.play({ fail: { code: "server", message: "503", retryable: true } });
    await session.submit("go");
    await eventually("it waits", () => clock.waiting > 0);
    await session.stop();
    assert.equal(last(session, "turnEnd").reason, "stopped");
  });

  it("keeps the message and says what to do when no model is set up", async () => {
    const { session, models } = await start();
    models.connectError = new NoModelError("No model yet.");
    await runTurn(session, "go");
    assert.equal(last(session, "turnEnd").error?.code, "no-model");
    assert.equal(kinds(session), "message turnEnd");
  });
});

describe("the log under a session", () => {
  it("takes nothing when the disk is full: the text stays with the caller, memory and disk agree", async () => {
    const { session, disk } = await start();
    disk.full = true;
    await assert.rejects(session.submit("precious words"), StorageError);
    assert.equal(kinds(session), "");
    assert.equal(session.state, "idle");
    disk.full = false;
    await runTurn(session, "precious words");
    assert.equal(last(session, "turnEnd").reason, "done");
  });

  it("is synced before a command runs: where that fails nothing runs, no request leaves, and the session says so", async () => {
    const { session, models, disk, shell } = await start({ mode: "auto" });
    await runTurn(session, "go");
    const asked = models.requests.length;
    models.play({ calls: [{ name: "Bash", input: { command: "make" } }] });
    const unsubscribe = session.subscribe(event => {
      if (event.type === "record" && event.record.kind === "message" && event.record.message.role === "assistant")
        disk.syncFails = true;
    });
    await runTurn(session, "make it");
    unsubscribe();
    assert.deepEqual([shell.runs.length, models.requests.length], [0, asked + 1]);
    await assert.rejects(session.submit("precious words"), { name: "StorageError", code: "IO" });
    assert.equal(session.state, "idle");
    assert.equal(models.requests.length, asked + 1);
  });

  it("ends the turn with a clear error when the disk fills up under it", async () => {
    const { session, models, disk, events } = await start();
    models.play({ text: "x", hang: true });
    await session.submit("go");
    await eventually("text streams", () => session.live().some(event => event.type === "text"));
    disk.full = true;
    await session.stop();
    const failure = events.find(event => event.type === "failure");
    assert.equal(failure?.error.code, "storage-disk_full");
    assert.deepEqual(decodeLog(log(disk, session)).records, session.history.records);
    assert.equal(session.state, "idle");
  });

  it("opens again as it was; a turn that was cut off is closed and can be continued", async () => {
    const { session, models, disk, ports } = await start({ mode: "auto" });
    models.play({ calls: [read("src/a.ts"), { name: "Bash", input: { command: "x" } }] }, { text: "Done." });
    await runTurn(session, "go");
    const lines = log(disk, session).split("\n");
    await session.close();
    // The process dies while Bash runs, in the middle of writing its result.
    disk.put(session.id, "history.jsonl", `${lines.slice(0, 4).join("\n")}\n${lines[4]!.slice(0, 40)}`);
    models.play({ text: "I check first." });
    const again = await openSession(ports, session.id);
    assert.deepEqual(kinds(again), "message message result note result turnEnd");
    assert.equal(last(again, "note").code, "log-torn");
    assert.equal(last(again, "result").error?.code, "INTERRUPTED");
    assert.equal(last(again, "turnEnd").reason, "interrupted");
    await again.resume();
    await again.idle();
    assert.match(transcript(models.requests.at(-1)!).at(-1)!, /INTERRUPTED.*effect is unknown/);
    assert.equal(last(again, "turnEnd").reason, "done");
    assert.equal(again.history.conversation.turn, 1);
  });

  it("is done where it was cut off behind its last answer: that is not asked for again", async () => {
    const { session, models, disk, ports } = await start();
    models.play({ text: "Done." });
    await runTurn(session, "go");
    const cut = log(disk, session).split("\n").slice(0, 3).join("\n");
    await session.close();
    disk.put(session.id, "history.jsonl", `${cut}\n`);
    const again = await openSession(ports, session.id);
    await again.resume();
    await again.idle();
    assert.equal(kinds(again), "message message turnEnd turnEnd");
    assert.deepEqual([last(again, "turnEnd").reason, models.requests.length], ["done", 1]);
  });

  it("can only be read while another window writes it, and takes over after that", async () => {
    const { session, ports, models } = await start();
    models.play({ text: "Hello." }, { text: "Once more." });
    await runTurn(session, "go");
    const other = await openSession(ports, session.id);
    assert.equal(other.readOnly, true);
    await assert.rejects(other.submit("me too"), SessionError);
    await runTurn(session, "more");
    await session.close();
    await eventually("this window can write", () => !other.readOnly && other.history.records.length === 6);
    models.play({ text: "Still here." });
    await runTurn(other, "again");
    assert.equal(kinds(other), "message message turnEnd message message turnEnd message message turnEnd");
  });

  it("says what is in its way where it can only be read, and blames no other window", async () => {
    const { session } = await start();
    const obstacle = "This session can only be read now. The disk is read-only.";
    Object.defineProperties(session.history.files, { writable: { value: false }, obstacle: { value: obstacle } });
    await assert.rejects(session.submit("go"), { name: "SessionError", message: obstacle });
  });
});
