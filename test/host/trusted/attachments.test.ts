/** What messages attach from this VS Code: the text that the model's server received. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import type { OfflineMessage } from "../../../scripts/offline-model/server.mjs";
import type { RecordOf } from "../../../src/shared/records";
import { eventually } from "../../fakes/eventually";
import { startChecker } from "../checker";
import { discardEditors } from "../discardEditors";
import { inWorkspace, type Strata, startStrata, writeHere } from "../strata";

describe("attachments, in VS Code", () => {
  let strata: Strata;
  beforeEach(async () => {
    strata = await startStrata();
  });
  afterEach(async () => {
    await strata.dispose();
    await discardEditors();
    for (const name of ["query.sql", "notes.txt", "n.ipynb"]) await rm(inWorkspace(name), { force: true });
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await eventually("all terminals are closed", () => vscode.window.terminals.length === 0);
  });

  /** Sends `look at @kind`; what went out for it, and its record. */
  async function attach(kind: string): Promise<{ text: string; record: RecordOf<"attachment"> }> {
    let messages: OfflineMessage[] = [];
    strata.play(request => {
      messages = request.messages;
      return { text: "Seen." };
    });
    const end = await strata.turn(`look at @${kind}`);
    assert.equal(end.reason, "done");
    const at = messages.findLastIndex(({ text }) => text.startsWith(`look at @${kind}`));
    const record = strata.panel.records.findLast(found => found.kind === "attachment");
    assert.ok(record?.kind === "attachment" && record.name === kind);
    return { text: messages[at + 1]?.text ?? "", record };
  }

  const opened = async (name: string, text: string) => {
    await writeHere(name, text);
    return vscode.window.showTextDocument(vscode.Uri.file(inWorkspace(name)));
  };

  /**
   * In the active editor. Resolves when the window has it: until then it may still report what was selected before, or put
   * another editor in its place.
   */
  const select = async ({ document }: vscode.TextEditor, ...selections: vscode.Selection[]) => {
    let isSet: true | undefined;
    const subscription = vscode.window.onDidChangeTextEditorSelection(event => {
      if (event.textEditor.document !== document || event.selections.length !== selections.length) return;
      if (event.selections.every((each, at) => selections[at]?.isEqual(each))) isSet = true;
    });
    await eventually("the selection is set", () => {
      const { activeTextEditor: active } = vscode.window;
      if (!isSet && active?.document === document) active.selections = selections;
      return isSet;
    }).finally(() => subscription.dispose());
  };

  describe("problems", () => {
    it("are those that the editor lists, and opened as they were sent", async () => {
      const checker = startChecker("sql", [100]);
      try {
        const { document } = await opened("query.sql", "select 1\nold bad\n");
        await eventually(
          "the checker's problem is listed",
          () => vscode.languages.getDiagnostics(document.uri).length > 0,
        );
        const { text, record } = await attach("problems");
        assert.match(
          text,
          /^<attachment name="@problems" [^>]*>\n1 error in 1 file\nquery\.sql:2:5 error old bad is bad \(test 7\)\n<\/attachment>$/,
        );
        assert.equal(record.title, "1 error in 1 file");
        await strata.panel.request("openAttachment", { messageId: record.messageId });
        assert.equal(vscode.window.activeTextEditor?.document.getText(), text);
        await discardEditors();
      } finally {
        checker.dispose();
        await rm(inWorkspace("query.sql"));
      }
      await eventually("no problem is left", async () => (await attach("problems")).record.empty);
    });
  });

  describe("the selection", () => {
    it("is what is selected, unsaved text as it stands, in each of several places", async () => {
      const editor = await opened("notes.txt", "one\ntwo\nthree\nfour\n");
      await editor.edit(edit => edit.insert(new vscode.Position(1, 0), "typed "));
      await select(editor, new vscode.Selection(3, 1, 2, 2), new vscode.Selection(0, 0, 1, 5));
      const { text, record } = await attach("selection");
      assert.match(
        text,
        /\nnotes\.txt:1-2, 3-4 \([^)]*not saved\)\nLines 1-2:\none\ntyped\nLines 3-4:\nree\nf\n<\/attachment>$/,
      );
      assert.deepEqual([record.title, record.trust], ["notes.txt:1-2, 3-4", "workspace"]);
    });

    it("is none where nothing is selected, and where no editor is open", async () => {
      const editor = await opened("notes.txt", "one\n");
      await select(editor, new vscode.Selection(0, 1, 0, 1));
      assert.match((await attach("selection")).text, /Nothing is selected in the editor\./);
      await discardEditors();
      await eventually("no editor is active", () => !vscode.window.activeTextEditor);
      assert.equal((await attach("selection")).record.title, "No text editor is shown.");
    });

    it("is that of the editor before where a page beside it has the focus", async () => {
      const editor = await opened("notes.txt", "one\ntwo\n");
      await select(editor, new vscode.Selection(1, 0, 1, 3));
      const page = vscode.window.createWebviewPanel("test", "A page", vscode.ViewColumn.Beside);
      await eventually("the page has the focus", () => page.active && !vscode.window.activeTextEditor);
      assert.match((await attach("selection")).text, /\nnotes\.txt:2\ntwo\n/);
      page.dispose();
    });

    it("may be of a document that was never saved, and of a cell", async () => {
      const untitled = await vscode.workspace.openTextDocument({ content: "a draft", language: "markdown" });
      const editor = await vscode.window.showTextDocument(untitled);
      await select(editor, new vscode.Selection(0, 2, 0, 7));
      assert.match((await attach("selection")).text, /\nuntitled:[^\n]*:1 \([^)]*not saved\)\ndraft\n/);
      const cell = { cell_type: "code", metadata: {}, source: ["x = 1"], outputs: [], execution_count: null };
      const notebook = { cells: [cell, { ...cell, source: ["y = 2"] }], metadata: {}, nbformat: 4, nbformat_minor: 5 };
      await writeHere("n.ipynb", JSON.stringify(notebook));
      const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(inWorkspace("n.ipynb")));
      await vscode.window.showNotebookDocument(document, { selections: [new vscode.NotebookRange(1, 2)] });
      await vscode.commands.executeCommand("notebook.cell.edit");
      const inCell = await eventually("the cursor is in the cell", () => {
        const active = vscode.window.activeTextEditor;
        return active?.document === document.cellAt(1).document ? active : undefined;
      });
      await select(inCell, new vscode.Selection(0, 0, 0, 5));
      assert.match((await attach("selection")).text, /\nn\.ipynb, cell 2, lines 1\ny = 2\n/);
    });
  });

  describe("changes", () => {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: inWorkspace("."), encoding: "utf8" });

    it("are what Git says, without what is protected", async function () {
      if (!vscode.extensions.getExtension("vscode.git") || !existsSync(inWorkspace(".git"))) {
        console.log("      skipped: this VS Code has no Git extension, or the sample is no repository");
        this.skip();
      }
      const names = ["staged.txt", ".env", "新.txt"];
      try {
        await writeHere("staged.txt", "one\n");
        await writeHere(".env", "NAME=staged\n");
        git("add", "-f", "staged.txt", ".env");
        await writeHere("staged.txt", "two\n");
        await writeHere(".env", "NAME=later\n");
        await writeHere("新.txt", "new\n");
        const { text, record } = await attach("changes");
        assert.equal(record.title, "1 changed file (+2 −1), 1 untracked file");
        assert.match(text, /\nRepository [^\n]*\nNot tracked: 新\.txt\n\(1 file left out, [^\n]*: \.env\./);
        assert.match(
          text,
          /\nStaged:\ndiff --git [\s\S]*\n\+one\nNot staged:\ndiff --git [\s\S]*\n\+two\n<\/attachment>$/,
        );
        assert.doesNotMatch(text, /NAME=/);
        git("rm", "-q", "-f", "--cached", "staged.txt", ".env");
      } finally {
        for (const name of names) await rm(inWorkspace(name), { force: true });
      }
      const { record } = await attach("changes");
      assert.equal(record.empty, true);
    });

    it("are read without what the repository's settings name: attack 13", async function () {
      if (!vscode.extensions.getExtension("vscode.git") || !existsSync(inWorkspace(".git"))) this.skip();
      const [ran, attributes] = [inWorkspace(".git/ran"), inWorkspace(".git/info/attributes")];
      try {
        await writeHere("staged.txt", "one\n");
        git("add", "-f", "staged.txt");
        await writeHere("staged.txt", "two\n");
        await mkdir(inWorkspace(".git/info"), { recursive: true });
        await writeFile(attributes, "staged.txt diff=evil\n");
        git("config", "diff.evil.command", `touch '${ran}' #`);
        git("config", "diff.external", `touch '${ran}' #`);
        const { text } = await attach("changes");
        assert.match(text, /\n\+two\n/);
        assert.equal(existsSync(ran), false, "it ran");
      } finally {
        git("config", "--unset", "diff.external");
        git("config", "--remove-section", "diff.evil");
        git("rm", "-q", "-f", "--cached", "staged.txt");
        for (const path of [ran, attributes, inWorkspace("staged.txt")]) await rm(path, { force: true });
      }
    });
  });

  describe("the terminal", () => {
    it("is its last command and what it printed", async function () {
      const terminal = vscode.window.createTerminal({ name: "test", shellPath: "/bin/bash" });
      terminal.show();
      const integration = await eventually("shell integration", () => terminal.shellIntegration).catch(() => undefined);
      if (!integration) {
        console.log("      skipped: no shell integration came up in the terminal of this VS Code");
        this.skip();
      }
      assert.equal(
        (await attach("terminal")).record.title,
        "No command has run in the active terminal since Strata started.",
      );
      const run = async (command: string) => {
        const ended = new Promise<void>(resolve => {
          const subscription = vscode.window.onDidEndTerminalShellExecution(event => {
            if (event.terminal !== terminal) return;
            subscription.dispose();
            resolve();
          });
        });
        terminal.shellIntegration?.executeCommand(command);
        await ended;
      };
      await run("echo first-$((40 + 2))");
      // VS Code loses what a command prints in the moment it starts: then it is run again.
      const { text, record } = await eventually("the command's output", async () => {
        await run("printf '\\033[31mred-%s\\033[0m\\n' $((40 + 2)); (exit 3)");
        const attached = await attach("terminal");
        return attached.text.includes("told of no output") ? undefined : attached;
      });
      assert.match(
        text,
        /^<attachment name="@terminal" [^>]*>\n\$ printf [^\n]*\n\(exit code 3, in [^\n]*\)\nred-42\n<\/attachment>$/,
      );
      assert.deepEqual([record.trust, record.title.endsWith("(exit code 3)")], ["outside", true]);
    });

    it("says so where no shell integration tells what ran, and where there is none", async () => {
      assert.equal((await attach("terminal")).record.title, "No terminal is open in the editor.");
      const closed = new vscode.EventEmitter<void>();
      const pty = {
        onDidWrite: new vscode.EventEmitter<string>().event,
        open: () => undefined,
        close: () => closed.fire(),
      };
      const terminal = vscode.window.createTerminal({ name: "no shell", pty });
      terminal.show();
      await eventually("the terminal is active", () => vscode.window.activeTerminal === terminal);
      assert.match((await attach("terminal")).record.title, /^The active terminal has no shell integration/);
    });
  });
});
