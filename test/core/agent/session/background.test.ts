/** Background tasks in a session: what the model hears of them, what outlives Stop, and what ends them. */

import assert from "node:assert/strict";
import { manifestSchema } from "../../../../src/shared/manifest";
import { everything, last, reopened, runTurn, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { transcript } from "../../../fakes/model";
import { pluck } from "../../../fakes/pluck";
import { HeldCommand } from "../../../fakes/shell";

const begin = (command = "npm run dev") => ({ name: "Bash", input: { command, run_in_background: true } });
const look = { name: "BashOutput", input: { bash_id: "task_1" } };

type Started = Awaited<ReturnType<typeof start>>;

/** Waits for the command, and until its first moment is over. */
async function outlive({ clock }: Pick<Started, "clock">, held: HeldCommand) {
  await held.started;
  await clock.advance(500);
}

/** A session with one task, after the turn that started it. */
async function withTask(options: Parameters<typeof start>[0] = {}) {
  const held = new HeldCommand();
  const agent = await start({ mode: "auto", shell: { "*": {}, "npm run dev": { held } }, ...options });
  agent.models.play({ calls: [begin()] }, { text: "It runs." });
  await agent.session.submit("go");
  await outlive(agent, held);
  await agent.session.idle();
  return { ...agent, held };
}

const tail = ({ models }: Pick<Started, "models">) => transcript(models.requests.at(-1)!).at(-1)!;
const tasks = ({ events }: Pick<Started, "events">) => events.flatMap(event => (event.type === "task" ? [event] : []));

describe("background tasks of a session", () => {
  it("stand in the tail of each request: running, then ended, until the agent has read how", async () => {
    const agent = await withTask();
    const { session, models, held, clock } = agent;
    assert.match(tail(agent), /Background tasks .*:\n- task_1 `npm run dev`: running for less than a minute\n/);
    await held.print("a\nb\n");
    await clock.advance(200_000);
    models.play({ text: "Fine." });
    await runTurn(session, "and?");
    assert.match(tail(agent), /- task_1 `npm run dev`: running for 3 min, 2 new lines\n/);
    held.exit({ exitCode: 1 });
    await eventually("nothing runs in the background", () => session.background.running.length === 0);
    models.play({ calls: [look] }, { text: "It failed." });
    await runTurn(session, "and now?");
    const [, , , asked, told] = models.requests.map(request => transcript(request).at(-1)!);
    assert.match(asked!, /- task_1 `npm run dev`: exit 1, not read yet\n/);
    assert.ok(!told!.includes("Background tasks"), told);
    assert.match(last(session, "result").forms.shown, /^task_1: exit 1 after .*\na\nb$/);
    await session.close();
  });

  it("change nothing in front of the tail: a request of a turn begins with the one before", async () => {
    const agent = await withTask();
    const { session, models, held, clock, disk } = agent;
    models.play({ calls: [look] }, { calls: [look] }, { text: "ok" });
    await held.print("more\n");
    await clock.advance(60_000);
    await runTurn(session, "look");
    const lines = (disk.text(session.id, "requests.jsonl") ?? "").trimEnd().split("\n");
    const manifests = lines.map(line => manifestSchema.parse(JSON.parse(line)));
    const tails = manifests.flatMap(({ segments }) => segments.filter(({ source }) => source === "tail:tasks"));
    assert.ok(new Set(tails.map(({ sha256 }) => sha256)).size > 1, "what the tail says changed");
    assert.deepEqual(
      manifests.map(({ cause, unexplained }) => cause ?? unexplained),
      [undefined, undefined, undefined, undefined, undefined],
    );
    await session.close();
  });

  it("outlive Stop, and end with the session", async () => {
    const agent = await withTask();
    const { session, models, held } = agent;
    models.play({ text: "Half", hang: true });
    await session.submit("talk");
    await eventually("text streams", () => session.live().some(event => event.type === "text"));
    await session.stop();
    assert.equal((await held.started).signal.aborted, false);
    assert.deepEqual(pluck(session.background.list(), "state"), ["running"]);
    await session.close();
    assert.equal((await held.started).signal.aborted, true);
    assert.deepEqual(
      tasks(agent).map(({ state, endedBy }) => [state, endedBy]),
      [
        ["running", undefined],
        ["killed", "session"],
      ],
    );
  });

  it("stay where Stop comes in their first moment", async () => {
    const held = new HeldCommand();
    const agent = await start({ mode: "auto", shell: { "*": { held } } });
    agent.models.play({ calls: [begin()] });
    await agent.session.submit("go");
    await held.started;
    const stopped = agent.session.stop();
    await agent.clock.advance(500);
    await stopped;
    assert.match(last(agent.session, "result").forms.shown, /^Started in the background as task_1/);
    assert.equal(agent.session.background.running.length, 1);
    await agent.session.close();
  });

  it("are gone when the session is opened again: nothing says that they run, and no id comes twice", async () => {
    const { session, ports, models, clock } = await withTask();
    const again = await reopened(session, ports);
    assert.deepEqual(again.background.list(), []);
    const held = new HeldCommand();
    (ports.shell as Started["shell"]).add("second", { held });
    models.play({ calls: [look] }, { calls: [begin("second")] }, { text: "ok" });
    await again.submit("go on");
    await outlive({ clock }, held);
    await again.idle();
    const [, , first, , second] = models.requests.map(request => transcript(request).at(-1)!);
    assert.ok(!first!.includes("Background tasks"), first);
    const results = again.history.records.flatMap(record => (record.kind === "result" ? [record] : []));
    assert.deepEqual(
      results.map(({ error, taskId }) => [error?.code, taskId]),
      [
        [undefined, "task_1"],
        ["NOT_FOUND", undefined],
        [undefined, "task_2"],
      ],
    );
    assert.match(second!, /- task_2 `second`: running/);
    await again.close();
  });

  it("keep their numbers through a compaction, and its undo", async () => {
    const { session, models, ports } = await withTask({ settings: { "history.keepRounds": 1 } });
    for (const words of ["two", "three", "four"]) {
      models.play({ text: words.repeat(1000) });
      await runTurn(session, words);
    }
    await session.compaction.compact();
    assert.equal(session.history.conversation.lastTask, 1);
    assert.ok(last(session, "compaction"), "it was compacted");
    assert.equal(last(session, "compaction").snapshot.lastTask, 1);
    await session.compaction.undo();
    assert.equal(session.history.conversation.lastTask, 1);
    const again = await reopened(session, ports);
    assert.equal(again.history.conversation.lastTask, 1);
    await again.close();
  });

  it("tell what they print once a second, their end at once, and what a snapshot has", async () => {
    const agent = await withTask();
    const { session, held, clock } = agent;
    await held.print("one\n");
    await held.print("two\n");
    await held.print("three\n");
    assert.equal(tasks(agent).length, 1);
    await clock.advance(1000);
    assert.deepEqual(tasks(agent).at(-1)?.lines, 3);
    assert.equal(tasks(agent).length, 2);
    assert.deepEqual(session.live(), [], "the session says them itself");
    await held.print("four\n");
    held.exit({ exitCode: 0 });
    await eventually("three tasks are told", () => tasks(agent).length === 3);
    const { type: _, ...told } = tasks(agent).at(-1)!;
    assert.deepEqual([told], session.background.list());
    assert.deepEqual([told.state, told.exitCode, told.lines], ["exited", 0, 4]);
    await clock.advance(5000);
    assert.equal(tasks(agent).length, 3, "nothing is told of it any more");
    session.background.dismiss("task_1");
    assert.deepEqual([tasks(agent).at(-1)?.dismissed, session.background.list()], [true, []]);
    session.background.dismiss("task_1x");
    await session.close();
  });

  it("are needed until somebody took note of their end", async () => {
    const { session, held } = await withTask();
    assert.equal(session.background.needed, true);
    session.background.dismiss("task_1");
    assert.equal(session.background.list().length, 1, "one that runs cannot be dismissed");
    held.exit();
    await eventually("nothing runs in the background", () => session.background.running.length === 0);
    assert.equal(session.background.needed, true);
    session.background.dismiss("task_1");
    assert.equal(session.background.needed, false);
    await session.close();
  });

  it("may be looked at again and again, but not for ever", async () => {
    const agent = await withTask();
    const { session, models } = agent;
    models.play(...Array.from({ length: 30 }, () => ({ calls: [look] })));
    await runTurn(session, "watch it");
    assert.equal(last(session, "turnEnd").error?.code, "repeated-call");
    assert.equal(
      session.history.records.filter(record => record.kind === "result" && record.status === "success").length,
      21,
    );
    await session.close();
  });

  it("a command that failed is not taken for mended because it was started in the background", async () => {
    const held = new HeldCommand();
    const agent = await start({ mode: "auto", shell: { "*": { exitCode: 1 } } });
    agent.models.play({ calls: [{ name: "Bash", input: { command: "npm test" } }] }, { text: "Failed." });
    await runTurn(agent.session, "test");
    agent.shell.add("npm test", { held });
    agent.models.play({ calls: [begin("npm test")] }, { text: "It runs." });
    await agent.session.submit("again");
    await outlive(agent, held);
    await agent.session.idle();
    assert.equal(agent.session.history.conversation.failing?.command, "npm test");
    await agent.session.close();
  });

  it("keep secrets out of events, requests and files", async () => {
    const held = new HeldCommand();
    const secrets = { environment: { API_TOKEN: "Kx7vQ2mR9tLp4wZc" } };
    const agent = await start({ mode: "auto", shell: { "*": { held } }, secrets });
    agent.models.play({ calls: [begin()] }, { calls: [look] }, { text: "ok" });
    await agent.session.submit("go");
    await held.started;
    await held.print(`token Kx7vQ2mR9tLp4wZc\n${"line\n".repeat(20_000)}`);
    await agent.clock.advance(500);
    await agent.session.idle();
    await agent.session.close();
    assert.ok(!everything(agent.disk).includes("Kx7vQ2mR9tLp"));
    assert.ok(!JSON.stringify(agent.events).includes("Kx7vQ2mR9tLp"));
    assert.ok(!JSON.stringify(agent.models.requests.map(({ prompt }) => prompt)).includes("Kx7vQ2mR9tLp"));
  });
});
