/** What every `DiskStates` has to do: on a disk, or in memory. */
import assert from "node:assert/strict";
import type { DiskStates } from "../../src/core/ground/ports";
import type { FileState } from "../../src/shared/fileStates";
import { hash } from "../fakes/hash";

export interface DiskStatesWorld {
  disk: DiskStates;
  /** absolute, of a name in an empty folder */
  at(name: string): string;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string | undefined>;
  dispose(): Promise<void>;
}

const state = (text: string): FileState => ({ type: "file", sha256: hash.sha256(text), mode: 0o644 });
const bytes = (text: string) => Buffer.from(text, "utf8");

export function diskStatesContract(name: string, make: () => Promise<DiskStatesWorld>): void {
  describe(`files as bytes: ${name}`, () => {
    let world: DiskStatesWorld;
    beforeEach(async () => {
      world = await make();
      await world.write("A.txt", "one\n");
    });
    afterEach(() => world.dispose());

    it("looks at what is there, and gives the bytes", async () => {
      const { disk, at } = world;
      const found = await disk.look(at("A.txt"), 100);
      assert.deepEqual([found.state, Buffer.from(found.bytes ?? []).toString()], [state("one\n"), "one\n"]);
      assert.deepEqual(await disk.look(at("none.txt"), 100), { state: null });
      assert.equal((await disk.look(at("A.txt"), 1)).state?.type, "unkept");
    });

    it("makes, replaces and removes", async () => {
      const { disk, at, read } = world;
      assert.equal(await disk.put(at("sub/b.txt"), null, state("b\n"), bytes("b\n")), "done");
      assert.equal(await read("sub/b.txt"), "b\n");
      assert.equal(await disk.put(at("A.txt"), state("one\n"), state("two\n"), bytes("two\n")), "done");
      assert.equal(await read("A.txt"), "two\n");
      assert.equal(await disk.put(at("A.txt"), state("two\n"), null, undefined), "done");
      assert.equal(await read("A.txt"), undefined);
    });

    it("does nothing where something else stands there, or the bytes are others", async () => {
      const { disk, at, read } = world;
      assert.equal(await disk.put(at("A.txt"), state("two\n"), null, undefined), "stale");
      assert.equal(await disk.put(at("A.txt"), null, state("two\n"), bytes("two\n")), "stale");
      assert.equal(await disk.put(at("none.txt"), state("one\n"), state("two\n"), bytes("two\n")), "stale");
      assert.equal(await disk.put(at("A.txt"), state("one\n"), state("two\n"), bytes("three\n")), "stale");
      assert.deepEqual([await read("A.txt"), await read("none.txt")], ["one\n", undefined]);
    });
  });
}
