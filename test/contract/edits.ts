/**
 * What Edit and Write have to do on any `Files`, with whole sessions around them: docs/tools.md, "Edits and the
 * version that was read".
 */

import assert from "node:assert/strict";
import type { Json } from "../../src/shared/messages";
import { pluck } from "../fakes/pluck";
import { assertTold, EditsBench, type EditsWorld, edit, five, lines, path } from "./editsBench";
import { bytesContract } from "./editsBytes";
import { editorContract } from "./editsInEditor";
import { questionContract } from "./editsWhileAsked";

export interface EditsOptions {
  /** the worlds have a typist and a formatter */
  editor: boolean;
  /** files can be read-only */
  readOnly: boolean;
}

export function editsContract(name: string, make: () => Promise<EditsWorld>, options: EditsOptions): void {
  describe(`edits: ${name}`, () => {
    let bench: EditsBench;
    beforeEach(async () => {
      bench = new EditsBench(await make());
    });
    afterEach(() => bench.end());

    versionContract(() => bench);
    fileContract(() => bench, options);
    bytesContract(() => bench);
    questionContract(() => bench);
    if (options.editor) editorContract(() => bench);
  });
}

/** The version that was read, and the one that stands. */
function versionContract(bench: () => EditsBench): void {
  it("a file that was not read is not edited", async () => {
    await bench().world.put(path, five);
    const session = await bench().session();
    const calls: [string, Json][] = [
      ["Edit", edit("b", "B")],
      ["Edit", { file_path: path, edits: [{ old_string: "b", new_string: "B" }] }],
      ["Write", { file_path: path, content: "x" }],
    ];
    for (const [tool, input] of calls) assertTold(await session.call(tool, input), "NOT_READ", /Read it first/);
    assert.equal(await bench().onDisk(), five);
  });

  it("one that did not change is edited, again and again without reading", async () => {
    const session = await bench().reader();
    for (const [before, after] of [
      ["b", "B"],
      ["B", "BB"],
      ["d", "D"],
    ] as const) {
      assertTold(await session.call("Edit", edit(before, after)), "ok", /^Edited src\/a\.ts: line/);
    }
    assert.equal(await bench().onDisk(), lines("a", "BB", "c", "D", "e"));
  });

  it("a changed time alone is no change", async () => {
    const session = await bench().reader();
    await bench().world.put(path, five);
    const told = await session.call("Edit", edit("b", "B"));
    assertTold(told, "ok", /^Edited/);
    assert.doesNotMatch(told.text, /Since you read/);
  });

  it("what changed elsewhere stays, and the model is told", async () => {
    const session = await bench().reader();
    await bench().world.put(path, lines("a", "b", "c", "d", "theirs"));
    assertTold(await session.call("Edit", edit("b", "B")), "ok", /Since you read the file, it changed.*\+theirs/s);
    assert.equal(await bench().onDisk(), lines("a", "B", "c", "d", "theirs"));
    const write = { file_path: path, content: lines("A", "B", "c", "d", "theirs") };
    assertTold(await session.call("Write", write), "ok", /^Overwrote/);
  });

  it("what changed in the same place is a conflict that shows both, and nothing is written", async () => {
    const session = await bench().reader();
    const theirs = lines("a", "theirs", "c", "d", "e");
    await bench().world.put(path, theirs);
    const both = /2\ttheirs\n.*2\tB\n/s;
    assertTold(await session.call("Edit", edit("b", "B")), "CONFLICT", both);
    const edits = [
      { old_string: "e", new_string: "E" },
      { old_string: "b", new_string: "B" },
    ];
    assertTold(await session.call("Edit", { file_path: path, edits }), "CONFLICT", both);
    const content = lines("a", "B", "c", "d", "e");
    assertTold(await session.call("Write", { file_path: path, content }), "CONFLICT", both);
    assert.equal(await bench().onDisk(), theirs);
    assertTold(await session.call("Edit", edit("theirs", "both")), "ok", /^Edited/);
    assert.equal(await bench().onDisk(), lines("a", "both", "c", "d", "e"));
  });

  it("the same change made by somebody else is no conflict", async () => {
    const session = await bench().reader();
    await bench().world.put(path, lines("a", "B", "c", "d", "theirs"));
    assertTold(await session.call("Edit", edit("b", "B")), "NO_MATCH", /holds this change already/);
    const edits = [
      { old_string: "b", new_string: "B" },
      { old_string: "d", new_string: "D" },
    ];
    await bench().world.put(path, lines("a", "B", "c", "d", "theirs"));
    assert.equal(await bench().onDisk(), lines("a", "B", "c", "d", "theirs"));
    const told = await session.call("Edit", { file_path: path, edits });
    assert.equal(told.status, "CONFLICT", "the other of its edits touches what somebody else changed");
  });

  it("everywhere means where it stood when it was read", async () => {
    const session = await bench().reader(lines("x", "1", "x", "2", "3"));
    await bench().world.put(path, lines("x", "1", "x", "2", "3", "x"));
    const told = await session.call("Edit", edit("x", "y", { replace_all: true }));
    assertTold(told, "ok", /it changed in other places too.*\+x/s);
    assert.equal(await bench().onDisk(), lines("y", "1", "y", "2", "3", "x"));
  });

  it("two sessions on one file: both edits are made, one after the other", async () => {
    const one = await bench().reader();
    const other = await bench().session();
    await other.call("Read", { file_path: path });
    const told = await Promise.all([one.call("Edit", edit("a", "ONE")), other.call("Edit", edit("e", "OTHER"))]);
    assert.deepEqual(pluck(told, "status"), ["ok", "ok"]);
    assert.equal(await bench().onDisk(), lines("ONE", "b", "c", "d", "OTHER"));
    const again = await Promise.all([one.call("Edit", edit("c", "1")), other.call("Edit", edit("c", "2"))]);
    assert.deepEqual(again.map(({ status }) => status).toSorted(), ["CONFLICT", "ok"]);
    assert.match((await bench().onDisk()) ?? "", /^ONE\nb\n[12]\nd\nOTHER\n$/);
  });
}

/** Files that are not what they were. */
function fileContract(bench: () => EditsBench, { readOnly }: EditsOptions): void {
  it("a file that is gone is not found, and not made again", async () => {
    const session = await bench().reader();
    await bench().world.remove(path);
    assertTold(await session.call("Edit", edit("b", "B")), "NOT_FOUND", /does not exist/);
    assert.equal(await bench().onDisk(), undefined);
  });

  it("a file that is gone may be written anew, by whoever knows that it is", async () => {
    const session = await bench().reader();
    await bench().world.remove(path);
    const write = { file_path: path, content: "new\n" };
    assertTold(await session.call("Write", write), "NOT_FOUND", /was deleted or moved since.*Nothing was written/);
    assert.equal(await bench().onDisk(), undefined);
    assertTold(await session.call("Write", write), "ok", /^Created/);
    assert.equal(await bench().onDisk(), "new\n");
  });

  it("a file that became binary is not edited as text", async () => {
    const session = await bench().reader();
    const binary = Buffer.from("a\0b\n");
    await bench().world.put(path, binary);
    assertTold(await session.call("Edit", edit("b", "B")), "BINARY", /is a binary file/);
    assertTold(await session.call("Write", { file_path: path, content: "x" }), "BINARY", /is a binary file/);
    assert.deepEqual(Buffer.from((await bench().world.bytes(path)) ?? []), binary);
  });

  it("a file that became huge is refused before anything is done", async () => {
    const session = await bench().reader();
    await bench().world.put(path, Buffer.alloc(21 * 1024 * 1024, "x\n"));
    assertTold(await session.call("Edit", edit("b", "B")), "TOO_LARGE", /at most|up to|bytes/);
  });

  if (!readOnly) return;
  it("a file that is read-only stays as it is, and the model is told why", async () => {
    const session = await bench().reader();
    await bench().world.makeReadOnly?.(path);
    assertTold(await session.call("Edit", edit("b", "B")), "IO", /read-only|not be written|permission/i);
    assert.equal(await bench().onDisk(), five);
  });
}
