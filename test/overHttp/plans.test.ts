/** Plans over real HTTP, as a user meets them: proposed, edited, sent back, carried out, and across a compaction. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endWorlds, newest, proven, records, reopened, rounds, say, sent, textOf, type World, world } from "./world";

const PLAN = "# Plan: Mend the sum\n\n`src/sum.ts` subtracts.\n\n- [ ] Mend `src/sum.ts`\n- [ ] Run the tests\n";
const EDITED = `${PLAN.replace("- [ ] Run the tests", "> no tests here\n- [ ] Say what changed")}\nMind   the spaces & <tags>.\n`;
const files = { "src/sum.ts": "export const sum = (a: number, b: number) => a - b;\n" };
const settings = { "model.contextWindow": 40_000, "history.keepRounds": 1, "context.memory": "plain" as const };

/** In plan mode, with a plan that the model wrote after it had looked. */
async function planned(): Promise<World> {
  const at = await world({ files, settings });
  await at.session.setMode("plan");
  await say(
    at,
    "mend the sum",
    { calls: [{ name: "Read", input: { file_path: "src/sum.ts" } }] },
    { calls: [{ name: "Write", input: { file_path: "src/sum.ts", content: "too early" } }] },
    { text: `I looked.\n\n${PLAN}` },
  );
  return at;
}

const edit = { file_path: "src/sum.ts", old_string: "a - b", new_string: "a + b" };
const tail = ({ script }: World) => script.asked.at(-1)?.messages.at(-1)?.text ?? "";
const system = ({ script }: World) => script.asked.at(-1)?.messages.filter(({ role }) => role === "system") ?? [];
const done = (...contents: string[]) => contents.map(content => ({ content, status: "completed" as const }));

async function carryOut(at: World, plan: string, answer = { text: "Begun." }): Promise<void> {
  at.script.play(answer);
  await at.session.plans.carryOut(plan, "auto");
  await at.session.idle();
}

describe("over HTTP: plans", () => {
  afterEach(endWorlds);

  it("are asked for in the tail alone, change nothing, and are what the turn ends with", async () => {
    const at = await planned();
    assert.match(tail(at), /Plan mode: read, search and ask/);
    assert.equal(readFileSync(join(at.workspace, "src/sum.ts"), "utf8"), files["src/sum.ts"]);
    const { op, title, steps, text, turn } = newest(at, "plan");
    assert.deepEqual([op, title, steps, text, turn], ["proposed", "Mend the sum", 2, PLAN, 1]);
    await at.session.setMode("ask");
    await say(at, "thanks", { text: "Welcome." });
    assert.doesNotMatch(sent(at), /Plan mode: read, search and ask/);
    // Neither the mode nor its end moved a byte of what stood before the tail.
    const { breaks } = await proven(at);
    assert.deepEqual(Object.keys(breaks), []);
    assert.equal(records(at, "plan").length, 1);
  });

  it("are whole where the answer reached the model's limit and went on in a second one", async () => {
    const at = await world({ files, settings });
    await at.session.setMode("plan");
    await say(at, "plan", { text: PLAN.slice(0, 60), finishReason: "length" }, { text: PLAN.slice(60) });
    assert.equal(newest(at, "plan").text, PLAN);
  });

  it("are none where the model only asks, or in another mode", async () => {
    const at = await world({ files, settings });
    await say(at, "plan it", { text: PLAN });
    await at.session.setMode("plan");
    await say(at, "plan it", { text: "Which sum do you mean?" });
    assert.equal(records(at, "plan").length, 0);
    assert.equal(at.session.plans.newest, undefined);
  });

  it("are carried out as the person left them: told once, with the todos of their steps", async () => {
    const at = await planned();
    at.script.play({ calls: [{ name: "Edit", input: edit }] }, { text: "Mended." });
    await at.session.plans.carryOut(EDITED, "edits");
    await at.session.idle();
    assert.equal(at.session.mode, "edits");
    assert.match(readFileSync(join(at.workspace, "src/sum.ts"), "utf8"), /a \+ b/);
    assert.equal(newest(at, "plan").text, EDITED);
    assert.deepEqual(newest(at, "todo").todos, [
      { content: "Mend `src/sum.ts`", status: "pending" },
      { content: "Say what changed", status: "pending" },
    ]);
    assert.match(tail(at), /The todo list now:\n\[ \] Mend `src\/sum.ts`\n\[ \] Say what changed/);
    assert.equal(sent(at).split(EDITED).length, 2, "it stands once, byte for byte");
    assert.match(sent(at), /The user approved the plan: plan mode is over/);
    await proven(at);
  });

  it("are not said again where nothing was changed and they stand in the conversation", async () => {
    const at = await planned();
    at.script.play({ text: "Begun." });
    await at.session.plans.carryOut(`\n${PLAN.replace(/\n/g, "\r\n")}`, "ask");
    await at.session.idle();
    assert.equal(sent(at).split("- [ ] Mend `src/sum.ts`").length, 2);
    assert.match(sent(at), /It is the last plan you wrote, unchanged/);
  });

  it("go back with what was changed and remarked, in plan mode, and a new one comes", async () => {
    const at = await planned();
    await assert.rejects(at.session.plans.sendBack(`${PLAN}\n`, PLAN), /The plan is unchanged/);
    await at.session.setMode("ask");
    at.script.play({ text: PLAN.replace("Run the tests", "Say what changed") });
    await at.session.plans.sendBack(EDITED, PLAN);
    await at.session.idle();
    assert.equal(at.session.mode, "plan");
    assert.match(sent(at), /I commented on your plan[\s\S]*```diff[\s\S]*\n\+> no tests here\n/);
    assert.match(tail(at), /Plan mode/);
    assert.equal(records(at, "plan").length, 2);
    assert.match(at.session.plans.newest?.text ?? "", /Say what changed/);
    await assert.rejects(at.session.plans.carryOut(PLAN, "ask", 1), /There is a newer plan/);
    await at.session.rewind.rewind(2, "conversation");
    await carryOut(at, EDITED);
    assert.deepEqual([newest(at, "plan").turn, newest(at, "turnEnd").turn], [3, 3], "its turn, after one put back too");
  });

  it("stand in L2 after a compaction, byte for byte, until their todos are done", async () => {
    const at = await planned();
    await carryOut(at, EDITED);
    await rounds(at, 3, 5, 6000);
    await at.session.compaction.compact();
    await say(at, "go on", { text: "Going on." });
    const standing = system(at).filter(({ text }) => text.includes(EDITED));
    assert.equal(standing.length, 1);
    assert.equal(sent(at).split(EDITED).length, 2, "it stands nowhere else");
    assert.equal((await proven(at)).breaks.compaction, 2);
    const again = await reopened(at);
    assert.deepEqual(again.session.history.conversation.plans, at.session.history.conversation.plans);
  });

  it("leave L2 with the compaction after their end, and are back with its undo", async () => {
    const at = await planned();
    await carryOut(at, EDITED);
    await rounds(at, 3, 4, 6000);
    await at.session.compaction.compact();
    await say(
      at,
      "finish",
      { calls: [{ name: "TodoWrite", input: { todos: done("Mend `src/sum.ts`", "Say what changed") } }] },
      { text: "Done." },
    );
    await rounds(at, 6, 7, 6000);
    await at.session.compaction.compact();
    await say(at, "and now?", { text: "Nothing." });
    assert.doesNotMatch(sent(at), /The plan that the user approved/);
    await at.session.compaction.undo();
    await say(at, "back?", { text: "Yes." });
    assert.match(textOf(at.script.asked.at(-1)), /The plan that the user approved/);
    await proven(at);
  });

  it("without steps stand until a person ends them: told once, over a reload, gone with the next compaction", async () => {
    const plain = "# Plan: Tidy\n\nTidy up as you go.\n";
    const at = await planned();
    await carryOut(at, plain);
    await rounds(at, 3, 5, 6000);
    await at.session.compaction.compact();
    await say(at, "go on", { text: "Going on." });
    assert.equal(system(at).filter(({ text }) => text.includes(plain)).length, 1);
    const { breaks } = await proven(at);
    const { turn, title } = at.session.plans.underWay ?? assert.fail("it is under way");
    assert.equal(title, "Tidy");
    await assert.rejects(at.session.plans.end(turn + 1), /No plan is under way/);
    await at.session.plans.end(turn);
    await assert.rejects(at.session.plans.end(), /No plan is under way/);
    const again = await reopened(at);
    assert.equal(again.session.plans.underWay, undefined);
    await say(again, "what now?", { text: "Nothing." });
    assert.match(sent(again), /The user ended the plan “Tidy” and emptied the todo list/);
    assert.deepEqual((await proven(again)).breaks, breaks, "its end moves no byte of what stood before");
    await say(again, "really?", { text: "Yes." });
    assert.equal(sent(again).split("The user ended the plan").length, 2, "it is told once");
    await rounds(again, 9, 11, 6000);
    await again.session.compaction.compact();
    await say(again, "and now?", { text: "Nothing." });
    assert.doesNotMatch(sent(again), /Tidy up as you go/);
    await proven(again);
  });

  it("that were ended are told so after a compaction too, and one begun since counts instead", async () => {
    const at = await planned();
    await carryOut(at, EDITED);
    await rounds(at, 3, 5, 6000);
    await at.session.plans.end();
    assert.deepEqual(at.session.history.conversation.todos, []);
    await at.session.compaction.compact();
    await say(at, "go on", { text: "Going on." });
    assert.doesNotMatch(sent(at), /The plan that the user approved/);
    assert.match(sent(at), /The user ended the plan “Mend the sum”/);
    await carryOut(at, PLAN, { text: "Begun again." });
    await at.session.plans.end();
    await carryOut(at, PLAN, { text: "Begun a third time." });
    assert.equal(sent(at).split("The user ended the plan").length, 2, "the new one says that no other counts");
    await proven(at);
  });

  it("end with the turn that does the last of their todos, whatever list comes after it", async () => {
    const at = await planned();
    at.script.play(
      { calls: [{ name: "TodoWrite", input: { todos: done("Mend `src/sum.ts`", "Run the tests") } }] },
      { text: "Done." },
    );
    await at.session.plans.carryOut(PLAN, "auto");
    await assert.rejects(at.session.plans.end(), /Stop it, or let it finish first/);
    await at.session.idle();
    assert.equal(at.session.plans.underWay, undefined);
    const todos = [{ content: "Something else", status: "pending" }];
    await say(at, "more", { calls: [{ name: "TodoWrite", input: { todos } }] }, { text: "Begun." });
    assert.equal(at.session.plans.underWay, undefined);
    assert.doesNotMatch(sent(at), /The user ended the plan/);
  });

  it("replace an earlier one that stands in L2 without a break", async () => {
    const at = await planned();
    await carryOut(at, EDITED);
    await rounds(at, 3, 4, 6000);
    await at.session.compaction.compact();
    await say(at, "go on", { text: "Going on." });
    const before = (await proven(at)).breaks;
    await carryOut(at, "# Plan: Other\n\n1. Other things\n", { text: "Begun anew." });
    assert.match(sent(at), /it counts instead of any other plan/);
    assert.deepEqual((await proven(at)).breaks, before);
    await rounds(at, 8, 9, 6000);
    await at.session.compaction.compact();
    await say(at, "go on", { text: "Going on." });
    assert.doesNotMatch(sent(at), /Mind {3}the spaces/);
    assert.match(
      system(at)
        .map(({ text }) => text)
        .join("\n"),
      /# Plan: Other/,
    );
    await proven(at);
  });

  it("are refused where they cannot be carried out, and nothing changes", async () => {
    const at = await planned();
    const carryOut = (text: string, mode: "plan" | "ask") => at.session.plans.carryOut(text, mode);
    const count = at.session.history.records.length;
    await assert.rejects(carryOut(" \n", "ask"), /The plan is empty/);
    await assert.rejects(carryOut("x".repeat(60_000), "ask"), /60,001 characters/);
    await assert.rejects(carryOut(PLAN, "plan"), /In plan mode nothing is carried out/);
    assert.equal(at.session.history.records.length, count);
    at.script.play({ text: "Working.", chunkDelayMs: 20 });
    await at.session.submit("look once more");
    await assert.rejects(carryOut(PLAN, "ask"), /Stop it, or let it finish first/);
    await at.session.idle();
  });
});
