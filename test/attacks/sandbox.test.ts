/** What a command tries that is to leave the sandbox: each really runs, is refused, and leaves nothing behind. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { InSandbox, needsSandbox } from "../node/sandbox/inSandbox";

const GIT = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/config": "[core]\n\trepositoryformatversion = 0\n",
  ".git/hooks/pre-commit.sample": "#!/bin/sh\n",
  ".git/objects/info/x": "",
  ".git/refs/heads/x": "",
};

describe("attack 12: out of the sandbox", function () {
  needsSandbox(this);
  let box: InSandbox;
  afterEach(() => box?.close());

  const refused = async (command: string, words: RegExp) => {
    const ran = await box.run(command);
    assert.match(ran.out, words, `${command}: ${JSON.stringify(ran)}`);
    return ran;
  };

  describe("writes outside", () => {
    for (const [what, command] of Object.entries({
      "in the home folder": "echo x > ~/x",
      "beside the workspace": "echo x > ../x",
      "in the system": "echo x > /etc/strata-x",
      "in a start-up file": "echo x >> ~/.bashrc",
      "by a link made inside": "ln -s ../home out && echo x > out/x",
      "by a link made inside to the root": "ln -s / out && echo x > out/etc/strata-x",
      "by a hard link": "ln ~/.bashrc mine && echo x >> mine",
      "by /proc/self/root": "echo x > /proc/self/root/etc/strata-x",
      "by /proc/1/root": `echo x > /proc/1/root/etc/strata-x`,
      "by /proc/self/cwd": "echo x > /proc/self/cwd/../x",
      "of the kernel's settings":
        "set -e; v=$(cat /proc/sys/kernel/core_pattern); echo $v > /proc/sys/kernel/core_pattern",
      "after a remount": "mount -o remount,rw / ; echo x > ../x",
      "in a program of the person's": "mkdir -p ~/.local/bin && echo x > ~/.local/bin/git",
    }))
      it(what, async () => {
        box = new InSandbox({ home: { ".bashrc": "# mine\n" } });
        const before = [join(box.home, "x"), join(box.base, "x"), "/etc/strata-x", join(box.home, ".local/bin/git")];
        const ran = await box.run(command);
        assert.notEqual(ran.exitCode, 0, JSON.stringify(ran));
        assert.match(ran.out, /Read-only file system|Permission denied|Invalid cross-device|No such file/);
        assert.deepEqual(before.filter(existsSync), []);
        assert.equal(readFileSync(join(box.home, ".bashrc"), "utf8"), "# mine\n");
      });
  });

  describe("secrets", () => {
    it("of the home folder, by their names and by links", async () => {
      box = new InSandbox({
        home: {
          ".ssh/id_ed25519": "SECRET",
          ".aws/credentials": "SECRET",
          ".netrc": "SECRET",
          ".npmrc": "SECRET",
          "dotfiles/gnupg/key": "SECRET",
        },
      });
      symlinkSync("dotfiles/gnupg", join(box.home, ".gnupg"));
      const { out } = await box.run(
        "cat ~/.ssh/id_ed25519 ~/.aws/* ~/.netrc ~/.npmrc ~/.gnupg/key ~/dotfiles/gnupg/key; ls ~/.ssh; chmod 700 ~/.ssh; ln -s ~/.ssh s; cat s/id_ed25519",
      );
      assert.doesNotMatch(out, /SECRET/);
      assert.match(out, /\.netrc: No such file/);
      assert.match(out, /\.ssh.*No such file/);
    });

    it("of the workspace: .env files wherever they are, and none that only show names", async () => {
      box = new InSandbox({
        files: { ".env": "A=SECRET", "packages/a/.env.local": "B=SECRET", ".env.example": "A=here" },
      });
      const { out } = await box.run(
        "cat .env packages/a/.env.local; grep -r SECRET . ; cp .env /tmp/x; mv .env y; rm .env; cat .env.example",
      );
      assert.doesNotMatch(out, /=SECRET/);
      assert.match(out, /A=here/);
      assert.equal(readFileSync(join(box.root, ".env"), "utf8"), "A=SECRET");
      writeFileSync(join(box.root, "packages/a/prod.env"), "C=SECRET");
      assert.match((await box.run("cat packages/a/prod.env")).out, /Permission denied/, "one that was made since");
    });

    it("of Strata itself, of the environment, and of other processes", async () => {
      box = new InSandbox({
        env: { MY_API_TOKEN: "SECRET-x1y2z3w4", SSH_AUTH_SOCK: "/x", OPENAI_API_KEY: "SECRET" },
      });
      mkdirSync(join(box.base, "own"));
      writeFileSync(join(box.base, "own", "key"), "SECRET");
      const own = `cat '${join(box.base, "own", "key")}'`;
      const { out } = await box.run(
        `${own}; env; cat /proc/*/environ | tr '\\0' '\\n'; cat /proc/${process.pid}/environ /proc/${process.pid}/cmdline`,
      );
      assert.doesNotMatch(out, /SECRET|SSH_AUTH_SOCK/);
      assert.match(out, new RegExp(`/proc/${process.pid}/environ: No such file`));
    });
  });

  describe("what the workspace runs by itself", () => {
    it("git's hooks and configuration: neither changed nor replaced", async () => {
      box = new InSandbox({ files: GIT });
      const { out } = await box.run(
        "echo evil > .git/hooks/pre-commit; git config core.fsmonitor evil; echo x >> .git/config; mv .git/hooks h; mv .git g; rm -rf .git/hooks; mv .git/config c; ln -sf /tmp/evil .git/config",
      );
      assert.match(out, /pre-commit: Read-only file system/);
      assert.match(out, /\.git.*Device or resource busy/);
      assert.equal(readFileSync(join(box.root, ".git/config"), "utf8"), GIT[".git/config"]);
      assert.equal(existsSync(join(box.root, ".git/hooks/pre-commit")), false);
      assert.ok(lstatSync(join(box.root, ".git/hooks")).isDirectory());
    });

    it("hooks where the configuration looks for them, and those of submodules and worktrees", async () => {
      box = new InSandbox({
        files: {
          ...GIT,
          ".git/config": "[core]\n\thooksPath = tools/hooks\n",
          "tools/hooks/pre-push": "mine",
          ".git/modules/lib/HEAD": "ref: refs/heads/main\n",
          ".git/modules/lib/config": "[core]\n",
          ".git/worktrees/w/commondir": "../..\n",
        },
      });
      const { out } = await box.run(
        "echo x > tools/hooks/pre-push; echo x > .git/modules/lib/config; echo x > .git/modules/lib/hooks/post-checkout; echo x > .git/worktrees/w/commondir",
      );
      assert.equal(out.match(/Read-only file system/g)?.length, 4, out);
    });

    it("what editors and agents read: neither changed nor made", async () => {
      const there = {
        ".vscode/settings.json": "{}",
        "AGENTS.md": "mine",
        ".mcp.json": "{}",
        ".husky/pre-commit": "mine",
        "a.code-workspace": "{}",
        ".github/workflows/x.yml": "ci",
        "SUB/agents.MD": "more",
        ".agents/skills/x/SKILL.md": "skill",
      };
      box = new InSandbox({ files: there });
      const { out } = await box.run(
        `for f in ${Object.keys(there).join(" ")}; do echo evil > $f; rm -f $f; done; mv .vscode v; rm -rf .husky; mv SUB moved; mv moved SUB`,
      );
      assert.ok((out.match(/Read-only file system/g)?.length ?? 0) >= 8, out);
      for (const [path, text] of Object.entries(there)) assert.equal(readFileSync(join(box.root, path), "utf8"), text);
    });

    for (const path of [
      ".vscode/settings.json",
      ".git/config",
      "AGENTS.md",
      ".mcp.json",
      ".husky/pre-commit",
      "CLAUDE.md",
      ".git/commondir",
    ])
      it(`${path}, made anew: the command is ended, and what it made is put aside`, async () => {
        box = new InSandbox({ files: path === ".git/commondir" ? GIT : {} });
        const folder = path.includes("/") ? `mkdir -p ${path.slice(0, path.lastIndexOf("/"))};` : "";
        const ran = await box.run(`${folder} echo evil > ${path}; sleep 30; echo went on`);
        assert.equal(ran.ended, "refused", JSON.stringify(ran));
        assert.doesNotMatch(ran.out, /went on/);
        const name = path === ".git/commondir" ? path : (path.split("/")[0] ?? "");
        assert.equal(ran.refused?.[0]?.path, join(box.root, name));
        assert.equal(existsSync(join(box.root, name)), false);
        assert.ok(existsSync(ran.refused?.[0]?.now ?? ""), "a person can have it back");
      });

    it("one that is there for a moment, at the very end", async () => {
      box = new InSandbox();
      const ran = await box.run("mkdir .vscode");
      assert.equal(ran.ended, "refused");
      assert.equal(existsSync(join(box.root, ".vscode")), false);
    });

    it("a task in the background: an empty folder is in the way, and a person may fill it meanwhile", async () => {
      box = new InSandbox();
      const stop = new AbortController();
      let out = "";
      const onOutput = (_: string, chunk: Uint8Array) => {
        out += Buffer.from(chunk);
        if (/up/.test(out)) begun.resolve();
      };
      const begun = Promise.withResolvers<void>();
      const task = box.long("exec 2>&1; echo evil > .vscode/settings.json; git init -q; echo up; sleep 60", {
        signal: stop.signal,
        onOutput,
      });
      await begun.promise;
      assert.match(out, /settings\.json: Read-only file system[\s\S]*\.git.*Read-only file system/);
      assert.equal((await box.run("true")).ended, "exited");
      writeFileSync(join(box.root, ".vscode/settings.json"), "{}");
      writeFileSync(join(box.root, "AGENTS.md"), "the person's");
      stop.abort();
      const rules = join(box.root, "AGENTS.md");
      assert.deepEqual((await task).refused, [{ path: rules, now: rules }], "nobody can tell whose it is");
      await box.sandbox.close();
      assert.deepEqual(
        [existsSync(join(box.root, ".git")), readFileSync(join(box.root, ".vscode/settings.json"), "utf8")],
        [false, "{}"],
      );
      assert.ok(existsSync(join(box.root, "AGENTS.md")));
    });

    it("a link in the place of a protected folder", async () => {
      box = new InSandbox({ files: { "editor/settings.json": "{}" } });
      symlinkSync("editor", join(box.root, ".vscode"));
      const ran = await box.run("echo evil > .vscode/settings.json; rm .vscode; mkdir .vscode; sleep 30");
      assert.match(ran.out, /Read-only file system/);
      assert.equal(ran.ended, "refused");
      assert.equal(readFileSync(join(box.root, ".vscode/settings.json"), "utf8"), "{}");
    });
  });

  describe("a repository made below a root, which an editor looks into at once", () => {
    const arming: Record<string, string> = {
      "by a program that git starts": "git init -q sub && git -C sub config core.fsmonitor ./evil",
      "by a file that leads to one": "mkdir -p sub/g/hooks && echo x > sub/g/hooks/a && echo 'gitdir: g' > sub/.git",
      "in the place of a submodule's": "mv lib old && git init -q lib && git -C lib config core.pager evil",
    };
    for (const [what, command] of Object.entries(arming))
      it(what, async () => {
        box = new InSandbox({ files: { "lib/.git": "gitdir: ../none\n" } });
        const ran = await box.run(command);
        const folder = command.includes(" lib") ? "lib" : "sub";
        assert.equal(ran.refused?.[0]?.path, join(box.root, folder, ".git"), JSON.stringify(ran));
        assert.equal(existsSync(join(box.root, folder, ".git")), false);
        assert.ok(existsSync(ran.refused?.[0]?.now ?? ""));
      });

    it("works as long as the command runs, and does not stay where it runs nothing either", async () => {
      box = new InSandbox();
      const as = "git -C sub -c user.name=n -c user.email=e@example.com";
      const ran = await box.run(
        `git init -q sub && ${as} commit -qm x --allow-empty && git clone -q sub copy && git -C copy log --oneline | wc -l`,
      );
      assert.deepEqual([ran.exitCode, ran.out.trim(), ran.refused?.length], [0, "1", 2]);
    });
  });

  describe("places that are called otherwise", () => {
    it("hooks that are a link: what they lead to is kept, and the link", async () => {
      box = new InSandbox({
        files: { ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "", "githooks/pre-push": "mine" },
      });
      symlinkSync("../githooks", join(box.root, ".git/hooks"));
      assert.match(
        (await box.run("echo x > githooks/pre-push; echo x > .git/hooks/new")).out,
        /Read-only[\s\S]*Read-only/,
      );
      const ran = await box.run("rm .git/hooks; mkdir .git/hooks; sleep 30");
      assert.equal(ran.ended, "refused");
      assert.equal(readFileSync(join(box.root, ".git/hooks/pre-push"), "utf8"), "mine");
    });

    it("links that lead nowhere, or round in a circle, or far away hold no command up", async () => {
      box = new InSandbox({ home: { "far/torch/x": "theirs", "far/go-build/y": "" } });
      for (const [name, target] of [
        [".env", "nowhere"],
        [".envrc", ".envrc"],
        [".vscode", "nothing"],
        ["AGENTS.md", "/nowhere"],
      ] as const)
        symlinkSync(target, join(box.root, name));
      symlinkSync(join(box.home, "far"), join(box.home, ".cache"));
      symlinkSync("/nowhere", join(box.home, ".ssh"));
      const ran = await box.run("echo fine; cat ~/.cache/torch/x; echo mine > ~/.cache/y; cat ~/.cache/y");
      assert.equal(ran.out, "fine\ntheirsmine\n");
      assert.equal(existsSync(join(box.home, "far/y")), false);
    });

    it("the home folder as the workspace: there is no sandbox around all of it, and nothing runs in one", async () => {
      box = new InSandbox({ home: { ".bashrc": "mine", ".ssh/key": "SECRET", "project/a": "" } });
      for (const root of [box.home, box.base])
        for (const access of ["read", "write"] as const) {
          const inside = new InSandbox({ access, at: { base: box.base, root, home: box.home } });
          assert.equal((await inside.sandbox.state()).kind, "missing");
          await assert.rejects(inside.run("cat .ssh/key; echo x >> .bashrc"), /workspace is your home folder/);
          const server = { command: "/bin/true", args: [], env: {}, cwd: root };
          assert.equal((await inside.sandbox.aroundOthers()).kind, "sandbox");
          await assert.rejects(inside.sandbox.serve(server), /workspace is your home folder/);
          await inside.sandbox.close();
        }
      assert.equal(readFileSync(join(box.home, ".bashrc"), "utf8"), "mine");
    });

    it("the whole disk as the workspace: nothing of it can be written", async () => {
      box = new InSandbox({ sandbox: { roots: () => [{ path: "/" }, { path: "/proc" }] } });
      const ran = await box.run(`echo x > '${box.home}/x'; ls /proc/${process.pid}; echo x > /etc/strata-x`, {
        cwd: "/",
      });
      assert.equal(ran.out.match(/Read-only file system/g)?.length, 2, ran.out);
      assert.match(ran.out, /No such file/);
    });
  });

  describe("the rest of the machine", () => {
    it("the network, this machine's own included", async () => {
      box = new InSandbox();
      const server = createServer(socket => socket.end("REACHED"));
      await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as { port: number };
      try {
        await refused(`cat < /dev/tcp/127.0.0.1/${port}`, /Connection refused/);
        await refused("cat < /dev/tcp/1.1.1.1/80", /Network is unreachable/);
        await refused(
          `node -e 'require("dns").lookup("example.com", error => console.log(error.code))'`,
          /EAI_AGAIN|ENOTFOUND/,
        );
        const nested = await refused(
          `unshare -rn true; unshare --net true; bwrap --ro-bind / / --share-net cat < /dev/tcp/127.0.0.1/${port}; nsenter -t 1 -n true; ip link add x type dummy`,
          /unshare: unshare failed|command not found/,
        );
        assert.doesNotMatch(nested.out, /REACHED/);
      } finally {
        server.close();
      }
    });

    it("sockets of other programs, wherever they are", async () => {
      box = new InSandbox();
      const path = join(box.home, ".nvm/docker.sock");
      mkdirSync(join(box.home, ".nvm"));
      const server = createServer(socket => socket.end("REACHED"));
      await new Promise<void>(resolve => server.listen(path, resolve));
      try {
        const script = `require("net").connect(process.argv[1]).on("error", e => console.log(e.code)).on("data", d => console.log(String(d)))`;
        const { out } = await box.run(`node -e '${script}' '${path}'; ls /run /var/run`);
        assert.match(out, /^EACCES|^ECONNREFUSED|^ENOTSOCK/);
        assert.doesNotMatch(out, /REACHED|docker|dbus|systemd/);
      } finally {
        server.close();
      }
    });

    it("other processes: neither seen nor ended", async () => {
      box = new InSandbox();
      const other = spawn("sleep", ["600"]);
      try {
        const { out } = await box.run(`kill -9 ${other.pid}; kill -9 -1; ps -e; ls /proc`);
        assert.doesNotMatch(out, new RegExp(`\\b${other.pid}\\b(?!\\))`), "not in any list");
        assert.equal(other.exitCode, null);
        assert.equal(other.signalCode, null);
        process.kill(other.pid ?? 0, 0);
      } finally {
        other.kill("SIGKILL");
      }
    });

    it("privileges: none, and none to be had", async () => {
      box = new InSandbox();
      const { out } = await box.run(
        "grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; mount -t tmpfs x /mnt; chroot / true; mknod d b 8 0",
      );
      assert.match(out, /CapEff:\s*0+\n/);
      assert.match(out, /NoNewPrivs:\s*1/);
      assert.equal(existsSync(join(box.root, "d")), false);
    });
  });

  it("ways that are no files: the machine around a virtual one, keys of the kernel, calls out of sight", async function () {
    if (process.arch !== "x64") this.skip();
    box = new InSandbox();
    const { out } = await box.run(`python3 - <<'EOF'
import ctypes, errno, socket
libc = ctypes.CDLL(None, use_errno=True)
def call(*a):
    print(a[0], errno.errorcode.get(ctypes.get_errno()) if libc.syscall(*a) < 0 else "done")
for family in (40, 17, 38):
    try: socket.socket(family, socket.SOCK_STREAM); print(family, "made")
    except OSError as e: print(family, errno.errorcode[e.errno])
for number in (248, 250, 425, 321): call(number, 0, 0, 0, 0, 0)
socket.socketpair(); socket.socket(socket.AF_INET); socket.socket(socket.AF_INET6); socket.socket(socket.AF_UNIX); print("usual ones made")
EOF`);
    const refused = "40 EAFNOSUPPORT 17 EAFNOSUPPORT 38 EAFNOSUPPORT 248 EPERM 250 EPERM 425 ENOSYS 321 EPERM";
    assert.equal(out.trim().split("\n").join(" "), `${refused} usual ones made`);
  });

  it("what it left behind ends with it, also what left its session", async () => {
    box = new InSandbox();
    const script = "while :; do echo x >> beat; sleep 0.05; done";
    const ran = await box.run(
      `setsid sh -c '${script}' >/dev/null 2>&1 & nohup sleep 600 >/dev/null 2>&1 & sleep 0.3; echo done`,
    );
    assert.equal(ran.leftBehind, true);
    const size = lstatSync(join(box.root, "beat")).size;
    await box.run("sleep 0.3");
    assert.equal(lstatSync(join(box.root, "beat")).size, size);
  });
});
