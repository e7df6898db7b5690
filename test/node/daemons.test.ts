/** Commands that leave something running which keeps the output open: the call does not wait for it, and says what it is. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import type { ShellOutcome, ShellRun } from "../../src/core/ground/ports";
import { NO_SANDBOX } from "../../src/core/ground/ports/shell";
import { runHook } from "../../src/core/guidance/hooks/sessionHooks";
import { listProcesses } from "../../src/node/shell/commandProcesses";
import { NodeShell } from "../../src/node/shell/shell";
import { nodeClock } from "../../src/node/system";
import { backgroundTasks } from "../fakes/tasks";
import { InSandbox, requireSandbox } from "./sandbox/inSandbox";

const TICKER = "while :; do echo tick; sleep 0.02; done";
const DOUBLE = `import os, sys, time
if os.fork(): sys.exit()
os.setsid()
if os.fork(): sys.exit()
while True:
  os.write(1, b"tick\\n"); time.sleep(0.02)`;

/** Where it makes a session of its own it stays, else it is ended with the command. */
const DAEMONS: Record<string, { command: string; stays: boolean }> = {
  "one that prints": { command: `setsid sh -c '${TICKER}' & sleep 0.1; echo x`, stays: true },
  "one that prints, twice removed": { command: `(setsid sh -c '${TICKER}' &); sleep 0.1; echo x`, stays: true },
  "one by nohup": { command: `nohup sh -c '${TICKER}' & sleep 0.1; echo x`, stays: false },
  "one in a subshell": { command: `(sh -c '${TICKER}' &); sleep 0.1; echo x`, stays: false },
  "one that is disowned": { command: `sh -c '${TICKER}' & disown; sleep 0.1; echo x`, stays: false },
  "one with stderr alone": { command: `setsid sh -c '${TICKER}' >&2 & sleep 0.1; echo x`, stays: true },
  "one that is silent": { command: "setsid sleep 600 & sleep 0.1; echo x", stays: true },
  "one that printed before it let go": {
    command: "setsid sh -c 'echo up; exec sleep 600 >/dev/null 2>&1' & sleep 0.1; echo x",
    stays: true,
  },
  "one that floods": {
    command: `F=$(mktemp -u); setsid sh -c "touch $F; exec yes" & until [ -e $F ]; do sleep 0.01; done; rm $F; echo x`,
    stays: true,
  },
  "one that ignores signals": {
    command: `setsid sh -c 'trap "" TERM HUP INT; ${TICKER}' & sleep 0.1; echo x`,
    stays: true,
  },
  "a coprocess": { command: `coproc { ${TICKER}; }; sleep 0.1; echo x`, stays: false },
  "one that forks twice": { command: `python3 -c '${DOUBLE}'; sleep 0.1; echo x`, stays: true },
};

if (process.platform === "linux") {
  const shell = new NodeShell({ killAfterMs: 300 });
  const isAlive = (pid: number) => listProcesses().some(one => one.pid === pid);
  /** Some end by themselves meanwhile, and tickers have new children. */
  const endAll = (running: ShellOutcome["running"] = []) => {
    spawnSync("kill", ["-9", ...running.map(({ pid }) => String(pid))]);
  };

  async function run(command: string, more: Partial<ShellRun> = {}, within = shell) {
    let out = "";
    const outcome = await within.run({
      ...{ command, cwd: tmpdir(), sandbox: NO_SANDBOX, signal: new AbortController().signal },
      onOutput: (_, chunk) => {
        // A flood is not kept.
        out = out.slice(-1000) + Buffer.from(chunk);
      },
      ...more,
    });
    return { ...outcome, out };
  }

  describe("what keeps the output open", () => {
    for (const [name, { command, stays }] of Object.entries(DAEMONS)) {
      it(`${name}: the call ends`, async function () {
        if (command.includes("python3") && spawnSync("python3", ["-V"]).status !== 0) this.skip();
        const { ended, exitCode, running, mayRunOn, out } = await run(command);
        endAll(running);
        assert.deepEqual([ended, exitCode, mayRunOn, (running?.length ?? 0) > 0], ["exited", 0, stays, stays]);
        if (!command.includes("yes")) assert.match(out, /^x$/m);
      });

      it(`${name}: a task in the background ends`, async () => {
        const tasks = backgroundTasks({ shell, clock: nodeClock });
        const task = await tasks.start({ command, cwd: tmpdir(), sandbox: NO_SANDBOX, callId: "c" });
        await task.ended;
        endAll(task.outcome?.running);
        assert.deepEqual([task.info.exitCode, task.outcome?.mayRunOn], [0, stays]);
        await tasks.close();
      });
    }

    it("in the sandbox: it ends with the command", async function () {
      await requireSandbox(this);
      const box = new InSandbox();
      try {
        for (const [name, { command }] of Object.entries(DAEMONS)) {
          const { ended, mayRunOn } = await box.run(command, { onOutput: () => undefined });
          assert.deepEqual([ended, mayRunOn], ["exited", false], name);
        }
      } finally {
        await box.close();
      }
    });

    it("in a hook: it ends, with what was said until then", async () => {
      const hook = { command: `setsid sh -c 'echo $$ >&2; ${TICKER}' & sleep 0.1; echo answer`, timeoutMs: 60_000 };
      const signal = new AbortController().signal;
      const { exitCode, ended, stdout, stderr } = await runHook(hook, { input: "{}", folder: tmpdir() }, shell, signal);
      process.kill(Number(stderr.trim()), "SIGKILL");
      assert.deepEqual([exitCode, ended], [0, "exited"]);
      assert.match(stdout, /^answer$/m);
    });

    it("goes on printing: nothing breaks the pipe, nothing fills it", async () => {
      // It would end at the first line that cannot be written.
      const { running } = await run("setsid sh -c 'while :; do echo tick || exit; done' & sleep 0.1");
      const pids = running?.map(({ pid }) => pid) ?? [];
      await run("sleep 0.2");
      assert.deepEqual([pids.length, pids.every(isAlive)], [1, true]);
      endAll(running);
    });

    it("is named, with its words", async () => {
      const { running } = await run("setsid sleep 612 & sleep 0.1");
      endAll(running);
      assert.deepEqual(
        running?.map(({ command }) => command),
        ["sleep 612"],
      );
    });

    it("Stop and the limit end it with the command, deaf ones too", async () => {
      for (const why of ["aborted", "timeout"] as const) {
        const stop = new AbortController();
        const deaf = `setsid sh -c 'trap "" TERM HUP INT; echo $$; ${TICKER}' & wait; sleep 600`;
        let out = "";
        const { ended, mayRunOn } = await run(deaf, {
          signal: stop.signal,
          ...(why === "timeout" && { timeoutMs: 400 }),
          onOutput: (_, chunk) => {
            out = (out + Buffer.from(chunk)).slice(0, 100);
            if (why === "aborted") stop.abort();
          },
        });
        assert.deepEqual([ended, mayRunOn, isAlive(Number(out.split("\n")[0]))], [why, false, false]);
      }
    });

    it("all that the command itself printed is taken, however slowly", async () => {
      let bytes = 0;
      const { running } = await run("setsid sleep 600 & head -c 200000 /dev/zero | tr '\\0' x", {
        onOutput: async (_, chunk) => {
          bytes += chunk.length;
          await run("true");
        },
      });
      endAll(running);
      assert.equal(bytes, 200_000);
    });
  });
}
