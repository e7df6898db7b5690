/** The host's side of changed files: the panel asks what a turn changed, opens diffs, takes edits back. */

import assert from "node:assert/strict";
import { panelRequests } from "../../src/shared/panelProtocol";
import { compactFirstTurn } from "../fakes/compacted";
import { eventually } from "../fakes/eventually";
import { ended, startHost } from "../fakes/panelHost";

const uri = "file:///ws/app/src/a.ts";
const edit = (id: string, old_string: string, new_string: string) => ({
  calls: [{ name: "Edit", input: { file_path: "src/a.ts", old_string, new_string }, id }],
});

/** A turn that edits src/a.ts twice and writes b.ts. */
async function edited() {
  const agent = startHost({ mode: "auto", files: { "src/a.ts": "one\ntwo\nthree\nfour\n" } });
  agent.models.play(
    { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
    edit("e1", "two", "TWO"),
    edit("e2", "TWO", "2\n2"),
    { calls: [{ name: "Write", input: { file_path: "b.ts", content: "new\n" }, id: "w1" }] },
    { text: "Done." },
  );
  const client = agent.panel();
  await client.request("open", {});
  await client.request("submit", { text: "go", delivery: "steer" });
  await ended(client);
  return { ...agent, client };
}

describe("the panel's host: changed files", () => {
  it("tells what their edits amount to, with what is undone", async () => {
    const { client } = await edited();
    const told = await client.request("turnChanges", { turn: 1 });
    panelRequests.turnChanges.result.parse(told);
    const a = { uri, path: "src/a.ts", created: false, deleted: false, added: 3, removed: 2, edits: 2, undone: 0 };
    const b = { ...a, uri: "file:///ws/app/b.ts", path: "b.ts", created: true, added: 1, removed: 0, edits: 1 };
    assert.deepEqual(told, { files: [a, b] });
    await client.request("undoEdit", { callId: "e2", uri });
    const after = await client.request("turnChanges", { turn: 1 });
    assert.deepEqual(after.files[0], { ...a, added: 1, removed: 1, undone: 1 });
    assert.deepEqual(await client.request("turnChanges", { turn: 7 }), { files: [] });
  });

  it("opens an edit with exactly what was before and after it, a turn against what was before it", async () => {
    const { client, done, diffs } = await edited();
    await client.request("openDiff", { callId: "e1", uri });
    assert.deepEqual(diffs, [{ before: "one\ntwo\nthree\nfour\n", after: "one\nTWO\nthree\nfour\n" }]);
    done.length = 0;
    await client.request("openTurnDiff", { turn: 1, uri });
    await client.request("openTurnDiff", { turn: 1, uri: "file:///ws/app/b.ts" });
    await client.request("openTurnDiffs", { turn: 1 });
    assert.deepEqual(done, [
      "turn src/a.ts (since the turn began) one\ntwo\nthree\nfour\n 0",
      "turn b.ts (since the turn began) null 0",
      "Changes since turn 1 began: src/a.ts, b.ts",
    ]);
    await assert.rejects(client.request("openTurnDiff", { turn: 1, uri: "file:///none" }), /changed no such file/);
    await assert.rejects(client.request("openTurnDiffs", { turn: 2 }), /changed no files in this turn/);
  });

  it("undoes and redoes by edit and by file, tells it as a record, and says why it does not", async () => {
    const { client, files } = await edited();
    await client.request("undoFile", { turn: 1, uri });
    assert.equal(files.onDisk("src/a.ts"), "one\ntwo\nthree\nfour\n");
    const record = await eventually("the undoing is recorded", () =>
      client.records.find(({ kind }) => kind === "revert"),
    );
    assert.ok(record.kind === "revert" && record.edits.length === 2);
    await client.request("redoEdit", { callId: "e1", uri, messageId: record.edits[0]?.messageId });
    await client.request("redoFile", { turn: 1, uri });
    assert.equal(files.onDisk("src/a.ts"), "one\n2\n2\nthree\nfour\n");
    await assert.rejects(client.request("undoEdit", { callId: "e1", uri }), /the same lines were changed since/);
    await assert.rejects(client.request("redoFile", { turn: 1, uri }), /This is not undone/);
  });

  it("of an older version shows what its diffs say, from the archive too", async () => {
    const agent = await edited();
    const { ports, disk, memory, sessions } = agent;
    const id = memory.last ?? "";
    await sessions.close();
    disk.put(
      id,
      "history.jsonl",
      (disk.text(id, "history.jsonl") ?? "").replace(/,"before":(null|"\w+"),"after":"\w+"/g, ""),
    );
    await compactFirstTurn(ports, id);
    const again = agent.open();
    const client = again.panel();
    await client.request("open", {});
    const [file] = (await client.request("turnChanges", { turn: 1 })).files;
    assert.deepEqual([file?.added, file?.removed, file?.edits], [3, 2, 2]);
    assert.match(file?.why ?? "", /older version/);
    agent.done.length = 0;
    await client.request("openTurnDiff", { turn: 1, uri });
    assert.deepEqual(agent.done, ["turn src/a.ts (since the turn began) undefined 2"]);
    await assert.rejects(client.request("undoFile", { turn: 1, uri }), /older version/);
  });

  it("names the archive that cannot be read, for what it held", async () => {
    const agent = await edited();
    const { ports, disk, memory, sessions, models } = agent;
    const id = memory.last ?? "";
    await sessions.close();
    await compactFirstTurn(ports, id);
    disk.sessions.get(id)?.files.delete("archive/0001.jsonl");
    const client = agent.open().panel();
    await client.request("open", {});
    models.play({ calls: [{ name: "Write", input: { file_path: "c.ts", content: "new\n" } }] }, { text: "Done." });
    await client.request("submit", { text: "go on", delivery: "steer" });
    await ended(client);
    assert.deepEqual(await client.request("turnChanges", { turn: 1 }), { files: [], missing: ["archive/0001.jsonl"] });
    assert.equal("missing" in (await client.request("turnChanges", { turn: 2 })), false);
  });
});
