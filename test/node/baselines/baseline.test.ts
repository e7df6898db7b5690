/** What a command did to the workspace's files: in a repository and outside, whatever it did, with what stood there before. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BaselineWorkspace, beginRepository } from "../../fakes/baselineWorkspace";
import { FakeClock } from "../../fakes/clock";
import { eventually } from "../../fakes/eventually";

const rows = (told: ReturnType<BaselineWorkspace["told"]>) =>
  [...told].map(([path, { before, after, made }]) => [path, before, after.slice(0, 6), made]).sort();

describe("a baseline", () => {
  let workspace: BaselineWorkspace;
  afterEach(() => workspace.end());

  it("sees a worktree as Git does, and writes nothing into its repository", async () => {
    workspace = new BaselineWorkspace();
    const main = join(workspace.base, "main");
    mkdirSync(main);
    writeFileSync(join(main, "a.txt"), "a\n");
    beginRepository(main);
    execFileSync("bash", ["-c", "rmdir ../work && git worktree add -q ../work"], { cwd: main, stdio: "pipe" });
    const state = () => execFileSync("bash", ["-c", "find .git -type f | sort | xargs sha256sum"], { cwd: main });
    const before = state();
    const told = await workspace.around("echo b > a.txt && echo new > b.txt");
    assert.deepEqual([told.get("a.txt")?.before, told.get("b.txt")?.made], ["a\n", true]);
    assert.deepEqual(state(), before);
  });

  it("looks at every folder of the workspace, one in a repository and one not", async () => {
    workspace = new BaselineWorkspace();
    workspace.write("a.txt", "a\n");
    workspace.git();
    mkdirSync(join(workspace.base, "second"));
    writeFileSync(join(workspace.base, "second", "b.txt"), "b\n");
    workspace.folders.push(join(workspace.base, "second"));
    const lookAgain = await workspace.baseline.before();
    workspace.run("echo c > a.txt && rm ../second/b.txt");
    const { changes, gaps } = await lookAgain();
    assert.deepEqual(
      [changes.map(({ path, after: state }) => [path.slice(workspace.base.length), state === null]).sort(), gaps],
      [
        [
          ["/second/b.txt", true],
          ["/work/a.txt", false],
        ],
        [],
      ],
    );
  });

  it("says of a file of 5 GB that it cannot be put back, without reading it", async () => {
    workspace = new BaselineWorkspace();
    workspace.run("truncate -s 5G big.bin");
    const told = await workspace.around("truncate -s 5000M big.bin");
    assert.match(told.get("big.bin")?.before ?? "", /^unkept: /);
  });

  it("tells apart what somebody touches between a command's end and the look", async () => {
    workspace = new BaselineWorkspace();
    for (const name of ["both", "later", "own"]) workspace.write(`${name}.txt`, "a\n");
    const lookAgain = await workspace.baseline.before();
    workspace.run("echo b > own.txt && echo b > both.txt && echo n > new.txt");
    const { promise: soon, resolve } = Promise.withResolvers<void>();
    const ended = Date.now();
    const looked = lookAgain(soon);
    await eventually("a file system's clock beyond the end", () => {
      workspace.write("../probe", "");
      return statSync(join(workspace.base, "probe")).ctimeMs > ended + 50;
    });
    workspace.run("echo c > both.txt && echo c > later.txt && echo c > theirs.txt");
    resolve();
    assert.deepEqual(rows(workspace.told(await looked)), [
      ["both.txt", "a\n", "unkept", false],
      ["later.txt", "a\n", "unkept", false],
      ["new.txt", "nothing", "file", true],
      ["own.txt", "a\n", "b\n", false],
    ]);
  });

  for (const when of ["before", "by the command"])
    it(`goes on with what Git has where there are many other files, and says so: ${when}`, async () => {
      workspace = new BaselineWorkspace({ mostWalked: 5 });
      workspace.write("z/z/z/tracked.txt", "one\n");
      workspace.git();
      workspace.run("mkdir a; sleep 0.1");
      if (when === "before") workspace.run("touch a/{1..9}");
      const lookAgain = await workspace.baseline.before();
      workspace.run("touch a/{1..9}; echo two > z/z/z/tracked.txt");
      const found = await lookAgain();
      assert.equal(workspace.told(found).get("z/z/z/tracked.txt")?.before, "one\n");
      assert.match(found.gaps.join(), /^\S+ has more than 5 files that Git does not know: not all were looked at\.$/);
    });

  it("keeps a command waiting for a second at most", async () => {
    const clock = new FakeClock(Date.now());
    workspace = new BaselineWorkspace({ maxWaitMs: 1_000, clock });
    workspace.write("a.txt", "a\n");
    const waiting = workspace.baseline.before();
    assert.equal(clock.calls, 2, "no more copies, and no more waiting");
    await clock.advance(1_000);
    const { changes, gaps } = await (await waiting)();
    assert.deepEqual([changes, gaps.length], [[], 1]);
    assert.match(gaps[0] ?? "", /in time/);
  });

  it("copies no more once most of that second is over, and the command begins with what was seen", async () => {
    const clock = new FakeClock(Date.now());
    workspace = new BaselineWorkspace({ maxWaitMs: 1_000, clock });
    workspace.write("a.txt", "a\n");
    const waiting = workspace.baseline.before();
    await clock.advance(800);
    // Times of files are the machine's own.
    clock.set(Date.now());
    const lookAgain = await waiting;
    workspace.run("echo b > a.txt");
    const { changes } = await lookAgain();
    assert.deepEqual(
      changes.map(({ before }) => before?.type),
      ["unkept"],
    );
  });
});

for (const kind of ["in a repository", "outside of one"]) {
  describe(`what a command does to files, ${kind}`, () => {
    let workspace: BaselineWorkspace;
    beforeEach(() => {
      workspace = new BaselineWorkspace();
      for (const name of ["clean", "gone", "moved", "mode", "linked"]) workspace.write(`src/${name}.txt`, `${name}\n`);
      workspace.write(".gitignore", "ignored/\n");
      workspace.write("ignored/mine.txt", "mine\n");
      if (kind === "in a repository") workspace.git();
      workspace.write("src/dirty.txt", "untracked\n");
    });
    afterEach(() => workspace.end());

    it("is told with what stood there before", async () => {
      const told = await workspace.around(
        "cd src && echo b > clean.txt && rm gone.txt && mv moved.txt new.txt && echo more >> dirty.txt && echo c > made.txt && ln -sfn clean.txt linked.txt",
      );
      assert.deepEqual(Object.fromEntries([...told].map(([path, { before }]) => [path, before]).sort()), {
        "src/clean.txt": "clean\n",
        "src/dirty.txt": "untracked\n",
        "src/gone.txt": "gone\n",
        "src/linked.txt": "linked\n",
        "src/made.txt": "nothing",
        "src/moved.txt": "moved\n",
        "src/new.txt": "nothing",
      });
      assert.deepEqual([told.get("src/made.txt")?.made, told.get("src/new.txt")?.made], [true, true]);
      assert.equal(told.get("src/linked.txt")?.after, "-> clean.txt");
    });

    it("leaves out what somebody else changed before it began, though nobody looked in between", async () => {
      await workspace.around("true");
      workspace.write("src/clean.txt", "by a person\n");
      workspace.run("sleep 0.1");
      assert.deepEqual([...(await workspace.around("true")).keys()], []);
    });

    it("never takes what was ignored for something new", async () => {
      // older than a file system's clock is exact
      workspace.run("sleep 0.1");
      workspace.write("ignored/old.txt", "old\n");
      workspace.run("sleep 0.1");
      const told = await workspace.around("echo > .gitignore; touch ignored/mine.txt");
      assert.deepEqual([told.get("ignored/mine.txt")?.made, told.has("ignored/old.txt")], [false, false]);
    });

    it("is told of files whose folder got another name", async () => {
      for (const path of ["a/in/f", "b/in/f", "../out/g", "ignored/in/h"]) workspace.write(path, path);
      workspace.run("sleep 0.1");
      const told = rows(await workspace.around("mv a t && mv b a && mv t b && mv ../out out && mv ignored shown"));
      assert.deepEqual(told, [
        ["a/in/f", "a/in/f", "b/in/f", false],
        ["b/in/f", "b/in/f", "a/in/f", false],
        ["out/g", "nothing", "file", false],
        ["shown/in/h", "nothing", "file", false],
        ["shown/mine.txt", "nothing", "file", false],
      ]);
    });

    it("is not told of a file whose name is no text, and that is said", async () => {
      workspace.run("mkdir d e && echo 1 > d/$'\\xff.txt'");
      workspace.write("e/\ufffd.txt", "named so\n");
      const lookAgain = await workspace.baseline.before();
      workspace.run("echo 2 | tee d/* e/*; echo 3 > d/\ufffd.txt");
      const found = await lookAgain();
      const told = [...workspace.told(found)].map(([path, { before }]) => [path, before]);
      assert.deepEqual(told, [["e/\ufffd.txt", "named so\n"]]);
      assert.match(found.gaps.join(), /^\S+ has files whose names are no text: they were not looked at\.$/);
    });

    it("says what is too large to be kept", async () => {
      workspace.write("src/large.bin", Buffer.alloc(11 * 1024 * 1024));
      const told = await workspace.around("echo x > src/large.bin");
      assert.equal(told.get("src/large.bin")?.before, "unkept: it has more than 10 MB");
    });
  });
}

describe("a baseline in a repository", () => {
  let workspace: BaselineWorkspace;
  beforeEach(() => {
    workspace = new BaselineWorkspace();
  });
  afterEach(() => workspace.end());

  for (const [what, command, made] of [
    ["git init in a new folder", "mkdir app && cd app && git init -q && echo 1 > f", ["app"]],
    ["git init in a folder of tracked files", "cd there && git init -q", []],
    ["a clone", "git clone -q . copy", ["copy"]],
    ["one below another folder", "mkdir -p x/y && git init -q x/y", ["x/y"]],
    ["a folder alone", "mkdir app && echo 1 > app/f", []],
  ] as const)
    it(`says which repositories a command made: ${what}`, async () => {
      workspace.write("there/a.txt", "a");
      workspace.git();
      const lookAgain = await workspace.baseline.before();
      workspace.run(command);
      const { gaps } = await lookAgain();
      const wanted = made.map(
        name => `A command made ${workspace.folder}/${name} a repository of its own: what it put there stays.`,
      );
      assert.deepEqual(gaps, wanted);
    });

  it("ignores what a file beside the repository's folders says, named from its top", async () => {
    workspace.write("in/rules", "*.gen\n");
    workspace.git();
    workspace.run("git config core.excludesFile in/rules");
    workspace.folders.splice(0, 1, join(workspace.folder, "in"));
    const told = await workspace.around("touch in/a.gen in/b");
    assert.deepEqual([...told.keys()], ["in/b"]);
  });

  it("looks into repositories and submodules that lie in it", async () => {
    workspace.write("a.txt", "one\n");
    workspace.git();
    workspace.write("inner/b.txt", "inner\n");
    workspace.run(
      "cd inner && git init -q && git config user.email a@b && git config user.name n && git add -A && git commit -qm one",
    );
    const told = await workspace.around("echo x > inner/b.txt");
    assert.equal(told.get("inner/b.txt")?.before, "inner\n");
    assert.equal(told.size, 1);
  });
});
