/** What a session cost, in the terminal: at the end of a turn, of a session shown, in the list, in events. */
import assert from "node:assert/strict";
import { listSessions, showSession } from "../../src/terminal/sessions";
import { read, runTurn, start } from "../fakes/agent";
import { printed, tickingPrinter } from "./printed";

async function paid() {
  const agent = await start({ settings: { "agent.maxCostPerTurn": 1 } });
  agent.models.prices = { input: 1, output: 1, cachedInput: 0.1, dearer: [] };
  agent.models.play(
    { calls: [read("src/a.ts")], input: 100_000, output: 0 },
    { calls: [{ name: "LS", input: {} }], input: 1_000_000, output: 0, cached: 12_000 },
  );
  return agent;
}

describe("the terminal: what it cost", () => {
  it("the end of a turn says it, with what was cached, and why the agent stopped for it", async () => {
    const { session } = await paid();
    const { print, texts } = tickingPrinter();
    session.subscribe(print);
    await runTurn(session, "go");
    assert.match(texts.err, /! This turn has cost \$1\.09 so far; the limit is \$1\.00\./);
    assert.match(texts.err, /1,100,000 tokens in, 0 out, \$1\.09 · 12k cached, /);
  });

  it("a session that is shown says it in all; the list says it too", async () => {
    const { session, ports } = await paid();
    await runTurn(session, "go");
    await session.close();
    const shown = printed();
    await showSession(ports.storage, session.id, false, shown.streams);
    assert.match(shown.texts.out, /\nIn all: \$1\.09 · 12k cached\n$/);
    const listed = printed();
    await listSessions(ports.storage, { json: false, size: false }, listed.streams);
    assert.match(listed.texts.out, / 1 turn {2}\$1\.09 {2}go\n/);
    const events = printed();
    await showSession(ports.storage, session.id, true, events.streams);
    assert.match(events.texts.out, /"reason":"limit".*"cost":1\.0892/);
  });
});
