/** Several files changed as one edit of the editor: all or none, each as it would be alone. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { FileError } from "../../../src/core/ground/ports";
import { readTextFile } from "../../contract/filesApply";
import { type EditorWorld, editorWorld, typeAtStart } from "../editorWorld";

describe("edits of several files at once", () => {
  let world: EditorWorld;
  beforeEach(async () => {
    world = await editorWorld();
  });
  afterEach(() => world.dispose());

  const onDisk = async (path: string) => new TextDecoder().decode(await world.bytes(path));
  /** The change that replaces `one` by `two`, on what stands now. */
  const change = async (path: string) => {
    const { text, stamp } = await readTextFile(world, path);
    const start = text.indexOf("one");
    const ref = await world.files.resolve(path);
    return { ref, base: stamp.sha256, edits: [{ start, end: start + 3, text: "two" }] };
  };
  const changes = (...paths: string[]) => Promise.all(paths.map(change));

  it("are made and saved, in files that are open and that are not, line ends kept", async () => {
    await world.put("a.ts", "one\n");
    await world.put("sub/b.ts", "x\r\none\r\n");
    await world.put("mixed.ts", "x\r\none\n");
    await world.show("a.ts");
    const outcome = await world.files.applyTogether(await changes("a.ts", "sub/b.ts", "mixed.ts"));
    assert.ok(outcome.kind === "applied");
    assert.deepEqual(
      outcome.files.map(file => file.kind === "applied" && file.saved),
      [true, true, true],
    );
    assert.deepEqual(await Promise.all(["a.ts", "sub/b.ts", "mixed.ts"].map(onDisk)), [
      "two\n",
      "x\r\ntwo\r\n",
      "x\r\ntwo\n",
    ]);
    const stamps = await Promise.all(["a.ts", "sub/b.ts", "mixed.ts"].map(path => readTextFile(world, path)));
    assert.deepEqual(
      outcome.files.map(file => file.kind === "applied" && file.stamp.sha256),
      stamps.map(({ stamp }) => stamp.sha256),
    );
  });

  it("leave what was unsaved unsaved", async () => {
    await world.put("a.ts", "one\n");
    await world.put("b.ts", "one\n");
    await typeAtStart(await world.show("a.ts"), "mine ");
    const outcome = await world.files.applyTogether(await changes("a.ts", "b.ts"));
    assert.ok(outcome.kind === "applied");
    assert.deepEqual([await onDisk("a.ts"), await onDisk("b.ts")], ["one\n", "two\n"]);
    assert.equal((await readTextFile(world, "a.ts")).text, "mine two\n");
  });

  it("change nothing where one of them moved", async () => {
    await world.put("a.ts", "one\n");
    await world.put("b.ts", "one\n");
    const asked = await changes("a.ts", "b.ts");
    await typeAtStart(await world.show("b.ts"), "mine ");
    assert.deepEqual(await world.files.applyTogether(asked), { kind: "stale" });
    assert.equal(await onDisk("a.ts"), "one\n");
    assert.equal((await readTextFile(world, "a.ts")).text, "one\n");
    assert.equal((await readTextFile(world, "b.ts")).text, "mine one\n");
  });

  it("change nothing where one of them is read-only", async () => {
    await world.put("a.ts", "one\n");
    await world.put("locked.ts", "one\n");
    const files = vscode.workspace.getConfiguration("files");
    const { Global } = vscode.ConfigurationTarget;
    await files.update("readonlyInclude", { [world.at("locked.ts")]: true }, Global);
    try {
      const asked = world.files.applyTogether(await changes("a.ts", "locked.ts"));
      await assert.rejects(asked, error => error instanceof FileError && error.code === "READ_ONLY");
      assert.equal(await onDisk("a.ts"), "one\n");
    } finally {
      await files.update("readonlyInclude", undefined, Global);
    }
  });

  it("do not wait for each other where two of them are made at once", async () => {
    await world.put("a.ts", "one one\n");
    await world.put("b.ts", "one one\n");
    const asked = await changes("a.ts", "b.ts");
    const outcomes = await Promise.all([
      world.files.applyTogether(asked),
      world.files.applyTogether(asked.toReversed()),
    ]);
    assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ["applied", "stale"]);
    assert.deepEqual([await onDisk("a.ts"), await onDisk("b.ts")], ["two one\n", "two one\n"]);
  });
});
