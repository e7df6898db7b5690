/** Working trees beside real repositories: what they begin with, what a repository cannot do to them, when they go. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { SessionError } from "../../../src/core/ground/ports";
import { packagedRipgrep, RipgrepSearch } from "../../../src/node/ripgrep";
import { NodeRules } from "../../../src/node/rules";
import { NodeSkills } from "../../../src/node/skills";
import { worktreesFor } from "../../../src/node/worktrees/worktrees";
import { eventually } from "../../fakes/eventually";
import { git } from "../../fakes/git";
import { putFile, temporaryFolder } from "../../fakes/temporary";
import { InSandbox, needsSandbox } from "../sandbox/inSandbox";

const { signal } = new AbortController();
const logger = { log: () => undefined };

describe("a working tree beside the workspace", function () {
  this.timeout(60_000);
  const former = { ...process.env };
  let base: string;
  let folder: string;
  let box: InSandbox;
  let trees: ReturnType<typeof worktreesFor>;
  const at = (...parts: string[]) => join(base, ...parts);
  const roots = () => [{ path: folder, name: basename(folder), uri: `file://${folder}` }];

  before(() => {
    box = new InSandbox({ sandbox: { roots } });
    const { shell, sandbox } = box;
    const own = { configDir: join(box.base, "config"), trusted: () => true, logger, protectedBecause: () => undefined };
    const [rules, skills] = [new NodeRules({ ...own, roots }), new NodeSkills({ ...own, roots })];
    const surroundings = { platform: "linux", trusted: () => true, editor: () => undefined };
    trees = worktreesFor({
      ...{ roots, shell, sandbox, rules, skills, surroundings, logger, keep: join(box.base, "keep") },
      search: files => new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => files.roots }),
    });
  });
  after(() => box.close());
  beforeEach(() => {
    base = temporaryFolder("trees");
    putFile(at("home/.gitconfig"), '[protocol "file"]\n\tallow = always\n[init]\n\tdefaultBranch = main\n');
    Object.assign(process.env, { XDG_STATE_HOME: at("state"), HOME: at("home"), GIT_CONFIG_NOSYSTEM: "1" });
  });
  afterEach(() => {
    for (const name of ["XDG_STATE_HOME", "HOME", "GIT_CONFIG_NOSYSTEM"] as const)
      if (former[name] === undefined) delete process.env[name];
      else process.env[name] = former[name];
  });

  const begun = (path: string, ...how: string[]) => {
    git(base, "init", "-q", ...how, path);
    return at(path);
  };
  /** A repository with a file, a folder and a commit. */
  function repository(path: string): string {
    const [top, name] = [at(path), basename(path)];
    putFile(join(top, "a.txt"), "1\n");
    putFile(join(top, "sub/b.txt"), "2\n");
    putFile(join(top, ".gitignore"), "built/\n.env\n");
    begun(path);
    git(top, "add", "-A");
    git(top, "commit", "-qm", `first of ${name}`);
    return top;
  }
  const withSubmodule = (path: string) => {
    const top = repository(path);
    git(top, "submodule", "--quiet", "add", repository("inner"), "mod");
    git(top, "commit", "-qm", "with a submodule");
    return top;
  };
  const add = (workspace: string, name = "one", within = signal) => {
    folder = workspace;
    return trees.add(name, within);
  };
  /** Git's own files but its objects, by their names: what a tree must leave as it was. */
  const stateOf = (folder: string) => {
    const common = join(folder, git(folder, "rev-parse", "--git-common-dir").trim().replace(folder, ""));
    const files = globSync("**", { cwd: common, withFileTypes: true, exclude: entry => entry.name === "objects" });
    const paths = files.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
    return Object.fromEntries(paths.map(path => [path.slice(common.length + 1), readFileSync(path, "latin1")]));
  };
  const kept = () => globSync("*/*/*/*/**", { cwd: at("state") });

  interface Case {
    /** @returns the workspace's folder */
    make(): string;
    /** files of its folder there; default: those of `repository` */
    files?: string[];
    notes?: RegExp;
  }
  const FILES = [".git", ".gitignore", "a.txt", "sub"];
  const CASES: Record<string, Case> = {
    "a repository with changes": {
      make() {
        const top = repository("work");
        putFile(join(top, "a.txt"), "changed\n");
        putFile(join(top, "sub/b.txt"), "staged\n");
        git(top, "add", "sub");
        putFile(join(top, "new.txt"), "untracked\n");
        return top;
      },
      notes: /unsaved text, changes[\s\S]*outside of it/,
    },
    "a folder of one": { make: () => join(repository("work"), "sub"), files: ["b.txt"] },
    "a shallow one": {
      make() {
        git(base, "clone", "-q", "--depth=1", `file://${repository("far")}`, "work");
        return at("work");
      },
    },
    "a tree of a bare one": {
      make() {
        git(base, "clone", "-q", "--bare", repository("far"), "bare.git");
        git(at("bare.git"), "worktree", "add", "-q", at("work"));
        return at("work");
      },
    },
    "a tree of another one": {
      make() {
        git(repository("far"), "worktree", "add", "-q", "-b", "side", at("work"));
        return at("work");
      },
    },
    "a sparse one": {
      make() {
        const top = repository("work");
        putFile(join(top, "left/out.txt"), "3\n");
        git(top, "add", "-A");
        git(top, "commit", "-qm", "more");
        git(top, "sparse-checkout", "set", "sub");
        return top;
      },
      notes: /sparse checkout/,
    },
    "one with a submodule": {
      make: () => withSubmodule("work"),
      files: [".git", ".gitignore", ".gitmodules", "a.txt", "mod", "sub"],
      notes: /submodules are empty folders/,
    },
    "a submodule": { make: () => join(withSubmodule("far"), "mod") },
    "a detached one in the middle of a rebase": {
      make() {
        const top = repository("work");
        git(top, "checkout", "-q", "--detach");
        git(top, "-c", "sequence.editor=sed -i s/^pick/edit/", "rebase", "-q", "-i", "--root");
        return top;
      },
    },
    "one with files of a filter": {
      make() {
        const top = repository("work");
        putFile(join(top, ".gitattributes"), "*.bin filter=lfs\n");
        putFile(join(top, "x.bin"), "version https://git-lfs.github.com/spec/v1\n");
        git(top, "add", "-A");
        git(top, "commit", "-qm", "large");
        return top;
      },
      files: [".git", ".gitattributes", ".gitignore", "a.txt", "sub", "x.bin"],
      notes: /as Git stores them/,
    },
  };
  for (const [name, { make, files = FILES, notes = /branch strata\/one at commit/ }] of Object.entries(CASES))
    it(`of ${name}: at its commit, on a branch of its own, with nothing else touched; clean, it goes`, async () => {
      folder = make();
      const before = stateOf(folder);
      const tree = await add(folder);
      assert.equal(tree.branch, "strata/one");
      assert.ok(tree.path.startsWith(at("state/strata/worktrees")) && basename(tree.path) === "one", tree.path);
      assert.equal(statSync(join(tree.path, "..")).mode & 0o777, 0o700);
      assert.deepEqual(readdirSync(tree.folder).sort(), files);
      assert.match(tree.notes.join("\n"), notes);
      assert.equal(git(tree.path, "rev-parse", "HEAD"), git(folder, "rev-parse", "HEAD"));
      assert.equal(git(tree.path, "status", "--porcelain"), "");
      const made = Object.entries(stateOf(folder)).filter(([file, text]) => before[file] !== text);
      for (const [file] of made) assert.match(file, /^(?:worktrees\/one\/|(?:logs\/)?refs\/heads\/strata\/one$)/);
      assert.match(git(folder, "worktree", "list", "--porcelain"), /branch refs\/heads\/strata\/one\n/);
      await tree.close();
      assert.equal(await tree.removeIfClean(), true);
      assert.deepEqual(stateOf(folder), before);
      assert.deepEqual([existsSync(tree.path), await tree.removeIfClean()], [false, false]);
    });

  const REFUSED: Record<string, { make(): string; why: RegExp }> = {
    "in no repository": { make: () => at("home"), why: /no working tree of a Git repository/ },
    "in a bare repository": { make: () => begun("work", "--bare"), why: /no working tree of a Git repository/ },
    "without a commit": { make: () => begun("work"), why: /no commit yet/ },
    "in a folder that is not committed": {
      make() {
        const folder = join(repository("work"), "fresh");
        mkdirSync(folder);
        return folder;
      },
      why: /folder is not in the commit/,
    },
    "in a folder that the commit has as a link out of it": {
      make() {
        const folder = join(repository("work"), "link");
        execFileSync("ln", ["-s", at("home"), folder]);
        git(at("work"), "add", "-A");
        git(at("work"), "commit", "-qm", "a link");
        rmSync(folder);
        mkdirSync(folder);
        return folder;
      },
      why: /folder is not in the commit/,
    },
    "under a name that is taken": {
      make() {
        git(repository("work"), "branch", "strata/one");
        return at("work");
      },
      why: /strata\/one/,
    },
    "where Strata's folder takes nothing": {
      make() {
        writeFileSync(at("state"), "");
        return repository("work");
      },
      why: /There is no working tree for this agent\./,
    },
    "where Strata's folder is in the repository": {
      make() {
        process.env.XDG_STATE_HOME = at("work/sub/state");
        return repository("work");
      },
      why: /is in the repository/,
    },
    "that Git cannot fill": {
      make() {
        const top = repository("work");
        const blob = git(top, "rev-parse", "HEAD:sub/b.txt").trim();
        rmSync(join(top, ".git/objects", blob.slice(0, 2), blob.slice(2)));
        return top;
      },
      why: /There is no working tree for this agent\. .*(?:unable to read|Could not reset)/s,
    },
    "whose settings depend on the branch": {
      make() {
        const top = repository("work");
        git(top, "config", "includeIf.onbranch:strata/.path", at("evil"));
        return top;
      },
      why: /includeIf/,
    },
  };
  for (const [name, { make, why }] of Object.entries(REFUSED))
    it(`${name} there is none, in a sentence, and nothing stays of it`, async () => {
      folder = make();
      const isRepository = existsSync(at("work/.git/index"));
      const before = isRepository && stateOf(at("work"));
      await assert.rejects(add(folder), error => error instanceof SessionError && why.test(error.message));
      assert.deepEqual(isRepository && stateOf(at("work")), before);
      assert.deepEqual(kept(), []);
      assert.deepEqual(isRepository && readdirSync(at("work/.git")).includes("worktrees"), false);
    });

  it("that is called off, at whatever moment, leaves nothing, and rejects with the reason", async () => {
    const top = repository("work");
    const before = stateOf(top);
    for (const moment of [0, 50, 100, 200, 400]) {
      const within = AbortSignal.timeout(moment);
      const tree = await add(top, "one", within).catch(error => void assert.equal(error, within.reason));
      // It may have been in time.
      assert.notEqual(await tree?.removeIfClean(), false);
      await tree?.close();
      assert.deepEqual([stateOf(top), kept()], [before, []]);
    }
  });

  it("starts nothing that a repository names, when it is made and when it goes", async () => {
    const top = repository("work");
    const ran = () =>
      existsSync(at("ran")) ? [...new Set(readFileSync(at("ran"), "utf8").trim().split("\n"))].sort() : [];
    const trap = (path: string, name: string) => {
      putFile(path, `#!/bin/sh\necho ${name} >> '${at("ran")}'\ncat\n`, 0o755);
      return path;
    };
    const trapped = (name: string) => trap(at("traps", name), name);
    putFile(join(top, ".gitattributes"), "*.txt filter=evil\nsub/* filter=other\n");
    git(top, "add", "-A");
    git(top, "commit", "-qm", "filters");
    for (const hook of ["post-checkout", "post-index-change", "reference-transaction"])
      trap(join(top, ".git/hooks", hook), hook);
    const set = (...setting: string[]) => git(top, "config", ...setting);
    set("extensions.worktreeConfig", "true");
    set("filter.evil.smudge", trapped("smudge"));
    set("filter.evil.clean", trapped("clean"));
    set("filter.evil.required", "true");
    set("--worktree", "filter.other.process", trapped("process"));
    set("core.fsmonitor", trapped("fsmonitor"));
    set("status.showUntrackedFiles", "no");
    rmSync(at("ran"), { force: true });
    const tree = await add(top);
    writeFileSync(join(tree.path, "a.txt"), "1\n");
    assert.equal(await tree.removeIfClean(), true);
    assert.deepEqual(ran(), []);
    const other = await add(top);
    writeFileSync(join(other.path, "new"), "");
    assert.deepEqual([await other.removeIfClean(), ran()], [false, []]);
    // Else it would prove nothing.
    git(top, "worktree", "add", "-q", at("plain"));
    const traps = ["fsmonitor", "post-checkout", "post-index-change", "process", "reference-transaction", "smudge"];
    assert.deepEqual(
      ran().filter(name => name !== "clean"),
      traps,
    );
  });

  it("goes only where nothing was done in it but what Git ignores", async () => {
    const top = withSubmodule("work");
    const doings: Record<string, [boolean, (path: string) => void]> = {
      nothing: [true, () => undefined],
      ignored: [true, path => putFile(join(path, "built/x"), "")],
      touched: [true, path => writeFileSync(join(path, "a.txt"), "1\n")],
      untracked: [false, path => putFile(join(path, "deep/new.txt"), "")],
      changed: [false, path => writeFileSync(join(path, "a.txt"), "2\n")],
      removed: [false, path => rmSync(join(path, "a.txt"))],
      staged: [false, path => git(path, "rm", "-q", "--cached", "a.txt")],
      committed: [false, path => git(path, "commit", "-q", "--allow-empty", "-m", "x")],
      "another-branch": [false, path => git(path, "checkout", "-q", "-b", "elsewhere")],
      "in-a-submodule": [false, path => putFile(join(path, "mod/loose.txt"), "")],
      "with-a-submodule": [false, path => git(path, "submodule", "--quiet", "update", "--init")],
      locked: [false, path => git(path, "worktree", "lock", path)],
    };
    for (const [name, [goes, act]] of Object.entries(doings)) {
      const tree = await add(top, name);
      act(tree.path);
      const isBranch = () => git(top, "branch", "--list", tree.branch) !== "";
      assert.deepEqual([await tree.removeIfClean(), existsSync(tree.path), isBranch()], [goes, !goes, !goes], name);
      await tree.close();
    }
  });

  describe("with a session's ports", function () {
    needsSandbox(this);

    it("is their workspace: files, search, rules, commits in the sandbox, and a tree of its own; the caller's is not", async () => {
      base = box.base;
      process.env.XDG_STATE_HOME = at("home/.local/state");
      const top = repository("ws");
      putFile(join(top, "AGENTS.md"), "Law\n");
      git(top, "add", "-A");
      git(top, "commit", "-qm", "law");
      putFile(join(top, "AGENTS.md"), "Not committed\n");
      const tree = await add(top);
      const { files, shell, search, rules, surroundings, baselines, worktrees, ...none } = tree.ports;
      assert.deepEqual(
        files.roots.map(({ path }) => path),
        [tree.folder],
      );
      assert.equal((await files.resolve(join(top, "a.txt"))).inside, false);
      assert.deepEqual(
        (await rules.read()).map(({ text }) => text),
        ["Law\n"],
      );
      assert.deepEqual(
        [surroundings.editor(), surroundings.trusted(), none.unsaved, none.code],
        [undefined, true, undefined, undefined],
      );
      const found = await search.glob(await files.resolve("."), "**/*.txt", signal);
      assert.deepEqual(found.map(({ path }) => path).sort(), ["a.txt", "sub/b.txt"]);
      let out = "";
      const as = "git -c user.name=n -c user.email=e@example.com";
      const ran = await shell.run({
        command: `echo 2 >> a.txt && ${as} commit -qam second && git log --oneline | wc -l; echo x > '${top}/a.txt'; echo b > b.txt`,
        ...{ cwd: tree.folder, sandbox: { kind: "sandbox", network: [], access: "write" }, timeoutMs: 30_000, signal },
        onOutput: (_, chunk) => {
          out += Buffer.from(chunk);
        },
      });
      assert.match(out, /^3\n/m, JSON.stringify(ran));
      assert.equal(readFileSync(join(top, "a.txt"), "utf8"), "1\n");
      const baseline = baselines.open({ put: async () => "", get: async () => undefined });
      let times = 0;
      await eventually("the baseline sees a change, in its time", async () => {
        const after = await baseline.before();
        times += 1;
        writeFileSync(join(tree.folder, "c.txt"), String(times));
        return (await after()).changes.some(({ path }) => path === join(tree.folder, "c.txt"));
      });
      await baseline.close();
      assert.equal(git(top, "log", "--format=%s", "-1", tree.branch), "second\n");
      const inner = await worktrees.add("two", signal);
      assert.equal(readFileSync(join(inner.folder, "a.txt"), "utf8"), "1\n2\n");
      assert.deepEqual([await inner.removeIfClean(), await tree.removeIfClean()], [true, false]);
      await Promise.all([inner.close(), tree.close()]);
    });
  });
});
