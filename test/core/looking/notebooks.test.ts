/** Read, Edit and Write on notebooks. */
import assert from "node:assert/strict";
import type { Json } from "../../../src/shared/messages";
import { Harness } from "./harness";

const cell = (source: string[]) => ({ cell_type: "code", execution_count: 1, metadata: {}, outputs: [], source });
const notebook = (...cells: object[]) =>
  `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;
const before = notebook(cell(["x = 1\n", "print(x)"]), cell(["y = 1"]));

async function reader(): Promise<{
  harness: Harness;
  call(tool: string, input: Json & object): ReturnType<Harness["call"]>;
}> {
  const harness = new Harness({ app: { "a.ipynb": before } });
  await harness.call("Read", { file_path: "a.ipynb" });
  return { harness, call: (tool, input) => harness.call(tool, { file_path: "a.ipynb", ...input }) };
}

describe("notebooks", () => {
  it("are edited by what Read shows; the answer shows the cell", async () => {
    const { harness, call } = await reader();
    const { status, text, data } = await call("Edit", { old_string: "x = 1\nprint(x)", new_string: "x = 2\nprint(x)" });
    assert.equal(status, "ok", text);
    assert.equal(text, "Edited a.ipynb: cell 1, line 1, +1 −1, saved.\n[Cell 1 of 2: code]\n1\tx = 2\n2\tprint(x)");
    assert.equal(data.fragment, "[Cell 1 of 2: code]\n1\tx = 2\n2\tprint(x)");
    assert.equal(harness.files.onDisk("a.ipynb"), before.replace("x = 1", "x = 2"));
  });

  it("are edited in several cells at once, or not at all", async () => {
    const { harness, call } = await reader();
    const edits = [
      { old_string: "x = 1", new_string: "x = 2" },
      { old_string: "y = 1", new_string: "y = 2" },
    ];
    const wrong = await call("Edit", { edits: [...edits, { old_string: "z", new_string: "Z" }] });
    assert.equal(wrong.status, "NO_MATCH");
    assert.match(wrong.text, /^Edit 3 of 3: old_string is in the source of no cell of a\.ipynb\./);
    assert.equal(harness.files.onDisk("a.ipynb"), before);
    const { status, text } = await call("Edit", { edits });
    assert.equal(status, "ok", text);
    assert.match(text, /^Edited a\.ipynb: cell 1, line 1; cell 2, line 1, \+2 −2, saved\./);
    assert.equal(harness.files.onDisk("a.ipynb"), before.replace("x = 1", "x = 2").replace("y = 1", "y = 2"));
  });

  it("ask with the cells' change, and bind it", async () => {
    const { harness } = await reader();
    const { detail } = await harness.prepare("Edit", {
      file_path: "a.ipynb",
      old_string: "y = 1",
      new_string: "y = 2",
    });
    assert.ok(detail.type === "edit");
    assert.match(detail.changes[0]?.diff ?? "", /^-\s+"y = 1"\n\+\s+"y = 2"$/m);
  });

  it("that changed in another cell since they were read keep that change", async () => {
    const { harness, call } = await reader();
    harness.files.put("a.ipynb", before.replace("y = 1", "y = 7\\nz = 1"));
    const { status, text } = await call("Edit", { old_string: "x = 1", new_string: "x = 2" });
    assert.equal(status, "ok", text);
    assert.match(text, /^Edited a\.ipynb: cell 1, line 1, /);
    assert.equal(harness.files.onDisk("a.ipynb"), before.replace("y = 1", "y = 7\\nz = 1").replace("x = 1", "x = 2"));
    harness.files.put("a.ipynb", before.replace("x = 1", "x = 9"));
    assert.equal((await call("Edit", { old_string: "x = 2", new_string: "x = 3" })).status, "CONFLICT");
  });

  it("are written as JSON of a notebook only", async () => {
    const { harness, call } = await reader();
    const wrong = await call("Write", { content: "x = 1" });
    assert.equal(wrong.status, "INVALID_INPUT");
    assert.match(
      wrong.text,
      /not the JSON of one.*An empty one is \{"cells": \[\],"metadata": \{\},"nbformat": 4,"nbformat_minor": 5\}\./,
    );
    assert.equal(harness.files.onDisk("a.ipynb"), before);
    assert.equal((await call("Write", { content: notebook(cell(["z"])) })).status, "ok");
    assert.equal(harness.files.onDisk("a.ipynb"), notebook(cell(["z"])));
    const fresh = await harness.call("Write", { file_path: "b.ipynb", content: "" });
    assert.equal(fresh.status, "INVALID_INPUT");
  });

  it("that an editor saves in another layout are not reported as changed", async () => {
    const { harness, call } = await reader();
    harness.files.formatOnSave = text => JSON.stringify(JSON.parse(text), undefined, 4);
    const { text } = await call("Edit", { old_string: "y = 1", new_string: "y = 2" });
    assert.doesNotMatch(text, /When the file was saved/);
    assert.match(text, /^Edited a\.ipynb: cell 2, line 1,/);
  });
});
