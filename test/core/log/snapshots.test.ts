/** States of files that are kept for undo: when, and what happens where they cannot be. */

import assert from "node:assert/strict";
import { type SessionFiles, StorageError } from "../../../src/core/ground/ports";
import { Snapshots } from "../../../src/core/log/snapshots";
import { MAX_SNAPSHOT_BYTES } from "../../../src/shared/undoLimits";
import { edit, everything, last, log, read, runTurn, start } from "../../fakes/agent";
import { exported, importInto } from "../../fakes/bundle";
import { hash } from "../../fakes/hash";
import { pluck } from "../../fakes/pluck";
import { MemoryStorage } from "../../fakes/storage";
import { edited, LINES, named, uri } from "../changes/timeline/edited";

const sha = (text: string) => hash.sha256(text);

async function kept() {
  const files = await new MemoryStorage().create("ses_1");
  const logged: string[] = [];
  const snapshots = new Snapshots(files, { hash, logger: { log: (_, message) => logged.push(message) } });
  return { files, snapshots, logged };
}

const failing = (code: StorageError["code"]): Pick<SessionFiles, "putSnapshot" | "getSnapshot"> => ({
  putSnapshot: async () => {
    throw new StorageError(code, "no");
  },
  getSnapshot: async () => undefined,
});

describe("snapshots", () => {
  it("are there before the change is made, and name both states", async () => {
    const { files, snapshots } = await kept();
    const state = await snapshots.keep("one\r\n");
    assert.equal(await files.getSnapshot(sha("one\r\n")), "one\r\n");
    assert.deepEqual(await state.with("two\n"), { before: sha("one\r\n"), after: sha("two\n") });
    assert.equal(await snapshots.text(sha("two\n"), "a.ts"), "two\n");
    assert.deepEqual(await snapshots.keepBoth(null, ""), { before: null, after: sha("") });
    assert.deepEqual(await snapshots.keepBoth("gone", null), { before: sha("gone"), after: null });
  });

  it("of 5 MB are kept, of more not; nor what cannot be written as text", async () => {
    const { snapshots } = await kept();
    const largest = "ä".repeat(MAX_SNAPSHOT_BYTES / 2);
    assert.deepEqual(await snapshots.keepBoth(null, largest), { before: null, after: sha(largest) });
    assert.deepEqual(await snapshots.keepBoth(null, `${largest}x`), { before: null, unkept: "too-large" });
    assert.deepEqual(await snapshots.keepBoth("\ud800", "x"), { unkept: "not-text", after: sha("x") });
  });

  it("that a full or failing disk refuses stop no change, and it is logged", async () => {
    for (const code of ["DISK_FULL", "DENIED", "IO"] as const) {
      const logged: string[] = [];
      const snapshots = new Snapshots(failing(code), { hash, logger: { log: (_, message) => logged.push(message) } });
      assert.deepEqual(await (await snapshots.keep("a")).with("b"), { unkept: "not-stored" });
      assert.equal(logged.length, 2);
    }
  });

  it("of a session that another window has stop the change", async () => {
    for (const code of ["LOST_LOCK", "READ_ONLY"] as const) {
      const snapshots = new Snapshots(failing(code), { hash, logger: { log: () => undefined } });
      await assert.rejects(snapshots.keep("a"), { name: "StorageError", code });
      assert.deepEqual(await snapshots.keepBoth("a", "b"), { unkept: "not-stored" });
    }
  });

  it("that are missing or damaged are said so, in words", async () => {
    const { files, snapshots } = await kept();
    await assert.rejects(snapshots.text(sha("x"), "a.ts"), {
      name: "SnapshotError",
      message: /a\.ts was kept is not in this/,
    });
    assert.equal(await snapshots.textIfKept(sha("x")), undefined);
    files.getSnapshot = async () => {
      throw new StorageError("IO", "It is damaged.");
    };
    await assert.rejects(snapshots.text(sha("x"), "a.ts"), { name: "SnapshotError", message: /It is damaged\.$/ });
  });
});

describe("an edit and its states", () => {
  it("has them in its record: before and after, created or not", async () => {
    const agent = await edited([
      named("e1", edit("src/a.ts", "two", "TWO")),
      { name: "Write", input: { file_path: "b.ts", content: "new\n" } },
    ]);
    const changes = agent.session.history.records.flatMap(record =>
      record.kind === "result"
        ? (record.changes ?? []).map(({ before, after, unkept }) => [before, after, unkept])
        : [],
    );
    assert.deepEqual(changes, [
      [sha(LINES), sha(LINES.replace("two", "TWO")), undefined],
      [null, sha("new\n"), undefined],
    ]);
  });

  it("is made where its state could not be kept, and says only when it is to be undone why it can't", async () => {
    const agent = await start({ mode: "auto", files: { "src/a.ts": LINES } });
    agent.session.history.files.putSnapshot = failing("DISK_FULL").putSnapshot;
    agent.models.play(
      { calls: [read("src/a.ts")] },
      { calls: [named("e1", edit("src/a.ts", "two", "2"))] },
      { text: "." },
    );
    await runTurn(agent.session, "go");
    assert.equal(agent.files.onDisk("src/a.ts"), LINES.replace("two", "2"));
    assert.doesNotMatch(last(agent.session, "result").forms.shown, /undo|disk/);
    await assert.rejects(agent.session.edits.revert("undo", { callId: "e1", uri }), /disk was full/);
    assert.equal(agent.files.onDisk("src/a.ts"), LINES.replace("two", "2"));
  });

  it("is not made where another window took the session before it", async () => {
    const agent = await start({ mode: "auto", files: { "src/a.ts": LINES } });
    agent.session.history.files.putSnapshot = async () => {
      agent.disk.steal(agent.session.id);
      throw new StorageError("LOST_LOCK", "Another window has taken this session over.");
    };
    agent.models.play({ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", "two", "2")] });
    await runTurn(agent.session, "go");
    assert.equal(agent.files.onDisk("src/a.ts"), LINES);
  });

  it("keeps names of states and of files where these look like secrets, and no secret anywhere but in the states", async () => {
    const secret = "abcdef0123456789";
    const state = sha(LINES);
    const agent = await edited([named("e1", edit("src/a.ts", "two", `KEY=${secret}`))], {
      secrets: { environment: { MY_TOKEN: secret, OTHER_SECRET: state, FOLDER_SECRET: "file:///ws/app/src" } },
    });
    const [change] = last(agent.session, "result").changes ?? [];
    assert.deepEqual([change?.before, change?.uri], [state, uri]);
    assert.match(change?.diff ?? "", /KEY=\[secret:/);
    assert.ok(!everything(agent.disk).includes(secret));
    await agent.session.edits.revert("undo", { callId: "e1", uri });
    assert.equal(agent.files.onDisk("src/a.ts"), LINES);
    assert.equal(last(agent.session, "revert").after, state);
    const kept = [...(agent.disk.sessions.get(agent.session.id)?.snapshots.values() ?? [])].map(String);
    assert.ok(kept.some(text => text.includes(secret)));
  });

  it("is never in an export; what is imported says why it cannot be undone", async () => {
    const agent = await edited([named("e1", edit("src/a.ts", "two", "state to be kept"))]);
    await agent.session.edits.revert("undo", { callId: "e1", uri });
    const { id } = agent.session;
    await agent.session.close();
    const { text } = await exported({ ports: agent.ports, id } as Parameters<typeof exported>[0]);
    assert.ok(agent.disk.sessions.get(id)!.snapshots.size > 1);
    assert.ok(!text.includes("snapshots"));
    assert.ok(!text.includes(JSON.stringify(LINES).slice(1, -1)), "no file whole");
    const storage = new MemoryStorage();
    await importInto(storage, text);
    assert.equal(storage.disk.sessions.get(id)?.snapshots.size, 0);
    agent.ports.storage = storage;
    const { openSession } = await import("../../../src/core/agent/session/openSession");
    const session = await openSession(agent.ports, id);
    await assert.rejects(session.edits.revert("redo", { callId: "e1", uri }), {
      name: "SessionError",
      message: /^The state in which src\/a\.ts was kept is not in this session.*imported.*by hand\.$/,
    });
    assert.deepEqual(pluck((await session.edits.changesOf(1)).files, "undone"), [1]);
  });

  it("of an older version has none, and says so", async () => {
    const agent = await edited([named("e1", edit("src/a.ts", "two", "2"))]);
    const { id } = agent.session;
    await agent.session.close();
    agent.disk.put(id, "history.jsonl", log(agent.disk, agent.session).replace(/,"before":"\w+","after":"\w+"/g, ""));
    const { openSession } = await import("../../../src/core/agent/session/openSession");
    const session = await openSession(agent.ports, id);
    await assert.rejects(session.edits.revert("undo", { callId: "e1", uri }), /made by an older version of Strata/);
    const [file] = (await session.edits.changesOf(1)).files;
    assert.deepEqual([file?.added, file?.removed, file?.edits], [1, 1, 1]);
    assert.match(file?.why ?? "", /older version/);
    const [states] = (await session.edits.statesBefore(1)).files;
    assert.deepEqual([states?.path, states?.before], ["src/a.ts", undefined]);
  });
});
