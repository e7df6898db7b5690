/** Issue 23: repositories below a root that a command in the sandbox would arm, make, or have taken away from another project. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endNotes } from "../../src/core/commands/commandEnd";
import { eventually } from "../fakes/eventually";
import { asItIs } from "../fakes/redact";
import { InSandbox, requireSandbox } from "../node/sandbox/inSandbox";

describe("attack 23: repositories below a root", function () {
  this.timeout(120_000);
  let box: InSandbox;
  before(function () {
    return requireSandbox(this);
  });
  afterEach(() => box?.close());

  const at = (path: string) => join(box.root, path);
  /** As a person would, outside. */
  const git = (cwd: string, ...args: string[]) => {
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", HOME: box.home };
    const who = ["-c", "user.name=n", "-c", "user.email=e@example.com"];
    return execFileSync("git", [...who, ...args], { cwd, env, encoding: "utf8", stdio: "pipe" });
  };
  const init = (path: string, ...more: string[]) => {
    mkdirSync(path, { recursive: true });
    git(path, "init", "-q", ...more);
    return path;
  };
  const DEEP = "a/b/c/d/e/f/g/h";

  /** A file system's time goes in steps, and what is of the same one as a command's beginning may be the command's. */
  const tick = () => {
    const time = () => {
      writeFileSync(join(box.base, "time"), "");
      return lstatSync(join(box.base, "time")).ctimeMs;
    };
    const from = time();
    return eventually("the file system's time goes on", () => time() > from);
  };

  describe("that were there", () => {
    for (const folder of ["vendor/x", ".cache/x", "node_modules/x", DEEP, "target/x/.y"])
      it(`${folder}: neither settings nor hooks are changed`, async () => {
        box = new InSandbox();
        init(at(folder));
        const before = readFileSync(at(`${folder}/.git/config`), "utf8");
        const { out } = await box.run(
          `cd ${folder} && git config core.fsmonitor evil; echo x > .git/hooks/pre-commit; mv .git/hooks h; mv .git/config c; echo x > file && git add file && git status --short`,
        );
        assert.equal(readFileSync(at(`${folder}/.git/config`), "utf8"), before);
        assert.equal(existsSync(at(`${folder}/.git/hooks/pre-commit`)), false);
        assert.match(out, /A {2}file$/m, out);
      });

    it("one that gets another name is the one it was; what takes its place is not", async () => {
      box = new InSandbox();
      init(at("vendor/x"));
      const before = readFileSync(at("vendor/x/.git/config"), "utf8");
      const ran = await box.run(
        "cd vendor/x && mv .git g && git init -q && git config core.fsmonitor evil; echo > g/config",
      );
      assert.deepEqual(
        ran.refused?.map(({ path }) => path),
        [at("vendor/x/.git")],
      );
      assert.equal(readFileSync(at("vendor/x/g/config"), "utf8"), before);
    });

    it("a bare one, also with hooks of its own", async () => {
      box = new InSandbox();
      init(at("store/one.git"), "--bare");
      writeFileSync(at("store/one.git/hooks/post-receive"), "mine");
      const before = readFileSync(at("store/one.git/config"), "utf8");
      const ran = await box.run(
        "cd store/one.git; echo evil > hooks/post-receive; echo evil > hooks/x; git config core.fsmonitor evil",
      );
      assert.match(ran.out, /Read-only[\s\S]*Read-only/);
      assert.equal(ran.refused, undefined);
      assert.equal(readFileSync(at("store/one.git/config"), "utf8"), before);
      assert.equal(readFileSync(at("store/one.git/hooks/post-receive"), "utf8"), "mine");
    });

    it("one that a person armed stays where it is", async () => {
      box = new InSandbox();
      git(init(at("vendor/x")), "config", "core.hooksPath", "hooks");
      await box.run("true");
      git(init(at("vendor/y")), "config", "core.hooksPath", "hooks");
      await tick();
      const ran = await box.run("echo x > vendor/y/file; mv vendor/y vendor/z");
      assert.deepEqual([ran.ended, ran.refused], ["exited", undefined]);
      assert.ok(existsSync(at("vendor/x/.git")) && existsSync(at("vendor/z/.git")));
    });
  });

  describe("made and armed by a command", () => {
    for (const folder of ["vendor/x", ".cache/x", "node_modules/x", DEEP])
      it(`in ${folder}`, async () => {
        box = new InSandbox();
        const ran = await box.run(`git init -q ${folder} && git -C ${folder} config core.fsmonitor evil`);
        assert.deepEqual([ran.ended, ran.refused?.[0]?.path], ["refused", at(`${folder}/.git`)]);
        assert.equal(existsSync(at(`${folder}/.git`)), false);
        assert.ok(existsSync(ran.refused?.[0]?.now ?? ""), "a person can have it back");
      });

    it("a bare one with a hook, a bare one in the place of a root's, one by a link, one that runs nothing", async () => {
      box = new InSandbox();
      const ran = await box.run(
        [
          "git init -q --bare b.git; echo evil > b.git/hooks/post-receive",
          "git init -q real && mkdir link && mv real/.git hidden && ln -s ../hidden link/.git",
          "git init -q fine",
        ].join("\n"),
      );
      const names = ran.refused?.map(({ path }) => path.slice(box.root.length + 1)).sort();
      const all = ["b.git/HEAD", "fine/.git", "hidden/HEAD", "link/.git"];
      assert.deepEqual(names, all);
      const root = await box.run("mkdir objects refs hooks; echo 'ref: refs/heads/x' > HEAD; echo evil > hooks/x");
      assert.deepEqual(
        root.refused?.map(({ path }) => path),
        [at("HEAD")],
      );
    });

    it("where the place for it is on another disk, it stays beside its own, and is no repository", async function () {
      if (!existsSync("/dev/shm")) this.skip();
      box = new InSandbox({ sandbox: { tmp: "/dev/shm" } });
      const ran = await box.run("git init -q x && git -C x config core.fsmonitor evil; mkdir .vscode; sleep 30");
      await box.sandbox.close();
      for (const { path, now } of ran.refused ?? []) assert.ok(now.startsWith(`${path}.put-aside-`), now);
      assert.deepEqual(ran.refused?.map(({ path }) => path).sort(), [at(".vscode"), at("x/.git")]);
      const [aside = ""] = readdirSync(at("x"));
      assert.ok(existsSync(at(`x/${aside}/config`)));
      git(box.root, "init", "-q");
      assert.equal(
        git(at(`x/${aside}`), "rev-parse", "--absolute-git-dir").trim(),
        at(".git"),
        "Git goes on to the next",
      );
    });

    it("what a rebase or the like would start once a person goes on with it", async () => {
      box = new InSandbox();
      init(box.root);
      init(at("vendor/x"));
      mkdirSync(at(".git/rebase-merge"));
      const todo = ".git/rebase-merge/git-rebase-todo";
      writeFileSync(at(todo), "pick 1\nexec mine\n");
      const cases: [name: string, command: string, taken: string[]][] = [
        ["goes on", `printf 'exec mine\\npick 1\\nfixup -C 2 # exec\\n' > ${todo}`, []],
        ["a line more", `printf 'exec evil\\n' >> ${todo}`, [".git/rebase-merge"]],
        ["a new one", `mkdir .git/rebase-merge; printf 'x evil\\n' > ${todo}`, [".git/rebase-merge"]],
        ["nobody can read it", `mkdir .git/rebase-merge; mkfifo ${todo}`, [".git/rebase-merge"]],
        [
          "by a path",
          "mkdir .git/sequencer; echo '[options] strategy = ../x' > .git/sequencer/opts",
          [".git/sequencer"],
        ],
        [
          "nested",
          "mkdir vendor/x/.git/rebase-apply; echo ' exec y' > vendor/x/.git/rebase-apply/todo",
          ["vendor/x/.git/rebase-apply"],
        ],
        ["as Git leaves it", "mkdir .git/sequencer; printf 'pick 1\\nrevert 2 x\\n' > .git/sequencer/todo", []],
      ];
      for (const [name, command, taken] of cases) {
        const ran = await box.run(command);
        assert.deepEqual(ran.refused?.map(({ path }) => path) ?? [], taken.map(at), name);
        assert.deepEqual(
          taken.filter(path => existsSync(at(path))),
          [],
          name,
        );
      }
    });

    const many = 300;
    it(`${many} at once: none stays, and all are told`, async () => {
      box = new InSandbox();
      const ran = await box.run(
        `git init -q --template= t && git -C t config core.fsmonitor evil; for i in $(seq ${many}); do cp -r t r$i; done; rm -rf t`,
      );
      const left = readdirSync(box.root).filter(name => existsSync(at(`${name}/.git`)));
      assert.deepEqual([left.length, ran.refused?.length], [0, many]);
      assert.ok(ran.refused?.every(({ now }) => existsSync(now)));
      const policy = { kind: "sandbox", network: [], access: "write" } as const;
      const [note = "", ...more] = endNotes({
        outcome: { ...ran, exitCode: 0 },
        output: ran.out,
        sandbox: policy,
        redact: asItIs,
      });
      assert.deepEqual([more, note.split("It must not make").length, note.length < 1500], [[], 2, true], note);
    });

    it("in the background: found with the next command, and the task is ended", async () => {
      box = new InSandbox();
      const task = box.long(
        "sleep 1; git init -q v/x && git -C v/x config core.pager evil; echo > done; sleep 600",
        {},
      );
      await eventually("it is made", () => existsSync(at("done")));
      assert.equal((await box.run("true")).ended, "exited");
      const ran = await task;
      assert.deepEqual([ran.ended, ran.refused?.[0]?.path], ["refused", at("v/x/.git")]);
      assert.equal(existsSync(at("v/x/.git")), false);
    });

    it("in the background: found while it runs, and no command after it", async () => {
      box = new InSandbox();
      const ran = await box.long("git init -q v/x && git -C v/x config core.pager evil; sleep 600", {});
      assert.deepEqual([ran.ended, ran.refused?.[0]?.path], ["refused", at("v/x/.git")]);
      assert.equal(existsSync(at("v/x/.git")), false);
    });

    it("in the background, at its end", async () => {
      box = new InSandbox();
      const ran = await box.long("sleep 0.2; git init -q v/x && git -C v/x config core.pager evil", {});
      assert.deepEqual(
        ran.refused?.map(({ path }) => path),
        [at("v/x/.git")],
      );
      assert.equal(existsSync(at("v/x/.git")), false);
    });
  });

  describe("of another project", () => {
    /** Outside of the workspace, and armed: a person's own. */
    const other = () => {
      const path = init(join(box.base, "other"));
      git(path, "config", "core.hooksPath", "hooks");
      writeFileSync(join(path, ".git/hooks/pre-commit"), "mine");
      return path;
    };

    it("a folder is swapped for a link to it, with the times that the folder had", async () => {
      box = new InSandbox();
      init(at("a/sub"));
      const project = other();
      const ran = await box.run(
        `touch -r a ../x 2>/dev/null; touch -r a r1; touch -r a/sub r2; mv a/sub old; ln -s '${project}' a/sub; touch -h -r r2 a/sub; touch -r r1 a`,
      );
      assert.ok(existsSync(join(project, ".git/config")), JSON.stringify(ran));
      assert.deepEqual([ran.ended, ran.refused], ["exited", undefined]);
    });

    it("a folder whose hooks are watched is swapped for a link to it", async () => {
      box = new InSandbox();
      init(at("a/sub"));
      execFileSync("rm", ["-r", at("a/sub/.git/hooks")]);
      symlinkSync("../../hooks", at("a/sub/.git/hooks"));
      const project = other();
      const ran = await box.run(`mv a/sub old; ln -s '${project}' a/sub`);
      assert.deepEqual(readdirSync(join(project, ".git/hooks")).includes("pre-commit"), true, JSON.stringify(ran));
    });

    it("a task swaps folders all the time, while commands end", async () => {
      box = new InSandbox();
      mkdirSync(at("a"));
      const project = other();
      const swap = `mkdir -p a/sub; git init -q a/sub; git -C a/sub config core.pager x; mv a/sub a/old; ln -s '${project}' a/sub; rm a/sub; rm -rf a/old`;
      const task = box.long(`echo > up; while :; do ${swap}; done`, {});
      await eventually("it swaps", () => existsSync(at("up")));
      for (let times = 0; times < 5; times++) await box.run("true");
      box.shell.killAll();
      await task;
      assert.ok(existsSync(join(project, ".git/config")));
    });
  });
});
