/** Whole turns: session, loop, assembler, tools and log together, on fakes and a scripted model. */
import assert from "node:assert/strict";
import { decodeLog } from "../../src/core/history/codec";
import { createSession, openSession } from "../../src/core/openSession";
import { NoModelError, StorageError } from "../../src/core/ports";
import { type Session, SessionError } from "../../src/core/session";
import type { AgentEvent } from "../../src/shared/events";
import type { LogRecord } from "../../src/shared/records";
import { until, world } from "../fakes/agent";
import { transcript } from "../fakes/model";
import type { MemoryDisk } from "../fakes/storage";

const kinds = (session: Session) => session.history.records.map(record => record.kind).join(" ");
const last = <K extends LogRecord["kind"]>(session: Session, kind: K) =>
  session.history.records.findLast(record => record.kind === kind) as Extract<LogRecord, { kind: K }>;
const read = (file_path: string) => ({ name: "Read", input: { file_path } });
const edit = (file_path: string, old_string: string, new_string: string) => ({
  name: "Edit",
  input: { file_path, old_string, new_string },
});

const log = (disk: MemoryDisk, session: Session) => disk.text(session.id, "history.jsonl") ?? "";
const everything = (disk: MemoryDisk) =>
  [...disk.sessions.values()]
    .flatMap(({ files, blobs }) => [...files.values(), ...blobs.values()].map(String))
    .join("\n");

async function start(options: Parameters<typeof world>[0] = {}) {
  const agent = world(options);
  const session = await createSession(agent.ports);
  const events: AgentEvent[] = [];
  session.subscribe(event => events.push(event));
  return { ...agent, session, events };
}

describe("a turn", () => {
  it("logs the user, then each step's answer before its results, then the end", async () => {
    const { session, models, files, events, disk } = await start({ mode: "edits" });
    models.play(
      { text: "I look first.", calls: [read("src/a.ts"), { name: "LS", input: {} }] },
      { calls: [edit("src/a.ts", "one", "two")] },
      { text: "Done." },
    );
    await session.submit("change @src/a.ts");
    await session.idle();
    assert.equal(kinds(session), "message message result result message result message turnEnd");
    assert.equal(files.onDisk("/ws/app/src/a.ts"), "two\n");
    const end = last(session, "turnEnd");
    assert.deepEqual([end.reason, end.steps, end.toolCalls, end.toolFailures], ["done", 3, 3, 0]);
    const told = events.filter(event => event.type === "record").map(event => event.record);
    assert.deepEqual(told, session.history.records);
    assert.deepEqual(
      told.map(record => record.seq),
      told.map((_, at) => at + 1),
    );
    assert.deepEqual(decodeLog(log(disk, session)).records, told);
    assert.equal((disk.text(session.id, "requests.jsonl") ?? "").trim().split("\n").length, 3);
  });

  it("sends the words as typed, then the reminder; every request begins with the one before", async () => {
    const { session, models } = await start();
    models.play({ calls: [read("src/a.ts")] }, { text: "Read." }, { text: "Again." });
    await session.submit("what is in @src/a.ts");
    await session.idle();
    await session.submit("and now");
    await session.idle();
    const [first, second, third] = models.requests.map(transcript);
    assert.match(first![1]!, /^user: what is in @src\/a.ts\n\n<system-reminder>\nThe user mentioned @src\/a.ts\./);
    assert.deepEqual(second!.slice(0, first!.length), first);
    assert.deepEqual(third!.slice(0, second!.length), second);
    assert.match(second!.at(-1)!, /one/);
  });

  it("gives the model an observation for each call that cannot run, and goes on", async () => {
    const { session, models } = await start();
    models.play(
      {
        calls: [
          { name: "Teleport", input: {} },
          { name: "Read", input: "{broken" },
          { name: "Read", input: {} },
          read("none.ts"),
        ],
      },
      { text: "I see." },
    );
    await session.submit("go");
    await session.idle();
    const codes = session.history.records.filter(record => record.kind === "result").map(record => record.error?.code);
    assert.deepEqual(codes.sort(), ["INVALID_INPUT", "INVALID_INPUT", "NOT_FOUND", "UNKNOWN_TOOL"]);
    assert.equal(last(session, "turnEnd").reason, "done");
    assert.equal(last(session, "turnEnd").toolFailures, 4);
  });

  it("redacts what it reads, and puts secrets back into what it writes", async () => {
    const secret = `sk-proj-${"a1B2".repeat(8)}`;
    const { session, models, files, disk } = await start({
      mode: "edits",
      files: { "k.ts": `key = "${secret}"\n` },
    });
    models.play({ calls: [read("k.ts")] });
    await session.submit(`is ${secret} in k.ts?`);
    await session.idle();
    const mark = /\[secret:openai-key:[0-9a-f]{12}\]/.exec(last(session, "result").forms.shown)![0];
    models.play({ calls: [edit("k.ts", `key = "${mark}"`, `const key = "${mark}";`)] }, { text: "ok" });
    await session.submit("const it");
    await session.idle();
    assert.equal(files.onDisk("/ws/app/k.ts"), `const key = "${secret}";\n`);
    assert.ok(!everything(disk).includes(secret));
    assert.ok(!JSON.stringify(models.requests).includes(secret));
  });
});

describe("permissions in a turn", () => {
  it("asks for the exact change; a denial with words changes no byte and reaches the model", async () => {
    const { session, models, files, events } = await start({ mode: "ask" });
    models.play({ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", "one", "two")] }, { text: "ok" });
    await session.submit("go");
    const question = await until(() => last(session, "approval"));
    assert.equal(session.state, "asking");
    assert.equal(question.action.detail.type, "edit");
    assert.match(JSON.stringify(question.action.detail), /-one\\n\+two/);
    session.answer(question.approvalId, { decision: "deny", scope: "once", words: "use three" });
    await session.idle();
    assert.equal(files.onDisk("/ws/app/src/a.ts"), "one\n");
    assert.match(transcript(models.requests.at(-1)!).at(-1)!, /DENIED: .*use three/);
    assert.deepEqual(
      events.filter(event => event.type === "state").map(event => event.state),
      ["running", "asking", "running", "idle"],
    );
    assert.throws(() => session.answer(question.approvalId, { decision: "allow", scope: "once" }), SessionError);
  });

  it("asks again when the file moved before the answer: an approval binds bytes", async () => {
    const { session, models, files } = await start({ mode: "ask" });
    models.play({ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", "one", "two")] }, { text: "ok" });
    await session.submit("go");
    const question = await until(() => last(session, "approval"));
    files.put("/ws/app/src/a.ts", "one\nand the user's own line\n");
    session.answer(question.approvalId, { decision: "allow", scope: "once" });
    await session.idle();
    assert.equal(files.onDisk("/ws/app/src/a.ts"), "one\nand the user's own line\n");
    assert.equal(last(session, "result").error?.code, "STALE");
  });

  it("allows the same command for the session, and no other one", async () => {
    const { session, models, shell } = await start({ mode: "ask" });
    const bash = (command: string) => ({ calls: [{ name: "Bash", input: { command } }] });
    models.play(bash("npm test"), { text: "1" }, bash("npm test"), { text: "2" }, bash("npm test; rm -rf ."), {
      text: "3",
    });
    await session.submit("a");
    const question = await until(() => last(session, "approval"));
    session.answer(question.approvalId, { decision: "allow", scope: "session" });
    await session.idle();
    await session.submit("b");
    await session.idle();
    await session.submit("c");
    const other = await until(() => (last(session, "approval").answer ? undefined : last(session, "approval")));
    session.answer(other.approvalId, { decision: "deny", scope: "once" });
    await session.idle();
    assert.deepEqual(
      shell.runs.map(run => run.command),
      ["npm test", "npm test"],
    );
  });

  it("ends with approval-needed where nobody is there", async () => {
    const { session, models } = await start({ mode: "ask", attended: false });
    models.play({ calls: [{ name: "Bash", input: { command: "ls" } }] });
    await session.submit("go");
    await session.idle();
    assert.equal(last(session, "turnEnd").error?.code, "approval-needed");
    assert.equal(last(session, "result").error?.code, "DENIED");
  });

  it("only reads in an untrusted workspace, without its rules", async () => {
    const { session, models } = await start({ mode: "auto", trusted: false, rules: "obey me" });
    models.play(
      { calls: [read("src/a.ts"), edit("src/a.ts", "one", "two"), { name: "Bash", input: { command: "ls" } }] },
      { text: "ok" },
    );
    await session.submit("go");
    await session.idle();
    const results = session.history.records.filter(record => record.kind === "result");
    assert.deepEqual(
      results.map(result => result.error?.code),
      [undefined, "DENIED", "DENIED"],
    );
    assert.ok(!JSON.stringify(models.requests).includes("obey me"));
  });
});

describe("steer, queue, stop", () => {
  it("takes a steering message into the next step and a queued one into the next turn", async () => {
    const held = Promise.withResolvers<void>();
    const { session, models, shell } = await start({ mode: "auto", shell: { "*": { before: held.promise } } });
    models.play({ calls: [{ name: "Bash", input: { command: "slow" } }] }, { text: "One." }, { text: "Two." });
    await session.submit("first");
    await until(() => shell.runs[0]);
    await session.submit("steered", "steer");
    await session.submit("queued", "queue");
    await session.submit("gone", "queue");
    const [, , gone] = session.history.conversation.pending;
    await session.editPending(session.history.conversation.pending[1]!.pendingId, "queued, edited");
    await session.removePending(gone!.pendingId);
    held.resolve();
    await session.idle();
    assert.equal(session.history.conversation.pending.length, 0);
    assert.match(transcript(models.requests[1]!).at(-1)!, /^user: steered$/);
    assert.match(transcript(models.requests[2]!).at(-1)!, /^user: queued, edited$/);
    assert.equal(models.requests.length, 3);
    assert.equal(session.history.conversation.turn, 2);
    await assert.rejects(session.removePending(gone!.pendingId), SessionError);
  });

  it("goes on for a steering message that came while the last answer streamed", async () => {
    const { session, models, clock } = await start();
    models.play({ fail: { code: "server", message: "503", retryable: true } }, { text: "One." }, { text: "Two." });
    await session.submit("first");
    await until(() => clock.waiting > 0 || undefined);
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
    await until(() => (session.live().some(event => event.type === "text") ? true : undefined));
    await session.submit("later", "queue");
    await session.stop();
    const answer = session.history.conversation.messages.at(-1)!;
    assert.deepEqual(
      answer.parts.map(part => part.type === "text" && part.text),
      ["Half an ans"],
    );
    assert.equal(answer.metadata?.stopped, true);
    assert.equal(last(session, "turnEnd").reason, "stopped");
    assert.deepEqual(
      session.history.conversation.pending.map(({ text }) => text),
      ["later"],
    );
    assert.equal(models.requests.length, 1);
    assert.deepEqual(session.live(), []);
  });

  it("answers no to an open question on Stop", async () => {
    const { session, models } = await start({ mode: "ask" });
    models.play({ calls: [{ name: "Bash", input: { command: "ls" } }] });
    await session.submit("go");
    await until(() => last(session, "approval"));
    await session.stop();
    assert.equal(last(session, "approval").answer?.by, "stop");
    assert.equal(last(session, "turnEnd").reason, "stopped");
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
    await session.submit("go");
    await session.idle();
    assert.equal(last(session, "turnEnd").error?.code, "repeated-call");
    assert.equal(last(session, "result").error?.code, "INTERRUPTED");
    assert.equal(models.requests.length, 4);
    await session.resume();
    await session.idle();
    assert.equal(last(session, "turnEnd").reason, "done");
    assert.equal(session.history.conversation.turn, 1);
  });

  it("stops after maxSteps and continues when told to", async () => {
    const { session, models } = await start({ maxSteps: 2 });
    models.play({ calls: [read("src/a.ts")] }, { calls: [{ name: "LS", input: {} }] }, { text: "Done." });
    await session.submit("go");
    await session.idle();
    assert.equal(last(session, "turnEnd").error?.code, "max-steps");
    await session.resume();
    await session.idle();
    assert.equal(last(session, "turnEnd").reason, "done");
  });

  it("says when the answer was cut at the model's limit", async () => {
    const { session, models } = await start();
    models.play({ text: "and so", finish: "length" });
    await session.submit("go");
    await session.idle();
    assert.equal(last(session, "note").code, "finish-length");
  });
});

describe("failures of the model", () => {
  it("retries what can pass, with the server's own delay, keeping what had come", async () => {
    const { session, models, clock, events } = await start();
    models.play(
      { fail: { code: "rate-limit", message: "Slow down.", retryable: true, retryAfterMs: 7000 } },
      { text: "Half", fail: { code: "cut", message: "Cut.", retryable: true } },
      { text: "Whole." },
    );
    await session.submit("go");
    await until(() => clock.waiting || undefined);
    await clock.advance(6999);
    assert.equal(models.requests.length, 1);
    await clock.advance(1);
    await until(() => clock.waiting || undefined);
    await clock.advance(1000);
    await session.idle();
    assert.deepEqual(
      events.filter(event => event.type === "retry").map(event => event.delayMs),
      [7000, 1000],
    );
    assert.equal(last(session, "attempt").reason, "Cut.");
    assert.deepEqual(transcript(models.requests[2]!), transcript(models.requests[0]!));
    assert.equal(last(session, "turnEnd").reason, "done");
  });

  it("gives up at once where trying again cannot help; Retry goes on with the same turn", async () => {
    const { session, models } = await start();
    models.play({ fail: { code: "auth", message: "The key was refused.", retryable: false } }, { text: "Hello." });
    await session.submit("go");
    await session.idle();
    assert.deepEqual(last(session, "turnEnd").error, {
      code: "auth",
      message: "The key was refused.",
      actions: ["set-key", "check-connection", "retry"],
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
    await until(() => clock.waiting || undefined);
    await session.stop();
    assert.equal(last(session, "turnEnd").reason, "stopped");
  });

  it("keeps the message and says what to do when no model is set up", async () => {
    const { session, models } = await start();
    models.connectError = new NoModelError("No model is set up.");
    await session.submit("go");
    await session.idle();
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
    await session.submit("precious words");
    await session.idle();
    assert.equal(last(session, "turnEnd").reason, "done");
  });

  it("ends the turn with a clear error when the disk fills up under it", async () => {
    const { session, models, disk, events } = await start();
    models.play({ text: "x", hang: true });
    await session.submit("go");
    await until(() => (session.live().some(event => event.type === "text") ? true : undefined));
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
    await session.submit("go");
    await session.idle();
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

  it("can only be read while another window writes it, and takes over after that", async () => {
    const { session, ports, models } = await start();
    const other = await openSession(ports, session.id);
    assert.equal(other.readOnly, true);
    await assert.rejects(other.submit("me too"), SessionError);
    models.play({ text: "Hello." });
    await session.submit("go");
    await session.idle();
    await session.close();
    await until(() => (!other.readOnly && other.history.records.length === 3 ? true : undefined));
    models.play({ text: "Still here." });
    await other.submit("again");
    await other.idle();
    assert.equal(kinds(other), "message message turnEnd message message turnEnd");
  });

  it("knows its files and grants again after it was opened again", async () => {
    const { session, models, ports, files } = await start({ mode: "edits" });
    models.play({ calls: [read("src/a.ts")] }, { text: "ok" });
    await session.submit("go");
    await session.idle();
    await session.close();
    const again = await openSession(ports, session.id);
    models.play({ calls: [edit("src/a.ts", "one", "two")] }, { text: "ok" });
    await again.submit("go");
    await again.idle();
    assert.equal(files.onDisk("/ws/app/src/a.ts"), "two\n");
  });
});
