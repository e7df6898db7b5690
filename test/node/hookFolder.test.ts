/** `.github/hooks`: read as hooks of the workspace, under the same agreement; and what an agreement is bound to by each field. */

import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { lookAtHooks } from "../../src/core/guidance/hooks/report";
import { nodeHash } from "../../src/node/system";
import { isObeyedEntry, obeyedBecause } from "../../src/shared/obeyedFiles";
import { HookWorkspace } from "./hookWorkspace";

describe("hooks of .github/hooks", function () {
  this.timeout(60_000);
  if (process.platform === "win32") return;
  let workspace: HookWorkspace;
  beforeEach(() => {
    workspace = new HookWorkspace();
  });
  const write = (path: string, content: unknown) => workspace.write(path, content, 0o755);
  const agree = () => workspace.agree();
  /** What was said before a call. */
  const said = () => workspace.ran("PreToolUse");
  const says = (word: string) => ({ type: "command", command: `echo ${word} >&2; exit 2`, timeout: 30 });
  const hooksOf = (...preToolUse: unknown[]) => ({ version: 1, hooks: { preToolUse } });

  it("every file of JSON, in the order of their names, once somebody agreed to it", async () => {
    write("ws/.github/hooks/b.json", hooksOf(says("b1"), says("b2")));
    write("ws/.github/hooks/a.json", hooksOf(says("a")));
    write("ws/.github/hooks/scripts/c.json", hooksOf(says("c")));
    write("ws/.github/hooks/.d.json", hooksOf(says("d")));
    write("ws/.github/hooks/e.txt", hooksOf(says("e")));
    write("ws/.strata/hooks.json", { hooks: { PreToolUse: [{ command: "echo own >&2; exit 2" }] } });
    assert.deepEqual(await said(), []);
    assert.match(workspace.notes.join("\n"), /hooks that need your approval: \.github\/hooks\/a\.json/);
    await agree();
    assert.deepEqual(await said(), ["own", "a", "b1", "b2"]);
    workspace.trusted = false;
    assert.deepEqual(await said(), []);
  });

  it("VS Code's way there; a changed text asks again; one that is broken never loses the others", async () => {
    write("ws/.github/hooks/vscode.json", {
      hooks: { PreToolUse: [{ type: "command", command: "echo one >&2; exit 2" }] },
    });
    write("ws/.github/hooks/broken.json", "{ not json");
    write("ws/.github/hooks/other.json", { some: "thing" });
    write("elsewhere.json", hooksOf(says("outside")));
    symlinkSync(join(workspace.folder, "elsewhere.json"), join(workspace.folder, "ws/.github/hooks/link.json"));
    await agree();
    assert.deepEqual(await said(), ["one"]);
    const { files, broken } = await lookAtHooks(workspace.open(), nodeHash);
    assert.match(files.flatMap(file => file.problems).join(), /broken\.json cannot be read/);
    assert.match(broken.map(({ problem }) => problem).join(), /link out of the workspace/);
    write("ws/.github/hooks/vscode.json", {
      hooks: { PreToolUse: [{ type: "command", command: "echo two >&2; exit 2" }] },
    });
    assert.deepEqual(await said(), []);
  });

  it("its files are obeyed: Edit asks, and the sandbox holds them", () => {
    assert.match(obeyedBecause([".github", "hooks", "a.json"]) ?? "", /start programs/);
    assert.match(obeyedBecause([".github", "hooks", "scripts", "a.sh"]) ?? "", /start programs/);
    assert.equal(isObeyedEntry(".github", "hooks"), true);
  });

  const bound: Record<string, [entry: object, script: string]> = {
    args: [{ command: "sh", args: ["check.sh"] }, "check.sh"],
    "args with the project's folder": [
      { command: "sh", args: [`$\{CLAUDE_PROJECT_DIR}/tools/check.sh`] },
      "tools/check.sh",
    ],
    "a program of args": [{ command: "./check.sh", args: ["x"] }, "check.sh"],
    command: [{ command: "./scripts/check.sh" }, "scripts/check.sh"],
    cwd: [{ command: "sh check.sh", cwd: "tools" }, "tools/check.sh"],
    "cwd and args": [{ command: "sh", args: ["check.sh"], cwd: "tools" }, "tools/check.sh"],
    env: [{ command: "bash -c true; exit 2", env: { BASH_ENV: "tools/check.sh" } }, "tools/check.sh"],
    shell: [{ command: ". ./tools/check.sh", shell: "sh" }, "tools/check.sh"],
  };
  for (const [name, [entry, script]] of Object.entries(bound))
    it(`an agreement is bound to the script that is named by ${name}`, async () => {
      write("ws/.github/hooks/a.json", hooksOf(entry));
      write(`ws/${script}`, "#!/bin/sh\necho one >&2; exit 2\n");
      await agree();
      assert.equal((await said()).length, 1);
      write(`ws/${script}`, "#!/bin/sh\necho evil >&2; exit 2\n");
      assert.deepEqual(await said(), []);
    });

  const changes: Record<string, [object, object]> = {
    args: [{ args: ["-c", "exit 2"] }, { args: ["-c", "exit 3"] }],
    env: [
      { args: ["-c", "exit 2"], env: { A: "1" } },
      { args: ["-c", "exit 2"], env: { A: "2" } },
    ],
    cwd: [{ args: ["-c", "exit 2"] }, { args: ["-c", "exit 2"], cwd: "." }],
    if: [
      { args: ["-c", "exit 2"], if: "Bash(ls)" },
      { args: ["-c", "exit 2"], if: "Bash(l*)" },
    ],
  };
  for (const [name, [before, after]] of Object.entries(changes))
    it(`a changed ${name} asks again`, async () => {
      write("ws/.github/hooks/a.json", hooksOf({ command: "sh", ...before }));
      await agree();
      assert.equal((await said()).length, 1);
      write("ws/.github/hooks/a.json", hooksOf({ command: "sh", ...after }));
      assert.deepEqual(await said(), []);
    });
});
