/** Documents that were never saved, files that are renamed or deleted under way: what tools see and say. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import * as vscode from "vscode";
import { mentionedPlaces } from "../../../src/core/mentions/message";
import { edit, readTextFile } from "../../contract/filesApply";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { type EditorWorld, editorWorld, typeAtStart } from "../editorWorld";
import { inWorkspace, onDisk, resultOf, type Strata, startStrata, writeHere } from "../strata";

const call = (id: string, name: string, input: object) => ({ id, name, input });

describe("a document that was never saved", () => {
  let world: EditorWorld;
  let editor: vscode.TextEditor;
  let name: string;
  beforeEach(async () => {
    world = await editorWorld();
    editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: "one\n" }));
    name = editor.document.uri.path;
  });
  afterEach(() => world.dispose());

  it("has a name, is inside the workspace, and is a file of its own", async () => {
    const ref = await world.files.resolve(`untitled:${name}`);
    const { path, relative, inside } = ref;
    assert.deepEqual([path, relative, inside], [`untitled:${name}`, name, true]);
    assert.deepEqual(await world.files.resolve(name), ref, "by the name on its tab");
    assert.deepEqual(await world.files.stat(ref), { type: "file", size: 4, mtime: 0 });
    assert.equal(world.files.pathOf(editor.document.uri), path);
    assert.equal(world.files.documents.uriOf(ref).toString(), editor.document.uri.toString());
    await assert.rejects(world.files.list(ref), { name: "FileError", code: "IO" });
  });

  it("gives way to a file of the same name", async () => {
    await world.put(name, "on disk\n");
    assert.equal((await world.files.resolve(name)).path, name);
    assert.equal((await world.files.resolve(`untitled:${name}`)).path, `untitled:${name}`);
  });

  it("that is not open is named with those that are", async () => {
    await assert.rejects(world.files.resolve("untitled:Nothing-7"), {
      ...{ name: "FileError", code: "NOT_FOUND" },
      message: new RegExp(`There is no unsaved document Nothing-7 in the editor\\. Open are: untitled:${name}`),
    });
  });

  it("is read and edited in the editor, and saved nowhere", async () => {
    const path = `untitled:${name}`;
    const file = await readTextFile(world, path);
    assert.deepEqual([file.text, file.from, file.stamp.dirty], ["one\n", "editor", true]);
    const outcome = await edit(world, path, "one", "two");
    assert.ok(outcome.kind === "applied");
    assert.deepEqual([outcome.text, outcome.saved, outcome.unsaved], ["two\n", false, undefined]);
    assert.deepEqual([editor.document.getText(), editor.document.isUntitled], ["two\n", true]);
    assert.equal((await readTextFile(world, path)).stamp.sha256, outcome.stamp.sha256);
    await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), "one\n");
    await typeAtStart(editor, "typed ");
    assert.deepEqual(await edit(world, path, "typed", "x", outcome.stamp.sha256), { kind: "stale" });
    assert.equal(editor.document.getText(), "typed one\n");
  });

  it("for a file that is to be lies where that file would, and is protected as it is", async () => {
    const uri = vscode.Uri.file(world.at("sub/.env")).with({ scheme: "untitled" });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const { relative, inside } = await world.files.resolve(`untitled:${uri.path}`);
    assert.deepEqual([relative, inside], ["sub/.env", true]);
  });

  it("can be mentioned", async () => {
    assert.deepEqual(await mentionedPlaces(`look at @untitled:${name}:1-2 and @untitled:Nothing-7`, world.files), [
      { name: `untitled:${name}:1-2`, kind: "file" },
    ]);
  });
});

describe("a file that goes away under way", () => {
  let world: EditorWorld;
  beforeEach(async () => {
    world = await editorWorld(["app", "lib"]);
  });
  afterEach(() => world.dispose());

  const rename = async (from: string, to: string) => {
    const change = new vscode.WorkspaceEdit();
    change.renameFile(vscode.Uri.file(world.at(from)), vscode.Uri.file(world.at(to)));
    assert.ok(await vscode.workspace.applyEdit(change));
  };
  const wentTo = async (path: string) =>
    (
      await eventually("it is known where the file went", async () =>
        world.files.renamedTo(await world.files.resolve(path)),
      )
    )?.path;

  it("by renaming is found again, through several renames and those of folders", async () => {
    await world.put("src/a.ts", "a");
    await rename("src/a.ts", "src/b.ts");
    assert.equal(await wentTo("src/a.ts"), "app:src/b.ts");
    await rename("src", "source");
    assert.equal(await wentTo("src/b.ts"), "app:source/b.ts");
    assert.equal(await wentTo("src/a.ts"), "app:source/b.ts");
    await rename("source/b.ts", "lib:b.ts");
    assert.equal(await wentTo("src/a.ts"), "lib:b.ts");
    assert.equal(await world.files.renamedTo(await world.files.resolve("other/src/a.ts")), undefined);
  });

  it("and back again is where it was", async () => {
    await world.put("a.ts", "a");
    await rename("a.ts", "b.ts");
    await wentTo("a.ts");
    await rename("b.ts", "a.ts");
    assert.equal(await wentTo("b.ts"), "app:a.ts");
    assert.equal(await world.files.renamedTo(await world.files.resolve("a.ts")), undefined);
  });

  it("while it has unsaved text takes that along, and edits go on there", async () => {
    await world.put("a.ts", "one\n");
    await typeAtStart(await world.show("a.ts"), "typed ");
    await rename("a.ts", "b.ts");
    const file = await readTextFile(world, "b.ts");
    assert.deepEqual([file.text, file.stamp.dirty], ["typed one\n", true]);
    const outcome = await edit(world, "b.ts", "one", "two");
    assert.equal(outcome.kind === "applied" && outcome.text, "typed two\n");
    assert.equal(await world.files.stat(await world.files.resolve("a.ts")), undefined);
  });
});

describe("a session", () => {
  let strata: Strata;
  afterEach(async () => {
    await strata.dispose();
    await discardEditors();
  });

  it("knows an unsaved document that is shown, reads and edits it", async () => {
    strata = await startStrata("edits");
    const document = await vscode.workspace.openTextDocument({ content: "first\nsecond\n" });
    await vscode.window.showTextDocument(document);
    const file_path = `untitled:${document.uri.path}`;
    let tail = "";
    let read = "";
    strata.play(
      request => {
        tail = request.messages.at(-1)?.text ?? "";
        return { calls: [call("read", "Read", { file_path })] };
      },
      request => {
        read = request.messages.find(message => message.callId === "read")?.text ?? "";
        const calls = [
          call("edit", "Edit", { file_path, old_string: "second", new_string: "2" }),
          call("grep", "Grep", { pattern: "2", path: file_path }),
          call("ls", "LS", { path: file_path }),
        ];
        return { calls };
      },
      { text: "Done." },
    );
    await strata.turn(`change @${file_path}`);
    assert.match(tail, new RegExp(`In the editor: ${file_path}`));
    assert.match(read, /^This document was never saved: it stands in the editor only\.\n1\tfirst/);
    assert.equal(resultOf(strata.panel, "edit").status, "success");
    assert.match(resultOf(strata.panel, "edit").forms.shown, /not saved/);
    assert.equal(document.getText(), "first\n2\n");
    assert.match(resultOf(strata.panel, "grep").forms.shown, /2:2/);
    assert.match(resultOf(strata.panel, "ls").error?.message ?? "", /is a file .*not a folder/);
  });

  it("is told where a file went that was renamed, and writes nothing where one was deleted while it was asked about", async () => {
    await writeHere("first.txt", "one\n");
    await writeHere("second.txt", "one\n");
    strata = await startStrata("ask");
    const edits = (file_path: string) => ({ file_path, old_string: "one", new_string: "two" });
    strata.play(
      { calls: [call("a", "Read", { file_path: "first.txt" }), call("b", "Read", { file_path: "second.txt" })] },
      async () => {
        const change = new vscode.WorkspaceEdit();
        const [from, to] = ["first.txt", "renamed.txt"].map(name => vscode.Uri.file(inWorkspace(name)));
        if (from && to) change.renameFile(from, to);
        await vscode.workspace.applyEdit(change);
        return { calls: [call("gone", "Edit", edits("first.txt"))] };
      },
      { calls: [call("asked", "Edit", edits("second.txt"))] },
      { text: "I see." },
    );
    const turn = strata.turn("edit them");
    const asked = await eventually("a question", () => strata.panel.records.find(record => record.kind === "approval"));
    await rm(inWorkspace("second.txt"));
    await strata.panel.request("answer", { approvalId: asked.approvalId, decision: "allow", scope: "once" });
    await turn;
    const gone = resultOf(strata.panel, "gone").error;
    assert.deepEqual(
      [gone?.code, gone?.message],
      ["NOT_FOUND", "first.txt does not exist: it was renamed to renamed.txt. Read it there."],
    );
    const deleted = resultOf(strata.panel, "asked").error;
    assert.equal(deleted?.code, "NOT_FOUND");
    assert.match(deleted?.message ?? "", /^second\.txt does not exist\./);
    await assert.rejects(onDisk("second.txt"));
  });
});
