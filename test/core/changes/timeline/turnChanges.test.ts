/** What the edits of a turn amount to. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { netChange, turnFiles } from "../../../../src/core/changes/timeline/sessionEdits";
import type { RecordedEdit } from "../../../../src/core/changes/timeline/timeline";
import { compactFirstTurn } from "../../../fakes/compacted";
import { hash } from "../../../fakes/hash";
import { edit, edited, LINES, named, play, uri, write } from "./edited";

const texts = new Map<string, string>();
const state = (text: string | null): string | null => {
  if (text !== null) texts.set(hash.sha256(text), text);
  return text === null ? null : hash.sha256(text);
};
let count = 0;
function change(
  before: string | null,
  after: string | null,
  more: Partial<RecordedEdit> & { path?: string } = {},
): RecordedEdit {
  count += 1;
  const { path = "a.ts", ...rest } = more;
  const counts = { created: before === null, added: 5, removed: 4, diff: "" };
  const file = { uri: `file:///${path}`, path, ...counts, before: state(before), after: state(after) };
  return {
    messageId: "m",
    callId: `c${count}`,
    toolName: "Edit",
    turn: 1,
    seq: count,
    began: 0,
    undone: false,
    seen: false,
    change: file,
    ...rest,
  };
}

describe("what a turn changed", () => {
  const check = (name: string, edits: RecordedEdit[], expected: Partial<Awaited<ReturnType<typeof netChange>>>) =>
    it(name, async () => {
      const [file] = turnFiles(edits, 1);
      const net = await netChange(file!, async sha256 => (sha256 ? texts.get(sha256) : sha256));
      assert.deepEqual(net, { added: 0, removed: 0, created: false, deleted: false, ...expected });
    });
  const [one, two, three] = ["a\nb\nc\nd\n", "a\nB\nc\nd\n", "a\nB\nc\nD\n"];
  check("of one edit, what it says itself", [change(one, two)], { added: 5, removed: 4 });
  check("of several, from the first to the last", [change(one, two), change(two, three)], { added: 2, removed: 2 });
  check("there and back again", [change(one, two), change(two, one)], {});
  check("a new file that was edited", [change(null, one), change(one, two)], { added: 4, created: true });
  check("a file that is gone in the end", [change(one, two), change(two, null)], { removed: 4, deleted: true });
  check("without one that was undone", [change(one, two), change(two, three, { undone: true })], {
    added: 1,
    removed: 1,
  });
  check("without the first, which was undone", [change(one, two, { undone: true }), change(two, three)], {
    added: 1,
    removed: 1,
  });
  check(
    "nothing, where all was undone",
    [change(null, two, { undone: true }), change(two, three, { undone: true })],
    {},
  );
  check(
    "where one that was undone cannot be counted out, with it",
    [change(one, two, { undone: true }), change(two, "a\nBB\nc\nd\n")],
    { added: 1, removed: 1 },
  );
  const bare = (edit: RecordedEdit) => {
    const { before: _, after: __, ...rest } = edit.change;
    return { ...edit, change: rest };
  };
  check("without states, the sum", [bare(change(one, two)), bare(change(two, three))], { added: 10, removed: 8 });
  check(
    "with states that are gone, the sum",
    [change("x\n", "y\n"), change("y\n", "z\n")].map(each => ({
      ...each,
      change: { ...each.change, before: "0".repeat(64) },
    })),
    { added: 10, removed: 8 },
  );

  it("is told file by file, in the order of the last change, of this turn alone", async () => {
    const edits = [
      change(one, two),
      change(one, two, { path: "b.ts" }),
      change(one, two, { path: "c.ts", turn: 2 }),
      change(two, three),
    ];
    const files = turnFiles(edits, 1);
    assert.deepEqual(
      files.map(({ path, edits: of }) => [path, of.length]),
      [
        ["b.ts", 1],
        ["a.ts", 2],
      ],
    );
    const read = files.map(async file => {
      const hashes: unknown[] = [];
      await netChange(file, async sha256 => void hashes.push(sha256));
      return hashes.length;
    });
    assert.deepEqual(await Promise.all(read), [0, 2], "states are read only where they are needed");
  });
});

describe("what a turn of a session changed", () => {
  const turnOfThree = () =>
    edited([
      named("e1", edit("src/a.ts", "two", "TWO")),
      named("e2", edit("src/a.ts", "TWO", "2")),
      named("w1", write("b.ts", "new\nfile\n")),
    ]);
  const ofA = { uri, path: "src/a.ts", edits: 2, undone: 0, added: 1, removed: 1, created: false, deleted: false };
  const ofB = { ...ofA, uri: "file:///ws/app/b.ts", path: "b.ts", edits: 1, added: 2, removed: 0, created: true };

  it("is net, and after an undo what is left of it", async () => {
    const { session } = await turnOfThree();
    assert.deepEqual(await session.edits.changesOf(1), { files: [ofA, ofB], missing: [] });
    await session.edits.undoEdit({ callId: "e2", uri });
    assert.deepEqual((await session.edits.changesOf(1)).files[0], { ...ofA, undone: 1 });
    await session.edits.undoFile({ turn: 1, uri });
    assert.deepEqual((await session.edits.changesOf(1)).files[0], { ...ofA, undone: 2, added: 0, removed: 0 });
    assert.deepEqual(await session.edits.changesOf(2), { files: [], missing: [] });
  });

  it("is the same from the archive, undo included, and an archive that is gone is named", async () => {
    const agent = await turnOfThree();
    await agent.session.edits.undoEdit({ callId: "e2", uri });
    await play(agent, [named("e3", edit("src/a.ts", "eight", "8"))]);
    const before = await agent.session.edits.changesOf(1);
    const { id } = agent.session;
    await agent.session.close();
    await compactFirstTurn(agent.ports, id);
    const again = await openSession(agent.ports, id);
    assert.ok(!again.history.records.some(record => record.kind === "result" && record.turn === 1), "it is archived");
    assert.deepEqual(await again.edits.changesOf(1), before);
    await again.edits.redoEdit({ callId: "e2", uri });
    await again.edits.undoFile({ turn: 1, uri });
    assert.equal(agent.files.onDisk("src/a.ts"), LINES.replace("eight", "8"));
    assert.deepEqual((await again.edits.changesOf(1)).files[0]?.undone, 2);
    await again.close();
    agent.disk.sessions.get(id)?.files.delete("archive/0001.jsonl");
    const without = await openSession(agent.ports, id);
    assert.deepEqual(await without.edits.changesOf(1), { files: [], missing: ["archive/0001.jsonl"] });
    assert.deepEqual((await without.edits.statesBefore(1)).missing, ["archive/0001.jsonl"]);
    const second = await without.edits.changesOf(2);
    assert.deepEqual([second.files.length, second.missing], [1, []], "nothing of that turn went there");
  });

  it("the states before it are those before its first edit of each file", async () => {
    const { session } = await turnOfThree();
    const { files, missing } = await session.edits.statesBefore(1);
    const states = files.map(({ path, before, edits }) => [path, before, edits.length]);
    assert.deepEqual(missing, []);
    assert.deepEqual(states, [
      ["src/a.ts", LINES, 2],
      ["b.ts", null, 1],
    ]);
    const change = session.history.records.flatMap(record =>
      record.kind === "result" ? (record.changes ?? []) : [],
    )[1];
    assert.deepEqual(await session.edits.editStates(change!), {
      before: LINES.replace("two", "TWO"),
      after: LINES.replace("two", "2"),
    });
  });

  it("of calls that share their id, the one of that message is meant", async () => {
    const agent = await edited([named("same", edit("src/a.ts", "two", "TWO"))]);
    await play(agent, [named("same", edit("src/a.ts", "seven", "SEVEN"))]);
    const { session, files } = agent;
    const results = session.history.records.flatMap(record =>
      record.kind === "result" && record.changes ? [record] : [],
    );
    await session.edits.undoEdit({ callId: "same", uri, messageId: results[0]!.messageId });
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("seven", "SEVEN"));
    await session.edits.undoEdit({ callId: "same", uri });
    assert.equal(files.onDisk("src/a.ts"), LINES);
  });
});
