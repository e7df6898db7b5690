/** A repository with every trap armed: with Git disarmed no reading command springs one, without it they do. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ShellRun } from "../../src/core/ground/ports";
import { NO_SANDBOX } from "../../src/core/ground/ports/shell";
import { holdsSecret } from "../../src/core/secrets/shapes";
import { NodeShell } from "../../src/node/shell/shell";
import { eventually } from "../fakes/eventually";
import { putFile, temporaryFolder } from "../fakes/temporary";
import { InSandbox, requireSandbox } from "./sandbox/inSandbox";

const PERSON = {
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" },
  ...{ GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.abbrev", GIT_CONFIG_VALUE_0: "12" },
};

/** What the strict language and its older brother call reading, in the forms that start most. */
const READING = [
  ...["status", "status --short --ignored", "status -uall --porcelain=v2 --branch --show-stash"],
  ...["log", "log -p", "log -p -m --stat", "log --cc -p", "log --format='%G? %GS %s'", "log -L1,1:a.txt"],
  ...["log --all --graph --decorate", "log -S one -p", "log --follow -p -- a.txt", "log -g"],
  ...["diff", "diff --cached", "diff HEAD", "diff --stat", "diff --submodule", "diff HEAD~1 HEAD", "diff --word-diff"],
  ...[
    "show",
    "show SIGNED",
    "show HEAD:a.txt",
    "show --stat HEAD",
    "show MERGED",
    "whatchanged -p",
    "shortlog -s HEAD",
  ],
  ...["rev-parse HEAD", "rev-list --count --all", "rev-list --objects HEAD"],
  ...["ls-files", "ls-files -m", "ls-files -o --exclude-standard", "ls-files -s --eol", "ls-tree -r HEAD"],
  ...["blame a.txt", "blame -C -C a.txt", "describe --always --dirty", "cat-file -p HEAD:a.txt", "cat-file -t HEAD"],
  ...["name-rev HEAD", "merge-base HEAD HEAD~1", "for-each-ref --format='%(refname) %(contents)'", "show-ref --head"],
  ...["check-ignore -v a.txt", "check-attr -a a.txt", "count-objects -v"],
  ...["diff-tree -p HEAD", "diff-index -p HEAD", "diff-files -p", "grep -n one", "grep one HEAD"],
  ...["worktree list", "stash list -p", "stash show -p", "stash show --include-untracked", "remote -v"],
  ...["remote get-url origin", "reflog", "branch -avv", "branch --merged", "tag -n", "tag --contains HEAD"],
  ...["config --get core.pager", "submodule status", "submodule status --recursive", "symbolic-ref HEAD"],
  ...["var GIT_AUTHOR_IDENT", "notes list", "bisect log"],
];

/** What none of them is rid of without the environment: else the traps would prove nothing. */
const SPRUNG = [
  ...["fsmonitor", "post-index-change", "clean", "command", "external", "textconv", "gpg", "driver", "sub-fsmonitor"],
  "sub-clean",
];

describe("attack 23: Git reads in a repository that names programs", function () {
  this.timeout(120_000);
  let base: string;
  let folder: string;
  let shell: NodeShell;
  let signed: string;
  let merged: string;
  const env = () => ({ ...process.env, ...PERSON, HOME: join(base, "home") });
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe", env: { ...env(), GIT_ALLOW_PROTOCOL: "file" } });
  const write = (path: string, text: string) => putFile(join(base, path), text);
  /** It says that it ran, and then does what was wanted of it. */
  const program = (name: string, does = "cat") => {
    write(`traps/${name}`, `#!/bin/sh\necho ${name} >> '${base}/ran'\n${does}\n`);
    chmodSync(join(base, "traps", name), 0o755);
    return join(base, "traps", name);
  };
  const sprung = () => {
    try {
      return [...new Set(readFileSync(join(base, "ran"), "utf8").split("\n").filter(Boolean))];
    } catch {
      return [];
    } finally {
      rmSync(join(base, "ran"), { force: true });
    }
  };
  const run = async (command: string, more: Partial<ShellRun> = {}) => {
    let out = "";
    const ran = await shell.run({
      ...{ command, cwd: folder, sandbox: NO_SANDBOX, timeoutMs: 60_000, signal: new AbortController().signal },
      onOutput: (_, chunk) => {
        out += Buffer.from(chunk);
      },
      ...more,
    });
    return { ...ran, out };
  };
  const set = (cwd: string, settings: Record<string, string>) => {
    for (const [key, value] of Object.entries(settings)) git(cwd, "config", key, value);
  };
  const commit = (cwd: string) => {
    git(cwd, "add", "-A");
    git(cwd, "commit", "-qm", "x");
  };

  before(function () {
    if (process.platform === "win32") this.skip();
    base = temporaryFolder("armed");
    folder = join(base, "work");
    write("home/.gitconfig", "[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n");
    write("inner/a.txt", "one\n");
    git(join(base, "inner"), "init", "-q");
    commit(join(base, "inner"));
    write("work/a.txt", "one\n");
    write("work/b.md", "one\n");
    git(folder, "init", "-q");
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", join(base, "inner"), "sub");
    commit(folder);
    git(folder, "checkout", "-qb", "side");
    write("work/a.txt", "side\n");
    commit(folder);
    git(folder, "checkout", "-q", "main");
    write("work/a.txt", "main\n");
    commit(folder);
    try {
      git(folder, "merge", "-q", "side");
    } catch {
      write("work/a.txt", "both\n");
    }
    commit(folder);
    merged = git(folder, "rev-parse", "HEAD").trim();
    write("work/a.txt", "stashed\n");
    git(folder, "stash", "-q");
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----";
    const input = git(folder, "cat-file", "commit", "HEAD").replace("\n\n", `\n${signature}\n\n`);
    const options = { cwd: folder, input, encoding: "utf8" as const };
    signed = execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], options).trim();
    git(folder, "update-ref", "refs/heads/signed", signed);
    arm();
    shell = new NodeShell({ env: env() });
  });

  function arm(): void {
    write("work/.git/info/attributes", "*.txt diff=evil\n* filter=evil merge=evil\n");
    write("work/.gitattributes", "* filter=other\n");
    set(folder, {
      ...{ "core.fsmonitor": program("fsmonitor", ""), "core.hooksPath": join(base, "traps") },
      ...{ "core.pager": program("pager"), "pager.log": program("pager-log"), "core.editor": program("editor") },
      ...{ "core.sshCommand": program("ssh"), "core.askPass": program("ask"), "credential.helper": program("helper") },
      ...{ "core.alternateRefsCommand": program("alternates"), "diff.external": program("external", "") },
      ...{ "diff.evil.command": program("command", ""), "diff.evil.textconv": program("textconv", 'cat "$1"') },
      ...{ "diff.evil.cachetextconv": "true", "filter.evil.clean": program("clean") },
      ...{ "filter.evil.smudge": program("smudge"), "filter.evil.required": "true" },
      ...{ "merge.evil.driver": program("driver", "exit 1"), "log.diffMerges": "remerge", "log.showSignature": "true" },
      ...{ "gpg.program": program("gpg"), "gpg.ssh.program": program("gpg"), "diff.submodule": "diff" },
      ...{ "submodule.sub.update": `!${program("update")}`, "submodule.sub.ignore": "none" },
      ...{
        "submodule.recurse": "true",
        "status.submoduleSummary": "true",
        "alias.whatchanged": `!${program("alias")}`,
      },
      ...{ "uploadpack.packObjectsHook": program("pack"), "trailer.x.command": program("trailer") },
      ...{ "trace2.eventTarget": join(base, "ran"), "remote.origin.url": `ext::${program("ext")}` },
      ...{ "interactive.diffFilter": program("interactive"), "hook.evil.command": program("hook") },
      ...{ "include.path": "more", "extensions.worktreeConfig": "true", "core.untrackedCache": "true" },
    });
    write("work/.git/more", `[filter "a=b.evil"]\n\tclean = ${program("included")}\n`);
    git(folder, "config", "--worktree", "filter.other.process", program("process"));
    program("post-index-change");
    const sub = join(folder, "sub");
    set(sub, { "core.fsmonitor": program("sub-fsmonitor", ""), "filter.evil.clean": program("sub-clean") });
    write("work/sub/.gitattributes", "* filter=evil\n");
    write("work/sub/a.txt", "two\n");
    sprung();
  }

  /** The index is as young as the files are: Git has to look at what they hold. */
  const changeFiles = () => {
    for (const [path, text] of [
      ["work/a.txt", "two\n"],
      ["work/b.md", "two\n"],
    ] as const)
      write(path, text);
  };
  const named = (command: string) => `git ${command.replace("SIGNED", signed).replace("MERGED", merged)}`;

  it("without the environment the traps spring", async () => {
    const found = new Set<string>();
    for (const command of ["status", "diff", "log -p -m", "log -p side", "show SIGNED", "describe --dirty --always"]) {
      changeFiles();
      await run(named(command));
      for (const name of sprung()) found.add(name);
    }
    const quiet = SPRUNG.filter(name => !found.has(name));
    assert.deepEqual(quiet, [], `sprang: ${[...found].join(" ")}`);
  });

  it("with it none does, whatever reads", async () => {
    const found: string[] = [];
    for (const command of READING) {
      changeFiles();
      const { out } = await run(named(command), { disarmsGit: [] });
      const names = sprung();
      if (names.length > 0) found.push(`${command}: ${names.join(" ")}`);
      assert.doesNotMatch(out, /dubious|bogus|missing environment|external diff died|unable to read files/, command);
    }
    assert.deepEqual(found, []);
  });

  it("what is read is what is there", async () => {
    changeFiles();
    const disarmsGit: string[] = [];
    assert.match((await run("git status --short", { disarmsGit })).out, /^ M a\.txt\n M b\.md\n/m);
    assert.match((await run("git log -p -1 side", { disarmsGit })).out, /^-one\n\+side$/m);
    assert.match(
      (await run("git diff", { disarmsGit })).out,
      /^a\.txt: the program that shows how it differs was not/m,
    );
    assert.match(
      (await run("git log -1 --format=%h", { disarmsGit })).out,
      /^[0-9a-f]{12}\n$/,
      "the person's own count",
    );
    mkdirSync(join(folder, "below"), { recursive: true });
    const below = await run("git status --short .", { disarmsGit, cwd: join(folder, "below") });
    assert.deepEqual([below.exitCode, below.out], [0, ""]);
    assert.deepEqual(sprung(), []);
  });

  it("another repository is refused, but for one that is named; a bare one and one with its files elsewhere always", async () => {
    const [sub, other] = [join(folder, "sub"), join(folder, "other")];
    const refused = await run("git -C sub status --short", { disarmsGit: [] });
    assert.match(refused.out, /dubious ownership/);
    const { out, exitCode } = await run("git -C sub status --short", { disarmsGit: [sub] });
    assert.deepEqual([out, exitCode], [" M a.txt\n?? .gitattributes\n", 0]);
    git(base, "init", "-q", "--bare", "work/bare.git");
    set(join(folder, "bare.git"), { "core.fsmonitor": program("fsmonitor") });
    assert.match((await run("git log", { disarmsGit: [], cwd: join(folder, "bare.git") })).out, /bare repository/);
    git(base, "init", "-q", "work/other");
    set(other, { "core.worktree": join(base, "home") });
    assert.match((await run("git status", { disarmsGit: [other], cwd: other })).out, /dubious ownership/);
    assert.deepEqual(sprung(), []);
  });

  it("the person's own programs stay, also where a repository sets others in their place", async () => {
    write("home/.gitconfig", `[filter "evil"]\n\tclean = ${program("persons")}\n[safe]\n\tdirectory = *\n`);
    changeFiles();
    await run("git status", { disarmsGit: [] });
    assert.deepEqual(sprung(), ["persons"]);
    write("home/.gitconfig", "");
  });

  it("nothing is fetched that a repository left out", async () => {
    const object = git(folder, "rev-parse", "HEAD:b.md").trim();
    rmSync(join(folder, ".git/objects", object.slice(0, 2), object.slice(2)));
    set(folder, { "core.repositoryformatversion": "1", "extensions.partialClone": "origin" });
    set(folder, { "remote.origin.promisor": "true", "protocol.ext.allow": "always", "protocol.allow": "always" });
    // Git waits for an answer of the program.
    const stop = new AbortController();
    const waiting = run("git show HEAD:b.md", { signal: stop.signal });
    // A shell makes the file before it writes into it.
    const ran = join(base, "ran");
    await eventually("the trap springs", () => existsSync(ran) && readFileSync(ran, "utf8").endsWith("\n"));
    stop.abort();
    await waiting;
    assert.deepEqual(sprung(), ["ext"]);
    const { out } = await run("git show HEAD:b.md", { disarmsGit: [] });
    assert.match(out, /promisor|not allowed|fetch/);
    assert.deepEqual(sprung(), []);
  });

  it("in the sandbox too: what has a fixed name is not started", async function () {
    await requireSandbox(this);
    const box = new InSandbox({ shell: { looksSecret: holdsSecret } });
    try {
      await box.outside("git init -q && git config core.fsmonitor 'echo x >> ran; :'");
      assert.match((await box.run("git status", { disarmsGit: [] })).out, /No commits yet/);
      assert.match((await box.run("cat ran")).out, /No such file/);
      await box.run("git status");
      assert.match((await box.run("cat ran")).out, /^x$/m);
    } finally {
      await box.close();
    }
  });
});
