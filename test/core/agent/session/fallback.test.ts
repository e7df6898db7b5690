/** Other models take over where the one that is set is overloaded, out of credit or out of reach. */
import assert from "node:assert/strict";
import type { ModelFailure } from "../../../../src/core/ground/ports";
import { manifestSchema } from "../../../../src/shared/manifest";
import { last, read, runTurn, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { SUMMARY } from "../../../fakes/longConversation";
import { transcript } from "../../../fakes/model";

type Agent = Awaited<ReturnType<typeof start>>;

const fails = (code: ModelFailure["code"], more: Partial<ModelFailure> = {}) => ({
  fail: { code, message: `It failed (${code}); try again.`, retryable: false, ...more },
});
const overloaded = fails("server", { retryable: true, status: 529 });

const begin = (fallback: string[], more: Parameters<typeof start>[0] = {}) =>
  start({ ...more, settings: { "model.name": "scripted", "model.fallback": fallback, ...more.settings } });

/** Says it, and lets every pause pass. */
async function say({ session, clock }: Agent, text: string): Promise<void> {
  await session.submit(text);
  let isOver = false;
  const idle = session.idle().then(() => {
    isOver = true;
  });
  while (!isOver) {
    await eventually("it waits, or is over", () => isOver || clock.waiting > 0);
    if (!isOver) await clock.advance(120_000);
  }
  await idle;
}

const notes = ({ session }: Agent) =>
  session.history.records.flatMap(record => (record.kind === "note" ? [record.text] : []));
const manifests = ({ disk, session }: Agent) =>
  (disk.text(session.id, "requests.jsonl") ?? "")
    .trim()
    .split("\n")
    .map(line => manifestSchema.parse(JSON.parse(line)));

describe("fallback", () => {
  it("after the visible retries the next model takes the step over, and stays for the turn; the next turn begins with the first", async () => {
    const agent = await begin(["second", "third"]);
    const { models, session, events } = agent;
    models.play(
      { calls: [read("src/a.ts")] },
      ...Array(5).fill(overloaded),
      { calls: [read("src/b.ts")] },
      { text: "Done by the second." },
      { text: "The first is back." },
    );
    await say(agent, "go");
    assert.equal(last(session, "turnEnd").reason, "done");
    await say(agent, "more");
    assert.deepEqual(models.asked, ["scripted", ...Array(5).fill("scripted"), "second", "second", "scripted"]);
    assert.equal(events.filter(({ type }) => type === "retry").length, 4);
    assert.deepEqual(notes(agent), ["It failed (server); try again. second answers for the rest of this turn."]);
    // The step is the same one: nothing was lost or sent twice.
    assert.deepEqual(transcript(models.requests[6]!), transcript(models.requests[5]!));
    const requests = manifests(agent);
    assert.deepEqual(
      requests.map(({ model, cause }) => [model, cause]),
      [
        ["scripted", undefined],
        ...Array(5).fill(["scripted", undefined]),
        ["second", "model-changed"],
        ["second", undefined],
        ["scripted", "model-changed"],
      ],
    );
  });

  for (const [what, fail] of [
    ["no credit", fails("rate-limit", { status: 402 })],
    ["a wait that is too long", fails("rate-limit", { retryable: true, retryAfterMs: 61_000 })],
    ["nothing there", fails("refused")],
  ] as const) {
    it(`${what}: at once`, async () => {
      const agent = await begin(["second"]);
      agent.models.play(fail, { text: "Here." });
      await runTurn(agent.session, "go");
      assert.deepEqual(agent.models.asked, ["scripted", "second"]);
      assert.equal(last(agent.session, "turnEnd").reason, "done");
    });
  }

  it("a key that is refused is the person's to mend: nobody takes over", async () => {
    const agent = await begin(["second"]);
    agent.models.play(fails("auth"));
    await say(agent, "go");
    assert.deepEqual(agent.models.asked, ["scripted"]);
    assert.equal(last(agent.session, "turnEnd").error?.code, "auth");
  });

  it("one that is not set up, or the same again, is passed over; when all failed, the turn ends with the last one's words", async () => {
    const agent = await begin(["scripted", "nowhere", "third"]);
    agent.models.play(fails("refused"), fails("rate-limit", { message: "Third is full; wait." }), { text: "Back." });
    await say(agent, "go");
    assert.deepEqual(agent.models.asked, ["scripted", "third"]);
    assert.equal(notes(agent)[0], "nowhere cannot take over. There is no such model.");
    assert.equal(last(agent.session, "turnEnd").error?.message, "Third is full; wait.");
    await say(agent, "again");
    assert.equal(last(agent.session, "turnEnd").reason, "done");
    assert.equal(agent.models.asked.at(-1), "scripted");
  });

  it("the window of the model in use decides: a smaller one compacts first, and writes the summary itself", async () => {
    const agent = await begin(["small"]);
    const { models, session, events } = agent;
    models.others.set("small", 8_000);
    models.reportsUsage = false;
    const submit = async (text: string) => {
      await runTurn(session, text);
    };
    for (const text of ["one", "two", "three", "four"]) {
      models.play({ text: `Answer ${text}.` });
      await submit(`${text} ${"words of a long question ".repeat(300)}`);
    }
    assert.ok(!events.some(({ type }) => type === "compaction"));
    models.play(fails("refused"), { text: "Small and well." });
    models.summaries.push({ text: SUMMARY });
    await submit("five");
    assert.equal(last(session, "compaction").reason, "threshold");
    assert.equal(last(session, "compaction").failure, undefined);
    assert.equal(last(session, "turnEnd").reason, "done");
    assert.deepEqual(new Set(models.asked.slice(-2)), new Set(["small"]));
    const end = events.findLast(event => event.type === "request");
    assert.equal(end?.contextWindow, 8_000);
    assert.ok((end?.estimatedTokens ?? 0) < 8_000);
  });
});

describe("pauses that servers ask for", () => {
  it("minutes are waited out and counted down; hours are said and not waited for", async () => {
    const agent = await begin([]);
    const { models, session, events, clock } = agent;
    models.play(fails("rate-limit", { retryable: true, retryAfterMs: 240_000 }), { text: "Thanks." });
    await session.submit("go");
    await eventually("it waits", () => clock.waiting > 0);
    assert.equal(events.findLast(event => event.type === "retry")?.delayMs, 240_000);
    await clock.advance(239_999);
    assert.equal(models.requests.length, 1);
    await clock.advance(1);
    await session.idle();
    assert.equal(last(session, "turnEnd").reason, "done");
    models.play(fails("rate-limit", { retryable: true, retryAfterMs: 7_200_000 }));
    await runTurn(session, "more");
    assert.equal(last(session, "turnEnd").error?.code, "rate-limit");
  });
});

describe("answers that were cut at the model's limit", () => {
  it("go on once by themselves, which is said; twice is for the person", async () => {
    const { session, models } = await start();
    models.play({ text: "One, two,", finish: "length" }, { text: "three.", finish: "stop" });
    await runTurn(session, "count");
    assert.match(last(session, "note").text, /goes on in a second one/);
    assert.match(transcript(models.requests[1]!).join("\n"), /assistant: One, two,\n.*Go on where it ends/s);
    models.play({ text: "Four,", finish: "length" }, { text: "five,", finish: "length" }, { text: "never" });
    await runTurn(session, "more");
    assert.equal(models.requests.length, 4);
    assert.match(last(session, "note").text, /again and is cut off/);
    assert.equal(last(session, "turnEnd").reason, "done");
  });

  it("a filter's end is said in words", async () => {
    const { session, models } = await start();
    models.play({ text: "Well,", finish: "content-filter" });
    await runTurn(session, "go");
    assert.equal(models.requests.length, 1);
    assert.match(last(session, "note").text, /filter broke off the answer above: other words may pass/);
  });
});
