/** The second attack on what runs unasked and without a sandbox: each case as it was tried, decided on a real disk and run for real. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { temporaryFolder } from "../fakes/temporary";
import { asks, runs as harmless } from "./unaskedCases";
import { UnaskedRuns } from "./unaskedRuns";

const lines = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map(line => line.replaceAll("␊", "\n"));

describe("attack 23, once more: what runs unasked without a sandbox", function () {
  this.timeout(120_000);
  before(function () {
    if (process.platform === "win32") this.skip();
  });

  it("is none of what was tried", async () => {
    const runs = new UnaskedRuns(temporaryFolder("unasked"));
    const wrong: string[] = [];
    for (const command of lines(asks))
      if ((await runs.decided(command)).verdict.decision === "allow") wrong.push(command);
    assert.deepEqual(wrong, []);
    assert.ok(lines(asks).length > 200);
  });

  it("does nothing else where it does run", async () => {
    const runs = new UnaskedRuns(temporaryFolder("unasked"));
    for (const command of lines(harmless)) {
      const { verdict, facts } = await runs.decided(command);
      assert.equal(verdict.by, "reads", `${command}: ${verdict.reason}`);
      assert.equal((await runs.run([{ command, facts }])).harm, "", command);
    }
  });

  it("gets no variable that makes a program do something beside", async () => {
    const base = temporaryFolder("unasked");
    const evil = join(base, "evil.sh");
    const made = join(base, "made");
    writeFileSync(evil, `#!/bin/sh\n: > '${made}'\n`, { mode: 0o755 });
    const variables: Record<string, string> = {
      ...{
        GIT_TRACE: made,
        GIT_TRACE2_EVENT: made,
        GIT_TRACE_PERFORMANCE: made,
        GIT_EXTERNAL_DIFF: evil,
        GIT_EXEC_PATH: base,
      },
      ...{ GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${evil}'`, GIT_DIR: join(base, "ws/.git"), GIT_WORK_TREE: base },
      ...{
        GIT_ALTERNATE_OBJECT_DIRECTORIES: base,
        NODE_V8_COVERAGE: made,
        NODE_COMPILE_CACHE: made,
        NODE_OPTIONS: "-r ./evil",
      },
      ...{
        PERLLIB: ".",
        PERL5LIB: ".",
        PERL5DB: "BEGIN { die }",
        PERL5OPT: "-d",
        PYTHONPATH: ".",
        RUBYOPT: "-r./evil",
      },
      ...{
        BASH_ENV: evil,
        ENV: evil,
        "BASH_FUNC_ls%%": `() { . '${evil}'; }`,
        SHELLOPTS: "xtrace",
        PS4: `$(. '${evil}')`,
      },
      ...{
        CDPATH: base,
        EXECIGNORE: "*",
        MAGIC: "./magic",
        UNZIP: "-p",
        UNZIPOPT: "-p",
        TAR_OPTIONS: `--to-command=${evil}`,
      },
      ...{
        GREP_OPTIONS: "-f x",
        RIPGREP_CONFIG_PATH: "./rc",
        JQ_LIBRARY_PATH: ".",
        LESSOPEN: `|${evil}`,
        MANPATH: ".",
        GCONV_PATH: ".",
      },
      ...{ LD_PRELOAD: "./evil.so", LD_AUDIT: "./evil.so", DYLD_INSERT_LIBRARIES: "./evil.so", PWD: "/", OLDPWD: "/" },
    };
    const runs = new UnaskedRuns(join(base, "of"), {}, { ...variables, LD_LIBRARY_PATH: `${base}::.:${base}/of/ws` });
    runs.look();
    for (const command of ["git status", "ls", "git log -1", "ls src", "grep -n x src/a.ts"]) {
      const { verdict, facts } = await runs.decided(command);
      assert.equal(verdict.by, "reads", command);
      assert.equal((await runs.run([{ command, facts }])).harm, "", command);
      assert.equal(existsSync(made), false, command);
    }
    // `env` itself asks: here it tells what the others get.
    const { facts } = await runs.decided("ls");
    const { out } = await runs.run([{ command: "env -0 | tr '\\0' '\\n'", facts }]);
    // The shell sets `PWD` itself, to where it is.
    const given = Object.keys(variables).filter(
      name => name !== "PWD" && out.split("\n").some(line => line.startsWith(`${name}=`)),
    );
    assert.deepEqual(given, []);
    assert.match(out, new RegExp(`^LD_LIBRARY_PATH=${base}$`, "m"));
    assert.match(out, new RegExp(`^PWD=${runs.root}$`, "m"));
  });

  it("is no program of the workspace by a link, nor one of a version manager", async () => {
    const base = temporaryFolder("unasked");
    const bin = join(base, "bin");
    const shims = join(base, "shims");
    for (const folder of [bin, shims, join(base, "volta")]) mkdirSync(folder, { recursive: true });
    const runs = new UnaskedRuns(join(base, "of"), {}, { PATH: [bin, shims, process.env.PATH].join(delimiter) });
    runs.put("tools/ninja", "#!/bin/sh\n: > made\n", 0o755);
    symlinkSync(join(runs.root, "tools/ninja"), join(bin, "ninja"));
    writeFileSync(join(shims, "python"), "#!/bin/sh\necho shim\n", { mode: 0o755 });
    writeFileSync(join(base, "volta/volta-shim"), "#!/bin/sh\necho shim\n", { mode: 0o755 });
    symlinkSync(join(base, "volta/volta-shim"), join(bin, "bun"));
    const why = async (command: string) => (await runs.decided(command)).verdict.reason ?? "";
    assert.match(await why("ls && ninja --version"), /^starts `ninja`, which is a file of the workspace$/);
    assert.match(
      await why("python --version"),
      /^starts `python`, of which the workspace may say which program that is$/,
    );
    assert.match(await why("bun --version"), /^starts `bun`, of which/);
    assert.equal(await why("ls && cmake --version"), "");
    assert.equal((await runs.decided("ninja --version", "auto", "offline")).verdict.by, "sandbox");
  });
});

describe("attack 23, once more: what Git reads unasked without a sandbox", function () {
  this.timeout(120_000);
  let base: string;
  let runs: UnaskedRuns;
  const other = () => join(base, "other");
  const git = (cwd: string, ...args: string[]) => {
    const person = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
    return execFileSync("git", [...person, ...args], { cwd, encoding: "utf8", stdio: "pipe" }).trim();
  };

  beforeEach(function () {
    if (process.platform === "win32") this.skip();
    base = temporaryFolder("unasked");
    mkdirSync(other());
    git(other(), "init", "-q");
    writeFileSync(join(other(), "f.txt"), "OUTSIDE-TEXT\n");
    git(other(), "add", "-A");
    git(other(), "commit", "-qm", "OUTSIDE-TEXT");
    runs = new UnaskedRuns(join(base, "of"), {});
  });

  const decision = async (command: string) => {
    const { verdict } = await runs.decided(command);
    return `${verdict.decision} ${verdict.reason ?? ""}`.trim();
  };

  for (const [name, make] of Object.entries<(dot: string) => void>({
    "a `.git` file": dot => writeFileSync(dot, `gitdir: ${other()}/.git\n`),
    "a link": dot => symlinkSync(join(other(), ".git"), dot),
    "`commondir`": dot => {
      git(dirname(dot), "init", "-q");
      writeFileSync(join(dot, "commondir"), `${other()}/.git\n`);
    },
    alternates: dot => {
      git(dirname(dot), "init", "-q");
      writeFileSync(join(dot, "objects/info/alternates"), `${other()}/.git/objects\n`);
    },
    "a link to its objects": dot => {
      git(dirname(dot), "init", "-q");
      rmSync(join(dot, "objects"), { recursive: true });
      symlinkSync(join(other(), ".git/objects"), join(dot, "objects"));
    },
  }))
    it(`is not another repository by ${name}`, async () => {
      rmSync(join(runs.root, ".git"), { recursive: true });
      make(join(runs.root, ".git"));
      for (const command of ["git log -1", "git status", "cd src && git log", "git -C src log"])
        assert.match(await decision(command), /^ask reads the Git repository .*other\/\.git/, command);
    });

  it("is a worktree's and a submodule's own", async () => {
    git(runs.root, "submodule", "add", "-q", other(), "sub");
    git(other(), "worktree", "add", "-q", join(runs.root, "tree"));
    for (const command of ["git log -1", "cd sub && git log -1", "git -C tree status"])
      assert.equal(await decision(command), "allow", command);
  });

  it("is no file of a repository around the workspace", async () => {
    const around = join(base, "around");
    mkdirSync(join(around, "ws"), { recursive: true });
    git(around, "init", "-q");
    const inside = new UnaskedRuns(around, {});
    rmSync(join(inside.root, ".git"), { recursive: true });
    const at = async (command: string) => (await inside.decided(command)).verdict.reason ?? "";
    for (const command of [
      "git diff",
      "git show HEAD",
      "git log -p",
      "git show HEAD:f.txt",
      "git diff -- :/",
      "git stash show",
    ])
      assert.match(await at(command), /outside the workspace$/, command);
    for (const command of ["git status", "git log -3", "git log -p -- src/a.ts", "git blame src/a.ts"])
      assert.equal(await at(command), "", command);
  });

  it("is nothing of what was committed once, in folders that may have held what is protected", async () => {
    for (const path of [".env", "src/prod.env"]) rmSync(join(runs.root, path));
    const shows = [
      "git show HEAD",
      "git log -p -- src",
      "git diff HEAD -- src",
      "cd src && git diff",
      "git grep x HEAD -- src",
    ];
    for (const command of [...shows, "git grep --cached x -- src", "git diff --stat -p"])
      assert.match(await decision(command), /^ask may show what protected files below .* held before$/, command);
    for (const command of [
      "git diff --stat",
      "git log -p -- src/a.ts",
      "git grep x -- src",
      "git diff --name-only HEAD",
    ])
      assert.equal(await decision(command), "allow", command);
  });

  it("is what a rule forbids where that is named from the top", async () => {
    const denying = new UnaskedRuns(join(base, "denying"));
    const decided = async (command: string, confined?: "offline") =>
      (await denying.decided(command, "auto", confined)).verdict.decision;
    for (const confined of [undefined, "offline"] as const)
      for (const command of [
        ...["cd src && git show HEAD:secret/a", "git -C src show HEAD:secret/a", "cd src && git log -p -- :/secret/a"],
        ...["cd src && git diff -- ':(top)secret/a'", "cd src && git blame ../secret/a"],
      ])
        assert.equal(await decided(command, confined), "deny", command);
  });
});
