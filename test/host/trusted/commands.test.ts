/** Commands beside an editor: unsaved changes before them, buffers that follow the disk. */
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import * as vscode from "vscode";
import type { PanelParams } from "../../../src/shared/panelProtocol";
import type { RecordOf } from "../../../src/shared/records";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { typeAtStart } from "../editorWorld";
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

    it("asks what happens to them; saving is done before the command and told, of a notebook too", async () => {
      const document = await typed("unsaved/ask.txt");
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
      const turn = play([bash("cat unsaved/ask.txt unsaved/book.ipynb")]);
      const { action } = await question();
      const unsaved = action.detail.type === "command" ? action.detail.unsaved : [];
      assert.deepEqual(unsaved?.toSorted(), ["unsaved/ask.txt", "unsaved/book.ipynb"]);
      await answer({ decision: "allow", scope: "once", unsaved: "save" });
      await turn;
      assert.match(
        shown(),
        /^typed, first\n[\s\S]*print\('typed'\)[\s\S]*\nSaved before the command, .*unsaved\/book\.ipynb/,
      );
      assert.deepEqual([document.isDirty, book.isDirty], [false, false]);
      assert.equal(await onDisk("unsaved/ask.txt"), "typed, first\n");
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
        assert.match(shown(), /^two spaces\ntyped, first\nSaved before the command, .* \(saving changed it\)\.$/);
        assert.equal(resultOf(strata.panel, "edit").status, "success");
        assert.equal(await onDisk("unsaved/save.formatted"), "none\ntyped, first\n");
      } finally {
        await stopFormatting();
      }
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

  describe("that changes what is open and clean", () => {
    it("the edit right after it reverts nothing, and the buffer follows: at once, or when it is shown where VS Code does not watch", async () => {
      // The second is excluded from watching by VS Code's own default.
      const [watched, unwatched] = ["open/here.txt", ".hg/store/not-watched.txt"];
      const documents: vscode.TextDocument[] = [];
      for (const path of [unwatched, watched]) {
        await writeHere(path, "first\nsecond\n");
        documents.push((await show(path)).document);
      }
      const write = (path: string) => `printf 'by the command\\nsecond\\n' > ${path}`;
      await play(
        [read(watched), read(unwatched)],
        [
          bash(`${write(watched)}; ${write(unwatched)}`),
          edit(watched, "second", "2"),
          { ...edit(unwatched, "second", "2"), id: "other" },
        ],
      );
      for (const id of ["edit", "other"]) assert.match(shown(id), /^Edited /);
      const [hidden, open] = documents;
      for (const path of [watched, unwatched]) assert.equal(await onDisk(path), "by the command\n2\n");
      await eventually("the editor shows what the command wrote", () => open?.getText() === "by the command\n2\n");
      await show(unwatched);
      await eventually("the other one, too", () => hidden?.getText() === "by the command\n2\n");
      await play([call("later", "Bash", { command: `printf 'third\\n' > ${watched}` })]);
      await eventually("the editor shows the third text", () => open?.getText() === "third\n");
      assert.deepEqual(
        documents.map(document => document.isDirty),
        [false, false],
      );
    });
  });
});
