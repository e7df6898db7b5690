/** Commands beside an editor: unsaved changes before them, files that they changed, buffers that follow the disk. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import * as vscode from "vscode";
import type { PanelParams } from "../../../src/shared/panelProtocol";
import type { RecordOf } from "../../../src/shared/records";
import { eventually } from "../../fakes/eventually";
import { discardEditors, typeAtStart } from "../editorWorld";
import { inWorkspace, onDisk, resultOf, type Strata, startStrata, writeHere } from "../strata";
import { formatOnSave } from "../typist";

const call = (id: string, name: string, input: object) => ({ id, name, input });
const bash = (command: string) => call("bash", "Bash", { command });
const read = (path: string) => call(`read ${path}`, "Read", { file_path: path });
const edit = (file_path: string, old_string: string, new_string: string) =>
  call("edit", "Edit", { file_path, old_string, new_string });

const show = (path: string) => vscode.window.showTextDocument(vscode.Uri.file(inWorkspace(path)));

describe("a command in VS Code", () => {
  let strata: Strata;
  beforeEach(async () => {
    strata = await startStrata("auto");
  });
  afterEach(async () => {
    await strata.dispose();
    await discardEditors();
  });

  const shown = (id = "bash") => resultOf(strata.panel, id).forms.shown;
  /** Plays a turn of these steps; the result texts come from the log that the panel has. */
  const play = async (...steps: ReturnType<typeof call>[][]) => {
    strata.play(...steps.map(calls => ({ calls })), { text: "Done." });
    return strata.turn("go");
  };
  const question = () =>
    eventually(
      "a question",
      () => strata.panel.records.find(record => record.kind === "approval") as RecordOf<"approval"> | undefined,
    );
  const answer = async (more: Omit<PanelParams<"answer">, "approvalId">) =>
    strata.panel.request("answer", { approvalId: (await question()).approvalId, ...more });

  describe("with unsaved changes", () => {
    async function typed(path: string) {
      await writeHere(path, "first\n");
      const editor = await show(path);
      await typeAtStart(editor, "typed, ");
      return editor.document;
    }

    it("asks what happens to them; saving is done before the command and told", async () => {
      const document = await typed("unsaved/ask.txt");
      const turn = play([bash("cat unsaved/ask.txt")]);
      const { action } = await question();
      assert.equal(action.reason, "files have unsaved changes");
      assert.deepEqual(action.detail.type === "command" && action.detail.unsaved, ["unsaved/ask.txt"]);
      await answer({ decision: "allow", scope: "once", unsaved: "save" });
      await turn;
      assert.equal(shown(), "typed, first\nSaved before the command, since it had unsaved changes: unsaved/ask.txt.");
      assert.deepEqual([document.isDirty, await onDisk("unsaved/ask.txt")], [false, "typed, first\n"]);
    });

    it("leaves them where that is the answer, and says so", async () => {
      const document = await typed("unsaved/leave.txt");
      const turn = play([bash("cat unsaved/leave.txt")]);
      await answer({ decision: "allow", scope: "once", unsaved: "leave" });
      await turn;
      assert.match(shown(), /^first\nNot saved: unsaved\/leave\.txt has unsaved changes in the editor/);
      assert.deepEqual([document.isDirty, document.getText()], [true, "typed, first\n"]);
    });

    it("asks once for a session that answers for the session", async () => {
      await typed("unsaved/session.txt");
      const turn = play([bash("true")]);
      await answer({ decision: "allow", scope: "session", unsaved: "save" });
      await turn;
      await typeAtStart(await show("unsaved/session.txt"), "more ");
      await play([call("again", "Bash", { command: "cat unsaved/session.txt" })]);
      assert.match(shown("again"), /^more typed, first\nSaved before the command/);
    });

    it("saves by the setting; what a formatter makes of it does not make the next edit stale", async () => {
      const stopFormatting = await formatOnSave();
      try {
        await strata.setting("bash.dirtyFiles", "save");
        await typed("unsaved/save.formatted");
        await typeAtStart(await show("unsaved/save.formatted"), "two    spaces\n");
        await play(
          [read("unsaved/save.formatted")],
          [bash("cat unsaved/save.formatted")],
          [edit("unsaved/save.formatted", "two spaces", "none")],
        );
        assert.equal(
          shown(),
          "two spaces\ntyped, first\nSaved before the command, since it had unsaved changes: unsaved/save.formatted (saving changed it: +1 −1).",
        );
        assert.equal(resultOf(strata.panel, "edit").status, "success");
        assert.equal(await onDisk("unsaved/save.formatted"), "none\ntyped, first\n");
      } finally {
        await stopFormatting();
      }
    });

    it("saves a notebook as well", async () => {
      await writeHere(
        "unsaved/book.ipynb",
        JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
      );
      const book = await vscode.workspace.openNotebookDocument(vscode.Uri.file(inWorkspace("unsaved/book.ipynb")));
      await vscode.window.showNotebookDocument(book);
      const change = new vscode.WorkspaceEdit();
      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "print('typed')", "python");
      change.set(book.uri, [vscode.NotebookEdit.insertCells(0, [cell])]);
      assert.equal(await vscode.workspace.applyEdit(change), true);
      const turn = play([bash("cat unsaved/book.ipynb")]);
      await answer({ decision: "allow", scope: "once", unsaved: "save" });
      await turn;
      assert.match(shown(), /print\('typed'\)[\s\S]*Saved before the command, .*: unsaved\/book\.ipynb\.$/);
      assert.equal(book.isDirty, false);
    });

    it("saves nothing over a file that changed on disk, and says that the editor refused", async () => {
      await strata.setting("bash.dirtyFiles", "save");
      const document = await typed("unsaved/conflict.txt");
      await mkdir(dirname(inWorkspace("unsaved/conflict.txt")), { recursive: true });
      await writeHere("unsaved/conflict.txt", "by another program\n");
      await play([bash("cat unsaved/conflict.txt")]);
      assert.match(
        shown(),
        /^by another program\nNot saved: unsaved\/conflict\.txt \(the editor refused: .*\) has unsaved/,
      );
      assert.deepEqual(
        [document.isDirty, document.getText(), await onDisk("unsaved/conflict.txt")],
        [true, "typed, first\n", "by another program\n"],
      );
    });
  });

  describe("that changes files", () => {
    it("gives them new stamps: the next edit works, the next reading is whole", async () => {
      await writeHere("changed/a.txt", "first\nsecond\n");
      await writeHere("changed/b.txt", "b\n");
      await play(
        [read("changed/a.txt"), read("changed/b.txt")],
        [bash("printf 'by the command\\nsecond\\n' > changed/a.txt; rm changed/b.txt; touch src/invoice.js")],
        [edit("changed/a.txt", "second", "2")],
        [call("again", "Read", { file_path: "changed/a.txt" })],
      );
      assert.match(
        shown(),
        /Files read before that the command changed: changed\/a\.txt.*\.\nFiles read before that are gone: changed\/b\.txt\.$/,
      );
      assert.match(shown("edit"), /^Edited changed\/a\.txt/);
      assert.equal(shown("again"), "1\tby the command\n2\t2");
      assert.equal(await onDisk("changed/a.txt"), "by the command\n2\n");
    });

    it("and that a person saves meanwhile: nobody is said to have done it alone", async () => {
      await writeHere("changed/both.txt", "first\nsecond\n");
      const { document } = await show("changed/both.txt");
      const turn = play(
        [read("changed/both.txt")],
        [bash("touch changed/started; until [ -e changed/go ]; do sleep 0.05; done")],
      );
      await eventually("the command started", () => existsSync(inWorkspace("changed/started")));
      await typeAtStart(await show("changed/both.txt"), "typed, ");
      await document.save();
      await writeHere("changed/go", "");
      await turn;
      assert.match(shown(), /Files read before that changed, perhaps not by the command alone: changed\/both\.txt\./);
      assert.equal(resultOf(strata.panel, "bash").stamps, undefined);
      assert.equal(await onDisk("changed/both.txt"), "typed, first\nsecond\n");
    });
  });

  describe("that changes what is open and clean", () => {
    async function changedAndEdited(path: string) {
      await writeHere(path, "first\nsecond\n");
      const { document } = await show(path);
      await play([read(path)], [bash(`printf 'by the command\\nsecond\\n' > ${path}`), edit(path, "second", "2")]);
      assert.match(shown("edit"), /^Edited /);
      assert.equal(await onDisk(path), "by the command\n2\n");
      return document;
    }

    it("the buffer follows the disk, and an edit right after the command reverts nothing", async () => {
      const path = "open/here.txt";
      const document = await changedAndEdited(path);
      await eventually("the editor shows what the command wrote", () => document.getText() === "by the command\n2\n");
      await play([call("later", "Bash", { command: `printf 'third\\n' > ${path}` })]);
      await eventually("the editor shows the third text", () => document.getText() === "third\n");
      assert.equal(document.isDirty, false);
    });

    it("where VS Code does not watch, the edit reverts nothing either, and the buffer follows when it is shown", async () => {
      const path = ".hg/store/not-watched.txt"; // excluded from watching by VS Code's own default
      const document = await changedAndEdited(path);
      await writeHere("open/other.txt", "");
      await show("open/other.txt");
      await show(path);
      await eventually("the editor shows what the command wrote", () => document.getText() === "by the command\n2\n");
      assert.equal(document.isDirty, false);
    });
  });
});
