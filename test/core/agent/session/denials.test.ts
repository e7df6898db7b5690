/** A no in whole sessions: what comes back asks and names it, until it is lifted. What comes back as what: bench/corpora/denials.json. */
import assert from "node:assert/strict";
import { liftDenials } from "../../../../src/core/agent/denials";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { ApprovalAnswer } from "../../../../src/shared/approval";
import { edit, last, read, reopened, runTurn, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { transcript } from "../../../fakes/model";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const deny = { decision: "deny", scope: "once" } as const;
const allow = (scope: "once" | "session") => ({ decision: "allow", scope }) as const;
const clear = bash("rm -r data");
const find = bash("find data -delete");
const push = bash("git push --force origin main");
type Call = typeof clear | ReturnType<typeof edit>;

/** Every command runs unasked here, but for those that the person's rules ask about. */
async function agent(rules: Record<string, string[]> = { "permissions.ask": ["Bash(rm *)", "Bash(git push*)"] }) {
  const files = { "data/a.csv": "1\n", "src/a.ts": "one\n", "wipe.sh": "rm -r data\n" };
  const world = await start({ mode: "auto", files, settings: rules });
  const { models, session } = world;
  const questions = () =>
    session.history.records.flatMap(record => (record.kind === "approval" && !record.answer ? [record] : []));
  /** The question that a call leads to; undefined: none */
  async function call(made: Call, answer: Omit<ApprovalAnswer, "by"> = deny) {
    const before = questions().length;
    if ("file_path" in made.input) models.play({ calls: [read(made.input.file_path)] });
    models.play({ calls: [made] }, { text: "ok" });
    await session.submit("go");
    await eventually("it asks, or is done", () => questions().length > before || session.state === "idle");
    const asked = questions()[before];
    if (asked) session.answer(asked.approvalId, answer);
    await session.idle();
    return asked?.action;
  }
  const told = () => transcript(models.requests.at(-1)!).at(-1)!;
  return { ...world, call, told, held: () => session.history.conversation.denials.map(({ title }) => title) };
}

/** Asked about and named, or not. The first three were reported of other agents. */
const later: [denied: Call, then: Call, isNamed: boolean][] = [
  [clear, clear, true],
  [push, bash("git push origin +main"), true],
  [clear, bash("find data -type f -delete; find data -type d -empty -delete"), true],
  [clear, bash("sh wipe.sh"), true],
  [bash("rm data/a.csv"), edit("data/a.csv", "1", "2"), true],
  [clear, edit("src/a.ts", "one", "two"), false],
];

describe("a person's no", () => {
  for (const [denied, then, isNamed] of later)
    it(`to ${JSON.stringify(denied.input)} ${isNamed ? "asks about" : "lets run"} ${JSON.stringify(then.input)}`, async () => {
      const { call, session } = await agent();
      await call(denied);
      const [no] = session.history.conversation.denials;
      const asked = await call(then);
      if (!isNamed) return assert.equal(asked, undefined);
      const [named] = asked?.denied ?? [];
      assert.match(named?.words ?? "", /^You said no to `.*` at \d/);
      assert.deepEqual([named?.denialId, named?.seq], [no?.denialId, no?.seq]);
      assert.ok(asked?.reason?.startsWith(named?.words ?? "?"));
      assert.doesNotMatch(JSON.stringify(asked?.effects ?? []), /said no|refused before/);
    });

  it("is written with its answer, before the result, once; the model is told that other ways ask", async () => {
    const { call, session, told, held } = await agent();
    await call(clear, { ...deny, words: "keep it" });
    const kinds = session.history.records.map(({ kind }) => kind).join(" ");
    assert.match(kinds, /approval denial result/);
    assert.equal(last(session, "denial").denial?.words, "keep it");
    assert.match(told(), /Other ways to it ask the user, too\. The user says: keep/);
    for (let times = 0; times < 3; times += 1) assert.ok(await call(clear));
    assert.deepEqual(held(), ["Run `rm -r data`"]);
  });

  it("ends with a yes to all of it, for once too; with a yes to one of its files only for the session", async () => {
    const { call, held, session } = await agent();
    await call(clear);
    await call(bash("rm data/a.csv"), allow("once"));
    assert.deepEqual(held(), ["Run `rm -r data`"]);
    await call(find, allow("once"));
    assert.deepEqual([held(), last(session, "denial").by, await call(find)], [[], "allowed", undefined]);
    await call(clear);
    await call(bash("find data/a.csv -delete"), allow("session"));
    assert.deepEqual(held(), []);
  });

  for (const [other, part] of [
    ["npm publish", "git push origin main"],
    ["curl a.example", "curl b.example"],
    ["cat src/a.ts", "cat data/a.csv"],
  ] as const)
    it(`to "${other}; ${part}" stays after a yes for once to a part of it`, async () => {
      const { call, held } = await agent({ "permissions.ask": ["Bash"] });
      await call(bash(`${other}; ${part}`));
      assert.ok((await call(bash(part), allow("once")))?.denied);
      assert.equal(held().length, 1);
    });

  it("outlives a way back, a reload, another model; of two windows that answer at once the records' order counts", async () => {
    const { call, session, ports, models } = await agent();
    await runTurn(session, "first");
    await call(clear);
    await session.rewind.rewind(session.history.conversation.turn, "conversation");
    await session.setModel({ name: "scripted" });
    const reopen = await reopened(session, ports);
    models.play({ calls: [find] }, { text: "ok" });
    await reopen.submit("go");
    await eventually("it asks", () => reopen.state === "asking");
    const { approvalId, action } = last(reopen, "approval");
    assert.equal(action.denied?.length, 1);
    await assert.rejects(liftDenials(await openSession(ports, reopen.id), "all"), /another window/);
    reopen.answer(approvalId, deny);
    await Promise.all([liftDenials(reopen, "all"), reopen.idle()]);
    const made = reopen.history.records.findLast(record => record.kind === "denial" && record.op === "made");
    const isOver = last(reopen, "denial").op === "lifted" && last(reopen, "denial").seq > (made?.seq ?? 0);
    assert.equal(reopen.history.conversation.denials.length, isOver ? 0 : 1);
  });

  it("to an edit holds for the file's new name, once it may be moved", async () => {
    const { call, session } = await agent({ "permissions.ask": ["Edit(src/**)"] });
    await call(edit("src/a.ts", "one", "two"));
    assert.ok(await call(bash("mv src/a.ts src/b.ts"), allow("once")));
    const files = session.history.conversation.denials.map(({ facts }) => facts.files.map(path => path.slice(-8)));
    assert.deepEqual(files, [["src/b.ts", "rc/b.ts/a.ts".slice(-8)]]);
    assert.ok((await call(bash("echo two > src/b.ts")))?.denied);
  });

  it("is lifted by its id, by its words, as the only one, or with all", async () => {
    const { call, session, held } = await agent();
    await assert.rejects(liftDenials(session, ""), /nothing is denied/);
    await call(clear);
    await call(push);
    for (const unclear of ["", "make", "r"])
      await assert.rejects(liftDenials(session, unclear), /rm -r data.*git push/);
    await liftDenials(session, "RM -R", "message");
    assert.deepEqual([held().length, last(session, "denial").by, await call(find)], [1, "message", undefined]);
    await liftDenials(session, session.history.conversation.denials[0]?.denialId ?? "");
    await call(push);
    await liftDenials(session, "");
    for (const each of [push, clear]) await call(each);
    await liftDenials(session, "all");
    assert.deepEqual(held(), []);
  });

  it("is one of 500: a question names the newest, and a yes ends all that it does", async () => {
    const { call, session, held } = await agent();
    await call(clear);
    const { denial } = last(session, "denial");
    const titles = Array.from({ length: 499 }, (_, at) => `Run \`rm ${at}\``);
    await session.history.appendAll(
      titles.map(title => ({ kind: "denial", op: "made", denial: { ...denial!, title } })),
    );
    const asked = await call(find, allow("once"));
    assert.deepEqual([asked?.denied?.length, held()], [3, []]);
    assert.match(
      `${asked?.reason} ${JSON.stringify(asked?.effects)}`,
      /`rm 498` at.*497 earlier denials cover it, too/,
    );
  });
});

it("a rule's no is one record however often it is met, and its other ways ask with its name", async () => {
  const { call, held, told } = await agent({ "permissions.deny": ["Bash(rm *)"] });
  for (let times = 0; times < 3; times += 1) assert.equal(await call(clear), undefined);
  assert.match(told(), /forbids this\. .*Other ways to it ask the user, too\./);
  assert.deepEqual(held(), ["Run `rm -r data`"]);
  assert.match((await call(find))?.reason ?? "", /^The rule `Bash\(rm \*\)` forbade `rm -r data` at \d/);
});
