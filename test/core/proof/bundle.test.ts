/** Export and import of a session: what goes out comes in, whole or not at all. */

import assert from "node:assert/strict";
import { openSession } from "../../../src/core/agent/session/openSession";
import { decodeLog } from "../../../src/core/log/codec";
import { Conversation } from "../../../src/core/log/conversation";
import { resolveHandle } from "../../../src/core/log/handles";
import { applyRecord } from "../../../src/core/log/project";
import { readWholeLog } from "../../../src/core/log/readLog";
import { foreignLog } from "../../../src/core/proof/importSession";
import { trajectory } from "../../../src/core/proof/trajectory";
import { verifySession } from "../../../src/core/proof/verify";
import { type Agent, exported, importInto } from "../../fakes/bundle";
import { childRecord, sessionTree } from "../../fakes/children";
import { compactedSession } from "../../fakes/compacted";
import { hash } from "../../fakes/hash";
import { hiding } from "../../fakes/redact";
import { type MemoryDisk, MemoryStorage } from "../../fakes/storage";

const view = (storage: MemoryStorage, id: string) => storage.open(id, { readOnly: true });

async function firstTurn(storage: MemoryStorage, id: string): Promise<string> {
  const files = await view(storage, id);
  return (await resolveHandle({ ...(await readWholeLog(files)), files }, "turn:1")).text;
}

async function outputs(storage: MemoryStorage, id: string): Promise<string[]> {
  const files = await view(storage, id);
  const { records } = await readWholeLog(files);
  const raws = records.flatMap(record => (record.kind === "result" && record.raw ? [record.raw.sha256] : []));
  const found = await Promise.all(raws.map(sha256 => resolveHandle({ records, files }, sha256.slice(0, 12))));
  return found.map(({ text }) => text);
}

describe("export and import of a session", () => {
  let agent: Agent;
  let text: string;
  before(async () => {
    agent = await compactedSession();
    ({ text } = await exported(agent));
  });

  it("comes back byte for byte, with its archive, and verifies", async () => {
    const storage = new MemoryStorage();
    assert.deepEqual(await importInto(storage, text, 777), { id: agent.id, revoked: 0 });
    const [was, is] = [agent.disk, storage.disk].map(disk => disk.sessions.get(agent.id)!);
    assert.deepEqual(is?.blobs, was?.blobs);
    // Who allowed what stays on its machine.
    assert.deepEqual(is?.files, new Map([...(was?.files ?? [])].filter(([name]) => name !== "permissions.jsonl")));
    assert.equal(is?.files.has("archive/0001.jsonl"), true);
    const report = await verifySession(await view(storage, agent.id), hash);
    assert.deepEqual([report.defects, report.notes], [[], []]);
    assert.equal(report.proven, report.requests);
    assert.ok(report.requests > 5 && report.observations > 4);
    const own = agent.ports.storage as MemoryStorage;
    assert.deepEqual(await outputs(storage, agent.id), await outputs(own, agent.id));
    assert.match(await firstTurn(storage, agent.id), /^ {2}fix @src\/a\.ts$/m);
    assert.equal(await firstTurn(storage, agent.id), await firstTurn(own, agent.id));
    assert.equal((await exported({ ...agent, ports: { ...agent.ports, storage } })).text, text, "and goes out again");
  });

  it("gets a new id where its own is taken: the headers name it, everything verifies, and the agent opens it", async () => {
    const storage = new MemoryStorage();
    const first = await importInto(storage, text);
    const second = await importInto(storage, text);
    assert.equal(second.was, first.id);
    assert.notEqual(second.id, first.id);
    for (const name of ["history.jsonl", "archive/0001.jsonl"]) {
      const [header = ""] = (storage.disk.text(second.id, name) ?? "").split("\n");
      assert.equal(JSON.parse(header).sessionId, second.id);
    }
    const files = await view(storage, second.id);
    const everywhere = [...storage.disk.sessions.get(second.id)!.files.values()].join("");
    const family = `,"family":${JSON.stringify(first.id)}`;
    assert.equal(everywhere.replaceAll(family, "").includes(first.id), false, "nothing else names the old one");
    assert.deepEqual((await verifySession(files, hash)).defects, []);
    const session = await openSession({ ...agent.ports, storage }, second.id);
    assert.equal(session.id, second.id);
    assert.equal(session.readOnly, false);
    await session.close();
  });

  it("sends no message that waited there", async () => {
    const files = await agent.ports.storage.open(agent.id, { readOnly: true });
    const waiting = (id: string) => ({ id, seq: 999, ts: 1, kind: "pending", pendingId: id, op: "added" });
    const lines = ["a", "b"].map(id => JSON.stringify({ ...waiting(id), delivery: "queue", text: `of ${id}` }));
    const log = `${await files.read("history.jsonl")}${lines.join("\n")}\n`;
    const pending = '"pending":[{"pendingId":"c","delivery":"steer","text":"of c","held":false}]';
    const foreign = foreignLog(agent.id, log.replace('"pending":[]', pending), []).log;
    const { records } = decodeLog(foreign);
    const conversation = new Conversation();
    for (const record of records) applyRecord(conversation, record);
    assert.deepEqual(
      conversation.pending.map(({ pendingId, held }) => [pendingId, held]),
      [
        ["c", true],
        ["a", true],
        ["b", true],
      ],
    );
  });

  it("gives no permissions here: neither its mode nor what was allowed for the session", async () => {
    const trusting = await compactedSession();
    const files = await trusting.ports.storage.open(trusting.id);
    const log = (await files.read("history.jsonl")) ?? "";
    const lines = log.trim().split("\n");
    const compaction = lines.findLastIndex(line => line.includes('"kind":"compaction"'));
    lines[compaction] = (lines[compaction] ?? "").replace(
      '"grants":[]',
      '"grants":["command /\\u0000make"],"mode":"auto"',
    );
    const action = { toolName: "Bash", title: "make", detail: { type: "command", command: "make", cwd: "/" } };
    const answer = { decision: "allow", scope: "session", by: "user" };
    const facts = { files: [], removes: [], reads: [], acts: [["make"]], hosts: [] };
    const more = [
      { kind: "mode", mode: "edits" },
      { kind: "approval", approvalId: "a", action, answer },
      { kind: "denial", op: "made", denial: { callId: "c", toolName: "Bash", title: "Run `make`", by: "user", facts } },
    ].map((record, at) =>
      JSON.stringify({ ...record, id: `x${at}`, seq: 900 + at, ts: 1 }).replace("session", "s\\u0065ssion"),
    );
    await files.replace("history.jsonl", `${[...lines, ...more].join("\n")}\n`);
    await files.close();
    const { text: whole } = await exported(trusting);
    const storage = new MemoryStorage();
    assert.deepEqual(await importInto(storage, whole), { id: trusting.id, revoked: 3 });
    const session = await openSession({ ...trusting.ports, storage }, trusting.id);
    assert.deepEqual([session.mode, [...session.history.conversation.grants]], ["ask", []]);
    assert.deepEqual(session.history.conversation.denials[0]?.facts, facts);
    await session.close();
    const { defects, requests, proven } = await verifySession(await view(storage, trusting.id), hash);
    assert.deepEqual([defects, proven], [[], requests]);
  });

  it("has no caches, locks or lines of broken logs in it", async () => {
    agent.disk.put(agent.id, "history.broken.jsonl", "?\n");
    const { lines: again } = await exported(agent);
    const names = again.slice(1, -1).map(line => String(JSON.parse(line).name));
    assert.deepEqual(
      [...new Set(names.filter(name => !name.startsWith("blobs/")))],
      ["archive/0001.jsonl", "requests.jsonl", "history.jsonl"],
    );
  });

  it("says what is missing or damaged and goes out without it", async () => {
    const damaged = await compactedSession();
    const session = damaged.disk.sessions.get(damaged.id)!;
    const [sha256 = "", gone = ""] = session.blobs.keys();
    session.blobs.set(sha256, Buffer.from("other"));
    session.blobs.delete(gone);
    session.files.delete("archive/0001.jsonl");
    const { text: whole, report } = await exported(damaged);
    assert.deepEqual(report.leftOut, [`blobs/${sha256}`, "archive/0001.jsonl", `blobs/${gone}`]);
    assert.deepEqual(await importInto(new MemoryStorage(), whole), { id: damaged.id, revoked: 0 });
  });

  it("long logs and blobs go in pieces, cut between characters; images as base64", async () => {
    const storage = new MemoryStorage();
    const files = await storage.create("ses_long");
    const image = Uint8Array.from({ length: 500_000 }, (_, at) => at % 256);
    const words = `x${"\u{1f600}".repeat(400_000)}`;
    for (const blob of [image, words, ""]) await files.putBlob(hash.sha256(blob), blob);
    const record = { kind: "note", id: "r", seq: 1, ts: 1, level: "info", code: "c", text: words };
    const header = { kind: "header", version: 1, sessionId: "ses_long", created: 1, archives: [] };
    await files.append("history.jsonl", `${JSON.stringify(header)}\n${JSON.stringify(record)}\n{"torn`);
    const { text: whole, lines: all } = await exported({
      ...agent,
      id: "ses_long",
      ports: { ...agent.ports, storage },
    });
    assert.ok(all.every(line => line.length < 1_000_000) && all.length > 10);
    const copy = new MemoryStorage();
    await importInto(copy, whole, 65_536);
    const [was, is] = [storage, copy].map(({ disk }) => disk.sessions.get("ses_long")!);
    assert.deepEqual(is?.blobs, was?.blobs);
    assert.equal(
      `${copy.disk.text("ses_long", "history.jsonl")}{"torn`,
      storage.disk.text("ses_long", "history.jsonl"),
    );
  });
});

describe("export and import of a session with agents", () => {
  const named = (text: string) => [
    ...new Set(
      text
        .trim()
        .split("\n")
        .slice(1, -1)
        .map(line => String(JSON.parse(line).name)),
    ),
  ];
  /** Which bytes a disk has of sessions and all below them, by their hashes. */
  const treeOf = ({ sessions }: MemoryDisk, place = ""): string[] =>
    [...sessions]
      .flatMap(([id, { files, blobs, below }]) => [
        ...[...files, ...blobs].map(([name, data]) => `${place}${id}/${name} ${hash.sha256(data)}`),
        ...(below ? treeOf(below, `${place}${id}/`) : []),
      ])
      .filter(line => !line.includes("permissions.jsonl"))
      .sort();

  it("has them below it, theirs too, each with its own ids, and proves as it did", async () => {
    const tree = await sessionTree();
    const { text, report } = await exported(tree);
    const [child, deep] = [`children/${tree.given.childId}/`, `children/${tree.given.childId}/children/${tree.below}/`];
    const logs = named(text).filter(name => name.endsWith(".jsonl"));
    assert.deepEqual(
      logs,
      [deep, child, ""].flatMap(place => [`${place}requests.jsonl`, `${place}history.jsonl`]),
    );
    assert.deepEqual([report.files, report.leftOut, JSON.parse(text.split("\n")[0]!).version], [6, [], 2]);
    const storage = new MemoryStorage();
    assert.deepEqual(await importInto(storage, text, 777), { id: tree.id, revoked: 0 });
    assert.deepEqual(treeOf(storage.disk), treeOf(tree.disk));
    const again = await importInto(storage, text);
    assert.equal(again.id, "ses_new");
    for (const id of [tree.id, again.id]) {
      const { defects, agents, proven, requests } = await verifySession(await view(storage, id), hash);
      assert.deepEqual([defects, agents, proven], [[], 2, requests]);
    }
    assert.equal((await exported({ ...tree, ports: { ...tree.ports, storage } })).text, text, "and goes out again");
  });

  it("allows nothing that was allowed there, acts in no file elsewhere, and knows no working tree of there", async () => {
    const tree = await sessionTree();
    const child = tree.disk.sessions.get(tree.id)!.below!.sessions.get(tree.given.childId)!;
    const add = (to: { files: Map<string, Buffer> }, record: object) =>
      to.files.set(
        "history.jsonl",
        Buffer.concat([
          to.files.get("history.jsonl")!,
          Buffer.from(`${JSON.stringify({ id: "x", seq: 900, ts: 1, ...record })}\n`),
        ]),
      );
    add(child, { kind: "mode", mode: "auto" });
    const worktree = { path: "/home/them/tree", branch: "b" };
    const there = {
      uri: "file:///home/them/a.ts",
      path: "/home/them/a.ts",
      created: false,
      added: 1,
      removed: 0,
      diff: "",
    };
    const ended = childRecord({ phase: "ended", worktree, changes: [{ ...there, before: "0", after: "1" }] });
    add(tree.disk.sessions.get(tree.id)!, ended);
    const storage = new MemoryStorage();
    const { id, revoked } = await importInto(storage, (await exported(tree)).text);
    const { records } = await readWholeLog(await view(storage, id));
    const last = records.at(-1);
    assert.equal(revoked, 1);
    assert.deepEqual(last?.kind === "child" && [last.worktree, last.changes], [
      undefined,
      [{ ...there, unkept: "elsewhere" }],
    ]);
  });

  it("goes out without one that a newer version wrote, and says so", async () => {
    const tree = await sessionTree();
    const { disk } = (await view(tree.ports.storage as MemoryStorage, tree.id)).children as MemoryStorage;
    const { childId } = tree.given;
    disk.put(childId, "history.jsonl", disk.text(childId, "history.jsonl")!.replace('"version":1', '"version":99'));
    const { text, report } = await exported(tree);
    assert.deepEqual(report.leftOut, [`children/${childId}/`]);
    const storage = new MemoryStorage();
    await importInto(storage, text);
    const files = await view(storage, tree.id);
    const { defects } = await verifySession(files, hash);
    assert.deepEqual(
      defects.map(({ session, source }) => session ?? source),
      [childId, ...tree.given.handles],
    );
    const how = { redact: tree.ports.redactor.redact, app: "1" };
    const { notes } = await trajectory(await view(tree.ports.storage as MemoryStorage, tree.id), how);
    assert.match(notes ?? "", new RegExp(`The log of agent ${childId} cannot be read`));
  });

  it("replaces a secret in them too, and their reports name what is left", async () => {
    const tree = await sessionTree();
    const redact = hiding(text => text.replaceAll("seen 文字", "[secret:late:0123456789ab]"));
    const { text } = await exported(tree, redact);
    const storage = new MemoryStorage();
    const { id } = await importInto(storage, text);
    const { defects } = await verifySession(await view(storage, id), hash);
    assert.equal(text.includes("seen 文字"), false);
    assert.deepEqual(new Set(defects.map(({ kind }) => kind)), new Set(["segment"]));
  });
});

describe("secrets that became known after they were recorded", () => {
  const secret = "line 2 文字";
  const late = (redact: (text: string) => string) =>
    hiding(text => redact(text).replaceAll(secret, "[secret:late:0123456789ab]"));

  it("are replaced everywhere, counted, and their handles lead to what is left", async () => {
    const agent = await compactedSession();
    const { text, report } = await exported(agent, late(agent.ports.redactor.redact));
    assert.ok(report.secrets >= 2);
    assert.equal(text.includes(secret), false);
    const storage = new MemoryStorage();
    const { id } = await importInto(storage, text);
    const [were, are] = await Promise.all([
      outputs(agent.ports.storage as MemoryStorage, agent.id),
      outputs(storage, id),
    ]);
    assert.deepEqual(are, were.map(late(output => output)));
    assert.notDeepEqual(are, were);
    const { defects, requests, proven } = await verifySession(await view(storage, id), hash);
    assert.ok(defects.length > 0 && proven < requests, "those requests do not verify, and are named");
    assert.deepEqual(
      defects.filter(({ kind }) => kind === "archive" || kind === "observation"),
      [],
    );
  });

  it("are replaced in outputs and summaries that stand in records too, which have other handles then", async () => {
    const agent = await compactedSession();
    const mark = "[secret:late:0123456789ab]";
    const redact = hiding(text => text.replaceAll("\tone", `\t${mark}`).replaceAll("The first turn", mark));
    const { text } = await exported(agent, redact);
    const storage = new MemoryStorage();
    const { id } = await importInto(storage, text);
    const files = await view(storage, id);
    const { records } = await readWholeLog(files);
    const log = { records, files, hash };
    const summary = hash.sha256(`## 📌 Archived Session Summary\n${mark}.`);
    for (const sha256 of [summary, hash.sha256(`1\t${mark}`)]) {
      assert.match((await resolveHandle(log, sha256.slice(0, 12))).text, /secret:late/);
    }
    const kinds = new Set((await verifySession(files, hash)).defects.map(({ kind }) => kind));
    assert.deepEqual([...kinds], ["segment"]);
  });
});
