/** Bash with run_in_background, and BashOutput, as the model uses them. */

import assert from "node:assert/strict";
import { NO_SANDBOX } from "../../../src/core/ground/ports/shell";
import type { Redact } from "../../../src/shared/redacted";
import type { SandboxMode } from "../../../src/shared/settingValues";
import { hiding } from "../../fakes/redact";
import { HeldCommand, ScriptedShell, type ShellScript } from "../../fakes/shell";
import { backgroundTasks } from "../../fakes/tasks";
import { Harness, numbered } from "./harness";

const command = "npm run dev";
const input = { command, run_in_background: true };

/** A task that has outlived its first moment. */
async function started(script: ShellScript = {}, more: { redact?: Redact } = {}, mode?: SandboxMode) {
  const held = new HeldCommand();
  const harness = new Harness({}, { shell: { "*": { held, ...script } }, ...more });
  harness.inSandbox = mode !== undefined;
  harness.sandboxMode = mode ?? "auto";
  const answer = harness.call("Bash", input);
  await held.started;
  await harness.clock.advance(500);
  const look = () => harness.call("BashOutput", { bash_id: "task_1" });
  const kill = () => harness.call("BashOutput", { bash_id: "task_1", kill: true });
  return { harness, held, look, kill, answer: await answer };
}

describe("Bash in the background", () => {
  it("answers while the command runs, with its id and what it printed first", async () => {
    const { answer, harness } = await started({ output: [["stdout", "listening on 3000\n"]] });
    assert.equal(
      answer.text,
      'Started in the background as task_1. BashOutput {"bash_id":"task_1"} reads what it prints, with "kill":true it ends it. So far it printed:\nlistening on 3000',
    );
    assert.equal(answer.digest, "Bash npm run dev started as task_1");
    assert.equal(answer.performed?.taskId, "task_1");
    const [run] = harness.shell.runs;
    assert.deepEqual([run?.command, run?.cwd, run?.timeoutMs], [command, "/ws/app", undefined]);
  });

  it("says of one in the sandbox that nothing reaches its ports, and the way out where there is one", async () => {
    const ports = /neither other commands nor the user's browser reach a port of it\. (.*?)\. It has printed/;
    const { answer, harness } = await started({}, {}, "auto");
    assert.match(ports.exec(answer.text)?.[1] ?? "", /start it with outside_sandbox: true; the user is asked$/);
    assert.equal(harness.tasks.list()[0]?.sandbox, true);
    assert.match(ports.exec((await started({}, {}, "required")).answer.text)?.[1] ?? "", /in it only/);
    const outside = await started();
    assert.doesNotMatch(outside.answer.text, /sandbox/);
    assert.equal(outside.harness.tasks.list()[0]?.sandbox, undefined);
  });

  it("asks like any command, and says that it keeps running", async () => {
    const harness = new Harness();
    const background = await harness.prepare("Bash", input);
    assert.equal(background.title, "Run `npm run dev` in the background");
    assert.deepEqual(background.detail, { type: "command", command, cwd: "/ws/app", place: "", background: true });
    const foreground = await harness.prepare("Bash", { command });
    assert.notEqual(foreground.binding, background.binding);
    assert.deepEqual(foreground.detail, { type: "command", command, cwd: "/ws/app", place: "" });
  });

  describe("a command that ends at once is one like any other", () => {
    const check = (title: string, script: ShellScript, status: string, text: string, digest: string) =>
      it(title, async () => {
        const harness = new Harness({}, { shell: { "*": script } });
        const answer = await harness.call("Bash", input);
        assert.deepEqual([answer.status, answer.text, answer.digest], [status, text, digest]);
        assert.equal(answer.performed?.taskId, undefined);
        assert.equal(
          answer.performed?.ended?.point,
          status === "EXIT" ? script.output?.[0]?.[1].toString().trim() : undefined,
        );
        assert.deepEqual(harness.tasks.list(), []);
        assert.deepEqual(harness.events, []);
        assert.match((await harness.call("BashOutput", { bash_id: "task_1" })).text, /There are none now/);
      });
    check(
      "that fails",
      { output: [["stderr", "no script: dev\n"]], exitCode: 1 },
      "EXIT",
      "Exit code 1 after 100 ms: it ended at once, and nothing runs in the background.\nno script: dev",
      "Bash npm run dev exit 1 · 100 ms · no script: dev",
    );
    check(
      "that is done",
      {},
      "ok",
      "It ended at once (exit code 0 after 100 ms): nothing runs in the background.\n(no output)",
      "Bash npm run dev exit 0 · 100 ms",
    );
    check(
      "that is killed",
      { exitCode: null, signal: "SIGSEGV" },
      "EXIT",
      "Killed by SIGSEGV after 100 ms: it ended at once, and nothing runs in the background.\n(no output)",
      "Bash npm run dev killed by SIGSEGV · 100 ms",
    );
    check(
      "that the sandbox ended",
      { ended: "refused", exitCode: null },
      "EXIT",
      "The sandbox ended the command after 100 ms. What it printed until then:\n(no output)",
      "Bash npm run dev ended by the sandbox · 100 ms",
    );
    check(
      "that sent its work behind",
      { leftBehind: true },
      "ok",
      "It ended at once (exit code 0 after 100 ms): nothing runs in the background.\n(no output)\nProcesses that it left running were ended with it: what is to stay must not be sent behind with &.",
      "Bash npm run dev exit 0 · 100 ms",
    );
  });

  it("does not move the working directory, and goes home where its folder is gone", async () => {
    const harness = new Harness({}, { shell: { "*": { cwd: "/elsewhere" } } });
    await harness.call("Bash", input);
    assert.equal(harness.cwd, "/ws/app");
    const gone = new Harness({}, { shell: { "*": { fails: new Error("no such folder") } } });
    gone.cwd = "/ws/app/gone";
    const { status, text } = await gone.call("Bash", input);
    assert.equal(status, "IO");
    assert.match(text, /could not start in \/ws\/app\/gone: no such folder\. The working directory is \/ws\/app again/);
    assert.equal(gone.cwd, "/ws/app");
  });

  it("runs eight at most", async () => {
    const harness = new Harness({}, { shell: { "*": { hangs: true } } });
    for (let count = 1; count <= 8; count += 1) {
      const answer = harness.call("Bash", { ...input, command: `sleep ${count}` });
      await new Promise(resolve => setImmediate(resolve));
      await harness.clock.advance(500);
      await answer;
    }
    const { status, text } = await harness.call("Bash", input);
    assert.equal(status, "INVALID_INPUT");
    assert.match(
      text,
      /^8 background tasks run already, and no more may: task_1 `sleep 1`, .*End one \(BashOutput with kill\)/,
    );
    await harness.call("BashOutput", { bash_id: "task_3", kill: true });
    const next = harness.call("Bash", input);
    await new Promise(resolve => setImmediate(resolve));
    await harness.clock.advance(500);
    assert.match((await next).text, /^Started in the background as task_9/);
  });
});

describe("BashOutput", () => {
  it("gives what is new since the last look", async () => {
    const { harness, held, look } = await started();
    await held.print("one\ntwo\n");
    await harness.clock.advance(89_500);
    const first = await look();
    assert.equal(first.text, "task_1: running for 1 min 30 s; new since the last look:\none\ntwo");
    assert.equal(first.digest, "BashOutput task_1 running for 1 min 30 s, 2 new lines · npm run dev");
    await held.print("three\n", "stderr");
    assert.match((await look()).text, /new since the last look:\nthree$/);
    const none = await look();
    assert.equal(
      none.text,
      "task_1: running for 1 min 30 s; nothing new since the last look. Do something else meanwhile, or wait with sleep in Bash.",
    );
    assert.equal(none.status, "ok");
  });

  it("says how it ended, once and again", async () => {
    const { held, look } = await started();
    await held.print("FAIL a.test.ts\n");
    held.exit({ exitCode: 1 });
    const { text, status, data } = await look();
    assert.equal(text, "task_1: exit 1 after 500 ms; new since the last look:\nFAIL a.test.ts");
    assert.deepEqual([status, data.task, data.state, data.exitCode], ["ok", "task_1", "exited", 1]);
    assert.equal((await look()).text, "task_1: exit 1 after 500 ms; nothing new since the last look.");
  });

  it("shows a line that takes its time as far as it has come", async () => {
    const { held, look } = await started();
    await held.print("Compiling 10 files ");
    assert.match((await look()).text, /\nCompiling 10 files ?$/);
    await held.print("done\nnext\n");
    assert.match((await look()).text, /look:\ndone\nnext$/);
  });

  it("names the tasks that there are, and says that they end with the window", async () => {
    const { harness } = await started();
    const { status, text } = await harness.call("BashOutput", { bash_id: "task_7" });
    assert.equal(status, "NOT_FOUND");
    assert.match(
      text,
      /^There is no background task task_7\. There are: task_1 `npm run dev`\. Tasks end with the window/,
    );
  });

  it("hides secrets before they are kept anywhere, also one that comes in pieces", async () => {
    const { harness, held, look } = await started(
      {},
      { redact: hiding(text => text.replaceAll("hunter2hunter2", "[secret]")) },
    );
    await held.print("key hunter2");
    await held.print(`hunter2\n${numbered(300)}`);
    const { text, performed } = await look();
    assert.match(text, /look:\nkey \[secret\]\nline 1\n/);
    assert.ok(!harness.blobs.text(performed?.raw?.sha256 ?? "")?.includes("hunter2"));
  });

  it("goes on where nothing can be stored any more, since another window has the session", async () => {
    const shell = new ScriptedShell({ "*": { output: [["stdout", numbered(20_000)]] } });
    const blobs = () => {
      throw new Error("another window has this session");
    };
    const task = await backgroundTasks({ shell, blobs }).start({
      command,
      cwd: "/ws",
      sandbox: NO_SANDBOX,
      callId: "call_1",
    });
    assert.equal(task.failure, undefined);
    assert.match(String((await task.output.read())?.notes), /could not be stored: another window has this session$/);
  });
});

describe("BashOutput with kill", () => {
  it("ends it, and says what it printed last", async () => {
    const { harness, held, kill, look } = await started();
    await held.print("working\n");
    const { text, status, digest } = await kill();
    assert.equal(text, "task_1: ended by you after 500 ms; new since the last look:\nworking");
    assert.deepEqual([status, digest], ["ok", "BashOutput task_1 ended after 500 ms · npm run dev"]);
    assert.equal(harness.shell.runs[0]?.signal.aborted, true);
    assert.equal((await look()).text, "task_1: ended by you after 500 ms; nothing new since the last look.");
  });

  it("of one that has ended says how, and is no error", async () => {
    const { held, kill } = await started();
    held.exit({ exitCode: 3 });
    await new Promise(resolve => setImmediate(resolve));
    const { text, status } = await kill();
    assert.equal(text, "task_1: exit 3 after 500 ms; nothing new since the last look.");
    assert.equal(status, "ok");
  });

  it("is not asked about", async () => {
    const { harness } = await started();
    assert.deepEqual((await harness.prepare("BashOutput", { bash_id: "task_1", kill: true })).detail, {
      type: "read",
      paths: [],
    });
    assert.equal((await harness.call("BashOutput", { bash_id: "x", kill: true })).status, "NOT_FOUND");
  });
});
