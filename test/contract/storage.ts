/** What every `SessionStorage` has to do. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { SessionFiles } from "../../src/core/ground/ports";
import { pluck } from "../fakes/pluck";
import { header, userMessage } from "./logLines";
import { sessionFoldersContract } from "./sessionFolders";
import { snapshotsContract } from "./snapshots";
import { type StorageWorld, useWorld } from "./storageWorld";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
export function storageContract(name: string, make: () => Promise<StorageWorld>): void {
  describe(`storage: ${name}`, () => {
    const { world, create, reopen, keep } = useWorld(make);
    const nextChange = (files: SessionFiles) => new Promise<boolean>(resolve => files.onLockChange(resolve));

    describe("logs", () => {
      it("hold what was appended, in order, also when nobody waits in between", async () => {
        const files = await create();
        const lines = Array.from({ length: 50 }, (_, i) => `{"n":${i},"text":"ä中"}\n`);
        await Promise.all(lines.map(line => files.append("history.jsonl", line)));
        assert.equal(await files.read("history.jsonl"), lines.join(""));
        await files.close();
        assert.equal(await (await reopen()).read("history.jsonl"), lines.join(""));
      });

      it("are two, and absent before the first line", async () => {
        const files = await create();
        assert.equal(await files.read("requests.jsonl"), undefined);
        await files.append("requests.jsonl", "r\n");
        assert.deepEqual([await files.read("requests.jsonl"), await files.read("history.jsonl")], ["r\n", undefined]);
      });

      it("go on after a restart", async () => {
        const files = await create();
        await files.append("history.jsonl", "one\n");
        await files.close();
        const again = await reopen();
        assert.equal(again.writable, true);
        await again.append("history.jsonl", "two\n");
        assert.equal(await again.read("history.jsonl"), "one\ntwo\n");
      });

      it("are cut in bytes, and go on from there", async () => {
        const files = await create();
        await files.append("history.jsonl", "ä\ntorn");
        await files.truncate("history.jsonl", 3);
        await files.append("history.jsonl", "next\n");
        assert.equal(await files.read("history.jsonl"), "ä\nnext\n");
      });

      it("are replaced as a whole, and go on in the new file", async () => {
        const files = await create();
        await files.append("history.jsonl", "old\n");
        await files.replace("history.jsonl", "new\n");
        await files.append("history.jsonl", "more\n");
        await files.replace("history.broken.jsonl", "set aside\n");
        assert.equal(await files.read("history.jsonl"), "new\nmore\n");
        assert.equal(await files.read("history.broken.jsonl"), "set aside\n");
      });
    });

    describe("blobs", () => {
      it("are found by their hash, put once or twice", async () => {
        const files = await create();
        await files.putBlob(sha("häppy"), "häppy");
        await files.putBlob(sha("häppy"), Buffer.from("häppy"));
        await files.putBlob(sha(""), "");
        assert.equal(Buffer.from((await files.getBlob(sha("häppy"))) ?? []).toString(), "häppy");
        assert.equal((await files.getBlob(sha("")))?.length, 0);
        assert.equal(await files.getBlob(sha("never put")), undefined);
      });

      it("many at once", async () => {
        const files = await create();
        const texts = Array.from({ length: 40 }, (_, i) => `blob ${i % 20}`);
        await Promise.all(texts.map(text => files.putBlob(sha(text), text)));
        for (const text of texts) assert.equal(String(Buffer.from((await files.getBlob(sha(text))) ?? [])), text);
      });

      it("come in pieces, and are named by what they are", async () => {
        const files = await create();
        const writer = files.blobWriter();
        for (const piece of ["one ", "two ", "three"]) await writer.write(Buffer.from(piece));
        assert.deepEqual(await writer.finish(), { sha256: sha("one two three"), bytes: 13 });
        assert.equal(String(Buffer.from((await files.getBlob(sha("one two three"))) ?? [])), "one two three");
        assert.deepEqual(await files.blobWriter().finish(), { sha256: sha(""), bytes: 0 });
      });

      it("that are discarded leave nothing", async () => {
        const files = await create();
        const writer = files.blobWriter();
        await writer.write(Buffer.from("half"));
        await writer.discard();
        await writer.discard();
        assert.equal(await files.getBlob(sha("half")), undefined);
      });

      it("have no names but hashes", async () => {
        const files = await create();
        for (const bad of ["", "../../secret", sha("x").toUpperCase()]) {
          await assert.rejects(files.getBlob(bad), { name: "StorageError" }, bad);
          await assert.rejects(files.putBlob(bad, "x"), { name: "StorageError" }, bad);
        }
      });

      it("whose content is not what their name says are refused", async () => {
        const files = await create();
        await assert.rejects(files.putBlob(sha("a"), "b"), { name: "StorageError", code: "IO" });
      });
    });

    describe("sessions", () => {
      it("that are not there are NOT_FOUND, whatever they are called", async () => {
        for (const id of ["ses_none", "", ".", "..", "../ses_1", "a/b", "a\0b", "x".repeat(500)]) {
          await assert.rejects(world().storage.open(id), { name: "StorageError", code: "NOT_FOUND" }, id);
        }
      });

      it("are not created twice", async () => {
        await (await create()).append("history.jsonl", header("ses_1", 1));
        await assert.rejects(world().storage.create("ses_1"), { name: "StorageError", code: "IO" });
      });

      it("in which nothing was said leave nothing, but for pictures of what is to be said", async () => {
        await (await create()).close();
        await assert.rejects(world().storage.open("ses_1"), { code: "NOT_FOUND" });
        const files = await create();
        await files.putBlob(sha("picture"), "picture");
        await files.close();
        assert.equal((await (await world().storage.open("ses_1")).getBlob(sha("picture")))?.length, 7);
        assert.deepEqual(await world().storage.list(), []);
      });

      it("that are closed are not written any more", async () => {
        const files = await create();
        await files.append("history.jsonl", "one\n");
        await files.close();
        await files.close();
        assert.equal(files.writable, false);
        await assert.rejects(files.append("history.jsonl", "two\n"), { name: "StorageError" });
      });
    });

    describe("the list", () => {
      it("is empty where there is nothing", async () => assert.deepEqual(await world().storage.list(), []));

      it("gives what was written of each, the newest first", async () => {
        const metas = [
          { id: "ses_1", title: "older", created: 1, updated: 10, turns: 1 },
          { id: "ses_2", title: "newer", created: 2, updated: 20, turns: 3 },
        ];
        for (const meta of metas) {
          await (await create(meta.id)).append("history.jsonl", header(meta.id, meta.created));
          await world().storage.writeMeta(meta);
        }
        assert.deepEqual(await world().storage.list(), metas.toReversed());
      });

      it("is made from the log where nothing was written, past lines that are broken", async () => {
        const files = await create();
        await files.append("history.jsonl", header("ses_1", 5));
        await files.append("history.jsonl", userMessage("Fix the tests\nand more", 7));
        await files.append("history.jsonl", '{"kind":"from the future","ts":8}\n{broken\n');
        await files.append("history.jsonl", userMessage("second", 9, 2));
        await files.append("history.jsonl", '{"kind":"mess');
        const expected = { id: "ses_1", title: "Fix the tests", created: 5, updated: 9, turns: 2 };
        assert.deepEqual(await world().storage.list(), [expected]);
      });

      it("takes the last title that was given", async () => {
        const files = await create();
        const title = (text: string, ts: number) =>
          `${JSON.stringify({ kind: "title", id: "r", seq: ts, ts, title: text })}\n`;
        await files.append(
          "history.jsonl",
          header("ses_1", 1) + userMessage("hi", 2) + title("First", 3) + title("Second", 4),
        );
        assert.deepEqual(pluck(await world().storage.list(), "title"), ["Second"]);
      });

      it("does not list what no session wrote, nor takes meta of one that is not there", async () => {
        await (await create("ses_ok")).append("history.jsonl", header("ses_ok", 1));
        await (await create("ses_bad")).append("history.jsonl", "no header\n");
        assert.deepEqual(pluck(await world().storage.list(), "id"), ["ses_ok"]);
        const meta = { id: "ses_none", title: "", created: 0, updated: 0, turns: 0 };
        await assert.rejects(world().storage.writeMeta(meta), { code: "NOT_FOUND" });
      });
    });

    describe("two windows", () => {
      it("the second reads what the first writes, and every write of it is refused", async () => {
        const first = await create();
        await first.append("history.jsonl", "one\n");
        const second = await reopen("ses_1", world().other);
        assert.deepEqual([first.writable, second.writable], [true, false]);
        await first.append("history.jsonl", "two\n");
        assert.equal(await second.read("history.jsonl"), "one\ntwo\n");
        const refused = { name: "StorageError", code: "READ_ONLY" };
        await assert.rejects(second.append("history.jsonl", "x"), refused);
        await assert.rejects(second.truncate("history.jsonl", 0), refused);
        await assert.rejects(second.replace("history.jsonl", ""), refused);
        await assert.rejects(second.putBlob(sha("x"), "x"), refused);
        assert.throws(() => second.blobWriter(), refused);
        assert.equal(await first.read("history.jsonl"), "one\ntwo\n");
      });

      it("the second takes over when the first closes, and goes on behind its last line", async () => {
        const first = await create();
        await first.append("history.jsonl", "one\n");
        const second = await reopen("ses_1", world().other);
        const change = nextChange(second);
        await first.append("history.jsonl", "two\n");
        await first.close();
        assert.equal(await change, true);
        assert.equal(second.writable, true);
        await second.append("history.jsonl", "three\n");
        assert.equal(await second.read("history.jsonl"), "one\ntwo\nthree\n");
      });

      it("one that only reads neither takes the lock nor waits for it", async () => {
        const first = await create();
        await first.append("history.jsonl", "one\n");
        const reader = keep(await world().other.open("ses_1", { readOnly: true }));
        assert.equal(await reader.read("history.jsonl"), "one\n");
        await first.append("history.jsonl", "two\n");
        assert.equal(await reader.read("history.jsonl"), "one\ntwo\n");
        await first.close();
        // Where nobody writes, it takes nothing either: the next window writes at once.
        const again = await reopen();
        assert.deepEqual([again.writable, reader.writable], [true, false]);
        await assert.rejects(reader.append("history.jsonl", "x"), { name: "StorageError", code: "READ_ONLY" });
        assert.throws(() => reader.blobWriter(), { code: "READ_ONLY" });
        await reader.close();
        assert.equal(again.writable, true);
        await assert.rejects(world().other.open("ses_none", { readOnly: true }), { code: "NOT_FOUND" });
      });

      it("see each other's marks of unreviewed edits, and until when their session was at work", async () => {
        const [{ unreviewed: own }, { unreviewed: others }] = [world().storage, world().other];
        const mark = "0123456789abcdef.ses_1";
        assert.deepEqual(await others.list(), []);
        const files = await create();
        const header = `{"kind":"header","version":1,"sessionId":"ses_1","created":1,"archives":[]}\n`;
        await files.append("history.jsonl", header);
        for (const text of ["file:///a", "file:///b"]) await own.put(mark, text);
        assert.deepEqual(await others.list(), [mark]);
        assert.deepEqual([await others.read(mark), await others.read("gone")], ["file:///b", ""]);
        assert.equal(await others.activeUntil(mark), Infinity);
        const seen = await others.open(mark);
        assert.deepEqual([seen.id, String(await seen.read("history.jsonl"))], ["ses_1", header]);
        await files.close();
        assert.ok(((await others.activeUntil(mark)) ?? Infinity) < Infinity);
        for (const _ of ["there", "gone"]) await others.drop(mark);
        assert.deepEqual(await own.list(), []);
      });

      it("different sessions do not disturb each other", async () => {
        const first = await create("ses_1");
        const second = await create("ses_2", world().other);
        assert.deepEqual([first.writable, second.writable], [true, true]);
      });
    });

    it("a log that was damaged from outside is read as it is", async () => {
      const files = await create();
      await files.append("history.jsonl", "one\n");
      await files.close();
      await world().put("ses_1", "history.jsonl", "one\n{torn");
      const again = await reopen();
      assert.equal(await again.read("history.jsonl"), "one\n{torn");
      await again.truncate("history.jsonl", 4);
      await again.append("history.jsonl", "two\n");
      assert.equal(await again.read("history.jsonl"), "one\ntwo\n");
    });
  });
  sessionFoldersContract(name, make);
  snapshotsContract(name, make);
}
