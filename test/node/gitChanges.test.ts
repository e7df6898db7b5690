/** What Git says of a folder, and that nothing which a repository names is run for it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RepositoryChanges } from "../../src/core/ground/ports";
import { readGitChanges, readRecentSubjects } from "../../src/node/shell/gitChanges";
import { git as gitIn } from "../fakes/git";
import { temporaryFolder } from "../fakes/temporary";

const { signal } = new AbortController();

describe("what is not committed", () => {
  let folder: string;
  const git = (...args: string[]) => gitIn(folder, ...args);
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const changes = async (at = folder) => {
    const found = await readGitChanges(at, signal);
    assert.ok(!("nothing" in found), JSON.stringify(found));
    return found satisfies RepositoryChanges;
  };
  beforeEach(() => {
    folder = temporaryFolder("git");
  });

  it("is that of the whole repository, in one format, whatever settings it has", async () => {
    git("init", "-q", "-b", "trunk");
    write("中 文.txt", "one\n");
    mkdirSync(join(folder, "sub"));
    git("add", "-A");
    write("中 文.txt", "two\n");
    write("sub/new\n.txt", "");
    git("config", "diff.noprefix", "true");
    git("config", "color.ui", "always");
    const found = await changes(join(folder, "sub"));
    assert.deepEqual([found.root, found.branch, found.untracked], [folder, "trunk", ["sub/new\n.txt"]]);
    assert.match(found.staged, /^diff --git a\/中 文\.txt b\/中 文\.txt\nnew file[\s\S]*\n\+one\n$/);
    assert.match(found.unstaged, /\n-one\n\+two\n$/);
  });

  it("is a sentence without a repository, without Git, and where it is stopped it rejects", async () => {
    assert.deepEqual(await readGitChanges(folder, signal), { nothing: "The workspace is in no Git repository." });
    const none = { nothing: "Git is not installed." };
    assert.deepEqual(await readGitChanges(folder, signal, join(folder, "no-git")), none);
    git("init", "-q");
    await assert.rejects(readGitChanges(folder, AbortSignal.abort(new Error("stopped"))), /^Error: stopped$/);
  });

  it("is read no further than is bearable, and a failure is one", async () => {
    git("init", "-q");
    write("a.txt", `${"x".repeat(80)}\n`.repeat(60_000));
    git("add", "a.txt");
    write("a.txt", "");
    const { unstaged, cut } = await changes();
    assert.deepEqual([unstaged.length, cut], [4_000_000, true]);
    write(".git/index", "damaged");
    await assert.rejects(readGitChanges(folder, signal), /^Error: git ended with 128: .*index/);
  });
});

describe("attack 13: a repository that names programs", () => {
  let base: string;
  let folder: string;
  const ran = () => join(base, "ran");
  const program = (name: string) => {
    const path = join(base, name);
    writeFileSync(path, `#!/bin/sh\necho ${name} >> '${ran()}'\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const commit = (cwd: string) => {
    gitIn(cwd, "add", "-A");
    gitIn(cwd, "commit", "-qm", "x");
  };
  /** Git has to look at the content: it is not the size that tells. */
  const change = (cwd: string, name = "a.txt") => writeFileSync(join(cwd, name), "two\n");
  const look = async () => {
    const found = await readGitChanges(folder, signal);
    assert.equal(existsSync(ran()), false, "something ran");
    return found;
  };
  beforeEach(function () {
    if (process.platform === "win32") this.skip();
    base = temporaryFolder("git");
    folder = join(base, "work");
    mkdirSync(folder);
    gitIn(folder, "init", "-q", "-b", "trunk");
    writeFileSync(join(folder, "a.txt"), "one\n");
    commit(folder);
    change(folder);
  });

  const set = (...pairs: readonly (readonly [string, string])[]) => {
    for (const [name, value] of pairs) gitIn(folder, "config", name, value);
  };
  const attributes = (line: string) => writeFileSync(join(folder, ".git/info/attributes"), `${line}\n`);
  const plants: Record<string, () => void> = {
    "a clean filter": () => {
      attributes("* filter=evil");
      set(["filter.evil.clean", program("clean")], ["filter.evil.smudge", program("smudge")]);
    },
    "a filter that is required and runs on": () => {
      attributes("* filter=evil.one");
      set(["filter.evil.one.process", program("process")], ["filter.evil.one.required", "true"]);
    },
    "a filter in the repository's attributes and in settings that are included": () => {
      writeFileSync(join(folder, ".gitattributes"), "* filter=evil\n");
      writeFileSync(join(folder, ".git/more"), `[filter "evil"]\n\tclean = ${program("clean")}\n`);
      set(["include.path", "more"]);
    },
    "a filter in the settings of this worktree": () => {
      attributes("* filter=evil");
      set(["extensions.worktreeConfig", "true"]);
      gitIn(folder, "config", "--worktree", "filter.evil.clean", program("clean"));
    },
    "a filter whose name hides what it sets": () => {
      attributes("* filter=a=b.evil");
      writeFileSync(join(folder, ".git/more"), `[filter "a=b.evil"]\n\tclean = ${program("clean")}\n`);
      set(["include.path", "more"]);
    },
    "what diffs": () => {
      attributes("* diff=evil");
      set(["diff.evil.command", program("driver")], ["diff.evil.textconv", program("textconv")]);
      set(["diff.external", program("external")], ["diff.evil.cachetextconv", "true"]);
    },
    "what watches files, hooks, a pager, an editor": () => {
      set(["core.fsmonitor", program("fsmonitor")], ["core.hooksPath", base], ["core.pager", program("pager")]);
      set(["pager.diff", program("pager")], ["core.editor", program("editor")], ["core.sshCommand", program("ssh")]);
      program("post-index-change");
    },
    "settings of a submodule": () => {
      const inner = join(base, "inner");
      mkdirSync(inner);
      gitIn(inner, "init", "-q");
      writeFileSync(join(inner, "a.txt"), "one\n");
      commit(inner);
      gitIn(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
      writeFileSync(join(folder, "a.txt"), "one\n");
      commit(folder);
      const sub = join(folder, "sub");
      writeFileSync(join(sub, ".gitattributes"), "* filter=evil\n");
      gitIn(sub, "config", "filter.evil.clean", program("clean"));
      gitIn(sub, "config", "core.fsmonitor", program("fsmonitor"));
      set(["diff.submodule", "diff"]);
      change(sub);
      change(folder);
    },
    "where to fetch what is left out": () => {
      const [object = ""] = gitIn(folder, "rev-parse", "HEAD:a.txt").trim().split("\n");
      rmSync(join(folder, ".git/objects", object.slice(0, 2), object.slice(2)));
      set(["core.repositoryformatversion", "1"], ["extensions.partialClone", "origin"], ["remote.origin.url", folder]);
      set(["remote.origin.promisor", "true"], ["remote.origin.uploadpack", program("upload")]);
      set(["protocol.file.allow", "always"], ["protocol.allow", "always"]);
    },
  };
  for (const [what, plant] of Object.entries(plants))
    it(`runs none of it: ${what}`, async () => {
      plant();
      try {
        const found = await look();
        assert.ok("unstaged" in found && found.unstaged.includes("+two"), JSON.stringify(found));
      } catch (error) {
        assert.match(String(error), /git ended with 128: .*(?:promisor|fetch|transport|not allowed)/s);
        assert.equal(existsSync(ran()), false, "something ran");
      }
    });

  it("takes no folder of a repository for one", async () => {
    const inner = join(folder, "inner");
    mkdirSync(join(inner, "objects"), { recursive: true });
    mkdirSync(join(inner, "refs"));
    writeFileSync(join(inner, "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(
      join(inner, "config"),
      `[core]\n\tbare = false\n\tworktree = ${folder}\n\tfsmonitor = ${program("bare")}\n`,
    );
    assert.match(JSON.stringify(await readGitChanges(inner, signal)), /in no Git repository/);
    assert.equal(existsSync(ran()), false);
  });
});

describe("subjects of the newest commits", () => {
  it("are those of the repository; nothing that its settings name is run for them", async () => {
    const folder = temporaryFolder("git");
    const git = (...args: string[]) => gitIn(folder, ...args);
    assert.deepEqual(await readRecentSubjects(folder, signal), []);
    git("init", "-q");
    assert.deepEqual(await readRecentSubjects(folder, signal), []);
    for (const subject of ["feat: one", "fix: two"]) git("commit", "-q", "--allow-empty", "-m", `${subject}\n\nBody.`);
    // A commit that claims to be signed, and what would check it.
    const signed = git("cat-file", "commit", "HEAD").replace(
      "\n\n",
      "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n",
    );
    const object = execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
      cwd: folder,
      input: signed,
    });
    git("update-ref", "HEAD", object.toString().trim());
    const [program, ran] = [join(folder, ".git/evil.sh"), join(folder, ".git/ran")];
    writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\n`);
    chmodSync(program, 0o755);
    git("config", "log.showSignature", "true");
    git("config", "gpg.program", program);
    git("config", "core.pager", program);
    assert.deepEqual(await readRecentSubjects(folder, signal), ["fix: two", "feat: one"]);
    assert.equal(existsSync(ran), false);
    await assert.rejects(readRecentSubjects(folder, AbortSignal.abort(new Error("stopped"))), /^Error: stopped$/);
  });
});
