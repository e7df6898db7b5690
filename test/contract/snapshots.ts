/** What every `SessionStorage` has to do with the states of files that are kept for undo. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { header } from "./logLines";
import { type StorageWorld, useWorld } from "./storageWorld";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const TEXT = "\ufeffcaf\u00e9 \u{1f600}\r\nmixed\nends\rno end";

export function snapshotsContract(name: string, make: () => Promise<StorageWorld>): void {
  describe(`snapshots: ${name}`, () => {
    const { world, create, reopen } = useWorld(make);

    it("are the text that was put, also after a restart; put once or twice", async () => {
      const files = await create();
      await files.append("history.jsonl", header("ses_1", 1));
      await files.putSnapshot(sha(TEXT), TEXT);
      await files.putSnapshot(sha(TEXT), TEXT);
      await files.putSnapshot(sha(""), "");
      assert.equal(await files.getSnapshot(sha(TEXT)), TEXT);
      await files.close();
      const again = await reopen();
      assert.equal(await again.getSnapshot(sha(TEXT)), TEXT);
      assert.equal(await again.getSnapshot(sha("")), "");
      assert.equal(await again.getSnapshot(sha("never put")), undefined);
    });

    it("many at once", async () => {
      const files = await create();
      const texts = Array.from({ length: 40 }, (_, i) => `state ${i % 20}`);
      await Promise.all(texts.map(text => files.putSnapshot(sha(text), text)));
      for (const text of texts) assert.equal(await files.getSnapshot(sha(text)), text);
    });

    it("are no blobs, and blobs no snapshots: what lists or exports blobs finds none", async () => {
      const files = await create();
      await files.putSnapshot(sha("state"), "state");
      await files.putBlob(sha("blob"), "blob");
      assert.deepEqual(await files.list("blobs"), [sha("blob")]);
      assert.equal(await files.getBlob(sha("state")), undefined);
      assert.equal(await files.getSnapshot(sha("blob")), undefined);
    });

    it("have no names but hashes, and those of what they hold", async () => {
      const files = await create();
      for (const bad of ["", "../../secret", sha("x").toUpperCase()]) {
        await assert.rejects(files.getSnapshot(bad), { name: "StorageError" }, bad);
        await assert.rejects(files.putSnapshot(bad, "x"), { name: "StorageError" }, bad);
      }
      await assert.rejects(files.putSnapshot(sha("a"), "b"), { name: "StorageError", code: "IO" });
      assert.equal(await files.getSnapshot(sha("a")), undefined);
    });

    it("that are damaged are not given, and it is said", async () => {
      const files = await create();
      await files.putSnapshot(sha("state"), "state");
      await world().put("ses_1", `snapshots/${sha("state")}`, "stale");
      await assert.rejects(files.getSnapshot(sha("state")), { name: "StorageError", code: "IO", message: /damaged/ });
    });

    it("count in the session's size, and go with it", async () => {
      const files = await create();
      await files.append("history.jsonl", header("ses_1", 1));
      const before = await files.bytes();
      await files.putSnapshot(sha("x".repeat(10_000)), "x".repeat(10_000));
      assert.ok((await files.bytes()) - before >= 10_000);
      const [usage] = await world().storage.usage();
      assert.ok((usage?.bytes ?? 0) >= 10_000);
      await files.close();
      await world().storage.remove("ses_1");
      const fresh = await create();
      assert.equal(await fresh.getSnapshot(sha("x".repeat(10_000))), undefined);
    });

    it("are written by who holds the session, and read by everybody", async () => {
      const first = await create();
      await first.append("history.jsonl", header("ses_1", 1));
      await first.putSnapshot(sha("state"), "state");
      const second = await reopen("ses_1", world().other);
      assert.equal(await second.getSnapshot(sha("state")), "state");
      const refused = { name: "StorageError", code: "READ_ONLY" };
      await assert.rejects(second.putSnapshot(sha("x"), "x"), refused);
      await first.close();
      await assert.rejects(first.putSnapshot(sha("y"), "y"), { name: "StorageError" });
    });
  });
}
