/** `strata run` with background tasks: they end with the run, and that is said. */

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { agentEventSchema } from "../../src/shared/events";
import { parseCommand, type RunCommand } from "../../src/terminal/args";
import { Interrupts } from "../../src/terminal/interrupts";
import { EXIT } from "../../src/terminal/output";
import { run } from "../../src/terminal/run";
import { world } from "../fakes/agent";
import { eventually } from "../fakes/eventually";
import { HeldCommand } from "../fakes/shell";
import { printed } from "./printed";

/** A run in which the agent starts `npm run dev`, then does what `then` says. */
async function play(flags: string[], then: (held: HeldCommand) => void = () => undefined) {
  const held = new HeldCommand();
  const gate = Promise.withResolvers<void>();
  const agent = world({ mode: "auto", shell: { "npm run dev": { held }, wait: { before: gate.promise } } });
  agent.models.play(
    { calls: [{ name: "Bash", input: { command: "npm run dev", run_in_background: true } }] },
    { calls: [{ name: "Bash", input: { command: "wait" } }] },
    { text: "It runs." },
  );
  const { texts, streams } = printed();
  const interrupts = new Interrupts({ err: streams.err, quit: () => assert.fail("quit") });
  const command = parseCommand(["run", "--prompt", "go", ...flags]) as RunCommand;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const code = run(command, agent.ports, { streams, interrupts, input, output });
  await held.started;
  await agent.clock.advance(500);
  await eventually("command 2 runs", () => agent.shell.runs[1]);
  then(held);
  await new Promise(resolve => setImmediate(resolve));
  gate.resolve();
  return { code: await code, ...texts, signal: (await held.started).signal };
}

describe("strata run with background tasks", () => {
  it("ends those that still run, and says so", async () => {
    const { code, out, err, signal } = await play([]);
    assert.deepEqual([code, out, signal.aborted], [EXIT.done, "It runs.\n", true]);
    assert.match(err, /· Ran npm run dev started as task_1\n/);
    assert.match(err, /\nEnded with this run: task_1 `npm run dev` \(background tasks do not outlive it\)\n/);
  });

  it("tells of one that ends by itself", async () => {
    const { err } = await play([], held => held.exit({ exitCode: 1 }));
    assert.match(err, /· task_1 `npm run dev` is over: exit 1\n/);
    assert.doesNotMatch(err, /Ended with this run/);
  });

  it("as JSON: an event when it starts, and one when it ends", async () => {
    const { out, err } = await play(["--json"]);
    const events = out
      .trimEnd()
      .split("\n")
      .map(line => agentEventSchema.parse(JSON.parse(line)));
    const tasks = events.flatMap(event => (event.type === "task" ? [event] : []));
    assert.deepEqual(
      tasks.map(({ taskId, command, state, endedBy }) => [taskId, command, state, endedBy]),
      [
        ["task_1", "npm run dev", "running", undefined],
        ["task_1", "npm run dev", "killed", "session"],
      ],
    );
    assert.equal(err, "");
  });
});
