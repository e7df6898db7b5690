/** Hooks as real processes, those that misbehave above all. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readAnswer } from "../../../../src/core/guidance/hooks/answer";
import { runHook } from "../../../../src/core/guidance/hooks/sessionHooks";
import { NodeShell } from "../../../../src/node/shell/shell";
import { eventually } from "../../../fakes/eventually";
import { soak } from "../../../fakes/soak";
import { temporaryFolder } from "../../../fakes/temporary";
import { InSandbox, requireSandbox } from "../../../node/sandbox/inSandbox";

const MB = 1024 * 1024;

describe("a hook's process", function () {
  this.timeout(60_000);
  if (process.platform === "win32") return;
  const folder = temporaryFolder("hook");
  const run = (command: string, { input = "{}", timeoutMs = 60_000, signal = new AbortController().signal } = {}) =>
    runHook({ command, timeoutMs }, { input, folder }, new NodeShell({ killAfterMs: 100 }), signal);
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return false;
    }
  };

  it("gets its input on standard input, and the project's folder", async () => {
    const input = JSON.stringify({ text: "é".repeat(3 * MB) });
    const script = `node -e 'let n = 0; process.stdin.on("data", d => n += d.length).on("end", () => console.log(n))'`;
    assert.equal((await run(script, { input })).stdout.trim(), String(Buffer.byteLength(input)));
    assert.equal((await run('echo "$CLAUDE_PROJECT_DIR|$PWD"')).stdout.trim(), `${folder}|${folder}`);
  });

  describe("in the sandbox", () => {
    let box: InSandbox;
    before(async function () {
      await requireSandbox(this);
      box = new InSandbox({ files: { "a.txt": "one" } });
    });
    after(() => box?.close());
    const confined = (command: string, input = "{}") =>
      runHook(
        { command, timeoutMs: 60_000 },
        { input, folder: box.root, sandbox: { kind: "sandbox", access: "write", network: [] } },
        box.shell,
        new AbortController().signal,
      );

    for (const [what, command, expected] of [
      ["says no", "echo x >> runs; cat; echo no >&2; exit 2", { exitCode: 2, stdout: '{"a":1}\n', stderr: "no\n" }],
      ["answers", 'echo x >> runs; read -r line; echo "$line"', { exitCode: 0, stdout: '{"a":1}\n', stderr: "" }],
      ["reads nothing", "echo x >> runs; exit 0", { exitCode: 0, stdout: "", stderr: "" }],
      ["has a trap of its own", "trap 'echo bye' EXIT; echo x >> runs", { exitCode: 0, stdout: "bye\n", stderr: "" }],
    ] as const)
      it(`one that ${what} does so, once`, async () => {
        writeFileSync(join(box.root, "runs"), "");
        assert.deepEqual(await confined(command, '{"a":1}\n'), { ...expected, ended: "exited" });
        assert.equal(readFileSync(join(box.root, "runs"), "utf8"), "x\n");
      });

    it("gets long input, and writes nothing beside the workspace", async () => {
      const { stdout } = await confined(`wc -c; touch ../b.txt 2>/dev/null || echo kept`, "x".repeat(3 * MB));
      assert.match(stdout, new RegExp(`^ *${3 * MB}\nkept\n$`));
    });
  });

  it("need not read what it gets", async () => {
    const { ended, exitCode } = await run("exit 0", { input: "x".repeat(3 * MB) });
    assert.deepEqual({ ended, exitCode }, { ended: "exited", exitCode: 0 });
  });

  it("does not see the keys of the agent", async () => {
    const env = { ...process.env, OPENAI_API_KEY: "sk-1", STRATA_ANY_KEY: "sk-2" };
    const shell = new NodeShell({ env });
    const signal = new AbortController().signal;
    const { stdout } = await runHook({ command: "env", timeoutMs: 60_000 }, { input: "", folder }, shell, signal);
    assert.match(stdout, /^PATH=/m);
    assert.doesNotMatch(stdout, /sk-/);
  });

  it("is ended with all that it started when its time is over, and when the person stops", async () => {
    const hang = (name: string) => `trap '' TERM; echo $$ > ${name}; sleep 1000 & echo $! >> ${name}; wait; sleep 1000`;
    const pids = (name: string) => readFileSync(join(folder, name), "utf8").trim().split("\n").map(Number);
    // On a machine that does much else its time may be over before it began.
    for (let timeoutMs = 500; !existsSync(join(folder, "slow")) || pids("slow").length < 2; timeoutMs *= 4)
      assert.equal((await run(hang("slow"), { timeoutMs })).ended, "timeout");
    const stop = new AbortController();
    const stopped = run(`${hang("stopped")}`, { signal: stop.signal });
    await eventually("both processes run", () => pids("stopped").length === 2);
    stop.abort();
    assert.equal((await stopped).ended, "stopped");
    for (const pid of [...pids("slow"), ...pids("stopped")]) assert.equal(isAlive(pid), false, String(pid));
  });

  it("is not waited for by what it leaves behind with its output open", async () => {
    const { ended, stdout } = await run("sleep 1000 & echo $!");
    assert.equal(ended, "exited");
    assert.equal(isAlive(Number(stdout)), false);
  });

  it("may print much: a little is kept", () => printing(3 * MB));
  soak("large", () => it("may print 100 MB: a little is kept", () => printing(100 * MB)));

  async function printing(bytes: number): Promise<void> {
    const { stdout, ended } = await run(`head -c ${bytes} /dev/zero | tr '\\0' x`);
    assert.equal(ended, "exited");
    assert.equal(stdout.length, MB + 64 * 1024 + 1);
    const answer = readAnswer({ event: "UserPromptSubmit" }, { exitCode: 0, ended, stdout, stderr: "" });
    assert.ok((answer.context?.length ?? 0) < 11_000);
  }

  it("may change an input of some length, and refuse with one", async () => {
    const big = (output: object) => {
      writeFileSync(join(folder, "big.json"), JSON.stringify(output));
      return run("cat big.json");
    };
    const content = "x".repeat(300_000);
    const changed = await big({ hookSpecificOutput: { updatedInput: { content } } });
    assert.deepEqual(readAnswer({ event: "PreToolUse" }, changed).updatedInput, { content });
    const refused = await big({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: content },
    });
    assert.equal(readAnswer({ event: "PreToolUse" }, refused).decision, "deny");
    for (const lines of [110_000, 250_000, 400_000]) {
      const said = await run(`seq -f 'line %.0f' ${lines}; echo '{"decision":"block"}'`);
      assert.equal(readAnswer({ event: "PreToolUse" }, said).decision, "deny", String(lines));
    }
  });

  it("that fails forbids nothing and says why", async () => {
    writeFileSync(join(folder, "plain.sh"), "exit 2\n", { mode: 0o644 });
    const failing: [string, RegExp][] = [
      ["echo broken >&2; exit 3", /code 3\. broken/],
      ["./plain.sh", /code 126\. .*Permission denied/],
      ["./nowhere.sh", /code 127\. .*No such file/],
      ["kill -9 $$", /signal/],
      [`echo '{"decision": '`, /cannot be parsed/],
      [`echo '{"decision": "maybe"}'`, /cannot be read/],
    ];
    for (const [command, why] of failing) {
      const answer = readAnswer({ event: "PreToolUse" }, await run(command));
      assert.equal(answer.outcome, "failed", command);
      assert.equal(answer.decision, undefined, command);
      assert.match(answer.text, why);
    }
  });
});
