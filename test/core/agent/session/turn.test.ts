/** Whole turns on fakes: the order of the log, what the model is sent, permissions. */

import assert from "node:assert/strict";
import { SessionError } from "../../../../src/core/ground/ports";
import { decodeLog } from "../../../../src/core/log/codec";
import type { Settings } from "../../../../src/shared/settings";
import { edit, kinds, last, log, read, runTurn, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { transcript } from "../../../fakes/model";
import { pluck } from "../../../fakes/pluck";

describe("a turn", () => {
  it("logs the user, then each step's answer before its results, then the end", async () => {
    const { session, models, files, events, disk } = await start({ mode: "edits" });
    models.play(
      { text: "I look first.", calls: [read("src/a.ts"), { name: "LS", input: {} }] },
      { calls: [edit("src/a.ts", "one", "two")] },
      { text: "Done." },
    );
    await runTurn(session, "change @src/a.ts");
    assert.equal(kinds(session), "message message result result message result message turnEnd");
    assert.equal(files.onDisk("/ws/app/src/a.ts"), "two\n");
    const end = last(session, "turnEnd");
    assert.deepEqual([end.reason, end.steps, end.toolCalls, end.toolFailures], ["done", 3, 3, 0]);
    const told = events.filter(event => event.type === "record").map(event => event.record);
    assert.deepEqual(told, session.history.records);
    assert.deepEqual(
      pluck(told, "seq"),
      told.map((_, at) => at + 1),
    );
    assert.deepEqual(decodeLog(log(disk, session)).records, told);
    assert.equal((disk.text(session.id, "requests.jsonl") ?? "").trim().split("\n").length, 3);
  });

  it("in plan mode ends with a plan where its answer has one, and says how to get one where it only looks so", async () => {
    const { session, models } = await start({ mode: "plan" });
    const said = async (text: string) => {
      const before = session.history.records.length;
      models.play({ text });
      await runTurn(session, "go");
      const records = session.history.records.slice(before);
      return records.flatMap(record =>
        record.kind === "plan" ? `plan: ${record.steps} steps` : record.kind === "note" ? record.text : [],
      );
    };
    assert.deepEqual(await said("# Plan\n1. Change it\n2. Test it"), ["plan: 2 steps"]);
    const [note, ...more] = await said("It does this:\n1. read\n2. write");
    assert.match(note ?? "", /say: Write it as a plan/);
    assert.deepEqual(more, []);
    assert.deepEqual(await said("Which one?\n- SQLite\n- Postgres\n\nOr neither?"), []);
  });

  it("counts commands that ran, not those that were denied", async () => {
    const { session, models } = await start({ mode: "auto" });
    const bash = (command: string) => ({ name: "Bash", input: { command } });
    models.play({ calls: [bash("ls"), bash("")] }, { text: "Done." });
    await runTurn(session, "go");
    assert.equal(last(session, "turnEnd").commands, 1);
    await session.setMode("plan");
    models.play({ calls: [bash("rm -rf x")] }, { text: "Done." });
    await runTurn(session, "go");
    assert.equal(last(session, "turnEnd").commands, undefined);
  });

  it("sends the words as typed, then the reminder; every request begins with the one before", async () => {
    const { session, models } = await start();
    models.play({ calls: [read("src/a.ts")] }, { text: "Read." }, { text: "Again." });
    await runTurn(session, "what is in @src/a.ts");
    await runTurn(session, "and now");
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
    await runTurn(session, "go");
    const codes = session.history.records.filter(record => record.kind === "result").map(record => record.error?.code);
    assert.deepEqual(codes.sort(), ["INVALID_INPUT", "INVALID_INPUT", "NOT_FOUND", "UNKNOWN_TOOL"]);
    assert.equal(last(session, "turnEnd").reason, "done");
    assert.equal(last(session, "turnEnd").toolFailures, 4);
  });

  it("takes null for a parameter that was left out", async () => {
    const { session, models } = await start();
    models.play(
      { calls: [{ name: "Read", input: { file_path: "src/a.ts", offset: null, limit: null } }] },
      { text: "ok" },
    );
    await runTurn(session, "go");
    assert.equal(last(session, "result").status, "success");
  });
});

describe("permissions in a turn", () => {
  it("asks for the exact change; a denial with words changes no byte and reaches the model", async () => {
    const { session, models, files, events } = await start({ mode: "ask" });
    models.play({ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", "one", "two")] }, { text: "ok" });
    await session.submit("go");
    const question = await eventually("it asks", () => last(session, "approval"));
    assert.equal(session.state, "asking");
    assert.equal(question.action.detail.type, "edit");
    assert.match(JSON.stringify(question.action.detail), /-one\\n\+two/);
    session.answer(question.approvalId, { decision: "deny", scope: "once", words: "use three" });
    await session.idle();
    assert.equal(files.onDisk("/ws/app/src/a.ts"), "one\n");
    assert.match(
      transcript(models.requests.at(-1)!).at(-1)!,
      /DENIED: The user denied this call\. Do not try to reach the same by another way\.[\s\S]*use three/,
    );
    assert.deepEqual(
      pluck(
        events.filter(event => event.type === "state"),
        "state",
      ),
      ["running", "asking", "running", "idle"],
    );
    assert.throws(() => session.answer(question.approvalId, { decision: "allow", scope: "once" }), SessionError);
  });

  it("allows the same command for the session, and no other one", async () => {
    const { session, models, shell } = await start({ mode: "ask" });
    const bash = (command: string) => ({ calls: [{ name: "Bash", input: { command } }] });
    models.play(bash("npm test"), { text: "1" }, bash("npm test"), { text: "2" }, bash("npm test; rm -rf ."), {
      text: "3",
    });
    await session.submit("a");
    const question = await eventually("it asks", () => last(session, "approval"));
    session.answer(question.approvalId, { decision: "allow", scope: "session" });
    await session.idle();
    await runTurn(session, "b");
    await session.submit("c");
    const other = await eventually("it asks", () => !last(session, "approval").answer && last(session, "approval"));
    session.answer(other.approvalId, { decision: "deny", scope: "once" });
    await session.idle();
    assert.deepEqual(pluck(shell.runs, "command"), ["npm test", "npm test"]);
  });

  it("where nobody is there, goes on without what nobody can allow", async () => {
    const { session, models } = await start({ mode: "ask", answers: "never" });
    models.play({ calls: [{ name: "Bash", input: { command: "npm publish" } }] }, { text: "I need it." });
    await runTurn(session, "go");
    assert.equal(last(session, "turnEnd").reason, "done");
    assert.match(last(session, "result").error?.message ?? "", /nobody is there to give it.*Go on without it/);
    assert.deepEqual([last(session, "result").error?.code, session.history.conversation.denials], ["DENIED", []]);
  });

  describe("what is not there outside the workspace, where nobody could be asked", () => {
    const denied: Partial<Settings> = { "permissions.deny": ["Read(/guess/**)"] };
    const check = (
      what: string,
      call: ReturnType<typeof read> | { name: string; input: Record<string, string> },
      says: RegExp,
      settings: Partial<Settings> = {},
      mode: "ask" | "plan" = "ask",
    ) =>
      it(what, async () => {
        const { session, models, files } = await start({ mode, answers: "never", settings });
        files.put("/etc/there.txt", "private");
        files.put("/guess/a.ts.bak", "private");
        models.play({ calls: [call] }, { text: "ok" });
        await runTurn(session, "go");
        assert.match(last(session, "result").error?.code + last(session, "result").forms.shown, says);
        assert.doesNotMatch(last(session, "result").forms.shown, /private|bak/);
        assert.equal(
          session.history.records.some(({ kind }) => kind === "approval"),
          says.source.includes("needs an"),
        );
      });
    const absent = /^NOT_FOUND.*does not exist\. Nearest: src\/a\.ts\. The workspace is \/ws\/app/;
    check("Read", read("/workspace/src/a.ts"), absent);
    check("Read, in plan mode", read("/workspace/src/a.ts"), absent, {}, "plan");
    check("Read, of the same name elsewhere", read("/guess/a.ts"), absent);
    check("Read, above the workspace", read("../src/a.ts"), absent);
    check("LS", { name: "LS", input: { path: "/workspace/src" } }, /^NOT_FOUND.*Nearest: src\./);
    check(
      "LS, of nothing alike",
      { name: "LS", input: { path: "/workspace" } },
      /^NOT_FOUND.*exist\. The workspace is/,
    );
    check("Glob", { name: "Glob", input: { pattern: "*.ts", path: "/workspace/src" } }, /^NOT_FOUND.*Nearest: src\./);
    check("Grep", { name: "Grep", input: { pattern: "one", path: "/workspace/src/a.ts" } }, absent);
    check("Edit", edit("/workspace/src/a.ts", "one", "two"), /^NOT_READ/);
    const needs = /^DENIED.*This call needs an approval/;
    check("a file that is there asks", read("/etc/there.txt"), needs);
    check("a new file asks", { name: "Write", input: { file_path: "/workspace/b.ts", content: "x" } }, needs);
    check("of a secret's name nobody hears whether it is there", read("/workspace/.env"), needs);
    check("nor of Strata's own", read("/home/person/.config/strata/none.json"), needs);
    check("nor under a rule that denies", read("/guess/none.ts"), /^DENIED.*forbids this/, denied);
    check("nor under a rule that asks", read("/guess/none.ts"), needs, { "permissions.ask": ["Read(/guess/**)"] });
  });

  it("only reads in an untrusted workspace, without its rules", async () => {
    const { session, models } = await start({ mode: "auto", trusted: false, rules: "obey me" });
    models.play(
      { calls: [read("src/a.ts"), edit("src/a.ts", "one", "two"), { name: "Bash", input: { command: "ls" } }] },
      { text: "ok" },
    );
    await runTurn(session, "go");
    const results = session.history.records.filter(record => record.kind === "result");
    assert.deepEqual(
      results.map(result => result.error?.code),
      [undefined, "DENIED", "DENIED"],
    );
    const why = "This workspace is not trusted, so only reading is allowed. The user can trust it.";
    assert.deepEqual(
      results.map(result => result.error?.message.includes(why)),
      [undefined, true, true],
    );
    assert.deepEqual(
      results.map(result => result.error?.by),
      [undefined, "trust", "trust"],
      "a person reads why in their words",
    );
    assert.ok(!JSON.stringify(models.requests).includes("obey me"));
  });
});
