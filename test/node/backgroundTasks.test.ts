/** Background tasks on real processes: they live on, they end whole, and nothing they print blocks them or fills memory. */

import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import type { Clock } from "../../src/core/ground/ports";
import { NO_SANDBOX } from "../../src/core/ground/ports/shell";
import { isProcessAlive } from "../../src/node/processes";
import { listProcesses } from "../../src/node/shell/commandProcesses";
import { NodeShell } from "../../src/node/shell/shell";
import { nodeClock } from "../../src/node/system";
import { MemoryBlobs } from "../fakes/blobs";
import { FakeClock } from "../fakes/clock";
import { eventually } from "../fakes/eventually";
import { backgroundTasks } from "../fakes/tasks";

const gone = (pid: number) => eventually("its process is gone", () => !isProcessAlive(pid));

if (process.platform !== "win32") {
  describe("background tasks on processes", () => {
    const start = (command: string, clock: Clock = nodeClock) => {
      const blobs = new MemoryBlobs();
      const tasks = backgroundTasks({ shell: new NodeShell(), clock, blobs: blobs.writer });
      return { tasks, blobs, task: tasks.start({ command, cwd: tmpdir(), sandbox: NO_SANDBOX, callId: "call_1" }) };
    };
    /** Waits until it has printed something. */
    const read = async (task: Awaited<ReturnType<typeof start>["task"]>): Promise<string> =>
      (await eventually("something that it prints", () => task.output.read())).text;

    it("one runs on, is read, and ends with its children", async () => {
      const { tasks, task } = start("sleep 100 & echo $!; echo up >&2; wait");
      const running = await task;
      assert.equal(running.running, true);
      let text = "";
      await eventually("both that it prints", async () => {
        text += `${(await running.output.read())?.text ?? ""}\n`;
        return /up/.test(text) && /^\d/m.test(text);
      });
      const [pid] = /^\d+/m.exec(text) ?? [];
      await running.stop("agent");
      assert.deepEqual([running.info.state, running.info.endedBy], ["killed", "agent"]);
      await gone(Number(pid));
      await tasks.close();
    });

    it("one under `timeout` or `setsid` ends whole, by the agent and with its session", async function () {
      if (process.platform !== "linux") this.skip();
      for (const prefix of ["timeout 60", "(setsid"]) {
        const command = `${prefix} sh -c 'echo $$; exec sleep 60' & ${prefix.startsWith("(") ? ");" : ""} sleep 60`;
        for (const end of ["agent", "session"]) {
          const { tasks, task } = start(command);
          const running = await task;
          const pid = Number(await read(running));
          await (end === "agent" ? running.stop("agent") : tasks.close());
          assert.equal(
            listProcesses().some(one => one.pid === pid),
            false,
            `${command}: ${end}`,
          );
          assert.deepEqual([running.info.state, running.outcome?.mayRunOn], ["killed", false]);
          await tasks.close();
        }
      }
    });

    it("one that ignores the gentle signal ends with its session", async () => {
      const { tasks, task } = start("trap '' TERM; echo $$; while :; do sleep 0.1; done");
      const pid = Number(await read(await task));
      await tasks.close();
      await gone(pid);
      assert.deepEqual(
        tasks.list().map(({ state, endedBy }) => [state, endedBy]),
        [["killed", "session"]],
      );
    });

    it("one that fails at once has failed when it was started", async () => {
      // Its first moments are not over before it has ended.
      const { task } = start("echo no >&2; exit 7", new FakeClock());
      const ended = await task;
      assert.deepEqual([ended.running, ended.info.exitCode, await read(ended)], [false, 7, "no"]);
    });

    it("one that prints without end is held back, and goes on", async () => {
      const line = "a line of some length, again and again";
      const { tasks, task } = start(`yes '${line}'`);
      const began = performance.now();
      const running = await task;
      await eventually("a thousand lines", () => running.info.lines >= 1000);
      assert.match(await read(running), /× \d+$/);
      const before = running.info.lines;
      await eventually("that it goes on", () => running.info.lines >= before + 300_000);
      // 8 MB at once, and 8 MB for each second: not the gigabytes that it would print.
      const seconds = (performance.now() - began) / 1000;
      const printed = running.info.lines * (line.length + 1);
      assert.ok(printed < (seconds + 2) * 8 * 1024 * 1024, `${printed} bytes in ${seconds} s`);
      await tasks.close();
      assert.equal(running.info.state, "killed");
    });

    it("one that nobody reads is not blocked, and all that it printed is there in the end", async () => {
      const { task, blobs } = start("sleep 0.6; for i in $(seq 1 30000); do echo line $i; done; exit 3");
      const running = await task;
      await running.ended;
      assert.equal(running.info.exitCode, 3);
      const reading = await running.output.read();
      assert.match(reading?.text ?? "", /30,000 lines/);
      assert.match(blobs.text(reading?.blob?.sha256 ?? "") ?? "", /^line 1\n[\s\S]*\nline 30000\n$/);
      assert.match(running.watch({ output: () => undefined, ended: () => undefined }).text, /line 30000\n$/);
    });
  });
}
