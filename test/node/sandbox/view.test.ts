/** What a command in the sandbox sees of homes, and what one that only reads can do. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { withoutTokens } from "../../../src/node/sandbox/privateFolders";
import { filled, NEEDED, SECRETS, TOKENS } from "./homeFiles";
import { InSandbox, needsSandbox } from "./inSandbox";

describe("what the sandbox shows of homes", function () {
  needsSandbox(this);
  let box: InSandbox;
  afterEach(() => box?.close());

  for (const access of ["read", "write"] as const)
    it(`to ${access}: none of ${SECRETS.length} places of secrets, all that tools need`, async () => {
      assert.ok(SECRETS.length >= 78);
      box = new InSandbox({ home: { ...filled(SECRETS, "SECRET"), ...filled(NEEDED, "NEEDED"), ...TOKENS }, access });
      mkdirSync(join(box.home, "tools/php/include"));
      await box.sandbox.close();
      const { home, root, base } = box;
      const PATH = `${process.env.PATH}:${join(home, "tools/php/bin")}:${home}:.`;
      box = new InSandbox({ access, at: { base, root, home }, env: { PATH } });
      const list = (paths: readonly string[]) => paths.map(path => `'${join(home, path)}'`).join(" ");
      const secret = await box.run(
        `cat ${list(SECRETS)}; grep -rsl SECRET ~ /run/strata; grep -rs SECRET /tmp /var/tmp; ls -A ~/.config; ls -A ~/.ssh; echo end`,
      );
      assert.deepEqual(secret.out.match(/^.*SECRET.*$|^\/.*$/gm) ?? [], []);
      assert.match(secret.out, /end$/m);
      const needed = await box.run(`cat ${list(NEEDED)}`);
      assert.deepEqual([needed.exitCode, needed.out], [0, "NEEDED".repeat(NEEDED.length)], needed.out);
      const settings = await box.run(
        `cat ${list(Object.keys(TOKENS))}; GIT_CONFIG_NOSYSTEM=1 git config --get user.name; npm config get save-exact`,
      );
      assert.doesNotMatch(settings.out, /SECRET/);
      for (const kept of [
        /registry\.example/,
        /email = ann/,
        /autocrlf/,
        /timeout = 9/,
        /offline/,
        /^Ann$/m,
        /^true$/m,
      ])
        assert.match(settings.out, kept);
    });

  it("tools where variables say that they are, but for the workspace itself", async () => {
    box = new InSandbox({
      home: { "jdks/21/bin/java": "NEEDED", "rust/credentials.toml": "SECRET", "rust/bin/cargo": "NEEDED" },
      files: { "auth.go": "NEEDED" },
    });
    const { home, root, base } = box;
    await box.sandbox.close();
    const env = { JAVA_HOME: join(home, "jdks/21"), CARGO_HOME: join(home, "rust"), GOROOT: root };
    box = new InSandbox({ at: { base, root, home }, env });
    const { out } = await box.run("cat ~/jdks/21/bin/java ~/rust/bin/cargo auth.go ~/rust/credentials.toml; ls ~");
    assert.match(out, /NEEDEDNEEDEDNEEDED/);
    assert.doesNotMatch(out, /SECRET/);
  });

  it("settings that change are seen as they are now", async () => {
    box = new InSandbox({ home: { ".gitconfig": "[user]\n\tname = one\n" } });
    assert.match((await box.run("git config user.name")).out, /one/);
    writeFileSync(join(box.home, ".gitconfig"), "[user]\n\tname = two\n\tsigningkey = SECRET\n");
    assert.match((await box.run("git config user.name; cat ~/.gitconfig")).out, /^two\n\[user\]\n\tname = two\n$/);
  });

  it("what strata.bash.read names, whole, and links by what they lead to", async () => {
    const home = {
      ".config/gh/hosts.yml": "SHOWN",
      ".config/hub": "SECRET",
      "real/nvm/x": "SHOWN",
      ".cargo/credentials": "SHOWN",
    };
    const readable = () => ["~/.config/gh", "~/.cargo/credentials", "~/nowhere", "/nowhere"];
    box = new InSandbox({ home, sandbox: { readable } });
    symlinkSync("real/nvm", join(box.home, ".nvm"));
    const { out } = await box.run(
      "cat ~/.config/gh/hosts.yml ~/.nvm/x ~/.cargo/credentials; cat ~/.config/hub ~/real/nvm/x; ls -A ~",
    );
    assert.match(out, /^SHOWNSHOWNSHOWN/);
    assert.doesNotMatch(out, /SECRET|real$/m);
  });

  it("what rules forbid to edit is not shown for that, and what they forbid to read is hidden in what is shown", async () => {
    const home = { ".ssh/id": "SECRET", ".nvm/mine": "SECRET", ".nvm/x": "SHOWN" };
    const forbidden = () => ({ read: ["~/.nvm/mine"], write: ["~/.ssh", "~/.nvm"] });
    box = new InSandbox({ home, sandbox: { forbidden } });
    const { out } = await box.run("cat ~/.ssh/id ~/.nvm/mine ~/.nvm/x");
    assert.doesNotMatch(out, /SECRET/);
    assert.match(out, /SHOWN/);
  });

  it("a workspace in the home: its own folder, the project around it, and a worktree's repository", async () => {
    box = new InSandbox({
      home: { "mono/a/x": "MINE", "mono/b/y": "AROUND", "mono/.env": "SECRET", "other/z": "SECRET" },
    });
    const { home } = box;
    const as = "git -c user.name=n -c user.email=e@example.com";
    await box.outside(
      `cd '${home}/mono' && git init -q && echo .env > .gitignore && git add . && ${as} commit -qm first && git worktree add -q ../tree`,
    );
    for (const access of ["read", "write"] as const) {
      const look = async (path: string, command: string) => {
        const cwd = join(home, path);
        const inside = new InSandbox({ access, at: { base: box.base, root: cwd, home } });
        try {
          return (await inside.run(`exec 2>&1; ${command}`, { cwd })).out;
        } finally {
          await inside.sandbox.close();
        }
      };
      const seen = await look("mono/a", "cat x ../b/y ../.env; ls ~; git status --short; git log --oneline | wc -l");
      assert.match(seen, /MINEAROUND/);
      assert.match(seen, /^mono\n1$/m);
      assert.doesNotMatch(seen, /SECRET|other/);
      const tree = await look("tree", "git log --oneline | wc -l; git status --short; cat ~/mono/b/y ~/other/z");
      assert.match(tree, /^1\n/);
      assert.doesNotMatch(tree, /AROUND|SECRET/);
    }
  });

  it("a file that says it is a worktree's shows no folder that it names", async () => {
    box = new InSandbox({
      files: { ".git": "gitdir: fake\n", "fake/gitdir": "../.git\n", "fake/commondir": "../../home/.ssh\n" },
      home: { ".ssh/id": "SECRET", ".ssh/HEAD": "x", ".ssh/objects/x": "SECRET" },
    });
    assert.doesNotMatch((await box.run("cat ~/.ssh/id ~/.ssh/objects/x")).out, /SECRET/);
  });

  it("links that a command made in the workspace lead to nothing that is hidden", async () => {
    box = new InSandbox({
      home: {
        "dot/gitconfig": "x",
        "dot/nvm/x": "",
        ".ssh/id": "SECRET",
        ".history": "SECRET",
        ".cache/torch/x": "SECRET",
      },
    });
    const { home, base } = box;
    for (const [name, target] of [
      [".gitconfig", "dot/gitconfig"],
      [".nvm", "dot/nvm"],
    ] as const)
      symlinkSync(target, join(home, name));
    await box.sandbox.close();
    const look = "cat ~/.gitconfig ~/.nvm/id ~/.bun/id ~/.npmrc ~/.bun/x; ls ~/.bun";
    box = new InSandbox({ at: { base, home, root: join(home, "dot") } });
    await box.run("rm -r gitconfig nvm; ln -s ../.history gitconfig; ln -s ../.ssh nvm");
    assert.doesNotMatch((await box.run(look)).out, /SECRET/);
  });

  it("a folder that is not shown is none to run in", async () => {
    box = new InSandbox({ home: { "other/x": "" } });
    await assert.rejects(
      box.run("true", { cwd: join(box.home, "other") }),
      /does not show its folder .*strata\.bash\.read/,
    );
    assert.equal((await box.run("pwd", { cwd: box.home })).out.trim(), box.home);
  });
});

describe("a command in the sandbox that only reads", function () {
  needsSandbox(this);
  let box: InSandbox;
  afterEach(() => box?.close());

  it("writes nothing but temporary files, which nobody else sees", async () => {
    box = new InSandbox({
      access: "read",
      files: { "a.txt": "one", ".git/HEAD": "ref: refs/heads/main\n", "sub/b": "" },
      home: { ".cache/go-build/x": "", ".cache/torch/m": "", ".npm/_npx/y": "", ".nvm/z": "" },
    });
    const places = "a.txt new sub/new .git/index .vscode AGENTS.md ../beside /etc/strata-x ~/x".split(" ");
    const caches = ["~/.cache/x", "~/.cache/torch/m", "~/.npm/x", "~/.nvm/z"];
    const { out } = await box.run(
      `${[...places, ...caches].map(path => `echo evil > ${path}`).join("\n")}
mkdir new; rm -f a.txt; mv sub sup; ln -s / link; git init -q deep
echo mine > /tmp/strata-read && cat /tmp/strata-read; echo mine > $XDG_CACHE_HOME-x && mkdir -p $XDG_CACHE_HOME && echo kept > $XDG_CACHE_HOME/y && cat $XDG_CACHE_HOME/y`,
    );
    assert.equal(
      out.match(/line \d+: .*(?:Read-only file system|No such file)/g)?.length,
      places.length + caches.length,
      out,
    );
    assert.match(out, /mine\nkept/);
    assert.deepEqual(
      ["new", ".vscode", "AGENTS.md", ".git/index", "../beside", "link", "deep"].filter(path =>
        existsSync(join(box.root, path)),
      ),
      [],
    );
    assert.equal(readFileSync(join(box.root, "a.txt"), "utf8"), "one");
    assert.deepEqual([existsSync("/tmp/strata-read"), existsSync("/etc/strata-x")], [false, false]);
  });

  it("reaches no server, whatever hosts are named, and no socket", async () => {
    const server = createServer(socket => socket.end("REACHED"));
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    box = new InSandbox({
      access: "read",
      network: [`127.0.0.1:${port}`, "localhost"],
      home: { ".cache/torch/x": "" },
    });
    const local = createServer(socket => socket.end("REACHED"));
    const path = join(box.home, ".cache/torch/s");
    await new Promise<void>(resolve => local.listen(path, resolve));
    try {
      const script = `require("net").connect(process.argv[1]).on("error", e => console.log(e.code)).on("data", d => console.log(String(d)))`;
      const { out } = await box.run(`cat < /dev/tcp/127.0.0.1/${port}; env; node -e '${script}' '${path}'`);
      assert.match(out, /Connection refused/);
      assert.match(out, /EACCES|ECONNREFUSED|ENOTSOCK/);
      assert.doesNotMatch(out, /REACHED|_PROXY/i);
      await box.sandbox.close();
      box = new InSandbox({ at: box });
      assert.doesNotMatch((await box.run(`node -e '${script}' /run/strata/.cache/torch/s`)).out, /REACHED/);
    } finally {
      server.close();
      local.close();
    }
  });

  it("what root alone reads of the system is shown to nobody, though Strata runs as root", async () => {
    for (const access of ["read", "write"] as const) {
      box = new InSandbox({ access });
      const { out } = await box.run("cat /etc/shadow /etc/gshadow /etc/sudoers /etc/sudoers.d/* 2>/dev/null; echo end");
      assert.equal(out, "end\n");
      box.close();
    }
  });

  it("secrets of the workspace are hidden, exit code, folder and output are the command's, and what it leaves ends", async () => {
    box = new InSandbox({
      access: "read",
      files: { ".env": "SECRET", "sub/prod.env": "SECRET", "sub/x": "", ".git/HEAD": "" },
    });
    const ran = await box.run("cat .env sub/prod.env; cd sub; (sleep 60; echo late) & echo now; exit 3");
    assert.deepEqual([ran.exitCode, ran.cwd, ran.ended, ran.mayRunOn], [3, join(box.root, "sub"), "exited", false]);
    assert.match(ran.out, /now/);
    assert.doesNotMatch(ran.out, /SECRET|late/);
    // Nothing was made ready in the repository, either.
    assert.equal(existsSync(join(box.root, ".git/hooks")), false);
  });
});

describe("settings without tokens", () => {
  for (const [what, text, kept] of [
    [
      "a section whose name is one goes whole",
      '[a]\nx = 1\n[credential "https://x"]\nhelper = y\n[b]\nz = 2',
      "[a]\nx = 1\n[b]\nz = 2",
    ],
    ["what goes on behind a line", "index =\n  a\nauth =\n  abc\n  def\nnext = 1", "index =\n  a\nnext = 1"],
    ["logins in addresses", "a=https://u:p@host/\nb=https://host/", "b=https://host/"],
    ["letters and digits mixed", "url=https://dl.example.com/a8Fq29xKw0pLmZ71/x\nv=1.2.3", "v=1.2.3"],
    ["keys", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n", ""],
    [
      "plain ones stay",
      "[core]\n\tautocrlf = input\n\tpager = less -R",
      "[core]\n\tautocrlf = input\n\tpager = less -R",
    ],
  ] as const)
    it(what, () => assert.equal(withoutTokens(text), kept));
});
