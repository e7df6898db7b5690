/** The second attack on the sandbox: each class of what had an effect, with the cases that were tried. Many share one run. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { NodeRules } from "../../src/node/rules";
import { WorkspaceScan } from "../../src/node/sandbox/workspaceScan";
import { madeByCommand } from "../../src/shared/obeyedFiles";
import { InSandbox, needsSandbox } from "../node/sandbox/inSandbox";

const AS = "git -c user.name=n -c user.email=e@example.com";

describe("attack 23: in the sandbox, with fresh eyes", function () {
  needsSandbox(this);
  let box: InSandbox;
  afterEach(() => box?.close());

  const path = (name: string) => join(box.root, name);
  const has = (name: string) => existsSync(path(name));
  const rules = () =>
    new NodeRules({
      ...{ roots: () => [{ name: "ws", path: box.root, uri: `file://${box.root}` }] },
      ...{ configDir: join(box.base, "config"), trusted: () => true, protectedBecause: () => undefined },
      madeByCommand: file => box.sandbox.mayHaveMade(file),
      logger: { log: () => undefined },
    });
  const task = async (command: string) => {
    const begun = Promise.withResolvers<void>();
    const stop = new AbortController();
    const onOutput = () => begun.resolve();
    const running = box.long(`${command}; echo up; sleep 60`, { signal: stop.signal, onOutput });
    await Promise.race([begun.promise, running]);
    return () => {
      stop.abort();
      return running;
    };
  };
  /** What a person's Git starts in these folders: each of these would make the file `fired`. */
  const fired = (folders: readonly string[], home = box.home): boolean => {
    const env = { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: "1", GIT_OPTIONAL_LOCKS: "0" };
    const as = ["-c", "user.name=n", "-c", "user.email=e@example.com"];
    for (const folder of folders.filter(has))
      for (const args of [["status"], ["commit", "-q", "--allow-empty", "-m", "x"]])
        try {
          execFileSync("git", [...as, ...args], { cwd: path(folder), env, stdio: "ignore", timeout: 5000 });
        } catch {
          // no repository any more
        }
    return existsSync(join(box.base, "fired"));
  };
  const evil = (key = "fsmonitor") =>
    `[core]\\n\\trepositoryformatversion = 0\\n\\t${key} = touch ${box.base}/fired;\\n`;
  const hook = (name: string) => `printf '#!/bin/sh\\ntouch ${box.base}/fired\\n' > ${name}; chmod +x ${name}`;

  it("folders that hold what is obeyed, moved to where it counts: put aside and told", async () => {
    const there = {
      "node_modules/p/AGENTS.md": "EVIL",
      "vendor/t/.github/workflows/x.yml": "EVIL",
      "examples/t/.gitlab/agents/x.yml": "EVIL",
      "held/AGENTS.md": "ours",
      "node_modules/q/AGENTS.md": "EVIL",
      "theirs/prompts/a.prompt.md": "EVIL",
    };
    box = new InSandbox({ files: there });
    const ran = await box.run(
      "mv node_modules/p sub; mv vendor/t/.github .github; mv examples/t/.gitlab .gitlab; mv held was; mv node_modules/q held",
    );
    const made = ["sub/AGENTS.md", ".github/workflows", ".gitlab/agents", "held/AGENTS.md"];
    assert.deepEqual(ran.refused?.map(each => each.path).sort(), made.map(path).sort(), ran.out);
    assert.deepEqual(made.filter(has), []);
    assert.equal(readFileSync(path("was/AGENTS.md"), "utf8"), "ours", "what was only renamed stays");
    await box.run("rmdir .github; ln -s theirs .github");
    assert.equal(has(".github"), false, "a link to a folder of such files");
  });

  it("a task in the background renames the folder of a rules file: its own is not obeyed", async () => {
    box = new InSandbox({ files: { "sub/AGENTS.md": "ours\n", "sub/a.ts": "" } });
    const stop = await task("mv sub was; mkdir sub; echo EVIL > sub/AGENTS.md");
    const at = async (name: string) => (await rules().nested({ absolute: path(name) })).map(({ text }) => text);
    assert.deepEqual([await at("sub/a.ts"), await at("was/a.ts")], [[""], ["ours\n"]]);
    await stop();
  });

  it("a link with the same text, which leads to another folder: put aside and told", async () => {
    for (const link of ["ln -s conf sub/.claude", "mkdir sub/.claude"]) {
      box = new InSandbox({ files: { "sub/conf/settings.json": "{}" } });
      symlinkSync("conf", path("sub/.claude"));
      const ran = await box.run(`mv sub sub2; mkdir -p sub/conf; ${link}; echo evil > sub/conf/settings.json`);
      assert.deepEqual([ran.refused?.at(-1)?.path, has("sub/.claude")], [path("sub/.claude"), false], ran.out);
      await box.close();
    }
  });

  it("a task in the background changes such a link: it is ended long before the next look at all", async () => {
    box = new InSandbox({ files: { "one/x": "", "two/x": "" } });
    symlinkSync("one", path(".vscode"));
    const { look } = WorkspaceScan.prototype;
    WorkspaceScan.prototype.look = function (...args) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      return look.apply(this, args);
    };
    const ran = await box.long("sleep 1; ln -sfn two .vscode; sleep 2; echo went on", {}).finally(() => {
      WorkspaceScan.prototype.look = look;
    });
    assert.deepEqual([ran.ended, ran.out], ["refused", ""]);
  });

  it("of more rules files than are held: what a command changed is told", async () => {
    box = new InSandbox({
      files: Object.fromEntries(Array.from({ length: 310 }, (_, at) => [`p${at}/AGENTS.md`, "x"])),
    });
    const ran = await box.run("for f in p*/AGENTS.md; do echo y >> $f; done 2>/dev/null; :");
    assert.equal(ran.refused?.length, 10, JSON.stringify(ran.refused));
    assert.ok(ran.refused.every(({ path: file }) => box.sandbox.mayHaveMade(file)));
  });

  it("a rules file with a second name: what is written by that one is told, and not obeyed", async () => {
    box = new InSandbox({ files: { "a.md": "ours", "sub/x": "" } });
    linkSync(path("a.md"), path("sub/AGENTS.md"));
    const ran = await box.run("echo EVIL > a.md");
    assert.equal(ran.refused?.[0]?.path, path("sub/AGENTS.md"));
    const found = await rules().nested({ absolute: path("sub/x") });
    assert.deepEqual(
      found.map(({ text, problem }) => [text, problem]),
      [["", `${madeByCommand()}.`]],
    );
  });

  it("repositories that are harmless at first, and armed by a later command", async () => {
    box = new InSandbox();
    await box.outside("git init -q -b main");
    const steps: Record<string, readonly [string, string]> = {
      "a file that leads into .git": ["git init -q --separate-git-dir .git/x a", `printf '${evil()}' > .git/x/config`],
      "into its objects": ["git init -q --separate-git-dir .git/refs/x b", `printf '${evil()}' > .git/refs/x/config`],
      "to what is not there": [
        "mkdir c; echo 'gitdir: ../.git/y' > c/.git",
        `git init -q y; printf '${evil()}' > y/.git/config; mv y/.git .git/y`,
      ],
      "by commondir": [
        "git init -q d; git init -q --separate-git-dir .git/z o; mkdir g; mv d/.git g/g; echo ../../.git/z > g/g/commondir; echo 'gitdir: ../g/g' > d/.git",
        `printf '${evil()}' > .git/z/config`,
      ],
      "hooks that are a link": [
        "git init -q e; rm -rf e/.git/hooks; ln -s ../../hk e/.git/hooks",
        `mkdir hk; ${hook("hk/pre-commit")}`,
      ],
      "settings under a second name": ["git init -q f; ln f/.git/config cfg", `printf '${evil()}' > cfg`],
      "settings that include": ["git init -q h; git -C h config include.path ../../inc", `printf '${evil()}' > inc`],
      "a pipe in them": ["git init -q i; mkfifo i/.git/commondir", ":"],
      "settings without an end": ["git init -q j; head -c 3000000 /dev/zero | tr '\\0' '#' >> j/.git/config", ":"],
    };
    const commands = Object.values(steps);
    await box.run(commands.map(([first]) => first).join("\n"));
    const second = await box.run(commands.map(([, then]) => then).join("\n"));
    assert.equal(fired(["a", "b", "c", "d", "e", "f", "h", "j"]), false, JSON.stringify(second));
    assert.deepEqual(
      ["a", "b", "c", "d", "e", "f", "h", "i", "j"].filter(name => has(`${name}/.git`)),
      [],
    );
    assert.equal((await box.run("echo fine")).out, "fine\n");
  });

  it("the same by a task in the background", async () => {
    box = new InSandbox();
    await box.outside("git init -q -b main");
    await box.outside("git init -q --separate-git-dir .git/x a");
    const stop = await task(`printf '${evil()}' > .git/x/config`);
    await box.run(":");
    assert.equal(has("a/.git"), false);
    assert.equal((await stop()).refused?.[0]?.path, path("a/.git"));
  });

  describe("what settings of Git name in the workspace, the person's too", () => {
    for (const [what, { files = {}, home = {}, set, command, at }] of Object.entries<{
      files?: Record<string, string>;
      home?: Record<string, string>;
      set: string;
      command(): string;
      /** where it would be; absent: it is there, and stays */
      at?: string;
    }>({
      "hooks that are not there": {
        set: "git config core.hooksPath tools/hk",
        command: () => `mkdir -p tools/hk; ${hook("tools/hk/pre-commit")}; sleep 1`,
        at: "tools/hk",
      },
      "hooks whose folder is renamed": {
        files: { "tools/hk/x": "" },
        set: "git config core.hooksPath tools/hk",
        command: () => `mv tools t; mkdir -p tools/hk; ${hook("tools/hk/pre-commit")}`,
      },
      "hooks that the person's own settings name": {
        home: { ".gitconfig": "[core]\n\thooksPath = hk\n" },
        set: ":",
        command: () => `mkdir hk; ${hook("hk/pre-commit")}`,
        at: "hk",
      },
      "hooks that are a link to nothing": {
        set: "rm -rf .git/hooks; ln -s ../hk .git/hooks",
        command: () => `mkdir hk; ${hook("hk/pre-commit")}`,
        at: "hk",
      },
      "a hook that is a link": {
        files: { "s/pc": "" },
        set: "ln -s ../../s/pc .git/hooks/pre-commit; chmod +x s/pc",
        command: () => `mv s t; mkdir s; ${hook("s/pc")}`,
      },
      "included, not there": {
        set: "git config include.path ../inc",
        command: () => `printf '${evil()}' > inc`,
        at: "inc",
      },
      "included on one line": {
        files: { inc: "" },
        set: "printf '[include] path = ../inc\\n' >> .git/config",
        command: () => `printf '${evil()}' > inc`,
      },
      "included by what is included": {
        files: { one: "[include]\n\tpath = d/two\n", "d/two": "" },
        set: "git config include.path ../one",
        command: () => `mv d e; mkdir d; printf '${evil()}' > d/two`,
      },
      "a program": {
        files: { "tools/fs": "#!/bin/sh\n" },
        set: "chmod +x tools/fs; git config core.fsmonitor tools/fs",
        command: () => hook("tools/fs"),
      },
    }))
      it(what, async () => {
        box = new InSandbox({ files, home });
        await box.outside(`git init -q -b main; ${set}`);
        const ran = await box.run(command());
        assert.equal(fired(["."]), false, JSON.stringify(ran));
        if (at !== undefined)
          assert.deepEqual([ran.refused?.[0]?.path, ran.exitCode], [path(at), 0], JSON.stringify(ran));
        else assert.match(ran.out, /Read-only file system|busy/);
      });
  });

  it("keys and credentials of the workspace: hidden, but for what its repository has, and no certificate", async () => {
    const pem = (what: string) => `-----BEGIN ${what}-----\nU0VDUkVU\n-----END ${what}-----\n`;
    const secret = {
      ...{
        "certs/server.key": "SECRET",
        "a/b/id_rsa": "SECRET",
        "own/priv.pem": `SECRET${pem("PRIVATE KEY")}`,
        ".ssh/id": "SECRET",
      },
      ...{
        ".aws/credentials": "SECRET",
        "sub/.netrc": "SECRET",
        kubeconfig: "SECRET",
        "prod.env~": "SECRET",
        "x.p12.bak": "SECRET",
      },
      ...{
        ".docker/config.json": "SECRET",
        ".certs/deep/x.key": "SECRET",
        ".npmrc": "//r/:_authToken=SECRET\nsave-exact=true\n",
      },
    };
    const shown = {
      ...{
        "a/id_rsa.pub": "SHOWN",
        "ca.pem": `SHOWN${pem("CERTIFICATE")}`,
        ".venv/cacert.pem": `SHOWN${pem("CERTIFICATE")}`,
      },
      ...{ "node_modules/x/test.key": "SHOWN", "tests/fix.key": "SHOWN", ".env.example": "SHOWN" },
    };
    box = new InSandbox({ files: { ...secret, ...shown }, home: { x: "" } });
    for (const name of ["ssh", "gnupg"]) {
      mkdirSync(path(`dot/${name}/sub`), { recursive: true });
      writeFileSync(path(`dot/${name}/sub/any`), "SECRET");
      symlinkSync(path(`dot/${name}`), join(box.home, `.${name}`));
    }
    await box.outside(`git init -q -b main; git add tests; ${AS} commit -qm x; ln a/b/id_rsa a/other`);
    for (const access of ["read", "write"] as const) {
      const inside = new InSandbox({ at: box, access });
      // An index that names other bytes than the file's shows nothing: who does not know them cannot name them.
      await inside.run(
        "git update-index --add --cacheinfo 100644,$(git rev-parse HEAD:tests/fix.key),certs/server.key",
      );
      mkdirSync(path(`.new-${access}`));
      writeFileSync(path(`.new-${access}/.env`), "SECRET");
      const { out } = await inside.run(
        "grep -rs SECRET .; cat .npmrc; npm config get save-exact; grep -rlsZ SHOWN . | tr -dc '\\0' | wc -c",
      );
      await inside.sandbox.close();
      assert.doesNotMatch(out, /SECRET/);
      assert.match(out, new RegExp(`save-exact=true\\n(?:\\S+ )*true\\n${Object.keys(shown).length}\\n`), access);
    }
  });

  it("sockets that a program of the person's opened by a short name, or that were renamed", async () => {
    box = new InSandbox({ files: { "run/x": "" } });
    const before = process.cwd();
    const server = createServer(socket => socket.end("REACHED"));
    process.chdir(path("run"));
    await new Promise<void>(resolve => server.listen("a.sock", resolve)).finally(() => process.chdir(before));
    try {
      const script = `require("net").connect(process.argv[1]).on("error", e => console.log(e.code)).on("data", d => console.log(String(d)))`;
      await box.outside("mkdir two; ln run/a.sock two/b.sock");
      const { out } = await box.run(`node -e '${script}' run/a.sock; node -e '${script}' two/b.sock`);
      assert.match(out, /^(?:EACCES|ECONNREFUSED|ENOTSOCK)\n(?:EACCES|ECONNREFUSED|ENOTSOCK)\n$/);
    } finally {
      server.close();
    }
  });

  it("temporary files of this machine in the workspace: Strata's own folder in them is closed", async () => {
    box = new InSandbox({ files: { "t/x": "" }, home: { ".gitconfig": "[user]\n\tname = ours\n" } });
    const inside = new InSandbox({ at: box, sandbox: { tmp: path("t") } });
    const { out } = await inside.run(
      "exec 2>&1; cat t/strata-*/*/*; rm -rf t/strata-*; mv t/strata-* y; git config user.name; echo mine > $TMPDIR/x; cat $TMPDIR/x",
    );
    await inside.close();
    assert.match(out, /\nours\nmine\n$/);
    assert.doesNotMatch(out, /\[user\]/);
  });

  it("variables that name what is no tool's alone show nothing of it", async () => {
    box = new InSandbox({
      home: {
        ".local/share/keyrings/x": "SECRET",
        ".local/bin/tool": "NEEDED",
        ".ssh/x": "SECRET",
        ".config/gh/y": "SECRET",
      },
    });
    const at = (name: string) => join(box.home, name);
    const env = {
      N_PREFIX: at(".local"),
      GEM_HOME: at(".local/share"),
      JAVA_HOME: at(".config"),
      PATH: `${process.env.PATH}:${at(".ssh")}`,
    };
    const inside = new InSandbox({ at: box, env });
    const { out } = await inside.run("grep -rs SECRET ~; cat ~/.local/bin/tool");
    await inside.sandbox.close();
    assert.equal(out, "NEEDED");
  });

  it("a workspace that is a link is what it leads to, whatever is in its name", async () => {
    box = new InSandbox({ files: { ".env": "SECRET" } });
    for (const name of ["link", "with blank", "ünï 世界", "new\nline", "-dash", `quo'te"$x\``]) {
      const root = join(box.base, name);
      symlinkSync(box.root, root);
      const inside = new InSandbox({ at: { base: box.base, home: box.home, root } });
      const { out } = await inside.run("exec 2>&1; cat .env; echo x > y; cat y");
      await inside.sandbox.close();
      assert.match(out, /^cat: .*: Permission denied\nx\n$/, name);
    }
  });

  it("more to hide, or more to look through, than the sandbox can: no command is run, and it says where", async () => {
    box = new InSandbox({ files: { "a/b/c/x": "" } });
    await box.run("mkdir e; for i in $(seq 3000); do echo > e/$i.env; done");
    await assert.rejects(
      box.run("echo > ran"),
      new RegExp(`hide or keep 30\\d\\d files .* 3000 of them in ${path("e")}`),
    );
    for (const access of ["read", "write"] as const) {
      const other = new InSandbox({ at: box, access, sandbox: { maxFolders: 2 } });
      await assert.rejects(other.run("echo > ran"), new RegExp(`more folders than .*ended at ${path("e")}`));
      await other.sandbox.close();
    }
    assert.equal(has("ran"), false);
  });
});

describe("a look through a workspace", () => {
  it("takes more names in a folder than a call takes arguments, and two roots that are one", () => {
    const box = new InSandbox({ files: { "a.key": "", ".docker/.env": "" } });
    linkSync(join(box.root, "a.key"), join(box.root, "b.key"));
    const scan = new WorkspaceScan(50);
    const names = () => scan.look([box.root]).keys.map(each => each.slice(box.root.length + 1));
    assert.deepEqual(names(), ["a.key", "b.key"]);
    for (let at = 0; at < 60; at++) mkdirSync(join(box.root, `d${at}`));
    scan.look([box.root], true);
    assert.equal(scan.beyond?.isNear, true);
    return box.close();
  });
});
