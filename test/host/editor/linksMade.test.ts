/** Attack 11 in the editor: a link that is made between the question and the write, in the way of a file that the editor saves. */
import assert from "node:assert/strict";
import { link, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { type EditorWorld, editorWorld } from "../editorWorld";

const BEFORE = "the same inside and outside\n";

describe("a link made between question and write, in the editor", function () {
  this.timeout(300_000);
  let world: EditorWorld;
  const outside = (path = "") => join(world.outside, path);
  const others = () => readdir(outside()).then(names => names.filter(name => name !== "secret.txt").sort());

  before(function () {
    if (process.platform === "win32") this.skip();
  });
  beforeEach(async () => {
    world = await editorWorld();
    await world.put("src/a.txt", BEFORE);
    await writeFile(outside("a.txt"), BEFORE);
  });
  afterEach(async () => {
    await world.dispose();
  });

  async function read() {
    const ref = await world.files.resolve("src/a.txt");
    const file = await world.files.read(ref, 1000);
    assert.ok(file.kind === "text");
    return { ref, text: file.text, base: file.stamp.sha256 };
  }
  const edits = (text: string, to: string) => [{ start: 0, end: text.length, text: to }];

  for (const isOpen of [true, false])
    for (const what of ["a folder above the file", "the file"])
      it(`is not followed: ${what}, ${isOpen ? "open" : "not open"}`, async () => {
        if (isOpen) await world.show("src/a.txt");
        const { ref, text, base } = await read();
        const path = world.at(what === "the file" ? "src/a.txt" : "src");
        await rename(path, `${path}.real`);
        await symlink(what === "the file" ? outside("a.txt") : outside(), path);
        assert.deepEqual(await world.files.apply({ ref, base, edits: edits(text, "mine\n") }), { kind: "stale" });
        assert.equal(await world.files.removeFile(ref, base), "stale");
        assert.equal(await readFile(outside("a.txt"), "utf8"), BEFORE);
        assert.deepEqual(await others(), ["a.txt"]);
        assert.deepEqual(
          vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty),
          [],
          "nothing is left that the editor would save there later",
        );
      });

  it("asks anew about a file that got other names", async () => {
    await world.show("src/a.txt");
    const { ref, text, base } = await read();
    await rm(world.at("src/a.txt"));
    await link(outside("a.txt"), world.at("src/a.txt"));
    const change = { base, edits: edits(text, "mine\n") };
    assert.deepEqual(await world.files.apply({ ...change, ref }), { kind: "stale" });
    assert.equal(await readFile(outside("a.txt"), "utf8"), BEFORE);
    const again = await world.files.resolve("src/a.txt");
    assert.ok(again.hasOtherNames);
    assert.equal((await world.files.apply({ ...change, ref: again })).kind, "applied");
  });
});
