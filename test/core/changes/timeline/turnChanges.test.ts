/** What the edits of a turn amount to. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { compactFirstTurn } from "../../../fakes/compacted";
import { edit, edited, LINES, named, play, uri, write } from "./edited";

describe("what a turn of a session changed", () => {
  const turnOfThree = () =>
    edited([
      named("e1", edit("src/a.ts", "two", "TWO")),
      named("e2", edit("src/a.ts", "TWO", "2")),
      named("w1", write("b.ts", "new\nfile\n")),
    ]);
  const ofA = { uri, path: "src/a.ts", edits: 2, undone: 0, added: 2, removed: 2, created: false, deleted: false };
  const ofB = { ...ofA, uri: "file:///ws/app/b.ts", path: "b.ts", edits: 1, added: 2, removed: 0, created: true };

  it("is the sum of its edits, and after an undo of those that are left", async () => {
    const { session } = await turnOfThree();
    assert.deepEqual(await session.edits.changesOf(1), { files: [ofA, ofB], missing: [] });
    await session.edits.revert("undo", { callId: "e2", uri });
    assert.deepEqual((await session.edits.changesOf(1)).files[0], { ...ofA, undone: 1, added: 1, removed: 1 });
    await session.edits.revert("undo", { turn: 1, uri });
    assert.deepEqual((await session.edits.changesOf(1)).files[0], { ...ofA, undone: 2, added: 0, removed: 0 });
    assert.deepEqual(await session.edits.changesOf(2), { files: [], missing: [] });
  });

  it("is the same from the archive, undo included, and an archive that is gone is named", async () => {
    const agent = await turnOfThree();
    await agent.session.edits.revert("undo", { callId: "e2", uri });
    await play(agent, [named("e3", edit("src/a.ts", "eight", "8"))]);
    const before = await agent.session.edits.changesOf(1);
    const { id } = agent.session;
    await agent.session.close();
    await compactFirstTurn(agent.ports, id);
    const again = await openSession(agent.ports, id);
    assert.ok(!again.history.records.some(record => record.kind === "result" && record.turn === 1), "it is archived");
    assert.deepEqual(await again.edits.changesOf(1), before);
    await again.edits.revert("redo", { callId: "e2", uri });
    await again.edits.revert("undo", { turn: 1, uri });
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
    await session.edits.revert("undo", { callId: "same", uri, messageId: results[0]!.messageId });
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("seven", "SEVEN"));
    await session.edits.revert("undo", { callId: "same", uri });
    assert.equal(files.onDisk("src/a.ts"), LINES);
  });
});
