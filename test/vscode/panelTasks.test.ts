/** Background tasks as panels know them: listed, stopped, opened in a terminal; and what they mean for sessions. */

import assert from "node:assert/strict";
import { eventually } from "../fakes/eventually";
import { ended, startHost } from "../fakes/panelHost";
import { HeldCommand } from "../fakes/shell";

async function start() {
  const held = new HeldCommand();
  const host = startHost({ mode: "auto", shell: { "*": { cwd: "/ws/app/src" }, "npm run dev": { held } } });
  host.models.play(
    { calls: [{ name: "Bash", input: { command: "cd src" }, id: "call_cd" }] },
    { calls: [{ name: "Bash", input: { command: "npm run dev", run_in_background: true }, id: "call_dev" }] },
    { text: "It runs." },
  );
  const client = host.panel();
  await client.request("open", {});
  await client.request("submit", { text: "go", delivery: "steer" });
  await held.started;
  await host.clock.advance(500);
  await ended(client);
  const told = () => client.events.flatMap(event => (event.type === "task" ? [event] : []));
  return { ...host, held, client, told };
}

describe("background tasks in the panel", () => {
  it("are told as events, and to a panel that opens later", async () => {
    const { client, panel, told } = await start();
    await eventually("the task is told", () => told().length === 1);
    const { type: _, ...task } = told()[0]!;
    assert.deepEqual([task.taskId, task.callId, task.cwd], ["task_1", "call_dev", "/ws/app/src"]);
    assert.deepEqual((await panel().request("open", {})).tasks, [task]);
    const { sessions } = await client.request("sessions", {});
    assert.deepEqual(
      sessions.map(({ running, tasks }) => ({ running, tasks })),
      [{ running: false, tasks: 1 }],
    );
  });

  it("are stopped, opened in a terminal, and dismissed when they have ended", async () => {
    const { client, held, told, done } = await start();
    await client.request("openTask", { taskId: "task_1" });
    assert.deepEqual(done, ["terminal of task_1"]);
    await client.request("stopTask", { taskId: "task_1" });
    await eventually("the task is told to be ended", () => told().at(-1)?.state === "killed");
    assert.equal(told().at(-1)?.endedBy, "user");
    assert.equal((await held.started).signal.aborted, true);
    await client.request("dismissTask", { taskId: "task_1" });
    await eventually("the task is told to be put away", () => told().at(-1)?.dismissed);
    assert.equal((await client.request("open", {})).tasks, undefined);
    for (const method of ["stopTask", "openTask"] as const)
      await assert.rejects(client.request(method, { taskId: "task_9" }), /This task is gone/);
  });

  it("a command is typed into a terminal in the folder in which it ran", async () => {
    const { client, done } = await start();
    await client.request("openTerminal", { callId: "call_cd" });
    await client.request("openTerminal", { callId: "call_dev" });
    assert.deepEqual(done, ["terminal cd src in /ws/app", "terminal npm run dev in /ws/app/src"]);
    await assert.rejects(client.request("openTerminal", { callId: "none" }), /no longer in the session's log/);
  });

  describe("a session that is left", () => {
    it("goes on while one runs, and until somebody knows how it ended", async () => {
      const { client, sessions, held, ports } = await start();
      const id = client.snapshot?.sessionId ?? "";
      const locked = async () => {
        const files = await ports.storage.open(id);
        const { writable } = files;
        await files.close();
        return !writable;
      };
      await client.request("newSession", {});
      assert.equal(await locked(), true);
      held.exit({ exitCode: 2 });
      await sessions.openById(id);
      const session = sessions.current;
      await eventually("nothing runs in the background", () => session?.background.running.length === 0);
      assert.equal(session?.background.list()[0]?.exitCode, 2, "its end is still to be seen");
      await client.request("newSession", {});
      assert.equal(await locked(), true);
      session?.background.dismiss("task_1");
      // closing happens behind what was asked for before
      await sessions.create();
      await sessions.create();
      assert.equal(await locked(), false);
    });

    it("ends them with the window", async () => {
      const { client, sessions, held } = await start();
      await client.request("newSession", {});
      await sessions.close();
      assert.equal((await held.started).signal.aborted, true);
    });
  });
});
