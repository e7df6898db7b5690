/** Search of unsaved text in the editor: where its lines stand, and what its documents may be encoded as. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { GrepLine, GrepQuery } from "../../../src/core/ground/ports";
import { type EditorWorld, editorWorld, typeAtStart } from "../editorWorld";

describe("search of unsaved text in the editor", () => {
  let world: EditorWorld;
  beforeEach(async () => {
    world = await editorWorld();
  });
  afterEach(() => world.dispose());

  async function grep(pattern: string, rest: Partial<GrepQuery> = {}): Promise<string[]> {
    const lines: GrepLine[] = [];
    const query: GrepQuery = {
      ...{ pattern, ref: await world.files.resolve("."), mode: "content", before: 0, after: 0 },
      ...{ ignoreCase: false, multiline: false, ...rest },
    };
    await world.search.grep(query, line => lines.push(line) > 0, new AbortController().signal);
    return lines.map(({ path, line, text, count }) => `${path}:${count ?? line}:${text}`);
  }

  it("is what the same search finds once it is saved, in every mode", async () => {
    const texts = { "b.ts": "one\nneedle\nthree\n", "src/a.ts": "needle\r\nneedle\r\n", "src/c.ts": "nothing\n" };
    for (const [path, text] of Object.entries(texts)) await world.put(path, text);
    await typeAtStart(await world.show("src/c.ts"), "a needle\n");
    await typeAtStart(await world.show("src/a.ts"), "typed ");
    const emptied = await world.show("b.ts");
    await emptied.edit(edit => edit.delete(new vscode.Range(1, 0, 2, 0)));
    const searches: Partial<GrepQuery>[] = [
      {},
      { before: 1, after: 1 },
      { mode: "count" },
      { mode: "files_with_matches" },
      { glob: "**/a.*" },
      { pattern: "typed.+needle$" },
      { pattern: "needle.+nothing", multiline: true },
    ];
    const all = async () => Promise.all(searches.map(async search => (await grep("needle", search)).sort()));
    const unsaved = await all();
    await vscode.workspace.saveAll();
    assert.deepEqual(unsaved, await all());
    assert.deepEqual(unsaved[0], ["src/a.ts:1:typed needle", "src/a.ts:2:needle", "src/c.ts:1:a needle"]);
  });

  it("sees what the editor shows, whatever the file is encoded as", async () => {
    await world.put("utf16.txt", Buffer.from("\uFEFFgröße\r\n", "utf16le"));
    await world.put("bom.txt", "\uFEFFgröße\n");
    await world.put("latin.txt", Buffer.from("gr\xf6\xdfe\n", "latin1"));
    for (const [path, encoding] of [["utf16.txt"], ["bom.txt"], ["latin.txt", "windows1252"]] as const) {
      const uri = vscode.Uri.file(world.at(path));
      const document = await vscode.workspace.openTextDocument(uri, encoding === undefined ? {} : { encoding });
      await typeAtStart(await vscode.window.showTextDocument(document, { preview: false }), "neue ");
    }
    const lines = ["bom.txt:1:neue größe", "latin.txt:1:neue größe", "utf16.txt:1:neue größe"];
    assert.deepEqual((await grep("^neue größe$")).sort(), lines);
  });

  it("sees cells of a notebook that is not saved, in the notebook's file", async () => {
    const cell = (source: string) => ({ cell_type: "markdown", metadata: {}, source: [source] });
    const text = JSON.stringify(
      { cells: [cell("one"), cell("two")], metadata: {}, nbformat: 4, nbformat_minor: 5 },
      null,
      1,
    );
    await world.put("a.ipynb", text);
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(world.at("a.ipynb")));
    await vscode.window.showNotebookDocument(notebook);
    const change = new vscode.WorkspaceEdit();
    change.replace(notebook.cellAt(1).document.uri, new vscode.Range(0, 0, 0, 3), "a needle");
    assert.ok(await vscode.workspace.applyEdit(change));
    assert.equal(notebook.isDirty, true);
    assert.deepEqual(
      (await grep("needle|two")).map(line => line.replace(/\s/g, "")),
      ['a.ipynb:14:"aneedle"'],
    );
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    assert.deepEqual(await grep("needle"), []);
  });
});
