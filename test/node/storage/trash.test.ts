/** Deleted sessions: out of the list at once and for good, back within 30 days, gone after that. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { TRASH_MS } from "../../../src/core/ground/ports/storage";
import { NodeStorage } from "../../../src/node/storage/sessionStorage";
import { header, userMessage } from "../../contract/logLines";
import { FakeClock } from "../../fakes/clock";
import { eventually } from "../../fakes/eventually";
import { temporaryFolder } from "../../fakes/temporary";

describe("the trash of sessions", () => {
  let root: string;
  let clock: FakeClock;
  const storage = () => new NodeStorage(root, {}, undefined, clock);

  beforeEach(async () => {
    root = temporaryFolder("trash");
    clock = new FakeClock();
    const files = await storage().create("ses_1");
    await files.append("history.jsonl", header("ses_1", 1) + userMessage("hello", 1));
    await files.putBlob("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", "hello");
    await files.close();
  });

  it("holds a session that can be brought back whole, whatever window does it", async () => {
    const before = await storage().list();
    const key = await storage().trash("ses_1");
    assert.deepEqual(await storage().list(), []);
    await assert.rejects(storage().open("ses_1"), { code: "NOT_FOUND" });
    const [deleted] = await storage().deleted();
    assert.deepEqual([deleted?.key, deleted?.meta.title, deleted?.deleted], [key, before[0]?.title, clock.now()]);
    assert.equal(await storage().restore(key), "ses_1");
    assert.deepEqual(await storage().list(), before);
    const files = await storage().open("ses_1");
    assert.equal(files.writable, true);
    await files.close();
    await assert.rejects(storage().restore(key), { code: "NOT_FOUND" });
    await assert.rejects(storage().restore("../sessions"), { code: "NOT_FOUND" });
  });

  it("counts for what sessions take, and is emptied of what is older than 30 days", async () => {
    const total = async () => (await storage().usage()).reduce((sum, { bytes }) => sum + bytes, 0);
    const whole = await total();
    await storage().trash("ses_1");
    assert.equal(await total(), whole);
    clock.set(clock.now() + TRASH_MS);
    assert.equal((await storage().deleted()).length, 1);
    clock.set(clock.now() + 1);
    assert.equal(await total(), 0);
    assert.deepEqual(await readdir(join(root, "sessions")), []);
  });

  it("takes the sessions of agents along: their size, there and back, and for good; not while their caller is open", async () => {
    const sizeOf = async (id: string) => (await storage().usage()).find(each => each.id === id)?.bytes ?? 0;
    const alone = await sizeOf("ses_1");
    const caller = await storage().open("ses_1");
    const child = await caller.children!.create("ses_child");
    await child.append("history.jsonl", header("ses_child", 1) + userMessage("below", 1));
    assert.ok((await sizeOf("ses_1")) > alone);
    assert.deepEqual(
      (await storage().list()).map(({ id }) => id),
      ["ses_1"],
    );
    for (const forget of [() => storage().trash("ses_1"), () => storage().remove("ses_1")])
      await assert.rejects(forget(), { code: "IN_USE" });
    await child.close();
    await caller.close();
    const whole = await sizeOf("ses_1");
    const key = await storage().trash("ses_1");
    assert.equal(await sizeOf(key), whole);
    await storage().restore(key);
    const again = await storage().open("ses_1", { readOnly: true });
    assert.deepEqual(
      (await again.children!.list()).map(({ title }) => title),
      ["below"],
    );
    await storage().remove("ses_1");
    assert.deepEqual(await readdir(join(root, "sessions")), []);
  });

  it("takes none that another window writes, and none twice under one name", async () => {
    const elsewhere = await storage().open("ses_1");
    await assert.rejects(storage().trash("ses_1"), { code: "IN_USE" });
    await elsewhere.close();
    const key = await storage().trash("ses_1");
    const again = await storage().create("ses_1");
    await again.append("history.jsonl", header("ses_1", 1) + userMessage("again", 1));
    await again.close();
    await assert.rejects(storage().restore(key), /already/);
    await storage().purge(key);
    assert.deepEqual(await storage().deleted(), []);
    assert.equal((await storage().list()).length, 1);
  });

  it("a window that only reads it hears that it is gone, and that it is back", async () => {
    const writer = await storage().open("ses_1");
    const reader = await storage().open("ses_1");
    const heard: string[] = [];
    reader.onLockChange(writable => heard.push(`${writable} ${reader.isGone}`));
    await writer.close();
    const key = await storage().trash("ses_1");
    await clock.pass(5_000);
    await eventually("it is told", () => heard.length === 1);
    await assert.rejects(reader.append("history.jsonl", "x\n"), /deleted in another window/);
    await storage().restore(key);
    await clock.pass(5_000);
    await eventually("it writes", () => reader.writable);
    assert.deepEqual(heard, ["false true", "true false"]);
    await reader.close();
  });
});
