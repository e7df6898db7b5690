/** What runs outside the sandbox without a question is not changed from within: scripts of hooks that were agreed to. */
import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { askGit } from "../../../src/node/askGit";
import { putAside } from "../../../src/node/sandbox/putAside";
import { WorkspaceScan } from "../../../src/node/sandbox/workspaceScan";
import { InSandbox, needsSandbox } from "./inSandbox";

describe("scripts of hooks in the sandbox", function () {
  needsSandbox(this);
  let box: InSandbox | undefined;
  afterEach(() => box?.close());

  it("cannot be written, swapped, or covered by another folder; what is beside them can", async () => {
    const files = {
      "tools/hooks/guard.sh": "good",
      "tools/other.sh": "one",
      "guard.sh": "good",
      ".claude/x.sh": "good",
    };
    box = new InSandbox({ files });
    const path = (name: string) => join(box?.root ?? "", name);
    const scripts = ["tools/hooks/guard.sh", "guard.sh", ".claude/x.sh"];
    box.sandbox.guard("hooks", [...scripts, "gone.sh", "../home/x.sh"].map(path));
    const evil = scripts.flatMap(name => [
      `echo evil > ${name}`,
      `echo evil > e; mv -f e ${name}`,
      `rm -f ${name}; echo evil > ${name}`,
      `ln -f e ${name}`,
      `chmod 777 ${name}; echo evil >> ${name}`,
    ]);
    const moves = ["tools/hooks", "tools", ".claude"].map(
      folder => `mv ${folder} moved && mkdir -p ${folder} && cp -r moved/. ${folder} && echo evil > ${folder}/guard.sh`,
    );
    const { out } = await box.run(
      [...evil, ...moves, "echo two > tools/other.sh", "echo new > tools/hooks/new.sh", "cat guard.sh"].join("\n"),
    );
    for (const name of scripts) assert.equal(readFileSync(path(name), "utf8"), "good", `${name}: ${out}`);
    assert.equal(readFileSync(path("tools/other.sh"), "utf8"), "two\n");
    assert.equal(readFileSync(path("tools/hooks/new.sh"), "utf8"), "new\n");
    assert.match(out, /good$/);
  });

  it("of a folder that is meant as a whole nothing can be written, added or moved", async () => {
    box = new InSandbox({
      files: { "tools/hooks/a.sh": "good", "tools/hooks/deep/b.sh": "good", "tools/c.sh": "good" },
    });
    const path = (name: string) => join(box?.root ?? "", name);
    box.sandbox.guard("hooks", [path("tools/hooks")]);
    const tries = [
      "echo evil > tools/hooks/a.sh",
      "echo evil > tools/hooks/deep/b.sh",
      "echo evil > tools/hooks/new.sh",
    ];
    const moves = ["mv tools/hooks other", "mv tools other", "rm -rf tools/hooks", "ln -s /tmp tools/hooks/link"];
    await box.run([...tries, ...moves, "echo new > tools/c.sh"].join("\n"));
    for (const name of ["a.sh", "deep/b.sh"]) assert.equal(readFileSync(path(`tools/hooks/${name}`), "utf8"), "good");
    assert.deepEqual(readdirSync(path("tools/hooks")).sort(), ["a.sh", "deep"]);
    assert.equal(readFileSync(path("tools/c.sh"), "utf8"), "new\n");
  });

  it("nor can what a denied call would have changed, by a command that says so of itself", async () => {
    box = new InSandbox({
      files: { "data/deep/a.csv": "good", "data/b.csv": "good", "src/a.ts": "good", "src/b.ts": "good" },
    });
    const path = (name: string) => join(box?.root ?? "", name);
    const sandbox = {
      kind: "sandbox",
      network: [],
      access: "write",
      keeps: ["data", "src/a.ts", "gone"].map(path),
    } as const;
    const tries = [
      "rm -rf data",
      "mv data x",
      "mv src x",
      "echo evil > src/a.ts",
      "find data -delete",
      "rm -f src/a.ts",
    ];
    await box.run([...tries, "echo new > src/b.ts"].join("\n"), { sandbox });
    const now = ["data/deep/a.csv", "data/b.csv", "src/a.ts", "src/b.ts"].map(name =>
      readFileSync(path(name), "utf8").trim(),
    );
    assert.deepEqual(now, ["good", "good", "good", "new"]);
    await box.run("rm -rf data");
    assert.equal(existsSync(path("data")), false);
  });

  it("are free again once others are named in their place, each owner's for themselves", async () => {
    box = new InSandbox({ files: { "a.sh": "good", "b.sh": "good", "server.js": "good" } });
    const path = (name: string) => join(box?.root ?? "", name);
    box.sandbox.guard("servers", [path("server.js")]);
    box.sandbox.guard("hooks", [path("a.sh"), path("b.sh")]);
    box.sandbox.guard("hooks", [path("b.sh")]);
    await box.run("for name in a.sh b.sh server.js; do echo new > $name; done");
    const now = ["a.sh", "b.sh", "server.js"].map(name => readFileSync(path(name), "utf8").trim());
    assert.deepEqual(now, ["new", "good", "good"]);
  });

  it("no command is run where Git gives no answer: it is killed, or has too much to say", async () => {
    for (const says of ["kill -9 $$", "yes | head -c 100000000"]) {
      box = new InSandbox();
      const program = join(box.base, "bin", "git");
      mkdirSync(join(box.base, "bin"));
      writeFileSync(program, `#!/bin/sh\n${says}\n`, { mode: 0o755 });
      await box.outside("mkdir -p .git/hooks; git init -q");
      const inside = new InSandbox({ at: box, env: { PATH: `${join(box.base, "bin")}:${process.env.PATH}` } });
      const ran = inside.run("echo ran > x");
      await assert.rejects(ran, /was not run: Git did not say/);
      assert.equal(existsSync(join(box.root, "x")), false);
      await inside.sandbox.close();
      await box.close();
    }
  });
});

describe("an answer of Git", () => {
  const ask = (script: string, signal?: AbortSignal) =>
    askGit("/", { program: "/bin/sh", env: {}, ...(signal && { signal }) }, ["-c", script]);

  it("is whole, a no, or none: never cut", async () => {
    assert.equal(await ask("echo all"), "all\n");
    assert.equal(await ask("echo some; exit 1"), undefined);
    await assert.rejects(ask("echo some; kill -9 $$"));
    for (const end of ["exec sleep 60", "trap 'exit 0' TERM; sleep 60 & wait"])
      await assert.rejects(ask(`echo some; ${end}`, AbortSignal.timeout(200)), end);
  });

  it("is so where it came while this process was busy beyond the limit", async () => {
    const late = ask("echo all", AbortSignal.timeout(50)).catch(() => "none");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    assert.notEqual(await late, "");
  });
});

describe("putting aside", () => {
  it("moves what its maker took the right to move from, and says where it is what cannot be moved", async () => {
    // Not in the temporary folder, which is one user's alone.
    const base = mkdtempSync(join(realpathSync(process.cwd()), "out", "aside-"));
    const owner = process.getuid?.() === 0 ? 65534 : undefined;
    if (owner !== undefined) chownSync(base, owner, owner);
    if (owner !== undefined) process.seteuid?.(owner);
    try {
      const [made, folder] = [join(base, "x/.git"), join(base, "taken")];
      mkdirSync(made, { recursive: true });
      mkdirSync(folder);
      for (const path of [made, dirname(made)]) chmodSync(path, 0o555);
      const now = await putAside(made, folder);
      assert.deepEqual([existsSync(made), dirname(now)], [false, folder]);
      const stays = join(base, "y");
      mkdirSync(stays);
      assert.equal(await putAside(stays, join(base, "gone")), stays);
    } finally {
      if (owner !== undefined) process.seteuid?.(0);
      rmSync(base, { recursive: true });
    }
  });
});

describe("a look after a command", () => {
  it("opens what a command has closed, and nothing that was closed before", async () => {
    const owner = process.geteuid?.() === 0 ? 65534 : undefined;
    const box = new InSandbox({ files: { "a/x/.git/HEAD": "", "b/y/.git/HEAD": "" } });
    const all = ["", "a", "a/x", "b", "b/y"].map(name => join(box.root, name));
    if (owner !== undefined) for (const folder of [box.base, ...all]) chownSync(folder, owner, owner);
    if (owner !== undefined) process.seteuid?.(owner);
    try {
      const scan = new WorkspaceScan();
      chmodSync(join(box.root, "b"), 0o111);
      const { ctimeMs } = statSync(join(box.root, "b"));
      while (statSync(join(box.root, "a")).ctimeMs <= ctimeMs) chmodSync(join(box.root, "a"), 0o111);
      assert.deepEqual(scan.look([box.root], true).repositories, []);
      assert.deepEqual(scan.look([box.root], true, ctimeMs + 0.001).repositories, [join(box.root, "a/x/.git")]);
    } finally {
      if (owner !== undefined) process.seteuid?.(0);
      for (const name of ["a", "b"]) chmodSync(join(box.root, name), 0o755);
      await box.close();
    }
  });
});
