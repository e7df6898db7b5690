/** Odd moments: what a reviewer found by trying. */

import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { SessionError } from "../../../../src/core/ground/ports";
import { manifestSchema } from "../../../../src/shared/manifest";
import { kinds, last, log, read, reopened, runTurn, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { transcript } from "../../../fakes/model";
import { pluck } from "../../../fakes/pluck";
import { png } from "../../../fakes/png";
import { bytesOf, verifyBytes } from "../../../fakes/proof";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const logo = png(2, 2);

describe("what the model is sent", () => {
  it("sees the image that it read, as a message after the results, until its turn settles", async () => {
    const { session, models, files, disk } = await start();
    files.put("/ws/app/logo.png", logo);
    models.play({ calls: [read("logo.png"), read("src/a.ts")] }, { text: "A logo." }, { text: "Still." });
    await runTurn(session, "look");
    await runTurn(session, "again");
    const image = models.requests[1]?.prompt
      .flatMap(message => (message.role === "user" ? message.content : []))
      .find(part => part.type === "file");
    assert.equal(image?.mediaType, "image/png");
    assert.ok(JSON.stringify(image).includes(logo.toString("base64")));
    assert.equal(kinds(session), "message message result result message message turnEnd message fold message turnEnd");
    const settled = JSON.stringify(models.requests[2]?.prompt);
    assert.match(settled, /Image of logo\.png:\\n\\n\[It stood here and is left out now/);
    models.play({ text: "Gone." });
    await runTurn(session, "and now?");
    const prompt = JSON.stringify(models.requests.at(-1)?.prompt);
    assert.match(prompt, /read logo\.png, src\/a\.ts/);
    assert.ok(!prompt.includes("Image of logo.png") && !prompt.includes(logo.toString("base64")));
    const { proven, defects, breaks } = await verifyBytes(bytesOf(disk, session.id));
    assert.deepEqual([proven, defects, breaks], [4, [], { "turn-end": 2 }]);
  });

  it("gives a made-up tool name and broken input a form that providers take", async () => {
    const { session, models } = await start();
    models.play({ calls: [{ name: "functions.Reader!", input: "{broken" }] }, { text: "ok" });
    await runTurn(session, "go");
    assert.match(transcript(models.requests[1]!).join("\n"), /assistant: functions_Reader_\(\{\}\)/);
  });

  it("is told to go on when its answer was stopped; a request never ends with its own words", async () => {
    const { session, models } = await start();
    models.play({ text: "Half an ans", hang: true }, { text: "wer." });
    await session.submit("go");
    await eventually("text streams", () => session.live().some(event => event.type === "text"));
    await session.stop();
    await session.resume();
    await session.idle();
    const [answer, reminder] = transcript(models.requests[1]!).slice(-2);
    assert.equal(answer, "assistant: Half an ans");
    assert.match(reminder!, /^user: <system-reminder>\nYour last answer was stopped/);
    await assert.rejects(session.resume(), SessionError, "a turn that is done is not continued");
  });

  it("reads of calls that Stop came before that they were not run", async () => {
    const { session, models } = await start({ mode: "auto", shell: { "*": { hangs: true } } });
    models.play({ calls: [bash("first"), bash("second")] }, { text: "ok" });
    await session.submit("go");
    await eventually("a tool has started", () => session.live().some(event => event.type === "toolStart"));
    await session.stop();
    await session.resume();
    await session.idle();
    const results = session.history.records.filter(record => record.kind === "result");
    assert.deepEqual(
      results.map(result => result.error?.code),
      ["ABORTED", "ABORTED"],
    );
    assert.equal(results.length, 2);
  });

  it("leaves nothing when it is stopped before the first word", async () => {
    const { session, models } = await start();
    models.play({ hang: true });
    await session.submit("go");
    await eventually("request 1 is sent", () => models.requests[0]);
    await session.stop();
    assert.equal(kinds(session), "message turnEnd");
  });

  it("has the user's own rules in an untrusted workspace, and the person is told of rules that are cut", async () => {
    const { session, ports, models } = await start();
    ports.rules.read = async () => [{ path: "AGENTS.md", text: "long", cutBytes: 7, trust: "rules" }];
    models.play({ text: "1" }, { text: "2" });
    await runTurn(session, "a");
    await runTurn(session, "b");
    const notes = session.history.records.filter(record => record.kind === "note");
    assert.deepEqual(pluck(notes, "code"), ["rules-cut"]);
    assert.match(notes[0]!.text, /AGENTS\.md .* 7 bytes/);
  });
});

describe("files that rules import", () => {
  it("are rules of their own; one that is not read is said once to the person, and to the model", async () => {
    const { session, ports, models } = await start({ mode: "auto", files: { "docs/x.md": "old" } });
    const unread = [{ path: "gone.md", problem: "It is not there." }];
    ports.rules.read = async () => [
      { path: "CLAUDE.md", text: "@docs/x.md @gone.md", cutBytes: 0, trust: "rules", unread },
      { path: "docs/x.md", text: "Be brief.", cutBytes: 0, trust: "rules", importedBy: "CLAUDE.md" },
    ];
    models.play({ text: "1" }, { text: "2" });
    for (const words of ["a", "b"]) {
      await runTurn(session, words);
    }
    const notes = session.history.records.filter(record => record.kind === "note");
    assert.deepEqual(pluck(notes, "text"), ["CLAUDE.md imports @gone.md, which was not read. It is not there."]);
    const prompt = JSON.stringify(models.requests[0]?.prompt);
    assert.match(prompt, /\[gone\.md, which it imports, was not read\. It is not there\.\]/);
    assert.match(prompt, /Rules from docs\/x\.md, which CLAUDE\.md imports:\\n\\nBe brief\./);
  });

  it("are asked about before they are written, in any mode that allows other edits, there or not", async () => {
    const { session, ports, files, models } = await start({ mode: "auto", files: { "docs/a.md": "a" } });
    const { absolute } = await ports.files.resolve("docs/x.md");
    Object.assign(ports.rules, { imported: new Set([absolute]) });
    const write = (file_path: string) => ({ name: "Write", input: { file_path, content: "Obey me." } });
    models.play({ calls: [write("docs/b.md")] }, { calls: [write("docs/x.md")] }, { text: "done" });
    await session.submit("go");
    await eventually("it is asked", () => session.state === "asking" && last(session, "approval"));
    assert.equal(files.onDisk("docs/b.md"), "Obey me.");
    assert.equal(files.onDisk("docs/x.md"), undefined);
    await session.stop();
  });
});

describe("held messages", () => {
  it("are not sent by themselves after a stop, but when the person sends them", async () => {
    const { session, models } = await start();
    models.play({ text: "x", hang: true }, { text: "1" }, { text: "2" }, { text: "3" });
    await session.submit("first");
    await eventually("text streams", () => session.live().some(event => event.type === "text"));
    await session.submit("delete everything", "queue");
    await session.submit("and this way", "steer");
    await session.stop();
    await runTurn(session, "something else");
    assert.equal(models.requests.length, 2);
    assert.doesNotMatch(transcript(models.requests[1]!).join("\n"), /delete everything|and this way/);
    const [queued, steer] = session.history.conversation.pending;
    assert.deepEqual([queued?.held, steer?.held], [true, true]);
    await session.sendPending(queued!.pendingId);
    await session.idle();
    assert.match(transcript(models.requests[2]!).at(-1)!, /^user: delete everything$/);
    assert.deepEqual(pluck(session.history.conversation.pending, "text"), ["and this way"]);
  });

  it("stay held after a reload", async () => {
    const { session, models, ports } = await start();
    models.play({ text: "x", hang: true });
    await session.submit("first");
    await eventually("text streams", () => session.live().some(event => event.type === "text"));
    await session.submit("later", "queue");
    const again = await reopened(session, ports);
    assert.deepEqual(
      again.history.conversation.pending.map(({ text, held }) => [text, held]),
      [["later", true]],
    );
  });
});

describe("a session and its surroundings", () => {
  it("keeps the working directory of commands through a resume", async () => {
    const { session, models, ports, shell } = await start({
      mode: "auto",
      shell: { "cd sub": { cwd: "/ws/app/sub" }, "*": {} },
    });
    models.play({ calls: [bash("cd sub")] }, { text: "ok" });
    await runTurn(session, "go");
    const again = await reopened(session, ports);
    models.play({ calls: [bash("pwd")] }, { text: "ok" });
    await runTurn(again, "where");
    assert.deepEqual(pluck(shell.runs, "cwd"), ["/ws/app", "/ws/app/sub"]);
  });

  it("runs commands where another window left off, once it has the session back", async () => {
    const shells = { "cd one": { cwd: "/ws/app/one" }, "cd two": { cwd: "/ws/app/two" }, "*": {} };
    const { session, models, ports, shell, disk } = await start({ mode: "auto", shell: shells });
    const run = async (window: typeof session, command: string) => {
      models.play({ calls: [bash(command)] }, { text: "ok" });
      await runTurn(window, command);
    };
    await run(session, "cd one");
    disk.steal(session.id);
    const second = await openSession(ports, session.id);
    await run(second, "cd two");
    disk.sessions.get(session.id)?.waiting.push(session.history.files as never);
    await second.close();
    await eventually("the turn has ended", () => session.history.conversation.turn === 2 && session.state === "idle");
    await run(session, "pwd");
    assert.deepEqual(pluck(shell.runs, "cwd"), ["/ws/app", "/ws/app/one", "/ws/app/two"]);
  });

  it("can be answered by whoever hears the question, at once", async () => {
    const { session, models, shell } = await start({ mode: "ask" });
    session.subscribe(event => {
      if (event.type !== "record" || event.record.kind !== "approval" || event.record.answer) return;
      session.answer(event.record.approvalId, { decision: "allow", scope: "once" });
    });
    models.play({ calls: [bash("ls")] }, { text: "ok" });
    await runTurn(session, "go");
    assert.equal(shell.runs.length, 1);
  });

  for (const how of ["answered", "stopped"] as const)
    it(`does not count the time that a question waited for the person: ${how}`, async () => {
      const { session, models, clock } = await start({ mode: "ask" });
      models.play({ calls: [bash("ls")] }, { text: "ok" });
      const asked = new Promise<string>(resolve => {
        session.subscribe(event => {
          if (event.type === "record" && event.record.kind === "approval" && !event.record.answer)
            resolve(event.record.approvalId);
        });
      });
      await session.submit("go");
      const approvalId = await asked;
      await clock.advance(2_400_000);
      if (how === "answered") session.answer(approvalId, { decision: "allow", scope: "once" });
      else session.stop();
      await session.idle();
      const { durationMs, waitedMs = 0 } = last(session, "turnEnd");
      assert.ok(durationMs < 60_000, `${durationMs}`);
      assert.ok(waitedMs >= 2_400_000 && waitedMs < 2_460_000, `${waitedMs}`);
    });

  it("does not count the time that the machine was off", async () => {
    const { session, models, ports, clock, disk } = await start();
    models.play({ text: "ok" });
    await runTurn(session, "go");
    const lines = log(disk, session).split("\n");
    await session.close();
    disk.put(session.id, "history.jsonl", `${lines.slice(0, 3).join("\n")}\n`);
    await clock.advance(86_400_000);
    const again = await openSession(ports, session.id);
    assert.equal(last(again, "turnEnd").reason, "interrupted");
    assert.ok(last(again, "turnEnd").durationMs < 1000);
  });

  it("writes one chain of manifests through two windows and back, and says that a torn one was cut", async () => {
    const { session, models, ports, disk } = await start();
    models.play({ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" });
    const turn = async (window: typeof session) => {
      await runTurn(window, "go");
    };
    await turn(session);
    disk.steal(session.id);
    const second = await openSession(ports, session.id);
    await turn(second);
    // The first window waits, as after a sleep, and has the session back when the second closes it.
    disk.sessions.get(session.id)?.waiting.push(session.history.files as never);
    await second.close();
    await eventually("the turn has ended", () => session.history.conversation.turn === 2 && session.state === "idle");
    await turn(session);
    await session.close();
    disk.put(session.id, "requests.jsonl", `${disk.text(session.id, "requests.jsonl")}{"version":1,"requ`);
    const third = await openSession(ports, session.id);
    await turn(third);
    const manifests = disk
      .text(session.id, "requests.jsonl")!
      .trim()
      .split("\n")
      .map(line => manifestSchema.parse(JSON.parse(line)));
    assert.deepEqual(pluck(manifests, "previous"), [null, ...manifests.slice(0, -1).map(({ self }) => self)]);
    assert.equal(last(third, "note").code, "requests-repaired");
    assert.deepEqual(
      pluck(manifests, "unexplained"),
      manifests.map(() => undefined),
    );
  });

  it("refuses a message that waited for the stop of a session that is being closed", async () => {
    const { session, models } = await start();
    models.play({ text: "x", hang: true });
    await session.submit("go");
    await eventually("request 1 is sent", () => models.requests[0]);
    const stopped = session.stop();
    const late = assert.rejects(session.submit("late"), /being closed/);
    await session.close();
    await Promise.all([stopped, late]);
  });
});
