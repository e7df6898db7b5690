/** What opening a session finds beside its log: archives that no header names, and some that are not there. */
import assert from "node:assert/strict";
import { nextArchiveName } from "../../../src/core/log/codec";
import { Recorded } from "./recorded";

/** Turns 1 and 2 in an archive, 3 live. */
async function session(): Promise<Recorded> {
  const recorded = await Recorded.start();
  await recorded.round("first words", ["one"]);
  await recorded.round("second words", ["two"]);
  await recorded.compact([1, 2]);
  await recorded.round("third words", ["three"]);
  return recorded;
}

describe("archives that no header names", () => {
  it("are left alone after a crash in a compaction; history is as before", async () => {
    const recorded = await session();
    const live = recorded.text("history.jsonl");
    recorded.storage.disk.failAt(recorded.storage.disk.operations.length + 2, { code: "IO" });
    await assert.rejects(recorded.compact([3]));
    assert.deepEqual(recorded.files("archive"), ["archive/0001.jsonl", "archive/0002.jsonl"]);
    for (let times = 0; times < 2; times += 1) assert.deepEqual(await recorded.reopen(), []);
    assert.deepEqual(recorded.history.archives, ["archive/0001.jsonl"]);
    assert.equal(recorded.text("history.jsonl"), live);
  });

  it("are not written over by the next compaction in the same window", async () => {
    const recorded = await session();
    recorded.storage.disk.failAt(recorded.storage.disk.operations.length + 2, { code: "IO" });
    await assert.rejects(recorded.compact([3]));
    const left = recorded.text("archive/0002.jsonl");
    const { archive } = await recorded.compact([3]);
    assert.equal(archive, "archive/0003.jsonl");
    assert.equal(recorded.text("archive/0002.jsonl"), left);
  });

  it("are named where their records stand nowhere else", async () => {
    const recorded = await session();
    const [header = "", ...lines] = recorded.text("history.jsonl").split("\n");
    recorded.put("history.jsonl", [JSON.stringify({ ...JSON.parse(header), archives: [] }), ...lines].join("\n"));
    const [repair, ...more] = await recorded.reopen();
    assert.match(repair ?? "", /^archive\/0001\.jsonl of this session holds records that its log did not know/);
    assert.deepEqual(more, []);
    assert.deepEqual(recorded.history.archives, ["archive/0001.jsonl"]);
    assert.equal(recorded.text("history.jsonl").split("\n").slice(1).join("\n"), lines.join("\n"));
    assert.deepEqual(await recorded.reopen(), []);
  });

  it("stop nobody where they cannot be named", async () => {
    const recorded = await session();
    recorded.put("archive/0002.jsonl", recorded.text("archive/0001.jsonl").replace('"id":"rec_', '"id":"rec_other'));
    recorded.storage.disk.failAt(0, { code: "DENIED" });
    const [repair] = await recorded.reopen();
    assert.match(repair ?? "", /^archive\/0002\.jsonl belongs to no compaction of this session and was left/);
    await recorded.round("goes on");
    assert.equal(recorded.history.records.at(-1)?.kind, "turnEnd");
  });
});

describe("archives that are missing", () => {
  it("are told when the session is opened, once", async () => {
    const recorded = await session();
    recorded.remove("archive/0001.jsonl");
    const [repair, ...more] = await recorded.reopen();
    assert.equal(
      repair,
      "archive/0001.jsonl of this session is missing or cannot be read (turns 1–2): what went there cannot be recalled, and that compaction cannot be undone.",
    );
    assert.deepEqual(more, []);
    await recorded.history.append({ kind: "note", level: "warning", code: "archive-missing", text: repair ?? "" });
    assert.deepEqual(await recorded.reopen(), []);
  });
});

describe("the next archive", () => {
  const check = (title: string, names: string[], expected: string) =>
    it(title, () => assert.equal(nextArchiveName(names), expected));
  check("is the first", [], "archive/0001.jsonl");
  check("comes behind the last", ["archive/0002.jsonl", "0007.jsonl"], "archive/0008.jsonl");
  check("has a name that can be read", ["archive/99999999999999999999.jsonl", "../1.jsonl"], "archive/0001.jsonl");
  check("is a free one", ["archive/999999999.jsonl", "0001.jsonl", "archive/0003.jsonl"], "archive/0004.jsonl");
});

describe("a damaged archive", () => {
  it("is not put back in the place of its summary", async () => {
    const recorded = await session();
    const compaction = recorded.history.records.find(record => record.kind === "compaction") ?? assert.fail();
    const whole = recorded.text("archive/0001.jsonl");
    const live = recorded.text("history.jsonl");
    for (const bad of [whole.slice(0, -300), whole.replace("first words", "other words")]) {
      recorded.put("archive/0001.jsonl", bad);
      await assert.rejects(recorded.history.undoCompaction(compaction), {
        name: "StorageError",
        message: /is damaged/,
      });
      assert.equal(recorded.text("history.jsonl"), live);
    }
    recorded.put("archive/0001.jsonl", whole);
    await recorded.history.undoCompaction(compaction);
    assert.ok(recorded.text("history.jsonl").includes("first words"));
  });
});
