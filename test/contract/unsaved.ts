/** What every `Unsaved` has to do, in an editor or in memory. */
import assert from "node:assert/strict";
import type { UnsavedFiles } from "../../src/core/ground/ports";
import type { FilesWorld } from "./files";

export interface UnsavedWorld extends FilesWorld {
  unsaved: UnsavedFiles;
  /** Opens the file, or an absolute path outside, and types at its beginning. */
  type(path: string, text: string): Promise<void>;
  /** What the editor holds. */
  inEditor(path: string): string | undefined;
  /** A person saves the file that is open. */
  saves(path: string): Promise<void>;
}

export function unsavedContract(name: string, make: (rootNames: readonly string[]) => Promise<UnsavedWorld>): void {
  describe(`unsaved: ${name}`, () => {
    let world: UnsavedWorld;
    beforeEach(async () => {
      world = await make(["app", "lib"]);
      for (const path of ["app:a.ts", "app:b.ts", "lib:a.ts"]) await world.put(path, "one\n");
    });
    afterEach(() => world.dispose());

    const names = async () => (await world.unsaved.unsaved()).map(ref => ref.path);
    const onDisk = async (path: string) => Buffer.from((await world.bytes(path)) ?? []).toString("utf8");
    const refs = (...paths: string[]) => Promise.all(paths.map(path => world.files.resolve(path)));

    it("names files of every root that have unsaved changes, sorted, and no others", async () => {
      assert.deepEqual(await names(), []);
      await world.type("lib:a.ts", "typed ");
      await world.type("app:b.ts", "typed ");
      assert.deepEqual(await names(), ["app:b.ts", "lib:a.ts"]);
      const [ref] = await world.unsaved.unsaved();
      assert.deepEqual(ref, await world.files.resolve("app:b.ts"));
    });

    it("saves what it is told to, and nothing else", async () => {
      await world.type("app:a.ts", "typed ");
      await world.type("app:b.ts", "typed ");
      const [a] = await refs("app:a.ts");
      assert.ok(a);
      assert.deepEqual(await world.unsaved.save([a]), { saved: [a], failed: [] });
      assert.deepEqual(await names(), ["app:b.ts"]);
      assert.deepEqual([await onDisk("app:a.ts"), await onDisk("app:b.ts")], ["typed one\n", "one\n"]);
      const file = await world.files.read(a, 1_000);
      assert.deepEqual([file.kind === "text" && file.text, file.stamp.dirty], ["typed one\n", false]);
    });

    it("of a file without unsaved changes there is nothing to save", async () => {
      const [a] = await refs("app:a.ts");
      assert.ok(a);
      assert.deepEqual(await world.unsaved.save([a]), { saved: [a], failed: [] });
      assert.equal(await onDisk("app:a.ts"), "one\n");
    });

    it("what cannot be saved keeps its text in the editor, and the others are saved", async function () {
      if (!world.makeReadOnly) this.skip();
      await world.type("app:a.ts", "typed ");
      await world.type("app:b.ts", "typed ");
      await world.makeReadOnly("app:a.ts");
      const [a, b] = await refs("app:a.ts", "app:b.ts");
      assert.ok(a && b);
      assert.deepEqual(await world.unsaved.save([a, b]), { saved: [b], failed: [{ ref: a, why: "it is read-only" }] });
      assert.deepEqual(await names(), ["app:a.ts"]);
      assert.deepEqual([await onDisk("app:a.ts"), world.inEditor("app:a.ts")], ["one\n", "typed one\n"]);
    });

    it("a file that was deleted is not made anew", async () => {
      await world.type("app:a.ts", "typed ");
      await world.remove("app:a.ts");
      const [a] = await refs("app:a.ts");
      assert.ok(a);
      assert.deepEqual(await names(), ["app:a.ts"]);
      assert.deepEqual(await world.unsaved.save([a]), { saved: [], failed: [{ ref: a, why: "its file was deleted" }] });
      assert.equal(await world.bytes("app:a.ts"), undefined);
      assert.equal(world.inEditor("app:a.ts"), "typed one\n");
    });

    it("knows what was saved in the editor since it was asked to follow", async () => {
      await world.type("app:a.ts", "typed ");
      await world.saves("app:a.ts");
      const followed = world.unsaved.followSaves();
      await world.type("app:b.ts", "typed ");
      await world.saves("app:b.ts");
      await world.put("lib:a.ts", "written by another program\n");
      const [b] = await refs("app:b.ts");
      assert.deepEqual([...(await followed.saved())], [b?.uri]);
      await world.type("app:a.ts", "typed ");
      followed.end();
      await world.saves("app:a.ts");
      assert.deepEqual([...(await followed.saved())], [b?.uri]);
    });

    it("knows what sessions changed meanwhile, and what they made", async () => {
      const followed = world.unsaved.followSaves();
      const [a, made] = await refs("app:a.ts", "app:made.ts");
      assert.ok(a && made);
      const { stamp } = await world.files.read(a, 1_000);
      await world.files.apply({ ref: a, base: stamp.sha256, edits: [{ start: 0, end: 0, text: "edited " }] });
      await world.files.apply({ ref: made, base: null, edits: [{ start: 0, end: 0, text: "made\n" }] });
      const known = await followed.saved();
      followed.end();
      assert.deepEqual([known.has(a.uri), known.has(made.uri)], [true, true]);
    });
  });
}
