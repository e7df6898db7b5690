/** Notebooks in VS Code's own notebook editor: cells as they stand there, edits as one step of undo, nothing else touched. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { planReplacements } from "../../../src/core/changes/edits/notebookEdit";
import { NodeFiles } from "../../../src/node/files";
import { nodeHash } from "../../../src/node/system";
import { Notebooks } from "../../../src/vscode/files/notebooks";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { type EditorWorld, editorWorld } from "../editorWorld";
import { cells, notebook, notebookBench, text } from "../notebookBench";

describe("notebooks in the editor", () => {
  let world: EditorWorld;
  beforeEach(async () => {
    world = await editorWorld();
    await world.put("n.ipynb", text);
  });
  afterEach(() => world.dispose());

  const { show, read, edit, type, onDisk, sources } = notebookBench(() => world);

  it("opening one changes no stamp", async () => {
    const before = await read();
    await show();
    const after = await read();
    assert.deepEqual([after.text, after.stamp.sha256, after.stamp.dirty], [text, before.stamp.sha256, false]);
  });

  it("unsaved cells are what is read; taken back, the stamp is the file's again", async () => {
    const before = await read();
    const document = await show();
    await type(document, 0, "typed ");
    const dirty = await read();
    assert.equal(dirty.text, text.replace("# Title", "typed # Title"));
    assert.deepEqual([dirty.from, dirty.stamp.dirty, dirty.stamp.version], ["editor", true, document.version]);
    const back = new vscode.WorkspaceEdit();
    back.delete(document.cellAt(0).document.uri, new vscode.Range(0, 0, 0, 6));
    await vscode.workspace.applyEdit(back);
    assert.equal((await read()).stamp.sha256, before.stamp.sha256);
  });

  it("cells that were added, moved, removed and run are read as they stand", async () => {
    const document = await show();
    const data = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "new()", "python");
    const error = vscode.NotebookCellOutputItem.error({
      name: "NameError",
      message: "no new",
      stack: "line 1\nline 2",
    });
    data.outputs = [new vscode.NotebookCellOutput([error])];
    const change = new vscode.WorkspaceEdit();
    change.set(document.uri, [
      vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(2, 3)),
      vscode.NotebookEdit.insertCells(0, [data]),
    ]);
    await vscode.workspace.applyEdit(change);
    const found = JSON.parse((await read()).text);
    assert.deepEqual(found.cells.slice(1), cells.slice(0, 2));
    assert.equal(found.cells.length, 3);
    const [{ cell_type, outputs, source }] = found.cells;
    assert.deepEqual([cell_type, source], ["code", ["new()"]]);
    const ran = { ename: "NameError", evalue: "no new", output_type: "error", traceback: ["line 1", "line 2"] };
    assert.deepEqual(outputs, [ran]);
  });

  it("an edit of a saved one is saved, touches that source alone, and is one step of undo", async () => {
    const document = await show();
    const outcome = await edit("x = 1", "x = 22");
    assert.ok(outcome.kind === "applied");
    const expected = text.replace("x = 1", "x = 22");
    assert.deepEqual([outcome.saved, outcome.text, outcome.stamp.dirty], [true, expected, false]);
    assert.equal(await onDisk(), expected);
    assert.equal((await read()).stamp.sha256, outcome.stamp.sha256);
    assert.deepEqual(sources(document), ["# Title\nwords", "x = 22\nx", "raw text"]);
    assert.equal(document.cellAt(1).outputs.length, 2);
    await vscode.window.showNotebookDocument(document);
    await vscode.commands.executeCommand("undo");
    await eventually("the undo took the edit back", () => sources(document)[1] === "x = 1\nx");
    assert.equal((await read()).text, text, "with its outputs and its count");
    assert.equal(document.cellAt(1).metadata.execution_count, 3);
  });

  it("an edit of several cells is one step of undo", async () => {
    const document = await show();
    const { text: base, stamp } = await read();
    const plan = planReplacements({ path: "n.ipynb" }, base, [
      { oldText: "x = 1", newText: "x = 2" },
      { oldText: "words", newText: "text" },
      { oldText: "raw text", newText: "raw" },
    ]);
    const outcome = await world.files.apply({
      ref: await world.files.resolve("n.ipynb"),
      base: stamp.sha256,
      edits: plan.edits,
    });
    assert.equal(outcome.kind === "applied" && outcome.text, plan.newText);
    assert.deepEqual(sources(document), ["# Title\ntext", "x = 2\nx", "raw"]);
    await vscode.window.showNotebookDocument(document);
    await vscode.commands.executeCommand("undo");
    await eventually(
      "one undo took the edits of all cells back",
      () => sources(document).join() === "# Title\nwords,x = 1\nx,raw text",
    );
  });

  it("an edit beside unsaved cells keeps them and saves nothing", async () => {
    const document = await show();
    await type(document, 0, "typed ");
    const outcome = await edit("x = 1", "x = 22");
    assert.ok(outcome.kind === "applied");
    const expected = text.replace("# Title", "typed # Title").replace("x = 1", "x = 22");
    assert.deepEqual([outcome.saved, outcome.text, outcome.stamp.dirty], [false, expected, true]);
    assert.deepEqual(sources(document), ["typed # Title\nwords", "x = 22\nx", "raw text"]);
    assert.equal(await onDisk(), text);
    assert.equal((await read()).stamp.sha256, outcome.stamp.sha256);
  });

  it("without saving, an edit stays in the notebook editor", async () => {
    world.save.after = false;
    const document = await show();
    const outcome = await edit("x = 1", "x = 22");
    assert.deepEqual(
      [outcome.kind === "applied" && outcome.saved, document.isDirty, await onDisk()],
      [false, true, text],
    );
  });

  it("typing since the read makes an edit stale, and stays", async () => {
    const document = await show();
    const base = await read();
    await type(document, 0, "typed ");
    assert.deepEqual(await edit("x = 1", "x = 22", base), { kind: "stale" });
    assert.deepEqual(sources(document), ["typed # Title\nwords", "x = 1\nx", "raw text"]);
    assert.equal(await onDisk(), text);
  });

  it("typing while an edit is under way is never lost", async () => {
    const document = await show();
    const base = await read();
    const [outcome] = await Promise.all([edit("x = 1", "x = 22", base), type(document, 0, "typed ")]);
    const [title, work] = sources(document);
    assert.equal(title, "typed # Title\nwords");
    assert.equal(work, outcome.kind === "applied" ? "x = 22\nx" : "x = 1\nx");
  });

  for (const when of ["before the save", "after the save"]) {
    it(`typing ${when} is not told as the agent's`, async () => {
      const document = await show();
      const { text: base, stamp } = await read();
      const disk = new NodeFiles([dirname(world.at("n.ipynb"))]);
      let reads = 0;
      // The edit reads what is stored first, then before it saves, then when it was saved.
      const stored = Object.assign(Object.create(disk) as NodeFiles, {
        read: async (...args: Parameters<NodeFiles["read"]>) => {
          const file = await disk.read(...args);
          reads += 1;
          if (reads === (when === "before the save" ? 2 : 3)) await type(document, 0, "typed ");
          return file;
        },
      });
      const { documents } = world.files;
      const notebooks = new Notebooks({ stored: () => stored, documents, hash: nodeHash, saveEdits: () => true });
      const { edits } = planReplacements({ path: "n.ipynb" }, base, [{ oldText: "x = 1", newText: "x = 22" }]);
      const change = { ref: await world.files.resolve("n.ipynb"), base: stamp.sha256, edits };
      const outcome = await notebooks.swap(change, stamp.sha256);
      notebooks.dispose();
      assert.ok(outcome?.kind === "applied");
      assert.equal(outcome.text, text.replace("x = 1", "x = 22"));
      assert.equal(outcome.saved, when !== "before the save");
      assert.equal(sources(document)[0], "typed # Title\nwords");
      const now = await read();
      assert.notEqual(now.stamp.sha256, outcome.stamp.sha256, "what was typed is a change since");
      assert.equal(now.text, text.replace("x = 1", "x = 22").replace("# Title", "typed # Title"));
    });
  }

  it("a file that changed below is followed, and edits go on from there", async () => {
    const document = await show();
    await world.put("n.ipynb", text.replace("words", "other words"));
    const outcome = await edit("x = 1", "x = 22");
    assert.equal(outcome.kind === "applied" && outcome.saved, true);
    assert.equal(await onDisk(), text.replace("words", "other words").replace("x = 1", "x = 22"));
    await eventually(
      "the notebook editor shows what changed below",
      () => sources(document).join() === "# Title\nother words,x = 22\nx,raw text",
    );
  });

  it("a write of the whole goes to the file where nothing is unsaved, and is refused where something is", async () => {
    const document = await show();
    const whole = async (content: string) => {
      const { text, stamp } = await read();
      const edits = [{ start: 0, end: text.length, text: content }];
      return world.files.apply({ ref: await world.files.resolve("n.ipynb"), base: stamp.sha256, edits });
    };
    const outcome = await whole(notebook(cells.slice(0, 2)));
    assert.equal(outcome.kind === "applied" && outcome.saved, true);
    assert.equal(await onDisk(), notebook(cells.slice(0, 2)));
    await eventually("the notebook editor shows what was written", () => document.cellCount === 2 && !document.isDirty);
    await type(document, 0, "typed ");
    await assert.rejects(whole(text), /unsaved changes in the notebook editor\. Edit the sources/);
    assert.deepEqual(sources(document), ["typed # Title\nwords", "x = 1\nx"]);
  });

  it("one that no editor shows is a file: every other byte stays, whatever its layout", async () => {
    const compact = notebook(cells, undefined);
    await world.put("c.ipynb", compact);
    const outcome = await edit("x = 1", "x = 22", undefined, "c.ipynb");
    assert.ok(outcome.kind === "applied");
    assert.equal(await onDisk("c.ipynb"), compact.replace("x = 1", "x = 22"));
    await discardEditors();
    const again = await edit("x = 22", "x = 3", undefined, "c.ipynb");
    assert.equal(again.kind, "applied");
    assert.equal(await onDisk("c.ipynb"), compact.replace("x = 1", "x = 3"));
  });

  it("one that was never saved is read and edited by its name on the tab", async () => {
    const data = [new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "x = 1", "python")];
    const document = await vscode.workspace.openNotebookDocument("jupyter-notebook", new vscode.NotebookData(data));
    await vscode.window.showNotebookDocument(document);
    const path = `untitled:${document.uri.path}`;
    const found = JSON.parse((await read(path)).text);
    assert.deepEqual([found.cells.length, found.cells[0].source], [1, ["x = 1"]]);
    const outcome = await edit("x = 1", "x = 2", undefined, path);
    assert.ok(outcome.kind === "applied");
    assert.deepEqual([outcome.saved, sources(document), document.isUntitled], [false, ["x = 2"], true]);
    assert.equal((await read(path)).stamp.sha256, outcome.stamp.sha256);
  });
});
