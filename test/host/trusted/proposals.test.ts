/** A proposed edit in VS Code's diff editor: it can be changed there, and what stands when it is accepted is what lands. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import type { RecordOf } from "../../../src/shared/records";
import { openTabs } from "../../../src/vscode/editor/documents";
import { TYPING_MS } from "../../../src/vscode/panel/conversation/proposals";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { typeAtStart } from "../editorWorld";
import { call, diffs, noDiff, openedTabs, proposed, replaceAll, rightSide, SCHEME, told } from "../proposalTabs";
import { inWorkspace, onDisk, type Strata, startStrata, writeHere } from "../strata";
import { lastKey } from "../typist";

describe("a proposed edit in the diff editor", () => {
  let strata: Strata;
  let answered: string;
  // From here on, not from the first test on: a diff does not open by itself for somebody who typed in the test before.
  const keys = lastKey();
  beforeEach(() => eventually("the last key was long enough ago", () => performance.now() - keys.at() > TYPING_MS));
  after(() => keys.dispose());
  afterEach(async () => {
    await strata.dispose();
    await noDiff();
    await discardEditors();
    assert.deepEqual(
      proposed().filter(document => document.isDirty),
      [],
    );
  });

  /** Reads `path` and proposes to replace; the turn is at its question then. */
  async function ask(path: string, old_string: string, new_string: string) {
    answered = "";
    strata.play(
      { calls: [call("read", "Read", { file_path: path })] },
      { calls: [call("edit", "Edit", { file_path: path, old_string, new_string })] },
      request => {
        answered = told(request, "edit");
        return { text: "Done." };
      },
    );
    const turn = strata.turn("edit it");
    return { turn, question: await question() };
  }

  /** The newest question, once it is another than `before`. */
  const question = (before?: string): Promise<RecordOf<"approval">> =>
    eventually("another question", () => {
      const last = strata.panel.records.findLast(record => record.kind === "approval");
      return last?.kind === "approval" && !last.answer && last.approvalId !== before ? last : undefined;
    });
  const answer = ({ approvalId }: RecordOf<"approval">, decision: "allow" | "deny") =>
    strata.panel.request("answer", { approvalId, decision, scope: "once" });

  it("opens by itself; what is typed there without saving the panel follows, it is what lands, and the model is told", async () => {
    await writeHere("review.js", "one\r\ntwo\r\nthree\r\n");
    await writeHere("mine.txt", "mine\n");
    await vscode.window.showTextDocument(vscode.Uri.file(inWorkspace("mine.txt")));
    strata = await startStrata("ask");
    const { turn, question } = await ask("review.js", "two", "2");
    const right = await rightSide();
    const [tab] = diffs();
    assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
    assert.equal(tab.label, "review.js: proposed by Strata (edit it, then allow)");
    assert.equal(tab.input.original.toString(), vscode.Uri.file(inWorkspace("review.js")).toString());
    assert.equal(right.document.getText(), "one\r\n2\r\nthree\r\n");
    assert.deepEqual([right.document.languageId, right.document.eol], ["javascript", vscode.EndOfLine.CRLF]);
    await replaceAll(right, "one\nzwei\nthree\nvier\n");
    assert.equal(right.document.isDirty, true);
    const { approvalId, change } = await eventually("the panel is told of the words", () =>
      strata.panel.revised.at(-1),
    );
    assert.equal(approvalId, question.approvalId);
    assert.match(change.diff, /\n-two\n[\s\S]*\+zwei\n/);
    await vscode.commands.executeCommand("strata.acceptProposal", tab.input.modified);
    await turn;
    assert.equal(await onDisk("review.js"), "one\r\nzwei\r\nthree\r\nvier\r\n");
    assert.match(answered, /The user changed[^\n]*\n-2\n\+zwei\n\+vier$/);
    await noDiff();
    const isMine = () => vscode.window.activeTextEditor?.document.uri.fsPath === inWorkspace("mine.txt");
    // VS Code may show the edited file itself: it does so where saving takes longer than a moment.
    const isShown = () => openTabs().some(({ label }) => label === "review.js");
    await eventually("the person's file is active", () => isMine() || isShown());
    assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
  });

  it("rejected there: bytes and buffer of the file are as they were, and nothing asks whether to save", async () => {
    await writeHere("reject.js", "one\ntwo\n");
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(inWorkspace("reject.js")));
    await typeAtStart(editor, "typed, ");
    strata = await startStrata("ask");
    const { turn } = await ask("reject.js", "two", "2");
    const right = await rightSide();
    assert.equal(right.document.getText(), "typed, one\n2\n");
    await replaceAll(right, "something else\n");
    const { version } = editor.document;
    await vscode.commands.executeCommand("strata.rejectProposal");
    await turn;
    assert.match(answered, /^DENIED: /);
    await noDiff();
    assert.deepEqual(
      [editor.document.getText(), editor.document.isDirty, editor.document.version],
      ["typed, one\ntwo\n", true, version],
    );
    assert.equal(await onDisk("reject.js"), "one\ntwo\n");
  });

  it("waits until it is asked for where the setting says so; closed by hand answers nothing; opened again it has what was typed, and the panel's Allow takes it", async () => {
    await writeHere("again.js", "one\n");
    strata = await startStrata("ask");
    await strata.setting("edits.review", "panel");
    const opened = openedTabs();
    const { turn, question } = await ask("again.js", "one", "1");
    assert.deepEqual(opened.labels, []);
    await strata.panel.request("openProposal", { approvalId: question.approvalId });
    const right = await rightSide();
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), right.document.uri.toString());
    await replaceAll(right, "eins\n");
    await right.document.save();
    await vscode.window.tabGroups.close(diffs());
    assert.equal(strata.panel.state, "asking");
    await strata.panel.request("openProposal", { approvalId: question.approvalId });
    assert.equal((await rightSide()).document.getText(), "eins\n");
    assert.equal(diffs().length, 1);
    await strata.panel.request("openProposal", { approvalId: question.approvalId });
    assert.equal(diffs().length, 1, "one is enough");
    await answer(question, "allow");
    await turn;
    assert.equal(await onDisk("again.js"), "eins\n");
    await noDiff();
    opened.dispose();
    // VS Code may show the file itself: it does so where saving takes longer than a moment.
    const proposals = opened.labels.filter(label => label !== "again.js");
    assert.deepEqual([...new Set(proposals)], ["again.js: proposed by Strata (edit it, then allow)"]);
    await assert.rejects(
      strata.panel.request("openProposal", { approvalId: question.approvalId }),
      /This question is closed/,
    );
  });

  it("of a file in which the person typed meanwhile is asked anew, with what they made of it", async () => {
    await writeHere("moved.js", "one\ntwo\nthree\nfour\n");
    strata = await startStrata("ask");
    const { turn, question: first } = await ask("moved.js", "four", "4");
    await replaceAll(await rightSide(), "one\ntwo\nthree\nvier\n");
    const file = await vscode.workspace.openTextDocument(vscode.Uri.file(inWorkspace("moved.js")));
    const change = new vscode.WorkspaceEdit();
    change.insert(file.uri, new vscode.Position(0, 0), "typed, ");
    await vscode.workspace.applyEdit(change);
    await answer(first, "allow");
    const second = await question(first.approvalId);
    assert.match(second.action.reason ?? "", /while you were asked: what you changed/);
    const right = await eventually("the second proposal's diff editor", () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.authority === second.approvalId),
    );
    assert.equal(right.document.getText(), "typed, one\ntwo\nthree\nvier\n");
    await eventually("one diff editor", () => diffs().length === 1);
    await vscode.commands.executeCommand("strata.acceptProposal");
    await turn;
    assert.equal(file.getText(), "typed, one\ntwo\nthree\nvier\n");
    assert.equal(await onDisk("moved.js"), "one\ntwo\nthree\nfour\n", "unsaved text stays unsaved");
  });

  it("of a new file has nothing on its left; whatever encoding files have here, its text is its text", async () => {
    await vscode.workspace.getConfiguration("files").update("encoding", "utf16le", vscode.ConfigurationTarget.Global);
    try {
      strata = await startStrata("ask");
      strata.play(
        { calls: [call("write", "Write", { file_path: "new/näh.js", content: "größe = 1;\n" })] },
        { text: "Done." },
      );
      const turn = strata.turn("write it");
      await question();
      const right = await rightSide();
      assert.equal(right.document.getText(), "größe = 1;\n");
      const [tab] = diffs();
      assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
      assert.equal((await vscode.workspace.openTextDocument(tab.input.original)).getText(), "");
      await vscode.commands.executeCommand("strata.acceptProposal", right.document.uri);
      await turn;
      // In that encoding, as any new file here; the decoder takes its BOM off.
      const bytes = await readFile(inWorkspace("new/näh.js"));
      assert.deepEqual([bytes.length, new TextDecoder("utf-16le").decode(bytes)], [24, "größe = 1;\n"]);
      await noDiff();
    } finally {
      await vscode.workspace.getConfiguration("files").update("encoding", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("stays while another session is shown, and is answered from there; goes with Stop", async () => {
    await writeHere("a.txt", "one\n");
    strata = await startStrata("ask");
    const { turn } = await ask("a.txt", "one", "1");
    await replaceAll(await rightSide(), "eins\n");
    const id = strata.panel.snapshot?.sessionId ?? "";
    await strata.panel.request("newSession", {});
    assert.equal((await rightSide()).document.getText(), "eins\n");
    await vscode.commands.executeCommand("strata.acceptProposal");
    await noDiff();
    await strata.panel.request("openSession", { id });
    await turn;
    assert.equal(await onDisk("a.txt"), "eins\n");
    const { turn: stopped } = await ask("a.txt", "eins", "1");
    await rightSide();
    await strata.panel.request("stop", {});
    await noDiff();
    assert.equal((await stopped).reason, "stopped");
    assert.equal(await onDisk("a.txt"), "eins\n");
  });

  it("of a notebook is its text, to be looked at and answered", async () => {
    const cell = { cell_type: "code", execution_count: null, id: "a1", metadata: {}, outputs: [], source: ["x = 1"] };
    const text = `${JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;
    await writeHere("n.ipynb", text);
    strata = await startStrata("ask");
    const { turn } = await ask("n.ipynb", "x = 1", "x = 22");
    const right = await rightSide();
    const [tab] = diffs();
    assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
    assert.equal(tab.label, "n.ipynb: proposed by Strata (read-only: allow or deny it)");
    assert.equal((await vscode.workspace.openTextDocument(tab.input.original)).getText(), text);
    assert.equal(right.document.getText(), text.replace("x = 1", "x = 22"));
    assert.equal(right.document.languageId, "json");
    await vscode.window.showTextDocument(right.document, right.viewColumn);
    await vscode.commands.executeCommand("type", { text: "typed" });
    assert.equal(right.document.getText(), text.replace("x = 1", "x = 22"));
    await vscode.commands.executeCommand("strata.acceptProposal", tab.input.modified);
    await turn;
    assert.equal(await onDisk("n.ipynb"), text.replace("x = 1", "x = 22"));
    await noDiff();
  });

  it("that is closed says so in a line and goes; what was typed in it stays, and is not saved", async () => {
    strata = await startStrata("ask");
    const uri = vscode.Uri.from({ scheme: SCHEME, authority: "apr_gone", path: "/Proposed by Strata/a.js" });
    const { document } = await vscode.window.showTextDocument(uri);
    assert.equal(document.getText(), "This proposal is closed: it was answered, or its turn has ended.\n");
    await eventually("no tab is open", () => vscode.window.tabGroups.all.every(group => group.tabs.length === 0));
    const editor = await vscode.window.showTextDocument(uri);
    await typeAtStart(editor, "mine ");
    assert.equal(await editor.document.save(), false);
    assert.equal(editor.document.isDirty, true);
    assert.match(editor.document.getText(), /^mine /);
  });

  // The last one: for a while after it, no tab opens by itself.
  it("does not come between a person and what they type", async () => {
    await writeHere("typing.js", "one\n");
    await writeHere("mine.txt", "mine\n");
    strata = await startStrata("ask");
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(inWorkspace("mine.txt")));
    await vscode.commands.executeCommand("type", { text: "more of " });
    const opened = openedTabs();
    const { turn, question } = await ask("typing.js", "one", "1");
    await answer(question, "deny");
    await turn;
    opened.dispose();
    assert.deepEqual(opened.labels, []);
    assert.equal(vscode.window.activeTextEditor, editor);
    assert.equal(editor.document.getText(), "more of mine\n");
  });
});
