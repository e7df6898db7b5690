/** Issue 13 on a real disk: what links bring with them, seen before a command runs. Repositories: test/node/disarmedGit.test.ts. */
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { planCommand } from "../../src/core/commands/commandPlan";
import { decide } from "../../src/core/permissions/policy";
import { NodeFiles } from "../../src/node/files";
import { putFile, temporaryFolder } from "../fakes/temporary";

describe("what a folder brings with it", () => {
  let base = "";
  beforeEach(() => {
    base = temporaryFolder("brought");
  });

  async function decision(command: string, contents: Record<string, string>, links: Record<string, string> = {}) {
    const cwd = join(base, "work");
    for (const [path, text] of Object.entries({ ...contents, "../secret": "x" })) putFile(join(cwd, path), text);
    for (const [path, to] of Object.entries(links)) symlinkSync(to, join(cwd, path));
    const { facts } = await planCommand(command, cwd, new NodeFiles([cwd]));
    const detail = { type: "command" as const, command, cwd };
    return decide(
      { toolName: "Bash", effects: ["command"], targets: [], namesSecret: false, detail, command: facts },
      {
        ...{ mode: "auto", trusted: true, ownFolders: [], grants: [], rules: [] },
        ...{ trustsAllContent: true, runEverything: false },
      },
    ).decision;
  }

  it("knows where links lead before it goes up", async () => {
    const files = { "a/b/c/x": "", "src/x": "" };
    assert.equal(await decision("cat a/b/c/up/../secret", files, { "a/b/c/up": "../../.." }), "ask");
    assert.equal(await decision("cd a/b/c/up && cat ../secret", {}), "ask");
    assert.equal(await decision("cat a/b/c/up/src/x", {}), "allow");
    assert.equal(await decision("cat .../../secret", {}, { "...": "a/b/c/up" }), "ask");
    assert.equal(await decision("cat a/../src/x", {}), "allow");
    assert.equal(await decision("cat src/../../secret", {}), "ask");
  });
});
