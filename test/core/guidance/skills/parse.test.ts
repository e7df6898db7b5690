/** Files of instructions, as people and other agents write them. */
import assert from "node:assert/strict";
import { parseDocument } from "yaml";
import { calledText } from "../../../../src/core/guidance/skills/called";
import type { Skill } from "../../../../src/core/guidance/skills/parse";
import { parsePrompt, parseSkill } from "../../../../src/core/guidance/skills/parse";
import { skillFile, withHead } from "../../../fakes/skills";

const usable = (name: string, text: string): Skill => {
  const parsed = parseSkill(skillFile(name, text), parseDocument);
  return "problem" in parsed ? assert.fail(parsed.problem) : parsed;
};
const problem = (name: string, text: string) => {
  const parsed = parseSkill(skillFile(name, text), parseDocument);
  return "problem" in parsed ? parsed.problem : undefined;
};

describe("a skill's file", () => {
  it("as the format has it", () => {
    const head = { name: "deploy", description: "Brings it out. Use it for releases.", license: "MIT" };
    const skill = usable("deploy", withHead(head, "# Deploy\n\nDo it.\n"));
    assert.deepEqual(
      { ...skill, warnings: [...skill.warnings] },
      {
        ...{ name: "deploy", description: "Brings it out. Use it for releases.", argumentHint: "", warnings: [] },
        ...{
          path: ".claude/skills/deploy/SKILL.md",
          folder: "/work/app/.claude/skills/deploy",
          text: "# Deploy\n\nDo it.",
        },
        ...{ cutBytes: 0, trust: "rules", forModel: true, forPeople: true },
      },
    );
  });

  it("says who may use it, and what may follow its name", () => {
    const head = { "disable-model-invocation": "true", "user-invocable": "false", "argument-hint": '"[where]"' };
    const { forModel, forPeople, argumentHint } = usable("deploy", withHead({ ...head, description: "x" }, "Do it."));
    assert.deepEqual([forModel, forPeople, argumentHint], [false, false, "[where]"]);
  });

  it("without a name or a description: the folder's name, the first line, and a word about it", () => {
    const { name, description, warnings } = usable("deploy", "# Bring it out\n\nDo it.");
    assert.deepEqual([name, description, warnings.length], ["deploy", "Bring it out", 2]);
  });

  it("with a head that is no YAML is read line by line", () => {
    const { description, warnings } = usable(
      "deploy",
      withHead({ name: "deploy", description: "Use when: a: b" }, "Do it."),
    );
    assert.equal(description, "Use when: a: b");
    assert.match(warnings.join(), /not valid YAML/);
  });

  it("with Windows' line ends and a byte order mark", () => {
    const text = `\uFEFF${withHead({ name: "deploy", description: "x" }, "Do it.")}`.replaceAll("\n", "\r\n");
    assert.equal(usable("deploy", text).description, "x");
  });

  it("with tools that it allows: nothing is allowed by that, and it is said", () =>
    assert.match(
      usable("deploy", withHead({ description: "x", "allowed-tools": "Bash(*)" }, "Do.")).warnings.join(),
      /tools/,
    ));

  it("that repeats itself without an end is not expanded", () => {
    const bomb = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(12)}]`).join("\n");
    const { warnings, description } = usable("deploy", `---\na0: &a0 x\n${bomb}\ndescription: *a12\n---\nDo it.`);
    assert.match(warnings.join(), /recursive/);
    assert.equal(description, "Do it.");
    assert.match(usable("deploy", "---\ndescription: &a [*a]\n---\nDo it.").warnings.join(), /recursive/);
  });

  it("that cannot be used says why", () => {
    assert.match(problem("deploy", withHead({ name: "deploy" }, "  \n")) ?? "", /is empty|only front matter/);
    assert.match(problem("De ploy", "Do it.") ?? "", /"De ploy" is not a valid name/);
    assert.equal(problem("De ploy", withHead({ name: "deploy", description: "x" }, "Do it.")), undefined);
  });

  it("is named in any script, with underscores too, and is called by that name however it is typed", () => {
    for (const name of ["技能", "мой-навык", "code_review", "कौशल", "ทักษะ", "PDF", "résumé", "3d-모델"]) {
      const skill = usable(name.normalize("NFD"), withHead({ name, description: "x" }, "Do it."));
      assert.deepEqual([skill.name, skill.warnings], [name.normalize("NFC"), []]);
      const set = { skills: [skill], prompts: [], broken: [] };
      for (const typed of [name, name.normalize("NFD")]) assert.equal(calledText(`/${typed} now`, set)?.skill, skill);
    }
    for (const name of ["-a", "a--b", "a b", "a/b", "../a", "_a", "a.b", ""])
      assert.ok("problem" in parseSkill(skillFile(name, "Do it."), parseDocument), name);
  });

  it("whose head has no end has no head", () =>
    assert.equal(usable("deploy", "---\nname: other\nDo it.").name, "deploy"));
});

describe("a prompt's file", () => {
  it("is called by its name, whatever alphabet that has", () => {
    const parsed = parsePrompt(
      skillFile("git:审查", withHead({ description: "Looks", mode: "agent" }, "Look at $1.")),
      parseDocument,
    );
    assert.ok(!("problem" in parsed));
    assert.deepEqual([parsed.name, parsed.description], ["git:审查", "Looks"]);
  });

  it("with a name that nobody could type is none", () =>
    assert.ok("problem" in parsePrompt(skillFile("two words", "Look."))));
});
