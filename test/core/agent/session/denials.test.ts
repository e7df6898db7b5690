/** A no in whole sessions: what comes back in other words asks and names it, until it is lifted. */
import assert from "node:assert/strict";
import { liftDenials } from "../../../../src/core/agent/denials";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { ApprovalAnswer } from "../../../../src/shared/approval";
import type { Settings } from "../../../../src/shared/settings";
import { edit, last, read, reopened, runTurn, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { transcript } from "../../../fakes/model";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const deny = { decision: "deny", scope: "once" } as const;
const allow = (scope: "once" | "session") => ({ decision: "allow", scope }) as const;
type Call = ReturnType<typeof bash> | ReturnType<typeof edit>;

/** Every command runs unasked here, but for those that the person's rules ask about. */
async function agent(settings: Partial<Settings> = { "permissions.ask": ["Bash(rm *)", "Bash(git push*)"] }) {
  const files = { "data/a.csv": "1\n", "data/b.csv": "2\n", "src/a.ts": "one\n", "wipe.sh": "rm -r data\n" };
  const world = await start({ mode: "auto", files, settings });
  const questions = () =>
    world.session.history.records.flatMap(record =>
      record.kind === "approval" && record.answer === undefined ? [record] : [],
    );
  /** The question that a call leads to; undefined: none */
  async function call(made: Call, answer: Omit<ApprovalAnswer, "by"> = deny) {
    const before = questions().length;
    if ("file_path" in made.input) world.models.play({ calls: [read(made.input.file_path)] });
    world.models.play({ calls: [made] }, { text: "ok" });
    await world.session.submit("go");
    await eventually("it asks, or is done", () => questions().length > before || world.session.state === "idle");
    const asked = questions()[before];
    if (asked) world.session.answer(asked.approvalId, answer);
    await world.session.idle();
    return asked?.action;
  }
  const held = () => world.session.history.conversation.denials.map(({ title }) => title);
  return { ...world, call, held };
}

const PUSH = "git push --force origin main";
/** After the first, the second asks and names it. The last five were reported of other agents. */
const comesBack: [denied: Call, later: Call][] = [
  [bash("rm -r data"), bash("find data -delete")],
  [bash("rm -r data"), bash("bash wipe.sh")],
  [bash("rm data/a.csv"), edit("data/a.csv", "1", "2")],
  [bash("rm -r data"), bash("rm -r data")],
  [bash("rm -r data"), bash("timeout 9 bash -c 'rm -r data'")],
  [bash("rm -r data"), bash("find data -type f -delete; find data -type d -empty -delete")],
  [bash(PUSH), bash("git push origin +main")],
  [bash("rm -r data"), bash("python3 -c \"import shutil; shutil.rmtree('data')\"")],
];
const isHarmless: [denied: Call, later: Call][] = [
  [bash("rm -r data"), bash("ls data")],
  [bash("rm -r data"), edit("src/a.ts", "one", "two")],
  [bash("rm -r data"), bash("mkdir other")],
  [bash(PUSH), bash("git status")],
];
const name = ({ input }: Call) => JSON.stringify(input);

describe("a person's no", () => {
  for (const [denied, later] of comesBack)
    it(`to ${name(denied)} is named where ${name(later)} is asked about`, async () => {
      const { call, session, held } = await agent();
      await call(denied);
      const [no] = session.history.conversation.denials;
      const asked = await call(later);
      assert.match(asked?.reason ?? "", /^You said no to `.*` at \d/);
      assert.deepEqual(
        asked?.denied?.map(({ denialId, seq, words }) => [denialId, seq, asked.reason?.startsWith(words)]),
        [[no?.denialId, no?.seq, true]],
      );
      assert.doesNotMatch(JSON.stringify(asked?.effects ?? []), /said no|refused before/);
      assert.ok(held().length > 0);
    });
  for (const [denied, later] of isHarmless)
    it(`to ${name(denied)} lets ${name(later)} run`, async () => {
      const { call } = await agent();
      await call(denied);
      assert.equal(await call(later), undefined);
    });

  it("is written with its answer, before the result, and the model is told that other ways ask", async () => {
    const { call, session, models } = await agent();
    await call(bash("rm -r data"), { ...deny, words: "keep it" });
    const { records } = session.history;
    const at = records.findIndex(({ kind }) => kind === "denial");
    assert.deepEqual(
      [-1, 0, 1].map(by => records[at + by]?.kind),
      ["approval", "denial", "result"],
    );
    assert.equal(last(session, "denial").denial?.words, "keep it");
    assert.match(
      transcript(models.requests.at(-1)!).at(-1)!,
      /Other ways to it ask the user, too\. The user says: keep/,
    );
  });

  it("is lifted by an answer that allows all of it, for once too; by one file that may go only for the session", async () => {
    const { call, held, session } = await agent();
    await call(bash("rm -r data"));
    assert.ok(await call(bash("rm data/a.csv"), allow("once")));
    assert.deepEqual(held(), ["Run `rm -r data`"]);
    assert.ok(await call(bash("find data -delete"), allow("once")));
    assert.deepEqual([held(), last(session, "denial").by], [[], "allowed"]);
    assert.equal(await call(bash("find data -delete")), undefined);
    await call(bash("rm -r data"));
    await call(bash("find data/a.csv -delete"), allow("session"));
    assert.deepEqual(held(), []);
  });

  it("repeated is one", async () => {
    const { call, held } = await agent();
    for (let times = 0; times < 3; times += 1) assert.ok(await call(bash("rm -r data")));
    assert.equal(held().length, 1);
  });

  it("outlives a way back, a reload and another model; a second window can only read it", async () => {
    const { call, session, ports, models } = await agent();
    await runTurn(session, "first");
    await call(bash("rm -r data"));
    await session.rewind.rewind(session.history.conversation.turn, "conversation");
    await session.setModel({ name: "scripted" });
    const later = await reopened(session, ports);
    const { denials } = later.history.conversation;
    assert.deepEqual([denials.length, denials[0]?.title], [1, "Run `rm -r data`"]);
    models.play({ calls: [bash("find data -delete")] }, { text: "ok" });
    await later.submit("go");
    await eventually("it asks", () => later.state === "asking");
    const asked = last(later, "approval");
    assert.equal(asked.action.denied?.length, 1);
    // Both windows answer in one moment: the one that writes is the one that counts, in the order of its records.
    const other = await openSession(ports, later.id);
    await assert.rejects(liftDenials(other, "all"), /another window/);
    later.answer(asked.approvalId, deny);
    await Promise.all([liftDenials(later, "all"), later.idle()]);
    const made = later.history.records.findLast(record => record.kind === "denial" && record.op === "made");
    const lifted = last(later, "denial");
    const isOver = lifted.op === "lifted" && lifted.seq > (made?.seq ?? 0);
    assert.equal(later.history.conversation.denials.length, isOver ? 0 : 1);
  });

  it("is lifted by its id, by its words, as the only one, or with all", async () => {
    const { call, session, held } = await agent();
    await assert.rejects(liftDenials(session, ""), /nothing is denied/);
    await call(bash("rm -r data"));
    await call(bash(PUSH));
    for (const unclear of ["", "make", "r"])
      await assert.rejects(liftDenials(session, unclear), /rm -r data.*git push/);
    await liftDenials(session, "RM -R", "message");
    assert.deepEqual([held(), last(session, "denial").by], [[`Run \`${PUSH}\``], "message"]);
    assert.equal(await call(bash("find data -delete")), undefined);
    await liftDenials(session, "");
    await call(bash(PUSH));
    await call(bash("rm -r data"));
    await liftDenials(session, session.history.conversation.denials[0]?.denialId ?? "");
    await liftDenials(session, "all");
    assert.deepEqual(held(), []);
  });

  it("is one of 500: a question names the newest, and a yes ends all that it does", async () => {
    const { call, session, held } = await agent();
    await call(bash("rm -r data"));
    const { denial } = last(session, "denial");
    const many = Array.from({ length: 499 }, (_, at) => ({
      ...{ kind: "denial" as const, op: "made" as const },
      denial: { ...denial!, callId: `call_${at}`, title: `Run \`rm ${at}\`` },
    }));
    await session.history.appendAll(many);
    const asked = await call(bash("find data -delete"), allow("once"));
    assert.deepEqual([asked?.denied?.length, held()], [3, []]);
    assert.match(asked?.reason ?? "", /`rm 498` at/);
    assert.match(JSON.stringify(asked?.effects), /497 earlier denials cover it, too/);
  });
});

describe("a rule's no", () => {
  it("is one record however often it is met, and its other ways ask with its name", async () => {
    const { call, held, models } = await agent({ "permissions.deny": ["Bash(rm *)"] });
    for (let times = 0; times < 3; times += 1) assert.equal(await call(bash("rm -r data")), undefined);
    assert.match(transcript(models.requests.at(-1)!).at(-1)!, /forbids this\. .*Other ways to it ask the user, too\./);
    assert.deepEqual(held(), ["Run `rm -r data`"]);
    const asked = await call(bash("find data -delete"));
    assert.match(asked?.reason ?? "", /^The rule `Bash\(rm \*\)` forbade `rm -r data` at \d/);
  });
});
