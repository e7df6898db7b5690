/** A notebook, and what the agent and a person do to it in VS Code's own notebook editor. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { planReplacements } from "../../src/core/changes/edits/notebookEdit";
import type { ApplyOutcome, TextFile } from "../../src/core/ground/ports";
import { eventually } from "../fakes/eventually";
import type { EditorWorld } from "./editorWorld";

const output = { name: "stdout", output_type: "stream", text: ["hi\n"] };
const picture = {
  data: { "image/png": "iVBORw0KGgo=", "text/plain": ["2"] },
  ...{ execution_count: 3, metadata: {}, output_type: "execute_result" },
};
export const cells = [
  { cell_type: "markdown", id: "a1", metadata: { tags: ["keep"] }, source: ["# Title\n", "words"] },
  {
    cell_type: "code",
    execution_count: 3,
    id: "a2",
    metadata: {},
    outputs: [output, picture],
    source: ["x = 1\n", "x"],
  },
  { cell_type: "raw", id: "a3", metadata: {}, source: ["raw text"] },
];
export const notebook = (list: object[], indent: number | undefined = 1) =>
  `${JSON.stringify({ cells: list, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 }, undefined, indent)}\n`;
export const text = notebook(cells);

/** Of `n.ipynb` where no other path is given. */
export function notebookBench(current: () => EditorWorld) {
  const show = async (path = "n.ipynb") => {
    const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(current().at(path)));
    await vscode.window.showNotebookDocument(document);
    return document;
  };
  const read = async (path = "n.ipynb"): Promise<TextFile> => {
    const file = await current().files.read(await current().files.resolve(path), 1_000_000);
    assert.ok(file.kind === "text");
    return file;
  };
  const edit = async (oldText: string, newText: string, base?: TextFile, path = "n.ipynb"): Promise<ApplyOutcome> => {
    const { text, stamp } = base ?? (await read(path));
    const { edits } = planReplacements({ path }, text, [{ oldText, newText }]);
    return current().files.apply({ ref: await current().files.resolve(path), base: stamp.sha256, edits });
  };
  const type = async (document: vscode.NotebookDocument, index: number, words: string) => {
    const change = new vscode.WorkspaceEdit();
    change.insert(document.cellAt(index).document.uri, new vscode.Position(0, 0), words);
    assert.ok(await vscode.workspace.applyEdit(change));
    await eventually("the notebook is unsaved", () => document.isDirty);
  };
  const onDisk = (path = "n.ipynb") => readFile(current().at(path), "utf8");
  const sources = (document: vscode.NotebookDocument) => document.getCells().map(cell => cell.document.getText());
  return { show, read, edit, type, onDisk, sources };
}
