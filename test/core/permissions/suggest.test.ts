/** "Always": the rules that a question offers. */
import assert from "node:assert/strict";
import { planCommand } from "../../../src/core/commands/commandPlan";
import { suggestRules } from "../../../src/core/permissions/suggest";
import type { Action } from "../../../src/core/permissions/verdict";
import { policyState } from "../../fakes/call";
import { MemoryFiles } from "../../fakes/files";

const files = new MemoryFiles({ app: { "src/a.ts": "one\n", "package.json": "{}" } });
const state = policyState();
const base = { namesSecret: false };

async function ofCommand(command: string) {
  const { facts } = await planCommand(command, "/ws/app", files);
  const detail = { type: "command" as const, command, cwd: "/ws/app" };
  return suggestRules({ ...base, toolName: "Bash", effects: ["command"], targets: [], detail, command: facts }, state);
}

async function ofEdit(path: string) {
  const targets = [await files.resolve(path)];
  const action: Action = {
    ...base,
    toolName: "Edit",
    effects: ["edit"],
    targets,
    detail: { type: "edit", changes: [] },
  };
  return suggestRules(action, state);
}

describe("rules that a question offers", () => {
  for (const [command, ...expected] of [
    ["npm test", ["Bash(npm test)"], ["Bash(npm test *)"]],
    ["npm run build -- --watch", ["Bash(npm run build -- --watch)"], ["Bash(npm run build *)"]],
    ["cd src && npm test | head -5", ["Bash(npm test)"], ["Bash(npm test *)"]],
    [
      "cargo build && cargo test",
      ["Bash(cargo build)", "Bash(cargo test)"],
      ["Bash(cargo build *)", "Bash(cargo test *)"],
    ],
    ["make", ["Bash(make)"], ["Bash(make *)"]],
    ["rm -r build", ["Bash(rm -r build)"]],
    ["npm --silent test", ["Bash(npm --silent test)"]],
    ["git --no-pager commit -m x", ["Bash(git --no-pager commit -m x)"]],
    ["npm test -- 'a' \"b\"", ["Bash(npm test -- a b)"], ["Bash(npm test *)"]],
    ["git config user.name x", ["Bash(git config user.name x)"]],
    ["pytest -q tests/a.py", ["Bash(pytest -q tests/a.py)"], ["Bash(pytest *)"]],
    ["node scripts/a.mjs", ["Bash(node scripts/a.mjs)"]],
    ["./run.sh --fast", ["Bash(./run.sh --fast)"]],
  ] as const)
    it(`${command}: ${expected.join(" | ")}`, async () => {
      assert.deepEqual(await ofCommand(command), expected);
    });

  for (const command of [
    ...["cat .env", "npm test > out.txt", "PATH=. npm test", "$X", "rm *", "eval 'npm test'", "echo 'a\nb' | tee x"],
    ...["npm test $(date)", "ls", `git commit -m "x --template=y"`, "npm test -- a\\ b"],
  ])
    it(`${command}: none, since a rule would not do or is not needed`, async () => {
      const options = await ofCommand(command);
      assert.deepEqual(
        options.filter(option => option.some(rule => !rule.includes("tee"))),
        [],
      );
    });

  it("an edit: the file, and its folder", async () => {
    assert.deepEqual(await ofEdit("src/a.ts"), [["Edit(src/a.ts)"], ["Edit(src/**)"]]);
    assert.deepEqual(await ofEdit("a.ts"), [["Edit(a.ts)"]]);
    assert.deepEqual(await ofEdit("AGENTS.md"), []);
    assert.deepEqual(await ofEdit("/etc/hosts"), []);
  });
});
