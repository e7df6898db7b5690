/** `if` of a hook: for which calls it runs, and what becomes of one that cannot be read. */
import assert from "node:assert/strict";
import { readHooks } from "../../../../src/core/guidance/hooks/entry";
import { readCondition, toolNames } from "../../../../src/core/guidance/hooks/matcher";
import { brokenConditions, conditionRows } from "./conditionTable";

describe("the rule of a hook", () => {
  for (const [rule, [tool, input], holds] of conditionRows)
    it(`${JSON.stringify(rule)} ${holds ? "holds" : "does not hold"} for ${tool} ${JSON.stringify(input)}`, () => {
      const condition = readCondition(rule);
      if (typeof condition === "string") throw new Error(condition);
      assert.equal(condition.covers({ names: toolNames(tool), input, folder: "/ws" }), holds);
    });

  for (const given of brokenConditions)
    it(`${JSON.stringify(given)} cannot be read: a guard runs for every call, what comes behind a call does not run`, () => {
      const entry = { matcher: "Bash", hooks: [{ type: "command", command: "x", if: given }] };
      const text = JSON.stringify({ hooks: { PreToolUse: [entry], PostToolUse: [entry] } });
      const { hooks, problems, notes } = readHooks({ path: "hooks.json", text });
      assert.deepEqual(
        hooks.map(({ event, condition }) => [event, condition]),
        [["PreToolUse", undefined]],
      );
      assert.match(problems.join(), /A hook of PostToolUse does not run: its `if` cannot be read/);
      assert.match(notes.join(), /A hook of PreToolUse: its `if` cannot be read .* runs for every call of its matcher/);
    });

  it("stands at a moment without calls: the hook does not run, and is named", () => {
    const entry = { hooks: [{ command: "x", if: "Bash(ls)" }] };
    const { hooks, problems } = readHooks({ path: "hooks.json", text: JSON.stringify({ hooks: { Stop: [entry] } }) });
    assert.deepEqual([hooks.length, problems.length], [0, 1]);
  });

  it("null and an empty text are none", () => {
    for (const given of [null, ""]) {
      const text = JSON.stringify({ hooks: { PreToolUse: [{ command: "x", if: given }] } });
      const { hooks, problems, notes } = readHooks({ path: "hooks.json", text });
      assert.deepEqual([hooks.length, hooks[0]?.condition, problems, notes], [1, undefined, [], []]);
    }
  });
});
