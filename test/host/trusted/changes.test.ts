/** What a turn changed, its diffs, and undo beside what a person typed, in a real VS Code. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import * as vscode from "vscode";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { type EditorWorld, editorWorld, typeAtStart } from "../editorWorld";
import { inWorkspace, onDisk, type Strata, startStrata, writeHere } from "../strata";

const LINES = "one\ntwo\nthree\nfour\nfive\nsix\n";
const call = (id: string, name: string, input: object) => ({ id, name, input });
const uriOf = (path: string) => vscode.Uri.file(inWorkspace(path));

describe("what a turn changed in VS Code", () => {
  let strata: Strata;
  // One turn for all of them: each leaves the files as the turn did.
  before(async () => {
    strata = await startStrata("auto");
    await writeHere("undo.txt", LINES);
    strata.play(
      { calls: [call("read", "Read", { file_path: "undo.txt" })] },
      { calls: [call("e1", "Edit", { file_path: "undo.txt", old_string: "two", new_string: "TWO\nmore" })] },
      { calls: [call("w1", "Write", { file_path: "made/new.txt", content: "hello\n" })] },
      { text: "Done." },
    );
    await strata.turn("change things");
  });
  afterEach(discardEditors);
  after(async () => {
    await strata.dispose();
    await vscode.workspace.fs.delete(uriOf("made"), { recursive: true }).then(undefined, () => undefined);
  });
  const edit = { callId: "e1", uri: "" };
  const show = async (path: string) => vscode.window.showTextDocument(uriOf(path));
  const undoEdit = () => strata.panel.request("undoEdit", { ...edit, uri: uriOf("undo.txt").toString() });
  const redoEdit = () => strata.panel.request("redoEdit", { ...edit, uri: uriOf("undo.txt").toString() });
  const made = () => ({ callId: "w1", uri: uriOf("made/new.txt").toString() });

  it("an undo in a dirty buffer keeps what was typed, saves nothing, and is one step of the editor's own undo", async () => {
    const editor = await show("undo.txt");
    await editor.edit(build => build.insert(new vscode.Position(6, 0), "typed\n"));
    await undoEdit();
    const { document } = editor;
    assert.equal(document.getText(), LINES.replace("six", "typed\nsix"));
    assert.equal(document.isDirty, true);
    assert.equal(await onDisk("undo.txt"), LINES.replace("two", "TWO\nmore"));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("undo");
    assert.equal(document.getText(), LINES.replace("two", "TWO\nmore").replace("six", "typed\nsix"));
    await vscode.commands.executeCommand("redo");
    await redoEdit();
    assert.equal(document.getText(), LINES.replace("two", "TWO\nmore").replace("six", "typed\nsix"));
    assert.equal(document.isDirty, true);
  });

  it("an undo in a clean file is saved, open or not", async () => {
    await undoEdit();
    assert.equal(await onDisk("undo.txt"), LINES);
    const { document } = await show("undo.txt");
    await redoEdit();
    assert.deepEqual([document.getText(), document.isDirty], [LINES.replace("two", "TWO\nmore"), false]);
    assert.equal(await onDisk("undo.txt"), document.getText());
  });

  it("typing in the very lines is a conflict, with its lines; nothing is changed", async () => {
    const editor = await show("undo.txt");
    await editor.edit(build => build.insert(new vscode.Position(2, 4), "!"));
    const before = editor.document.getText();
    await assert.rejects(undoEdit(), /lines 2–3/);
    assert.deepEqual([editor.document.getText(), editor.document.isDirty], [before, true]);
  });

  it("what created a file is undone by taking it away, unless something was typed into it; redo brings it back", async () => {
    const editor = await show("made/new.txt");
    await typeAtStart(editor, "mine ");
    await assert.rejects(strata.panel.request("undoEdit", made()), /has more than what the agent left/);
    assert.deepEqual([editor.document.getText(), existsSync(inWorkspace("made/new.txt"))], ["mine hello\n", true]);
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await strata.panel.request("undoEdit", made());
    assert.equal(existsSync(inWorkspace("made/new.txt")), false);
    await strata.panel.request("redoEdit", made());
    assert.equal(await onDisk("made/new.txt"), "hello\n");
  });

  it("a file of the turn opens beside what it was before; its text can be changed there, the other not", async () => {
    await strata.panel.request("openTurnDiff", { turn: 1, uri: uriOf("undo.txt").toString() });
    const input = await eventually("a diff editor", () => {
      const active = vscode.window.tabGroups.activeTabGroup.activeTab;
      return active?.input instanceof vscode.TabInputTextDiff ? active : undefined;
    });
    const { original, modified } = input.input as vscode.TabInputTextDiff;
    assert.equal(input.label, "undo.txt (since the turn began)");
    assert.equal((await vscode.workspace.openTextDocument(original)).getText(), LINES);
    assert.equal(modified.toString(), uriOf("undo.txt").toString());
    assert.equal(vscode.workspace.fs.isWritableFileSystem(original.scheme), undefined);
  });

  it("all files of the turn open in one editor", async () => {
    await strata.panel.request("openTurnDiffs", { turn: 1 });
    const label = await eventually("the tab of the turn's changes", () => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      return tab?.label.startsWith("Changes since turn 1") ? tab.label : undefined;
    });
    assert.match(label, /^Changes since turn 1 began/);
  });

  // The last one: the file stays away.
  it("a file that is gone or renamed is said so", async () => {
    await rename(inWorkspace("undo.txt"), inWorkspace("renamed.txt"));
    await assert.rejects(undoEdit(), /it is not there any more/);
    await rename(inWorkspace("renamed.txt"), inWorkspace("undo.txt"));
    const inEditor = new vscode.WorkspaceEdit();
    inEditor.renameFile(uriOf("undo.txt"), uriOf("renamed.txt"));
    assert.ok(await vscode.workspace.applyEdit(inEditor));
    await assert.rejects(undoEdit(), /it is not there any more/);
    await vscode.workspace.fs.delete(uriOf("renamed.txt"));
  });
});

describe("what a turn changed in a document that was never saved", () => {
  it("is shown by the edit when that is closed; of the turn, what is there is shown, and it is said what is not", async () => {
    const strata = await startStrata("auto");
    try {
      await writeHere("undo.txt", LINES);
      const document = await vscode.workspace.openTextDocument({ content: "draft\n" });
      await vscode.window.showTextDocument(document);
      const file_path = `untitled:${document.uri.path}`;
      strata.play(
        { calls: [call("r1", "Read", { file_path: "undo.txt" }), call("r2", "Read", { file_path })] },
        { calls: [call("u1", "Edit", { file_path, old_string: "draft", new_string: "text" })] },
        { calls: [call("e1", "Edit", { file_path: "undo.txt", old_string: "two", new_string: "TWO" })] },
        { text: "Done." },
      );
      await strata.turn("change things");
      const uri = document.uri.toString();
      await discardEditors();
      await eventually("the document is closed", () => document.isClosed);
      await strata.panel.request("openDiff", { callId: "u1", uri });
      const diff = await eventually("a diff editor", () => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return input instanceof vscode.TabInputTextDiff ? input : undefined;
      });
      assert.equal((await vscode.workspace.openTextDocument(diff.original)).getText(), "draft\n");
      assert.equal((await vscode.workspace.openTextDocument(diff.modified)).getText(), "text\n");
      const lost = /Not shown: untitled:.*It was closed without being saved/;
      await assert.rejects(strata.panel.request("openTurnDiff", { turn: 1, uri }), lost);
      await assert.rejects(strata.panel.request("openTurnDiffs", { turn: 1 }), lost);
      await eventually("the tab of the turn's changes", () => {
        const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
        return tab?.label.startsWith("Changes since turn 1");
      });
    } finally {
      await strata.dispose();
      await discardEditors();
    }
  });
});

describe("taking a file away in the editor", () => {
  let world: EditorWorld;
  beforeEach(async () => {
    world = await editorWorld();
  });
  afterEach(() => world.dispose());
  const remove = async (base: string) => world.files.removeFile(await world.files.resolve("a.ts"), base);
  const stamp = async () => {
    const file = await world.files.read(await world.files.resolve("a.ts"), 1_000_000);
    return file.stamp.sha256;
  };

  it("closes no unsaved text: what was typed is not what was read", async () => {
    await world.put("a.ts", "one\n");
    const editor = await world.show("a.ts");
    const clean = await stamp();
    await typeAtStart(editor, "typed ");
    assert.equal(await remove(clean), "stale");
    assert.deepEqual([editor.document.getText(), editor.document.isDirty], ["typed one\n", true]);
    assert.equal(String(await world.bytes("a.ts")), "one\n");
  });

  it("an open file that is clean goes, and one that links lead to goes where it is", async () => {
    await world.put("a.ts", "one\n");
    await world.show("a.ts");
    assert.equal(await remove(await stamp()), "removed");
    assert.equal(await world.bytes("a.ts"), undefined);
    await world.put("real.ts", "one\n");
    await world.link(world.at("real.ts"), "a.ts");
    assert.equal(await remove(await stamp()), "removed");
    assert.equal(await world.bytes("real.ts"), undefined);
  });
});

describe("an edit that changes all line ends of an open file", () => {
  let world: EditorWorld;
  beforeEach(async () => {
    world = await editorWorld();
  });
  afterEach(() => world.dispose());

  it("says which ones stand where somebody types before they are set", async () => {
    await world.put("ends.txt", "one\r\ntwo\r\n");
    const { document } = await world.show("ends.txt");
    const ref = await world.files.resolve("ends.txt");
    const { stamp } = await world.files.read(ref, 1_000);
    const typing = new Promise<boolean>(resolve => {
      const subscription = vscode.workspace.onDidChangeTextDocument(event => {
        if (event.document !== document) return;
        subscription.dispose();
        const keys = new vscode.WorkspaceEdit();
        keys.insert(document.uri, new vscode.Position(0, 0), "typed ");
        vscode.workspace.applyEdit(keys).then(resolve);
      });
    });
    const edits = [{ start: 0, end: document.getText().length, text: "one\nTWO\n" }];
    const outcome = await world.files.apply({ ref, base: stamp.sha256, edits });
    assert.equal(await typing, true);
    assert.ok(outcome.kind === "applied");
    assert.equal(document.getText(), "typed one\r\nTWO\r\n");
    assert.deepEqual([outcome.text, outcome.saved], ["one\r\nTWO\r\n", false]);
  });
});
