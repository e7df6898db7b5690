/** What every `Files` has to do when it writes; called from filesContract. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { editsBetween } from "../../src/core/changes/timeline/putBack";
import type { ApplyOutcome, TextFile } from "../../src/core/ground/ports";
import { isSoak } from "../fakes/soak";
import type { FilesWorld } from "./files";

const text = (value: string, encoding: BufferEncoding = "utf8") => Buffer.from(value, encoding);
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export async function readTextFile({ files }: FilesWorld, path: string): Promise<TextFile> {
  const file = await files.read(await files.resolve(path), 10_000_000);
  assert.ok(file.kind === "text", `${path} is text`);
  return file;
}

/** Replaces the first `before` in the file by `after`. */
export async function edit(
  world: FilesWorld,
  path: string,
  before: string,
  after: string,
  base?: string,
): Promise<ApplyOutcome> {
  const ref = await world.files.resolve(path);
  const file = await readTextFile(world, path);
  const start = file.text.indexOf(before);
  const edits = [{ start, end: start + before.length, text: after }];
  return world.files.apply({ ref, base: base ?? file.stamp.sha256, edits });
}

async function create({ files }: FilesWorld, path: string, content: string): Promise<ApplyOutcome> {
  return files.apply({ ref: await files.resolve(path), base: null, edits: [{ start: 0, end: 0, text: content }] });
}

/** @param world that of the running test */
export function removeContract(world: () => FilesWorld): void {
  describe("remove", () => {
    const remove = async (path: string, base: string) =>
      world().files.removeFile(await world().files.resolve(path), base);

    it("takes a file away that holds what was read, and leaves its folder", async () => {
      await world().put("src/a.ts", "one");
      await world().put("src/b.ts", "one");
      assert.equal(await remove("src/a.ts", sha(text("one"))), "removed");
      assert.equal(await world().bytes("src/a.ts"), undefined);
      assert.deepEqual(Buffer.from((await world().bytes("src/b.ts")) ?? []), text("one"));
      assert.equal(await world().files.stat(await world().files.resolve("src/a.ts")), undefined);
    });

    it("what was changed stays", async () => {
      await world().put("a.ts", "two");
      assert.equal(await remove("a.ts", sha(text("one"))), "stale");
      assert.deepEqual(Buffer.from((await world().bytes("a.ts")) ?? []), text("two"));
    });

    it("what is not there is stale", async () => {
      assert.equal(await remove("none.ts", sha(text("one"))), "stale");
    });

    it("of two at once, one is too late", async () => {
      await world().put("a.ts", "one");
      const outcomes = await Promise.all([remove("a.ts", sha(text("one"))), remove("a.ts", sha(text("one")))]);
      assert.deepEqual(outcomes.sort(), ["removed", "stale"]);
    });

    it("can be created again", async () => {
      await create(world(), "new/a.ts", "one");
      assert.equal(await remove("new/a.ts", sha(text("one"))), "removed");
      const outcome = await create(world(), "new/a.ts", "two");
      assert.equal(outcome.kind, "applied");
      assert.deepEqual(Buffer.from((await world().bytes("new/a.ts")) ?? []), text("two"));
    });

    it("a read-only file stays", async function () {
      await world().put("a.ts", "one");
      if (!world().makeReadOnly) this.skip();
      await world().makeReadOnly?.("a.ts");
      await assert.rejects(remove("a.ts", sha(text("one"))), { name: "FileError", code: "READ_ONLY" });
      assert.deepEqual(Buffer.from((await world().bytes("a.ts")) ?? []), text("one"));
    });
  });
}

/** @param world that of the running test */
export function applyContract(world: () => FilesWorld): void {
  describe("apply", () => {
    it("changes what was read and says what stands now", async () => {
      await world().put("a.ts", "one two three");
      const outcome = await edit(world(), "a.ts", "two", "2");
      assert.ok(outcome.kind === "applied");
      assert.deepEqual([outcome.text, outcome.saved], ["one 2 three", true]);
      assert.equal(outcome.stamp.sha256, sha(text("one 2 three")));
      assert.deepEqual(Buffer.from((await world().bytes("a.ts")) ?? []), text("one 2 three"));
      assert.deepEqual((await readTextFile(world(), "a.ts")).stamp.sha256, outcome.stamp.sha256);
    });

    it("several edits at once", async () => {
      await world().put("a.ts", "abcdef");
      const { stamp } = await readTextFile(world(), "a.ts");
      const edits = [
        { start: 0, end: 1, text: "A" },
        { start: 2, end: 2, text: "-" },
        { start: 4, end: 6, text: "" },
      ];
      const outcome = await world().files.apply({
        ref: await world().files.resolve("a.ts"),
        base: stamp.sha256,
        edits,
      });
      assert.equal(outcome.kind === "applied" && outcome.text, "Ab-cd");
    });

    const keeps = (title: string, before: Uint8Array, after: Uint8Array) =>
      it(`keeps ${title}`, async () => {
        await world().put("file", before);
        assert.equal((await edit(world(), "file", "old", "nöw")).kind, "applied");
        assert.deepEqual(Buffer.from((await world().bytes("file")) ?? []), Buffer.from(after));
      });
    keeps("CRLF", text("a\r\nold\r\n"), text("a\r\nnöw\r\n"));
    keeps("a missing final newline", text("old"), text("nöw"));
    keeps("a BOM", text("\uFEFFold\n"), text("\uFEFFnöw\n"));
    keeps("UTF-16 LE", text("\uFEFFold\n", "utf16le"), text("\uFEFFnöw\n", "utf16le"));
    keeps("UTF-16 BE", text("\uFEFFold\n", "utf16le").swap16(), text("\uFEFFnöw\n", "utf16le").swap16());
    keeps("lone carriage returns", text("a\rold\rb\r"), text("a\rnöw\rb\r"));
    keeps("mixed line ends", text("a\r\nold\nb\rc\r\n"), text("a\r\nnöw\nb\rc\r\n"));
    keeps("mixed line ends after a BOM", text("\uFEFFa\r\nold\n"), text("\uFEFFa\r\nnöw\n"));
    keeps("CRLF in UTF-16", text("\uFEFFa\r\nold\r\n", "utf16le"), text("\uFEFFa\r\nnöw\r\n", "utf16le"));
    keeps("separators that are no line ends", text("a\u2028old\u0085b\f\v\n"), text("a\u2028nöw\u0085b\f\v\n"));
    keeps("a second BOM, which is text", text("\uFEFF\uFEFFold"), text("\uFEFF\uFEFFnöw"));
    keeps("a NUL far behind", text(`old${"x".repeat(9000)}\0\n`), text(`nöw${"x".repeat(9000)}\0\n`));
    const long = "x".repeat(isSoak("large") ? 1_000_000 : 100_000);
    keeps("very long lines", text(`${long}old${long}\n${long}`), text(`${long}nöw${long}\n${long}`));
    keeps("astral characters", text("😀old😀"), text("😀nöw😀"));

    const ends = (title: string, before: string, after: string) =>
      it(`changes line ends alone: ${title}`, async () => {
        await world().put("file", text(before));
        const ref = await world().files.resolve("file");
        const { stamp, text: was } = await readTextFile(world(), "file");
        const outcome = await world().files.apply({ ref, base: stamp.sha256, edits: editsBetween(was, after) });
        assert.deepEqual([outcome.kind, outcome.kind === "applied" && outcome.text], ["applied", after]);
        assert.deepEqual(Buffer.from((await world().bytes("file")) ?? []), text(after));
        assert.equal((await readTextFile(world(), "file")).stamp.sha256, sha(text(after)));
      });
    ends("CRLF to LF", "a\r\nb\r\nc", "a\nb\nc");
    ends("LF to CRLF", "a\nb\nc\n", "a\r\nb\r\nc\r\n");
    ends("of one line", "a\nb\nc\n", "a\nb\r\nc\n");
    ends("with a line", "a\r\nb\r\nc\r\n", "a\nB\nc\n");

    const fills = (title: string, before: Uint8Array, after: Uint8Array) =>
      it(`fills ${title}`, async () => {
        await world().put("file", before);
        const ref = await world().files.resolve("file");
        const { stamp, text: was } = await readTextFile(world(), "file");
        assert.equal(was, "");
        const edits = [{ start: 0, end: 0, text: "é\n" }];
        const outcome = await world().files.apply({ ref, base: stamp.sha256, edits });
        assert.equal(outcome.kind === "applied" && outcome.text, "é\n");
        assert.deepEqual(Buffer.from((await world().bytes("file")) ?? []), Buffer.from(after));
        assert.equal((await readTextFile(world(), "file")).stamp.sha256, sha(after));
      });
    fills("an empty file", text(""), text("é\n"));
    fills("a file with a BOM alone", text("\uFEFF"), text("\uFEFFé\n"));
    fills("a file with a BOM of UTF-16 alone", text("\uFEFF", "utf16le"), text("\uFEFFé\n", "utf16le"));

    it("empties a file, and keeps its BOM", async () => {
      await world().put("file", text("\uFEFFold\n"));
      const ref = await world().files.resolve("file");
      const { stamp } = await readTextFile(world(), "file");
      await world().files.apply({ ref, base: stamp.sha256, edits: [{ start: 0, end: 4, text: "" }] });
      assert.deepEqual(Buffer.from((await world().bytes("file")) ?? []), text("\uFEFF"));
    });

    it("refuses half a character in UTF-8, and writes nothing", async () => {
      await world().put("file", "old\n");
      await assert.rejects(edit(world(), "file", "old", "\ud800"), { name: "FileError", code: "IO" });
      assert.deepEqual(Buffer.from((await world().bytes("file")) ?? []), text("old\n"));
    });

    it("keeps bytes that are no UTF-8; what their encoding cannot hold is refused", async () => {
      const latin = (value: string) => Buffer.from(value, "latin1");
      await world().put("file", latin("caf\xe9 old\n"));
      assert.equal((await edit(world(), "file", "old", "n\xf6w")).kind, "applied");
      assert.deepEqual(Buffer.from((await world().bytes("file")) ?? []), latin("caf\xe9 n\xf6w\n"));
      await assert.rejects(edit(world(), "file", "caf", "→"), { name: "FileError", code: "IO", message: /has no "→"/ });
      assert.deepEqual(Buffer.from((await world().bytes("file")) ?? []), latin("caf\xe9 n\xf6w\n"));
    });

    it("is stale, and writes nothing, when the content moved", async () => {
      await world().put("a.ts", "one");
      const { stamp } = await readTextFile(world(), "a.ts");
      await world().put("a.ts", "one, changed by someone");
      assert.deepEqual(await edit(world(), "a.ts", "one", "1", stamp.sha256), { kind: "stale" });
      assert.deepEqual(Buffer.from((await world().bytes("a.ts")) ?? []), text("one, changed by someone"));
    });

    it("is stale when the file went", async () => {
      await world().put("a.ts", "one");
      const ref = await world().files.resolve("a.ts");
      const { stamp } = await readTextFile(world(), "a.ts");
      await world().remove("a.ts");
      const edits = [{ start: 0, end: 3, text: "1" }];
      assert.deepEqual(await world().files.apply({ ref, base: stamp.sha256, edits }), { kind: "stale" });
      assert.equal(await world().bytes("a.ts"), undefined);
    });

    it("creates a file and its folders; a second time it is stale", async () => {
      const outcome = await create(world(), "new/deep/a.ts", "fresh\n");
      assert.ok(outcome.kind === "applied");
      assert.equal(outcome.stamp.sha256, sha(text("fresh\n")));
      assert.deepEqual(await create(world(), "new/deep/a.ts", "other"), { kind: "stale" });
      assert.deepEqual(Buffer.from((await world().bytes("new/deep/a.ts")) ?? []), text("fresh\n"));
    });

    it("creates an empty file", async () => {
      assert.equal((await create(world(), "empty", "")).kind, "applied");
      assert.deepEqual(Buffer.from((await world().bytes("empty")) ?? [1]), text(""));
    });

    it("cannot create below a file", async () => {
      await world().put("a.ts", "a");
      await assert.rejects(create(world(), "a.ts/b.ts", "b"), { name: "FileError", code: "IO" });
      assert.deepEqual(Buffer.from((await world().bytes("a.ts")) ?? []), text("a"));
    });

    it("of many at once on one base, one wins and the others are stale", async () => {
      await world().put("a.ts", "0");
      const { stamp } = await readTextFile(world(), "a.ts");
      const ref = await world().files.resolve("a.ts");
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          world().files.apply({ ref, base: stamp.sha256, edits: [{ start: 0, end: 1, text: `winner ${i}` }] }),
        ),
      );
      assert.equal(outcomes.filter(outcome => outcome.kind === "applied").length, 1);
      assert.match((await readTextFile(world(), "a.ts")).text, /^winner \d$/);
    });

    it("a read-only file is READ_ONLY and stays as it is", async function () {
      const { makeReadOnly } = world();
      if (!makeReadOnly) return this.skip();
      await world().put("locked.ts", "one");
      await makeReadOnly("locked.ts");
      await assert.rejects(edit(world(), "locked.ts", "one", "1"), { name: "FileError", code: "READ_ONLY" });
      assert.deepEqual(Buffer.from((await world().bytes("locked.ts")) ?? []), text("one"));
    });
  });
}
