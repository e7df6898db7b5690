import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitEnv } from "../../scripts/lib/environment.mjs";
import { copySample } from "../../scripts/lib/instance.mjs";
import { temporaryFolder } from "../fakes/temporary";

/** Copies the sample with these variables set, and gives them back as they were. */
async function copyWith(folder: string, variables: Record<string, string>) {
  const before = Object.keys(variables).map(name => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    await copySample(folder);
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

describe("copy of the sample project", () => {
  let home: string;
  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", args, { cwd: folder, env: gitEnv(), encoding: "utf8" }).trim();

  beforeEach(() => {
    home = temporaryFolder("instance");
  });

  it("leaves the repository alone whose hook we run in", async () => {
    const theirs = join(home, "theirs");
    mkdirSync(theirs);
    git(theirs, "init", "-q");
    writeFileSync(join(theirs, "staged.txt"), "staged\n");
    git(theirs, "add", "staged.txt");
    const state = () => [git(theirs, "status", "--porcelain"), git(theirs, "rev-list", "--all", "--count")];
    const before = state();
    assert.deepEqual(before, ["A  staged.txt", "0"]);

    const dotGit = join(theirs, ".git");
    const hook = { GIT_DIR: dotGit, GIT_WORK_TREE: theirs, GIT_INDEX_FILE: join(dotGit, "index"), GIT_PREFIX: "" };
    await copyWith(join(home, "sample"), hook);

    assert.deepEqual(state(), before);
    const log = git(join(home, "sample"), "log", "--format=%an %s");
    assert.equal(log, "Strata Sample project");
    assert.equal(git(join(home, "sample"), "status", "--porcelain"), "");
  });

  it("is a plain folder where git is missing or fails", async () => {
    const bin = join(home, "bin");
    mkdirSync(bin);
    await copyWith(join(home, "missing"), { PATH: bin });
    assert.ok(existsSync(join(home, "missing", "package.json")));
    assert.equal(existsSync(join(home, "missing", ".git")), false);

    if (process.platform === "win32") return;
    const failing = '#!/bin/sh\ncase "$*" in *init*-q*) /bin/mkdir .git ;; *) echo "no disk" >&2; exit 3 ;; esac\n';
    writeFileSync(join(bin, "git"), failing);
    chmodSync(join(bin, "git"), 0o755);
    await copyWith(join(home, "failing"), { PATH: bin });
    assert.ok(existsSync(join(home, "failing", "package.json")));
    assert.equal(existsSync(join(home, "failing", ".git")), false);
  });
});
