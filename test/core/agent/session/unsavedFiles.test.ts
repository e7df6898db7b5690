/** Unsaved changes before a command, in a whole session: who is asked when, what holds for the session, what the model is told. */
import assert from "node:assert/strict";
import type { Session } from "../../../../src/core/agent/session/session";
import type { ApprovalAnswer } from "../../../../src/shared/approval";
import { read, reopened, runTurn, start, type WorldOptions } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { transcript } from "../../../fakes/model";

type Agent = Awaited<ReturnType<typeof start>>;
type Answer = Omit<ApprovalAnswer, "by">;

const bash = (command: string) => ({ name: "Bash", input: { command } });
const once = (unsaved?: "save" | "leave"): Answer => ({
  ...{ decision: "allow", scope: "once" },
  ...(unsaved && { unsaved }),
});
const forSession = (unsaved: "save" | "leave"): Answer => ({ decision: "allow", scope: "session", unsaved });

const questions = (session: Session) =>
  session.history.records.flatMap(record => (record.kind === "approval" && !record.answer ? [record] : []));
const told = (session: Session) =>
  session.history.records.flatMap(record => (record.kind === "result" ? [record.forms.shown] : []));

const world = (options: WorldOptions = {}) =>
  start({ files: { "a.ts": "one\n", "b.ts": "one\n" }, shell: { "*": {} }, ...options });

/** A turn with one command; the questions are answered in order. Gives what was asked. */
async function command(
  { models, session }: Pick<Agent, "models"> & { session: Session },
  text: string,
  ...answers: Answer[]
) {
  const before = questions(session).length;
  models.play({ calls: [bash(text)] }, { text: "ok" });
  await session.submit(`run ${text}`);
  for (const [index, answer] of answers.entries()) {
    const asked = await eventually("it asks a question", () => questions(session)[before + index]);
    session.answer(asked.approvalId, answer);
  }
  await session.idle();
  return questions(session)
    .slice(before)
    .map(({ action }) => [action.reason, action.detail.type === "command" ? action.detail.unsaved : []]);
}

const SAVED = "(no output)\nSaved before the command, since it had unsaved changes: a.ts.";
const LEFT = "(no output)\nNot saved: a.ts has unsaved changes in the editor that the command did not see.";
const BECAUSE = "files have unsaved changes";

describe("unsaved changes in a session", () => {
  it("are asked about together with the command, where it is asked about anyway", async () => {
    const agent = await world({ mode: "ask" });
    agent.files.edit("a.ts", "typed\n");
    assert.deepEqual(await command(agent, "make", once("save")), [[undefined, ["a.ts"]]]);
    assert.deepEqual(told(agent.session), [SAVED]);
    assert.match(transcript(agent.models.requests[1]!).at(-1)!, /Saved before the command/);
    assert.deepEqual(await command(agent, "make", once()), [[undefined, undefined]]);
  });

  it("are asked about where the command may run by its mode, and where it was granted", async () => {
    const auto = await world({ mode: "auto" });
    assert.deepEqual(await command(auto, "make"), []);
    auto.files.edit("a.ts", "typed\n");
    assert.deepEqual(await command(auto, "make", once("leave")), [[BECAUSE, ["a.ts"]]]);
    assert.equal(told(auto.session).at(-1), LEFT);
    assert.equal(auto.files.onDisk("a.ts"), "one\n");
    const granted = await world({ mode: "ask" });
    await command(granted, "make", { decision: "allow", scope: "session" });
    assert.deepEqual(await command(granted, "make"), []);
    granted.files.edit("a.ts", "typed\n");
    assert.deepEqual(await command(granted, "make", once("save")), [[BECAUSE, ["a.ts"]]]);
  });

  it("are not asked about where the setting says what to do, nor in a mode that runs no commands", async () => {
    for (const [dirtyFiles, text] of [["save", SAVED] as const, ["leave", LEFT] as const]) {
      const agent = await world({ mode: "auto", settings: { "bash.dirtyFiles": dirtyFiles } });
      agent.files.edit("a.ts", "typed\n");
      assert.deepEqual(await command(agent, "make"), []);
      assert.deepEqual(told(agent.session), [text]);
    }
    const plan = await world({ mode: "plan" });
    plan.files.edit("a.ts", "typed\n");
    assert.deepEqual(await command(plan, "make"), []);
    assert.match(told(plan.session)[0]!, /^DENIED/);
  });

  it("a no saves nothing and runs nothing", async () => {
    const agent = await world({ mode: "auto" });
    agent.files.edit("a.ts", "typed\n");
    await command(agent, "make", { decision: "deny", scope: "once", words: "later" });
    assert.match(told(agent.session)[0]!, /^DENIED: .*later/);
    assert.deepEqual([agent.shell.runs.length, agent.unsaved.asked], [0, []]);
  });

  it("where files came while the question was open, it is asked again, with all of them", async () => {
    const agent = await world({ mode: "auto" });
    agent.files.edit("a.ts", "typed\n");
    const turn = command(agent, "make", once("save"), once("save"));
    await eventually("it asks a question", () => questions(agent.session)[0]);
    agent.files.edit("b.ts", "typed too\n");
    assert.deepEqual(await turn, [
      [BECAUSE, ["a.ts"]],
      ["more files have unsaved changes than you were asked about", ["a.ts", "b.ts"]],
    ]);
    assert.deepEqual([agent.shell.runs.length, agent.unsaved.asked], [1, ["a.ts", "b.ts"]]);
  });

  it("where that goes on, the command does not run, in words of its own", async () => {
    const files = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map(name => [`${name}.ts`, "one\n"]));
    const agent = await world({ mode: "auto", files });
    agent.files.edit("a.ts", "typed\n");
    agent.models.play({ calls: [bash("make")] }, { text: "ok" });
    await agent.session.submit("run");
    for (const [index, name] of ["b", "c", "d", "e", "f"].entries()) {
      const asked = await eventually("it asks a question", () => questions(agent.session)[index]);
      agent.files.edit(`${name}.ts`, "typed\n");
      agent.session.answer(asked.approvalId, once("save"));
    }
    await agent.session.idle();
    assert.match(
      told(agent.session)[0] ?? "",
      /^STALE: What was asked about .* kept changing, so the command did not run/,
    );
    assert.equal(agent.shell.runs.length, 0);
  });

  it("what was answered for the session holds for every command of it, opened again too, and for no other", async () => {
    for (const [choice, text] of [["save", SAVED] as const, ["leave", LEFT] as const]) {
      const agent = await world({ mode: "auto" });
      agent.files.edit("a.ts", "typed\n");
      await command(agent, "make", forSession(choice));
      agent.files.edit("a.ts", "typed again\n");
      assert.deepEqual(await command(agent, "make test"), []);
      const session = await reopened(agent.session, agent.ports);
      agent.files.edit("a.ts", "typed once more\n");
      assert.deepEqual(await command({ ...agent, session }, "make all"), []);
      assert.deepEqual(told(session), [text, text, text]);
      const other = await start();
      assert.deepEqual([...other.session.history.conversation.grants], []);
    }
  });

  it("that were saved for a command that did not start are known as they stand: the log has their stamps", async () => {
    const agent = await world({
      settings: { "bash.dirtyFiles": "save" },
      mode: "auto",
      shell: { "*": { fails: new Error("no") } },
    });
    agent.files.formatOnSave = text => `// formatted\n${text}`;
    agent.files.edit("a.ts", "typed\n");
    agent.models.play({ calls: [read("a.ts")] }, { calls: [bash("make")] }, { text: "ok" });
    await runTurn(agent.session, "run");
    const now = await agent.files.read(await agent.files.resolve("a.ts"), 1_000);
    const result = agent.session.history.records.findLast(record => record.kind === "result");
    assert.deepEqual([result?.error?.code, Object.values(result?.stamps ?? {})[0]?.sha256], ["IO", now.stamp.sha256]);
  });

  it("is nothing that a failed command is remembered by", async () => {
    const agent = await world({ mode: "auto", shell: { "*": { output: [["stdout", "it broke\n"]], exitCode: 1 } } });
    agent.files.edit("a.ts", "typed\n");
    await command(agent, "make", once("leave"));
    assert.equal(agent.session.history.conversation.failing?.line, "it broke");
    await command(agent, "make", once("save"));
    assert.equal(agent.session.history.conversation.failing?.line, "it broke");
  });
});

describe("files that a command changed, in a session", () => {
  const twice = (agent: Agent) => agent.files.put("a.ts", "two\n");
  const play = async (agent: Agent, ...calls: { name: string; input: Record<string, string> }[]) => {
    agent.models.play(...calls.map(call => ({ calls: [call] })), { text: "ok" });
    await runTurn(agent.session, "go");
    return told(agent.session);
  };

  it("are shown whole when they are read again, and can be edited without", async () => {
    const agent: Agent = await world({ mode: "auto", shell: { "*": { does: () => twice(agent) } } });
    const texts = await play(agent, read("a.ts"), bash("make"), read("a.ts"));
    assert.deepEqual(texts, [
      "1\tone",
      "(no output)\nFiles read before that the command changed: a.ts (+1 −1).",
      "1\ttwo",
    ]);
    const edit = { name: "Edit", input: { file_path: "a.ts", old_string: "two", new_string: "three" } };
    const other: Agent = await world({ mode: "auto", shell: { "*": { does: () => twice(other) } } });
    assert.match((await play(other, read("a.ts"), bash("make"), edit)).at(-1)!, /^Edited a\.ts/);
  });

  it("are known after the session was opened again, and named in the form that is kept", async () => {
    const agent: Agent = await world({ mode: "auto", shell: { "*": { does: () => twice(agent) } } });
    await play(agent, read("a.ts"), { name: "Bash", input: { command: "make" } });
    const session = await reopened(agent.session, agent.ports);
    agent.models.play(
      { calls: [{ name: "Edit", input: { file_path: "a.ts", old_string: "two", new_string: "2" } }] },
      { text: "ok" },
    );
    await runTurn(session, "go on");
    assert.match(told(session).at(-1)!, /^Edited a\.ts/);
  });
});
