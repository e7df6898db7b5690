/** What every `SessionStorage` has to do with archives, sizes and removal. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { SessionFileName, SessionLogName } from "../../src/core/ground/ports";
import { pluck } from "../fakes/pluck";
import { header, userMessage } from "./logLines";
import { type StorageWorld, useWorld } from "./storageWorld";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const record = (fields: Record<string, unknown>) => `${JSON.stringify({ id: "rec", ...fields })}\n`;

export function sessionFoldersContract(name: string, make: () => Promise<StorageWorld>): void {
  describe(`storage, folders of a session: ${name}`, () => {
    const { world, create, reopen } = useWorld(make);

    describe("files in folders", () => {
      it("are written whole, read again, listed in order", async () => {
        const files = await create();
        assert.deepEqual(await files.list("archive"), []);
        for (const number of ["0010", "0002", "0001"]) await files.replace(`archive/${number}.jsonl`, `${number} 中\n`);
        await files.replace("archive/0002.jsonl", "again\n");
        // Of a bundle of an earlier version.
        for (const name of ["runs/0001", "runs"]) await files.replace(`${name}.jsonl` as SessionFileName, "run\n");
        await files.append("history.jsonl", header("ses_1", 1));
        assert.deepEqual(await files.list("archive"), ["0001.jsonl", "0002.jsonl", "0010.jsonl"]);
        assert.equal(await files.read("archive/0002.jsonl"), "again\n");
        assert.equal(await files.read("archive/0003.jsonl"), undefined);
        await files.close();
        const again = await reopen();
        assert.equal(await again.read("archive/0001.jsonl"), "0001 中\n");
        assert.equal(await again.read("runs.jsonl" as SessionFileName), "run\n");
      });

      it("are read as bytes", async () => {
        const files = await create();
        await files.replace("archive/0001.jsonl", "ab中d\n");
        assert.deepEqual(Buffer.from((await files.readBytes("archive/0001.jsonl")) ?? []), Buffer.from("ab中d\n"));
        assert.equal(await files.readBytes("archive/0002.jsonl"), undefined);
        await assert.rejects(files.readBytes("archive/../lock" as SessionFileName), { code: "IO" });
      });

      it("blobs are listed by their hashes", async () => {
        const files = await create();
        for (const text of ["one", "two"]) await files.putBlob(sha(text), text);
        await files.blobWriter().write(Buffer.from("half"));
        assert.deepEqual(await files.list("blobs"), [sha("one"), sha("two")].sort());
      });

      it("text comes back as it was, however long; halves of characters as in any UTF-8", async () => {
        const files = await create();
        const line = record({ text: `\ud800 ${"字😀".repeat(2000)}` });
        await files.replace("archive/0001.jsonl", line.repeat(100));
        const back = (await files.read("archive/0001.jsonl")) ?? "";
        assert.ok(back === line.repeat(100));
        assert.equal(JSON.parse(back.split("\n")[99] ?? "").text[0], "\ud800");
        await files.append("history.jsonl", "a\ud800\udc00b\ud800c\r\n");
        assert.equal(await files.read("history.jsonl"), "a\u{10000}b\ufffdc\r\n");
      });

      it("have no names but their own", async () => {
        const files = await create();
        await files.append("history.jsonl", header("ses_1", 1));
        const bad = [
          ...["", "archive", "archive/", "archive/.jsonl", "archive/a.jsonl", "archive/0001.txt"],
          ...["archive/0001.jsonl/", "../history.jsonl", "archive/../history.jsonl", "orphans/0001.jsonl"],
          ...["archive/../../ses_2/history.jsonl", "/etc/passwd", "archive\\0001.jsonl", "archive/0001.jsonl\0"],
          ...["meta.json", "lock.json", "blobs/0001.jsonl", "runs/nul.jsonl", "archive//0001.jsonl"],
          ...["archive/0001.jsonl\n", ".history.jsonl"],
        ] as SessionFileName[];
        const refused = { name: "StorageError", code: "IO" };
        for (const name of bad) {
          await assert.rejects(files.read(name), refused, name);
          await assert.rejects(files.replace(name, "x"), refused, name);
        }
        for (const name of [...bad, "archive/0001.jsonl", "history.broken.jsonl"] as SessionLogName[]) {
          await assert.rejects(files.append(name, "x"), refused, name);
          await assert.rejects(files.truncate(name, 0), refused, name);
        }
        assert.equal(await files.read("history.jsonl"), header("ses_1", 1));
      });
    });

    it("a second window replaces nothing", async () => {
      const first = await create();
      await first.replace("archive/0001.jsonl", "one\n");
      await first.append("history.jsonl", header("ses_1", 1));
      const second = await reopen("ses_1", world().other);
      const refused = { name: "StorageError", code: "READ_ONLY" };
      await assert.rejects(second.replace("archive/0001.jsonl", "x"), refused);
      assert.deepEqual(await second.list("archive"), ["0001.jsonl"]);
      assert.equal(await second.read("archive/0001.jsonl"), "one\n");
    });

    describe("sizes", () => {
      it("grow by what is written, of a session and in the list of all", async () => {
        const files = await create();
        await files.append("history.jsonl", header("ses_1", 1));
        const before = await files.bytes();
        await files.append("history.jsonl", "x".repeat(100));
        await files.replace("archive/0001.jsonl", "中".repeat(100));
        await files.putBlob(sha("blob"), "blob");
        assert.equal((await files.bytes()) - before, 100 + 300 + 4);
        await (await create("ses_2")).append("history.jsonl", header("ses_2", 1));
        await (await create("ses_0")).close();
        const usage = await world().storage.usage();
        assert.deepEqual(pluck(usage, "id"), ["ses_1", "ses_2"]);
        assert.equal(usage[0]?.bytes, await files.bytes());
      });

      it("of nothing are none", async () => assert.deepEqual(await world().storage.usage(), []));
    });

    describe("a session that is removed", () => {
      const filled = async (id: string) => {
        const files = await create(id);
        await files.append("history.jsonl", header(id, 1));
        await files.replace("archive/0001.jsonl", "one\n");
        await files.putBlob(sha("blob"), "blob");
        return files;
      };

      it("is gone with all that was in it, and no other", async () => {
        for (const id of ["ses_1", "ses_2"]) await (await filled(id)).close();
        await world().storage.remove("ses_1");
        await assert.rejects(world().storage.open("ses_1"), { code: "NOT_FOUND" });
        assert.deepEqual(pluck(await world().storage.usage(), "id"), ["ses_2"]);
        const again = await create("ses_1");
        assert.deepEqual([await again.list("archive"), await again.list("blobs")], [[], []]);
        assert.equal(await (await reopen("ses_2")).read("archive/0001.jsonl"), "one\n");
      });

      it("must not be open in a window, this one or another", async () => {
        const files = await filled("ses_1");
        const inUse = { name: "StorageError", code: "IN_USE" };
        await assert.rejects(world().other.remove("ses_1"), inUse);
        await assert.rejects(world().storage.remove("ses_1"), inUse);
        await files.append("history.jsonl", "more\n");
        await files.close();
        await world().other.remove("ses_1");
        assert.deepEqual(await world().storage.list(), []);
      });

      it("must be one", async () => {
        await (await filled("ses_1")).close();
        for (const id of ["ses_none", "", ".", "..", "../sessions/ses_1", "ses_1/archive", "ses_1/.", "a\0b"]) {
          await assert.rejects(world().storage.remove(id), { name: "StorageError", code: "NOT_FOUND" }, id);
        }
        assert.equal((await world().storage.list()).length, 1);
      });
    });

    describe("the list, of a log whose beginning is in an archive", () => {
      const compaction = (seq: number, snapshot: Record<string, unknown>) =>
        record({ kind: "compaction", seq, ts: seq, snapshot });
      const title = (seq: number, text: string) => record({ kind: "title", seq, ts: seq, title: text });
      const check = async (lines: string[], expected: { title: string; turns: number; updated: number }) => {
        const files = await create();
        await files.append("history.jsonl", header("ses_1", 5) + lines.join(""));
        await files.replace("archive/0001.jsonl", header("ses_1", 5) + userMessage("not read", 6));
        assert.deepEqual(await world().storage.list(), [{ id: "ses_1", created: 5, ...expected }]);
      };

      it("takes title and turns from the compaction", () =>
        check([compaction(50, { title: "From before", turn: 12, mode: "ask" })], {
          ...{ title: "From before", turns: 12, updated: 50 },
        }));
      it("counts on from there", () =>
        check([compaction(50, { title: "From before", turn: 12 }), userMessage("and now?", 60, 13)], {
          ...{ title: "From before", turns: 13, updated: 60 },
        }));
      it("takes a title that was given later", () =>
        check([compaction(50, { title: "From before", turn: 12 }), title(51, "Renamed")], {
          ...{ title: "Renamed", turns: 12, updated: 50 },
        }));
      it("takes the newest of several, wherever older records stand", () =>
        check(
          [
            compaction(50, { title: "Second", turn: 12 }),
            title(30, "Older"),
            compaction(20, { title: "First", turn: 4 }),
          ],
          {
            ...{ title: "Second", turns: 12, updated: 50 },
          },
        ));
      it("goes on with the first words there are, where the compaction knows no title or makes no sense", () =>
        check(
          [compaction(50, { turn: 2 }), record({ kind: "compaction", seq: 51, ts: 51 }), userMessage("Words", 52, 3)],
          {
            ...{ title: "Words", turns: 3, updated: 52 },
          },
        ));
    });
  });
}
