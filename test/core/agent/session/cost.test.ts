/** What turns, sessions and days cost, and where the agent stops for it. */
import assert from "node:assert/strict";
import { createSession, openSession } from "../../../../src/core/agent/session/openSession";
import type { Settings } from "../../../../src/shared/settings";
import { last, read, reopened, runTurn, start, world } from "../../../fakes/agent";
import { conversation } from "../../../fakes/longConversation";
import type { ScriptedAnswer } from "../../../fakes/model";

/** A dollar for a million of anything, but a tenth for what was cached and a quarter more for what is put there. */
const prices = { input: 1, output: 1, cachedInput: 0.1, cacheWrite: 1.25, dearer: [] };
const MILLION = 1_000_000;

async function paid(settings: Partial<Settings> = {}) {
  const agent = await start({ settings });
  agent.models.prices = prices;
  return agent;
}

/** A step that costs so many dollars. */
const step = (cost = 1): ScriptedAnswer => ({ calls: [read("src/a.ts")], input: cost * MILLION, output: 0 });

async function say({ session }: Pick<Awaited<ReturnType<typeof start>>, "session">, text = "go") {
  await runTurn(session, text);
}

describe("what a session costs", () => {
  it("is recorded with each answer, with what it was reckoned with, and summed up at the turn's end", async () => {
    const agent = await paid();
    agent.models.play(
      { calls: [read("src/a.ts")], input: MILLION, output: 0, cached: 200_000, written: 400_000 },
      { text: "Done.", input: 2 * MILLION, output: MILLION, cached: 2 * MILLION },
    );
    await say(agent);
    const { records } = agent.session.history;
    const costs = records.flatMap(each =>
      each.kind === "message" && each.message.role === "assistant" ? [each.message.metadata.usage] : [],
    );
    assert.deepEqual(
      costs.map(usage => usage?.cost?.toFixed(3)),
      ["0.920", "1.200"],
    );
    const { dearer: _, ...used } = prices;
    assert.deepEqual(costs[0]?.prices, used);
    assert.equal(costs[0]?.cacheWrite, 400_000);
    const { usage } = last(agent.session, "turnEnd");
    assert.equal(usage.cost?.toFixed(3), "2.120");
    assert.equal("prices" in usage, false);
    const { spent, today } = await agent.session.compaction.use();
    assert.deepEqual([spent.cost?.toFixed(3), spent.cachedInput, today?.toFixed(3)], ["2.120", 2_200_000, "2.120"]);
  });

  it("does not change with the prices, and outlives the window", async () => {
    const agent = await paid();
    agent.models.play({ ...step() }, { text: "Done.", input: MILLION, output: 0 });
    await say(agent);
    await agent.session.close();
    agent.models.prices = { ...prices, input: 100 };
    const again = await openSession(agent.ports, agent.session.id);
    assert.equal((await again.compaction.use()).spent.cost, 2);
    assert.equal((await agent.ports.storage.list())[0]?.cost, 2);
  });

  it("is not known where nobody knows the prices, and in part where they came later", async () => {
    const agent = await start();
    agent.models.play({ text: "One.", input: MILLION }, { text: "Two.", input: MILLION, output: 0 });
    await say(agent);
    assert.equal("cost" in last(agent.session, "turnEnd").usage, false);
    assert.deepEqual(agent.spending.entries, []);
    agent.models.prices = prices;
    await say(agent);
    const { spent } = await agent.session.compaction.use();
    assert.deepEqual([spent.cost, spent.costIsPartial], [1, true]);
  });

  it("counts the summaries of compactions, also of one that is undone", async () => {
    const agent = await conversation(6, 1000);
    agent.models.reportsUsage = true;
    const before = (await agent.session.compaction.use()).spent;
    agent.models.prices = prices;
    await agent.session.compaction.compact();
    const own = last(agent.session, "compaction").usage;
    assert.ok(own?.cost);
    const costs = async () => (await agent.session.compaction.use()).spent;
    const after = await costs();
    assert.equal(after.cost, own.cost);
    assert.equal(after.input, before.input + own.input);
    await agent.session.compaction.undo();
    assert.deepEqual(await costs(), after);
    const kept = agent.spending.entries.reduce((sum, { cost }) => sum + cost, 0);
    assert.equal(kept.toFixed(9), own.cost.toFixed(9));
  });
});

describe("what a turn may cost", () => {
  it("stops before the next request, says so, and has as much again when told to go on", async () => {
    const agent = await paid({ "agent.maxCostPerTurn": 2 });
    const { session, models } = agent;
    models.play(step(), step(), step(), step(), { ...step(2), calls: [], text: "I'll now run the tests." });
    await say(agent);
    const { reason, error } = last(session, "turnEnd");
    assert.deepEqual(
      [reason, error?.code, error?.actions, models.requests.length],
      ["limit", "max-cost-turn", ["continue"], 2],
    );
    assert.match(error?.message ?? "", /cost \$2\.00 so far; the limit is \$2\.00/);
    await session.resume();
    await session.idle();
    assert.deepEqual([last(session, "turnEnd").error?.code, models.requests.length], ["max-cost-turn", 4]);
    await session.resume();
    await session.idle();
    assert.equal(last(session, "turnEnd").reason, "done");
  });

  it("is no limit where it is 0, or where nobody knows what the model costs", async () => {
    for (const settings of [{ "agent.maxCostPerTurn": 0 }, { "agent.maxCostPerTurn": 0.01 }]) {
      const agent = await start({ settings });
      if (settings["agent.maxCostPerTurn"] === 0) agent.models.prices = prices;
      agent.models.play(step(), step(), { text: "Done." });
      await say(agent);
      assert.equal(last(agent.session, "turnEnd").reason, "done");
    }
  });
});

describe("what a run may take", () => {
  for (const [limits, code, requests] of [
    [{ cost: 2 }, "max-cost-run", 2],
    [{ tokens: 1_500_000 }, "max-tokens-run", 2],
    [{ steps: 3 }, "max-steps", 3],
  ] as const)
    it(`is counted over processes and turns: ${code}`, async () => {
      const { ports, models } = world();
      models.prices = prices;
      models.play(...Array.from({ length: 9 }, () => step()));
      const session = await createSession({ ...ports, runLimits: limits });
      await runTurn(session, "go");
      const ended = () => [last(again, "turnEnd").reason, last(again, "turnEnd").error?.code, models.requests.length];
      const again = await reopened(session, { ...ports, runLimits: limits });
      assert.deepEqual(ended(), ["limit", code, requests]);
      await again.resume();
      await again.idle();
      assert.deepEqual(ended(), ["limit", code, requests], "nothing is sent");
    });

  it("is no cost that nobody knows: nothing is sent", async () => {
    const { ports, models } = world();
    const session = await createSession({ ...ports, runLimits: { cost: 5 } });
    models.play(step());
    await runTurn(session, "go");
    assert.deepEqual([last(session, "turnEnd").error?.code, models.requests.length], ["unknown-price", 0]);
  });

  it("holds before a summary too", async () => {
    const agent = await conversation(6, 1000);
    agent.models.reportsUsage = true;
    const tokens = (await agent.session.compaction.use()).spent.input;
    const again = await reopened(agent.session, { ...agent.ports, runLimits: { tokens } });
    const sent = agent.models.requests.length;
    await runTurn(again, "x".repeat(4_000_000));
    assert.deepEqual([last(again, "turnEnd").reason, agent.models.requests.length], ["limit", sent]);
  });
});

describe("what a day may cost", () => {
  it("counts what other windows paid, and gives the session that was told to go on as much again", async () => {
    const agent = await paid({ "agent.maxCostPerDay": 3 });
    const { session, models, spending, clock } = agent;
    await spending.add({ ts: clock.now(), cost: 2 });
    await clock.advance(1);
    models.play(step(), step(), step(), step(), { text: "Done.", input: 1 });
    await say(agent);
    const { reason, error } = last(session, "turnEnd");
    assert.deepEqual([reason, error?.code, models.requests.length], ["limit", "max-cost-day", 1]);
    assert.match(error?.message ?? "", /^All sessions have cost \$3\.00 today; the limit is \$3\.00/);
    await clock.advance(1);
    await session.resume();
    await session.idle();
    assert.deepEqual([last(session, "turnEnd").error?.code, models.requests.length], ["max-cost-day", 4]);
    assert.match(last(session, "turnEnd").error?.message ?? "", /today since you last let this one continue/);
    const other = await start({ settings: { "agent.maxCostPerDay": 3 } });
    other.spending.entries.push(...spending.entries);
    await say(other);
    assert.deepEqual([last(other.session, "turnEnd").error?.code, other.models.requests.length], ["max-cost-day", 0]);
  });

  it("begins anew with the day", async () => {
    const agent = await paid({ "agent.maxCostPerDay": 1 });
    await agent.spending.add({ ts: agent.clock.now(), cost: 5 });
    await agent.clock.advance(24 * 3_600_000);
    agent.models.play({ text: "Done." });
    await say(agent);
    assert.equal(last(agent.session, "turnEnd").reason, "done");
  });

  it("a file that cannot be read or written stops nobody's work", async () => {
    const agent = await paid({ "agent.maxCostPerDay": 1 });
    const broken = () => Promise.reject(new Error("no such disk"));
    Object.assign(agent.spending, { add: broken, since: broken });
    agent.models.play({ text: "Done." });
    await say(agent);
    assert.equal(last(agent.session, "turnEnd").reason, "done");
    assert.ok(agent.logged.some(({ message }) => message.includes("could not be kept for the day")));
  });
});
