/** Cells of a notebook that are in use while the agent edits them: somebody types there, or they run. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { planReplacements } from "../../../src/core/changes/edits/notebookEdit";
import { eventually } from "../../fakes/eventually";
import { type EditorWorld, editorWorld } from "../editorWorld";
import { notebookBench, text } from "../notebookBench";
import { typeKeys } from "../typist";

describe("cells of a notebook that are in use", () => {
  let world: EditorWorld;
  beforeEach(async () => {
    world = await editorWorld();
    await world.put("n.ipynb", text);
  });
  afterEach(() => world.dispose());

  const { show, read, edit, onDisk, sources } = notebookBench(() => world);

  describe("of the cell that the person types in", () => {
    /** The person's cursor is at the end of the cell. */
    async function typeIn(index: number): Promise<vscode.NotebookDocument> {
      const notebook = await show();
      const { document } = notebook.cellAt(index);
      const selections = [new vscode.NotebookRange(index, index + 1)];
      await vscode.window.showNotebookDocument(notebook, { selections });
      await vscode.commands.executeCommand("notebook.cell.edit");
      const editor = await eventually("the cursor is in the cell", () => {
        const active = vscode.window.activeTextEditor;
        return active?.document === document ? active : undefined;
      });
      const { end } = document.lineAt(document.lineCount - 1).range;
      editor.selection = new vscode.Selection(end, end);
      return notebook;
    }

    it("an edit leaves them in it: their further keys go on where they were", async () => {
      const document = await typeIn(1);
      const cell = document.cellAt(1);
      const outcome = await edit("x = 1", "x = 22");
      assert.equal(outcome.kind === "applied" && outcome.saved, true);
      assert.equal(JSON.parse(await onDisk()).cells[1].source.join(""), "x = 22\nx");
      await typeKeys("dd");
      assert.deepEqual(sources(document), ["# Title\nwords", "x = 22\nxdd", "raw text"]);
      assert.equal(document.cellAt(1), cell);
      assert.equal(cell.outputs.length, 2);
    });

    it("the sources of it and others come back with one step of undo", async () => {
      const document = await typeIn(1);
      const { text: base, stamp } = await read();
      const plan = planReplacements({ path: "n.ipynb" }, base, [
        { oldText: "words", newText: "text" },
        { oldText: "x = 1", newText: "x = 2" },
      ]);
      const ref = await world.files.resolve("n.ipynb");
      const outcome = await world.files.apply({ ref, base: stamp.sha256, edits: plan.edits });
      assert.ok(outcome.kind === "applied");
      assert.deepEqual(sources(document), ["# Title\ntext", "x = 2\nx", "raw text"]);
      // What VS Code takes from a cell that is typed in: its count.
      assert.equal(
        outcome.text,
        plan.newText.replace('"execution_count": 3,\n   "id"', '"execution_count": null,\n   "id"'),
      );
      assert.equal((await read()).stamp.sha256, outcome.stamp.sha256);
      await vscode.commands.executeCommand("undo");
      await eventually(
        "one undo took the edits of both cells back",
        () => sources(document).join() === "# Title\nwords,x = 1\nx,raw text",
      );
      assert.equal(document.cellAt(1).outputs.length, 2);
    });

    for (const [by, key] of [
      ["typing", () => typeKeys("!")],
      ["Backspace", async () => vscode.commands.executeCommand("deleteLeft")],
    ] as const) {
      it(`${by} while it is saved, and formatted, is not told as the agent's`, async () => {
        const document = await typeIn(1);
        const formatter = vscode.workspace.onWillSaveNotebookDocument(({ notebook, waitUntil }) => {
          if (notebook !== document) return;
          const change = new vscode.WorkspaceEdit();
          change.replace(document.cellAt(0).document.uri, new vscode.Range(0, 0, 0, 1), "##");
          waitUntil(key().then(() => change));
        });
        try {
          const outcome = await edit("x = 1", "x = 22");
          assert.ok(outcome.kind === "applied");
          assert.notEqual(sources(document)[1], "x = 22\nx");
          assert.equal(JSON.parse(outcome.text).cells[1].source.join(""), "x = 22\nx");
        } finally {
          formatter.dispose();
        }
      });
    }
  });

  it("an edit of a cell that is run lets it run on", async () => {
    const document = await show();
    const controller = vscode.notebooks.createNotebookController("strata-test", "jupyter-notebook", "Test");
    const selected = new Promise(resolve => controller.onDidChangeSelectedNotebooks(resolve));
    try {
      const extension = "strata-agent.strata";
      await vscode.commands.executeCommand("notebook.selectKernel", { id: "strata-test", extension });
      await selected;
      const execution = controller.createNotebookCellExecution(document.cellAt(1));
      const started = new Promise(resolve => vscode.workspace.onDidChangeNotebookDocument(resolve));
      execution.start();
      await started;
      assert.equal((await edit("x = 1", "x = 22")).kind, "applied");
      assert.equal(sources(document)[1], "x = 22\nx");
      assert.equal(execution.token.isCancellationRequested, false);
      await execution.replaceOutput([]);
      execution.end(true);
      await eventually("the run of the cell is over", () => document.cellAt(1).executionSummary?.success);
      assert.equal(document.cellAt(1).outputs.length, 0);
    } finally {
      controller.dispose();
    }
  });
});
