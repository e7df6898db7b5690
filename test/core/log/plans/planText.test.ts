import assert from "node:assert/strict";
import { planChange } from "../../../../src/core/agent/session/sessionPlans";
import {
  approvedText,
  looksLikePlan,
  planFacts,
  planIn,
  planSteps,
  sentBackText,
} from "../../../../src/core/log/plans/planText";
import { pluck } from "../../../fakes/pluck";

const PLAN = "# Plan: Round **once**\n\nOnly `src/sum.ts` changes.\n\n- [ ] Change `src/sum.ts`\n- [ ] Run the tests\n";

describe("plans as text", () => {
  it("are what an answer says from their heading on", () => {
    assert.equal(planIn(`I read the files.\n\n${PLAN}`), PLAN);
    assert.equal(planIn("## plan\nDo it."), "## plan\nDo it.\n");
  });

  it("are an answer without that heading where it has a checklist", () => {
    const answer = "# Rounding\n\n- [ ] One\n- [ ] Two";
    assert.equal(planIn(answer), `${answer}\n`);
  });

  it("are known by their heading in other languages", () => {
    for (const heading of [
      "# 计划",
      "## 计划：修复舍入",
      "# План",
      "## Implementation plan",
      "**Plan**",
      "# The plan: round",
    ])
      assert.equal(planIn(`I read it.\n\n${heading}\n\nText.`), `${heading}\n\nText.\n`, heading);
    for (const heading of ["## Umsetzungsplan: Runden", "## Plan d'action : Runden"])
      assert.equal(planFacts(heading).title, "Runden");
    assert.deepEqual(planFacts("# 计划：修复舍入\n1、修改\n2、测试\n").title, "修复舍入");
  });

  it("are none where only a list is there, which is told, nor in an answer that asks", () => {
    for (const [answer, looks] of [
      ["I'd take these steps:\n\n1. Change it\n2. Test it", true],
      ["Which one?\n\nOr **neither?**", false],
      ["Nothing to do.", false],
      ["**Plan B** is not possible.", false],
      ["**Plan** is what the folder is called.", false],
      ["## Plan\n\nWhich file do you mean?", false],
    ] as const) {
      assert.equal(planIn(answer), undefined, answer);
      assert.equal(looksLikePlan(answer), looks, answer);
    }
  });

  it("may end with a question where their heading or a checklist says what they are", () => {
    for (const answer of [
      "## Plan\n\n1. Change it\n2. Test it\n\nShall I begin?",
      "**Plan:**\n- Change it\n\nShall I begin?",
      "- [ ] Change it\n- [ ] Test it\n\nIs that right?",
    ])
      assert.equal(planIn(answer), `${answer}\n`);
  });

  it("are no question, no explanation, no code", () => {
    assert.equal(planIn("Which of both do you mean?"), undefined);
    assert.equal(planIn("It does three things:\n1. read\n2. write\n3. sync"), undefined);
    for (const [open, close] of [
      ["```md", "```"],
      ["~~~", "~~~~"],
      ["````md\n```", "```\n````"],
      ["- ```md", "  ```"],
      ["> ```md", "> ```"],
      ["```md\n```ts", "```"],
    ])
      assert.equal(planIn(`As in:\n${open}\n# Plan: none\n- [ ] a\n- [ ] b\n${close}\n`), undefined, open);
    const inline = "``` not `a` fence\n# Plan: this\n- [ ] a\n";
    assert.equal(planIn(inline), inline.slice(inline.indexOf("#")));
    assert.equal(planIn("# Planning fees\nThey are high."), undefined);
  });

  it("have the steps of their checklist, those least indented, done ones done", () => {
    const steps = planSteps("# Plan\n- [x] Read\n- [ ] **Change** it\n  - [ ] first this\n* [X] Test\n1. [ ] Ship\n");
    assert.deepEqual(
      steps.map(({ content, status }) => `${content}: ${status}`),
      ["Read: completed", "Change it: pending", "Test: completed", "Ship: pending"],
    );
  });

  it("have their numbered steps where there is no checklist", () => {
    assert.deepEqual(
      planSteps("# Plan\n1. One\n   2. deeper\n2) Two\n").map(({ content }) => content),
      ["One", "Two"],
    );
  });

  it("take no step from code, from comments, from remarks", () => {
    const text =
      "- [ ] One\n```\n- [ ] code\n```\n<!-- - [ ] gone\n- [ ] gone too -->\n> - [ ] remark\n- [ ] Two <!-- or not -->";
    assert.deepEqual(pluck(planSteps(text), "content"), ["One", "Two"]);
  });

  it("say what was changed and remarked", () => {
    const edited = PLAN.replace("- [ ] Run the tests", "> why not all?\n- [ ] Run `npm test`").replace(/\n/g, "\r\n");
    const change = planChange(PLAN, edited);
    assert.deepEqual([change?.added, change?.removed, change?.comments], [2, 1, 1]);
    assert.match(change?.diff ?? "", /^\+> why not all\?$/m);
    assert.equal(planChange(PLAN, `\n${PLAN}\n\n`), undefined);
  });

  it("go back in a fence that nothing in them ends", () => {
    const change = planChange(PLAN, `${PLAN}\n\`\`\`\`ts\nconst a = 1;\n\`\`\`\`\n`);
    assert.ok(change);
    assert.match(sentBackText(change), /\n`{5}diff\n[\s\S]*\n`{5}$/);
    assert.match(sentBackText(change), /^I changed your plan\./);
  });

  it("speak of the user's remarks only where the user made some", () => {
    const [theirs, none] = [/are the user's/, { isAsProposed: false, hasRemarks: false }];
    assert.doesNotMatch(approvedText(PLAN, none), theirs);
    assert.doesNotMatch(approvedText(PLAN, { ...none, isAsProposed: true }), theirs);
    assert.match(approvedText(PLAN, { ...none, hasRemarks: true }), theirs);
  });

  it("go back with every remark, however much was changed", () => {
    const long = (word: string) =>
      Array.from({ length: 450 }, (_, at) => `- [ ] ${word} ${at} ${"計".repeat(60)}`).join("\n");
    const change = planChange(`# Plan\n${long("first")}\n`, `# Plan\n${long("other")}\n\n> and the tests?\n`);
    assert.ok(change?.diff.split("\n").includes("+> and the tests?"), "the remark is in it");
    assert.equal(change?.comments, 1);
  });
});
