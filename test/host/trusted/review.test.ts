/** What waits for a review in VS Code, and the files that are no plain text on a disk: what is kept and undone there, or why not. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { typeAtStart } from "../editorWorld";
import { cells, notebook } from "../notebookBench";
import { inWorkspace, onDisk, resultOf, type Strata, startStrata, writeHere } from "../strata";

const call = (id: string, name: string, input: object) => ({ id, name, input });
const uriOf = (path: string) => vscode.Uri.file(inWorkspace(path));
const LINES = "one\ntwo\nthree\nfour\nfive\nsix\n";

describe("a review in VS Code", () => {
  let strata: Strata;
  beforeEach(async () => {
    strata = await startStrata("auto");
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("strata.reviewKeepAll");
    await strata.dispose();
    await discardEditors();
    await vscode.workspace.fs.delete(uriOf("reviewed"), { recursive: true }).then(undefined, () => undefined);
  });

  /** A turn with these calls, a step each. */
  async function turn(...calls: { id: string; name: string; input: object }[]) {
    strata.play(...calls.map(each => ({ calls: [each] })), { text: "Done." });
    await strata.turn("change things");
    for (const { id } of calls) assert.equal(resultOf(strata.panel, id).status, "success");
  }
  const changes = () => strata.panel.review.reduce((sum, file) => sum + file.changes, 0);
  const waiting = (many: number) =>
    eventually(`${many} changes wait`, () => (changes() === many ? strata.panel.review : undefined), {
      async saw() {
        const { current } = (await strata.api.agent()).sessions;
        return { told: strata.panel.review, found: await current?.review.list(), kinds: strata.panel.kinds() };
      },
    });

  it("keeps nothing by a mark that is older than the agent's last edit", async () => {
    await writeHere("reviewed/a.txt", LINES);
    const file_path = "reviewed/a.txt";
    await turn(
      call("r1", "Read", { file_path }),
      call("e1", "Edit", { file_path, old_string: "two", new_string: "TWO" }),
    );
    await waiting(1);
    await vscode.window.showTextDocument(uriOf(file_path));
    const keep = await eventually("a lens to keep the change", async () => {
      const ask = "vscode.executeCodeLensProvider";
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(ask, uriOf(file_path));
      return lenses.find(({ command }) => command?.title.endsWith("Keep change"))?.command;
    });
    await turn(call("e2", "Edit", { file_path, old_string: "TWO\n", new_string: "TWO\nunseen\n" }));
    await waiting(1);
    await vscode.commands.executeCommand(keep.command, ...(keep.arguments ?? []));
    await waiting(1);
    await vscode.commands.executeCommand("strata.reviewUndoFile", uriOf(file_path));
    await waiting(0);
    assert.equal(await onDisk(file_path), LINES);
    await vscode.commands.executeCommand("strata.reviewRedo");
    await waiting(1);
    const editor = await vscode.window.showTextDocument(uriOf(file_path));
    await typeAtStart(editor, "mine ");
    await vscode.commands.executeCommand("strata.reviewUndoAll");
    await waiting(0);
    assert.equal(editor.document.getText(), `mine ${LINES}`, "without a question, and what was typed stays");
    await vscode.commands.executeCommand("strata.reviewRedo");
    await waiting(1);
    assert.equal(editor.document.getText(), `mine ${LINES}`.replace("two\n", "TWO\nunseen\n"));
  });

  it("puts a comment on changed lines into the composer", async () => {
    const controller = vscode.comments.createCommentController("review-test", "Test");
    try {
      const thread = controller.createCommentThread(uriOf("reviewed/a.txt"), new vscode.Range(1, 0, 4, 0), []);
      const seen = strata.panel.composed.length;
      await vscode.commands.executeCommand("strata.addComment", { thread, text: "Why loud?" });
      const { text } = await eventually("the comment", () => strata.panel.composed[seen]);
      assert.equal(text, "@reviewed/a.txt:2-5 Why loud?\n");
    } finally {
      controller.dispose();
    }
  });

  it("offers no change that another program took away, nor one in a folder that is gone", async () => {
    const paths = ["reviewed/a.txt", "reviewed/below/b.txt"];
    for (const path of paths) await writeHere(path, LINES);
    await turn(
      ...paths.map(file_path => call(`r ${file_path}`, "Read", { file_path })),
      ...paths.map(file_path => call(file_path, "Edit", { file_path, old_string: "two", new_string: "TWO" })),
    );
    await waiting(2);
    await writeHere("reviewed/a.txt", LINES);
    await waiting(1);
    await vscode.workspace.fs.delete(uriOf("reviewed/below"), { recursive: true });
    await waiting(0);
    await writeHere("reviewed/a.txt", LINES.replace("two", "TWO"));
    await waiting(1);
  });

  it("of a document that was never saved is kept and undone in the editor, and is nothing once that is closed", async () => {
    const document = await vscode.workspace.openTextDocument({ content: LINES });
    const editor = await vscode.window.showTextDocument(document);
    const file_path = `untitled:${document.uri.path}`;
    await turn(
      call("r1", "Read", { file_path }),
      call("e1", "Edit", { file_path, old_string: "two", new_string: "TWO" }),
      call("e2", "Edit", { file_path, old_string: "five", new_string: "FIVE" }),
    );
    await waiting(2);
    await typeAtStart(editor, "typed\n");
    editor.selection = new vscode.Selection(2, 0, 2, 0);
    await vscode.commands.executeCommand("strata.reviewUndo");
    await waiting(1);
    assert.equal(document.getText(), `typed\n${LINES.replace("five", "FIVE")}`);
    await vscode.commands.executeCommand("strata.reviewRedo");
    await waiting(2);
    assert.equal(document.getText(), `typed\n${LINES.replace("two", "TWO").replace("five", "FIVE")}`);
    editor.selection = new vscode.Selection(2, 0, 2, 0);
    await vscode.commands.executeCommand("strata.reviewUndo");
    await waiting(1);
    assert.equal(document.isUntitled, true);
    await vscode.commands.executeCommand("strata.reviewKeepFile", document.uri);
    await waiting(0);
    await turn(call("e3", "Edit", { file_path, old_string: "three", new_string: "THREE" }));
    await waiting(1);
    await discardEditors();
    await waiting(0);
  });

  it("of a notebook waits as a whole: taken back where the edit was made, followed where the person does so in a cell, kept", async () => {
    await writeHere("reviewed/n.ipynb", notebook(cells));
    const file_path = "reviewed/n.ipynb";
    const edit = call("e1", "Edit", { file_path, old_string: "x = 1", new_string: "x = 22" });
    await turn(call("r1", "Read", { file_path }), edit);
    const [file] = await waiting(1);
    assert.ok(file);
    const why = /looked at as a whole/;
    assert.match(file.why ?? "", why);
    const { review } = (await strata.api.agent()).sessions.current ?? {};
    await assert.rejects(async () => review?.undo(file.uri), why);
    const document = await vscode.workspace.openNotebookDocument(uriOf(file_path));
    await vscode.window.showNotebookDocument(document);
    await strata.panel.request("undoEdit", { callId: "e1", uri: file.uri });
    await waiting(0);
    assert.equal(await onDisk(file_path), notebook(cells));
    await turn({ ...edit, id: "e2" });
    // Before its record comes, the file holds again what the first edit had made of it.
    await eventually("a change of the second turn waits", () => strata.panel.review[0]?.turns.includes(2));
    const inCell = async (text: string) => {
      const cell = document.cellAt(1).document;
      const typed = new vscode.WorkspaceEdit();
      typed.replace(cell.uri, cell.lineAt(0).range, text);
      assert.ok(await vscode.workspace.applyEdit(typed));
    };
    await inCell("x = 1");
    await waiting(0);
    await inCell("x = 22");
    const files = (await waiting(1)).map(({ uri, seq }) => ({ uri, seq }));
    await strata.panel.request("keepChanges", { files });
    await waiting(0);
  });
});
