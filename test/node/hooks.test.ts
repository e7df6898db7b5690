/** Whose hooks run: the person's own at once, a workspace's by an agreement to just what stands there. */

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { lookAtHooks } from "../../src/core/guidance/hooks/report";
import type { NodeHooks } from "../../src/node/hooks";
import { nodeHash } from "../../src/node/system";
import { HookWorkspace } from "./hookWorkspace";

const command = (text: string) => ({ hooks: { Stop: [{ hooks: [{ type: "command", command: text }] }] } });

describe("hooks of files on disk", function () {
  this.timeout(30_000);
  if (process.platform === "win32") return;
  let workspace: HookWorkspace;
  let folder: string;
  beforeEach(() => {
    workspace = new HookWorkspace();
    folder = workspace.folder;
  });
  const write: HookWorkspace["write"] = (...file) => workspace.write(...file);
  const open: HookWorkspace["open"] = guard => workspace.open(guard);
  const agree: HookWorkspace["agree"] = hooks => workspace.agree(hooks);
  const ran = (hooks?: NodeHooks) => workspace.ran("Stop", hooks);
  const says = (word: string) => command(`echo ${word} >&2; exit 2`);

  it("the person's own run at once, a workspace's not before they agreed, which another process knows too", async () => {
    write("home/.claude/settings.json", says("home"));
    write("config/hooks.json", says("config"));
    write("ws/.claude/settings.json", says("shared"));
    write("ws/.claude/settings.local.json", says("local"));
    write("ws/.strata/hooks.json", says("strata"));
    assert.deepEqual(await ran(), ["home", "config"]);
    assert.equal(workspace.notes.length, 3);
    assert.match(workspace.notes[0] ?? "", /hooks that need your approval: \.claude\/settings\.json/);
    await agree();
    assert.deepEqual(await ran(), ["home", "config", "shared", "local", "strata"]);
    workspace.trusted = false;
    assert.deepEqual(await ran(), ["home", "config"]);
  });

  it("a changed text, a changed script, and another workspace with the same text ask again", async () => {
    write("ws/.claude/settings.json", command("bash .claude/guard.sh"));
    write("ws/.claude/guard.sh", "echo one >&2; exit 2\n");
    await agree();
    assert.deepEqual(await ran(), ["one"]);
    write("ws/.claude/guard.sh", "echo evil >&2; exit 2\n");
    assert.deepEqual(await ran(), []);
    write("ws/.claude/guard.sh", "echo one >&2; exit 2\n");
    assert.deepEqual(await ran(), ["one"], "it is what was agreed to");
    write("ws/.claude/settings.json", command("bash .claude/guard.sh #"));
    assert.deepEqual(await ran(), []);
  });

  const guards: Record<string, [command: string, script: string]> = {
    "by a quoted folder": ['bash "$CLAUDE_PROJECT_DIR"/.claude/guard.sh', ".claude/guard.sh"],
    "by a folder it goes to first": ["cd .claude/hooks && bash ./guard.sh", ".claude/hooks/guard.sh"],
    "behind many words": [
      `: ${Array.from({ length: 60 }, (_, at) => `./w${at}`).join(" ")}; bash ./guard.sh`,
      "guard.sh",
    ],
    "without ending and first line, which the shell starts by itself": ["./check", "check"],
  };
  for (const [name, [text, script]] of Object.entries(guards))
    it(`a changed script asks again where the command names it ${name}`, async () => {
      write("ws/.claude/settings.json", command(text));
      write(`ws/${script}`, "echo one >&2; exit 2\n", 0o755);
      await agree();
      assert.deepEqual(await ran(), ["one"]);
      write(`ws/${script}`, "echo evil >&2; exit 2\n", 0o755);
      assert.deepEqual(await ran(), []);
    });

  it("a script too large to read, and a link that leads elsewhere, ask again when they change", async () => {
    const large = (word: string) => `echo ${word} >&2; exit 2\n${"#".repeat(1024 * 1024)}`;
    write("ws/.claude/settings.json", command("bash ./guard.sh"));
    write("ws/guard.sh", large("one"));
    await agree();
    assert.deepEqual(await ran(), ["one"]);
    write("ws/guard.sh", large("bad"));
    assert.deepEqual(await ran(), []);
    for (const word of ["one", "bad"]) write(`outside/${word}.sh`, `echo ${word} >&2; exit 2\n`);
    rmSync(join(folder, "ws/guard.sh"));
    symlinkSync(join(folder, "outside/one.sh"), join(folder, "ws/guard.sh"));
    await agree();
    assert.deepEqual(await ran(), ["one"]);
    rmSync(join(folder, "ws/guard.sh"));
    symlinkSync(join(folder, "outside/bad.sh"), join(folder, "ws/guard.sh"));
    assert.deepEqual(await ran(), []);
  });

  it("asks again after a change of the project's tasks, and not of its packages or of what a script loads", async () => {
    write("ws/.claude/settings.json", command("bash .claude/guard.sh"));
    write("ws/.claude/guard.sh", "bash ./lib.sh; echo one >&2; exit 2\n");
    write("ws/lib.sh", "true\n");
    write("ws/package.json", { scripts: { lint: "x" }, dependencies: { a: "1" } });
    await agree();
    assert.deepEqual(await ran(), ["one"]);
    write("ws/lib.sh", "true #\n");
    write("ws/package.json", { scripts: { lint: "x" }, dependencies: { a: "2" } });
    assert.deepEqual(await ran(), ["one"]);
    write("ws/package.json", { scripts: { lint: "y" } });
    assert.deepEqual(await ran(), []);
    write("ws/package.json", { scripts: { lint: "x" } });
    write("ws/Makefile", "lint:\n");
    assert.deepEqual(await ran(), []);
  });

  it("a script that is swapped and swapped back, within one step of the file system's clock, is looked at each time", async () => {
    write("ws/.claude/settings.json", command("bash ./guard.sh"));
    const [good, evil] = ["echo one >&2; exit 2\n", "echo bad >&2; exit 2\n"];
    write("ws/guard.sh", good);
    const hooks = open();
    await agree(hooks);
    for (let round = 0; round < 50; round++) {
      write("ws/guard.sh", good);
      assert.deepEqual(await keyNow(hooks), [true]);
      write("ws/guard.sh", evil);
      assert.deepEqual(await keyNow(hooks), [false]);
    }
  });
  const keyNow = async (hooks: NodeHooks) => (await lookAtHooks(hooks, nodeHash)).files.map(({ waits }) => !waits);

  it("says which scripts run by an agreement, once there is one", async () => {
    const guarded: string[][] = [];
    const hooks = open(scripts => guarded.push([...scripts].sort()));
    write("ws/.claude/settings.json", command("bash ./guard.sh; node_modules/.bin/lint"));
    // Whoever installs packages replaces the folder.
    write("ws/node_modules/.bin/lint", "#!/bin/sh\n");
    write("ws/guard.sh", "bash tools/lib.sh; cat /etc/hostname; exit 0\n");
    write("ws/tools/lib.sh", "true\n");
    await ran(hooks);
    assert.deepEqual(guarded.splice(0), [[]]);
    assert.deepEqual((await lookAtHooks(hooks, nodeHash)).files[0]?.scripts, [
      ...["guard.sh", "node_modules/.bin/lint"],
    ]);
    await agree(hooks);
    await ran(hooks);
    assert.deepEqual(guarded.splice(0), [[join(folder, "ws/guard.sh")]]);
    const [file] = (await lookAtHooks(hooks, nodeHash)).files;
    await hooks.withdraw(file?.key ?? "");
    await ran(hooks);
    assert.deepEqual(guarded, [[]], "nor longer than they run");
  });

  it("of what it names, only what is a program or runs becomes read-only in the sandbox", async () => {
    const guarded: string[][] = [];
    const hooks = open(scripts => guarded.push(scripts.map(path => relative(join(folder, "ws"), path)).sort()));
    const named = "bash guard.sh; jq -e .x package.json; cat notes.yaml src/a.ts; ./bin/lint";
    write("ws/.claude/settings.json", command(named));
    for (const name of ["package.json", "notes.yaml", "src/a.ts", "state"]) write(`ws/${name}`, "{}");
    write("ws/guard.sh", "exit 0\n");
    write("ws/bin/lint", "#!/bin/sh\nexit 0\n");
    // As on disks where every file may be executed.
    for (const name of ["package.json", "notes.yaml", "src/a.ts", "state"]) chmodSync(join(folder, "ws", name), 0o755);
    await agree(hooks);
    await ran(hooks);
    assert.deepEqual(guarded, [["bin/lint", "guard.sh"]]);
  });

  it("does not ask about itself again because of its own log and state", async () => {
    const text = "node guard.js .claude/run.json .claude/last | tee -a .claude/all; bash log.sh; exit 2";
    write("ws/.claude/settings.json", command(text));
    write("ws/log.sh", "exec >> .claude/hook-log 2>&1\necho one; . ./.count; echo n=$RANDOM > ./.count\n");
    write(
      "ws/guard.js",
      `const fs = require("fs"), state = require("./state.json");
       for (const name of ["state.json", ".claude/run.json"]) fs.writeFileSync(name, JSON.stringify({ n: state.n + 1 }));
       fs.writeFileSync(".claude/last", "" + state.n);
       console.log("ran");`,
    );
    write("ws/state.json", { n: 1 });
    write("ws/.claude/run.json", { n: 1 });
    for (const name of ["hook-log", "all", "last"]) write(`ws/.claude/${name}`, "begun\n");
    write("ws/.count", "n=1\n");
    await agree();
    for (let round = 0; round < 3; round++) assert.equal((await ran()).length, 1, `round ${round}`);
    assert.equal(JSON.parse(readFileSync(join(folder, "ws/state.json"), "utf8")).n, 4);
  });

  it("gives a hook the path of the session's log", async () => {
    write("home/.claude/settings.json", command("cat >&2; exit 2"));
    assert.match((await ran())[0] ?? "", /"transcript_path":"\/s\/history\.jsonl"/);
  });

  it("a log that it only adds to is no script of it", async () => {
    write("ws/.claude/settings.json", command("echo ran >> ./audit.log; echo one >&2; exit 2"));
    await agree();
    assert.deepEqual([await ran(), await ran()], [["one"], ["one"]]);
  });

  it("more names than can be looked at are not run, and it is said", async () => {
    const words = Array.from({ length: 2_100 }, (_, at) => `w${at}`).join(" ");
    write("ws/.claude/settings.json", command(`: ${words}`));
    await agree();
    assert.deepEqual(await ran(), []);
    assert.match(workspace.notes.join(), /too long: move them into scripts/);
  });

  it("a session that is open notices a change, and an agreement that was taken back", async () => {
    const hooks = open();
    write("ws/.claude/settings.json", says("one"));
    await agree(hooks);
    assert.deepEqual(await ran(hooks), ["one"]);
    write("ws/.claude/settings.json", says("three"));
    assert.deepEqual(await ran(hooks), []);
    await agree(hooks);
    assert.deepEqual(await ran(hooks), ["three"]);
    const [file] = (await lookAtHooks(hooks, nodeHash)).files;
    await hooks.withdraw(file?.key ?? "");
    assert.deepEqual(await ran(hooks), []);
  });

  it("what is broken is said, and the others run", async () => {
    write("home/.claude/settings.json", "{ not json");
    write("config/hooks.json", {
      hooks: {
        ...{ Stop: [{ hooks: [{ type: "prompt" }] }], Odd: [] },
        PreToolUse: [{ matcher: "(a+)+", hooks: [{ command: "true" }] }],
      },
    });
    write("outside.json", says("outside"));
    mkdirSync(join(folder, "ws/.claude"));
    symlinkSync(join(folder, "outside.json"), join(folder, "ws/.claude/settings.json"));
    write("ws/.strata/hooks.json", says("strata"));
    await agree();
    assert.deepEqual(await ran(), ["strata"]);
    const said = workspace.notes.join("\n");
    for (const words of [
      /link out of the workspace/,
      /line 1 is no JSON/,
      /A hook of Stop has the type "prompt"/,
      /The matcher "\(a/,
    ])
      assert.match(said, words);
    assert.doesNotMatch(said, /Odd/, "what only other agents know is no news");
    const { files, broken } = await lookAtHooks(open(), nodeHash);
    const problems = files.flatMap(file => file.problems).join("\n");
    assert.match(problems, /cannot be read: line \d+ is no JSON/);
    assert.match(problems, /A hook of Stop has the type "prompt"/);
    assert.match(problems, /"Odd" is not a hook event/);
    assert.match(problems, /The matcher "\(a\+\)\+" cannot be read/);
    assert.match(broken[0]?.problem ?? "", /link out of the workspace/);
  });

  it("the person switches all off", async () => {
    write("ws/.strata/hooks.json", says("strata"));
    await agree();
    write("home/.claude/settings.json", { ...says("home"), disableAllHooks: true });
    assert.deepEqual(await ran(), []);
  });
});
