/** Issue 13 on a real disk: what repositories and links bring with them, seen before a command runs. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { planCommand } from "../../src/core/commands/commandPlan";
import { decide } from "../../src/core/permissions/policy";
import { NodeFiles } from "../../src/node/files";

const plain = { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/heads/x": "" };
const clean = { ...plain, ".git/config": "[core]\n\tbare = false\n" };
const evil = "[core]\n\tfsmonitor = ./evil\n";

describe("what a folder brings with it", () => {
  let base = "";
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "strata-brought-")));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  async function decision(command: string, contents: Record<string, string>, links: Record<string, string> = {}) {
    const cwd = join(base, "work");
    for (const [path, text] of Object.entries({ ...contents, "../secret": "x" })) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
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

  it("lets git look where nothing names a program", async () => {
    assert.equal(await decision("git status", clean), "allow");
    const sub = { "sub/.git": "gitdir: ../.git/modules/sub\n", ".git/modules/sub/config": "[core]\n\tbare = false\n" };
    assert.equal(
      await decision("git status", { ...clean, ...sub, ".gitmodules": '[submodule "s"]\n\tpath = sub\n' }),
      "allow",
    );
  });

  const repositories: Record<string, Record<string, string>> = {
    "a monitor": { ...plain, ".git/config": evil },
    "a monitor after a comment that ends in a backslash": {
      ...plain,
      ".git/config": `[core]\n# a \\\nfsmonitor = ./evil\n`,
    },
    "a monitor after a value with such a comment": {
      ...plain,
      ".git/config": `[core]\nbare = false # a \\\nfsmonitor = ./evil\n`,
    },
    "a section that is only a value's second line": {
      ...plain,
      ".git/config": `[core]\nabbrev = 7 \\\n[gc]\nfsmonitor = ./evil\n`,
    },
    "settings beyond what is read": { ...plain, ".git/config": `# ${"x".repeat(300_000)}\n${evil}` },
    "settings that are no text": { ...plain, ".git/config": `# \0\n${evil}` },
    "settings elsewhere": { ...clean, ".git/commondir": "../other\n", "other/config": evil },
    "settings of a worktree elsewhere": {
      ".git": "gitdir: real/.git/worktrees/a\n",
      "real/.git/worktrees/a/HEAD": "x",
      "real/.git/worktrees/a/commondir": "../../../../other\n",
      "real/.git/config": "[core]\n\tbare = false\n",
      "other/config": evil,
    },
    "a folder like a repository before one": {
      ".git/x": "",
      HEAD: "ref: x",
      config: evil,
      "objects/x": "",
      "refs/x": "",
    },
    "a submodule": { ...clean, ".gitmodules": '[submodule "s"]\n\tpath = sub\n', "sub/.git/config": evil },
    "a hook": { ...clean, ".git/hooks/post-index-change": "./evil" },
    "a driver": { ...plain, ".git/config": '[diff "x"]\n\ttextconv = ./evil\n' },
    "an included file": { ...plain, ".git/config": "[include]\n\tpath = ../other\n" },
  };
  for (const [name, contents] of Object.entries(repositories))
    it(`asks before git looks where there is ${name}`, async () => {
      assert.equal(await decision("git status", contents), "ask");
    });

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
