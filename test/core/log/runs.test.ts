/** The list of turns: what is entered, what moves, and that the records have it all where the files do not. */
import assert from "node:assert/strict";
import { readRuns, storeRuns } from "../../../src/core/log/runs";
import { runLines } from "../../../src/core/log/searchLog";
import { start } from "../../fakes/agent";
import { Recorded } from "./recorded";

async function round(recorded: Recorded, words: string, outputs: string[] = []): Promise<void> {
  await recorded.round(words, outputs, `Answer to ${words}`);
  await storeRuns(recorded.history);
}

const entries = (recorded: Recorded, name = "runs.jsonl") =>
  recorded
    .text(name)
    .split("\n")
    .filter(Boolean)
    .map(line => JSON.parse(line));
const turns = async (recorded: Recorded) => {
  const { runs, missing } = await readRuns(recorded.history);
  assert.deepEqual(missing, []);
  return runs.map(({ turn, userPreview, toolCalls }) => `${turn} ${userPreview} ${toolCalls.count}`);
};

describe("the list of turns", () => {
  it("has an entry for each turn that ended", async () => {
    const recorded = await Recorded.start();
    await round(recorded, "first  words\nand more", ["one", "two"]);
    await round(recorded, "second");
    const [first, second] = entries(recorded);
    assert.deepEqual(first, {
      ...{
        runId: "run_1",
        turn: 1,
        userPreview: "first words and more",
        outputPreview: "Answer to first words and more",
      },
      ...{ toolCalls: { count: 2, digests: ["Bash run 1.0", "Bash run 1.1"] }, ts: first.ts, reason: "done" },
    });
    assert.deepEqual([second.turn, second.toolCalls], [2, { count: 0, digests: [] }]);
  });

  it("enters turns again that went on, and those that never were entered", async () => {
    const recorded = await Recorded.start();
    await recorded.round("of an older version", ["x"]);
    await round(recorded, "second", ["y"]);
    await storeRuns(recorded.history);
    assert.deepEqual(
      entries(recorded).map(({ turn }) => turn),
      [1, 2, 2],
    );
    assert.deepEqual(await turns(recorded), ["2 second 1", "1 of an older version 1"]);
  });

  it("moves the older ones to a file of their own beyond 200, an entry stays for them", async () => {
    const recorded = await Recorded.start();
    for (let turn = 1; turn <= 201; turn++) await recorded.round(`words ${turn}`);
    await storeRuns(recorded.history);
    const [older, ...rest] = entries(recorded);
    assert.deepEqual(older, { kind: "older", files: ["runs/0001.jsonl"], runs: 101, turns: { from: 1, to: 101 } });
    assert.deepEqual([rest.length, rest[0].turn], [100, 102]);
    assert.equal(entries(recorded, "runs/0001.jsonl").length, 101);
    for (let turn = 202; turn <= 302; turn++) await round(recorded, `words ${turn}`);
    const files = ["runs/0001.jsonl", "runs/0002.jsonl"];
    assert.deepEqual(entries(recorded)[0], { kind: "older", files, runs: 202, turns: { from: 1, to: 202 } });
    const { lines } = await runLines(recorded.history);
    assert.equal(lines.length, 302);
    assert.match(lines.at(-1) ?? "", /^turn 1 · .* · done · "words 1" · no calls · answered "Done\."$/);
  });

  it("says what archives hold without reading them", async () => {
    const recorded = await Recorded.start();
    await round(recorded, "first", ["one"]);
    await round(recorded, "second");
    await recorded.compact([1]);
    recorded.remove("archive/0001.jsonl");
    await recorded.reopen();
    assert.deepEqual(await turns(recorded), ["2 second 0", "1 first 1"]);
  });

  it("is made from the records where its files are missing or damaged", async () => {
    for (const damage of [
      "",
      "{\n\u0000",
      '{"kind":"older","files":["runs/0001.jsonl"],"runs":9,"turns":{"from":1,"to":9}}\n',
    ]) {
      const recorded = await Recorded.start();
      await round(recorded, 'first "turn":7 words', ["one"]);
      await recorded.compact([1]);
      await round(recorded, "second");
      recorded.put("runs.jsonl", damage);
      assert.deepEqual(await turns(recorded), ["2 second 0", '1 first "turn":7 words 1'], damage);
      await round(recorded, "third");
      assert.deepEqual((await turns(recorded)).length, 3, damage);
      assert.ok(recorded.text("runs.jsonl").endsWith("\n"));
    }
  });

  it("names the archive that has the turns it lacks", async () => {
    const recorded = await Recorded.start();
    await round(recorded, "first");
    await recorded.compact([1]);
    await round(recorded, "second");
    recorded.remove("runs.jsonl");
    recorded.remove("archive/0001.jsonl");
    const { lines, missing } = await runLines(recorded.history);
    assert.deepEqual([lines.length, missing], [1, ["archive/0001.jsonl"]]);
  });

  it("is written with every turn of a session; that it cannot be stops nobody", async () => {
    const { session, models, disk, logged } = await start({});
    const text = () => disk.text(session.id, "runs.jsonl") ?? "";
    models.play({ text: "Hello." }, { text: "Again." }, { text: "And again." });
    await session.submit("hi");
    await session.idle();
    assert.equal(JSON.parse(text()).outputPreview, "Hello.");
    const append = disk.operation.bind(disk);
    disk.operation = (name, write) => append(name.includes("runs") ? assert.fail("no disk") : name, write);
    await session.submit("once more");
    await session.idle();
    assert.ok(logged.some(({ message }) => message === "the list of turns could not be updated"));
    disk.operation = append;
    await session.submit("and more");
    await session.idle();
    const turns = text().trimEnd().split("\n");
    assert.deepEqual(
      turns.map(line => JSON.parse(line).outputPreview),
      ["Hello.", "Again.", "And again."],
    );
  });

  it("is made of the records where what is entered leads elsewhere, or cannot be read", async () => {
    for (const name of ["../x", "runs/1", "history.broken.jsonl", "runs/0001.jsonl"]) {
      const recorded = await Recorded.start();
      await recorded.round("first", ["one"]);
      const older = { kind: "older", files: [name], runs: 1, turns: { from: 1, to: 1 } };
      recorded.put("runs.jsonl", `${JSON.stringify(older)}\n`);
      recorded.put("runs/0001.jsonl", "no entry\n");
      assert.deepEqual(await turns(recorded), ["1 first 1"]);
    }
  });

  it("does not count to a turn that cannot be", async () => {
    const recorded = await Recorded.start();
    await recorded.round("first");
    recorded.put("history.jsonl", recorded.text("history.jsonl").replaceAll('"turn":1', '"turn":2000000000'));
    await recorded.reopen();
    assert.deepEqual(await turns(recorded), ["2000000000 first 0"]);
  });
});
