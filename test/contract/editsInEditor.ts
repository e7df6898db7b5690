/** Edits of files that a person has open in an editor; called from editsContract. */
import assert from "node:assert/strict";
import { assertTold, type EditsBench, edit, five, lines, path } from "./editsBench";

export function editorContract(bench: () => EditsBench): void {
  const typist = () => {
    const found = bench().world.typist;
    assert.ok(found, "this world has a typist");
    return found;
  };

  it("text that is not saved is what is edited; it stays, and stays unsaved", async () => {
    await bench().world.put(path, five);
    await typist().open(path);
    await typist().type(path, "e", "typed");
    const session = await bench().session();
    await session.call("Read", { file_path: path });
    assertTold(await session.call("Edit", edit("b", "B")), "ok", /not saved/);
    assert.deepEqual([typist().text(path), await bench().onDisk()], [lines("a", "B", "c", "d", "typed"), five]);
  });

  it("what is typed elsewhere since the reading stays, and the model is told", async () => {
    const session = await bench().reader();
    await typist().open(path);
    await typist().type(path, "e", "typed");
    assertTold(await session.call("Edit", edit("b", "B")), "ok", /not saved.*it changed.*\+typed/s);
    assert.deepEqual([typist().text(path), await bench().onDisk()], [lines("a", "B", "c", "d", "typed"), five]);
  });

  it("what is typed in the place of the edit is a conflict; editor and disk stay as they are", async () => {
    const session = await bench().reader();
    await typist().open(path);
    await typist().type(path, "b", "typed");
    assertTold(await session.call("Edit", edit("b", "B")), "CONFLICT", /2\ttyped\n.*2\tB\n/s);
    assert.deepEqual([typist().text(path), await bench().onDisk()], [lines("a", "typed", "c", "d", "e"), five]);
  });

  it("new occurrences that are typed meanwhile are left to the person", async () => {
    const session = await bench().reader(lines("x", "1", "x", "2", "3"));
    await typist().open(path);
    await typist().type(path, "3\n", "3\nx\n");
    assertTold(await session.call("Edit", edit("x", "y", { replace_all: true })), "ok", /\+x/);
    assert.equal(typist().text(path), lines("y", "1", "y", "2", "3", "x"));
  });

  it("what is saved since the reading is no conflict by itself", async () => {
    const session = await bench().reader();
    await typist().open(path);
    await typist().type(path, "e", "typed");
    await typist().save(path);
    assertTold(await session.call("Edit", edit("b", "B")), "ok", /, saved\..*\+typed/s);
    assert.equal(await bench().onDisk(), lines("a", "B", "c", "d", "typed"));
  });

  it("what a formatter changes on save is told, and the next edit needs no reading", async () => {
    const file_path = "src/a.formatted";
    await bench().world.formatOnSave?.();
    await bench().world.put(file_path, lines("a = 1", "b = 2", "c = 3"));
    const session = await bench().session();
    await session.call("Read", { file_path });
    const change = (before: string, after: string) => session.call("Edit", edit(before, after, { file_path }));
    assertTold(await change("b = 2", "b   =   22"), "ok", /changed more:\n-b {3}= {3}22\n\+b = 22$/);
    assert.equal(await bench().onDisk(file_path), lines("a = 1", "b = 22", "c = 3"));
    assertTold(await change("b = 22", "b = 23"), "ok", /^Edited/);
    const told = await change("c = 3", "c = 4");
    assertTold(told, "ok", /^Edited/);
    assert.doesNotMatch(told.text, /Since you read|changed more/);
    assert.equal(await bench().onDisk(file_path), lines("a = 1", "b = 23", "c = 4"));
  });

  it("an edit that the person undid is no false alarm for the next", async () => {
    const session = await bench().reader();
    await typist().open(path);
    await session.call("Edit", edit("b", "B"));
    await typist().undo(path);
    assert.equal(typist().text(path), five);
    assertTold(await session.call("Edit", edit("d", "D")), "ok", /it changed.*-B\n\+b/s);
    assert.equal(typist().text(path), lines("a", "b", "c", "D", "e"));
  });

  it("one undo takes one edit back, and only that", async () => {
    const session = await bench().reader();
    await typist().open(path);
    const edits = [
      { old_string: "a", new_string: "A" },
      { old_string: "e", new_string: "E" },
    ];
    await session.call("Edit", edit("c", "C"));
    await session.call("Edit", { file_path: path, edits });
    await typist().undo(path);
    assert.equal(typist().text(path), lines("a", "b", "C", "d", "e"));
  });
}
