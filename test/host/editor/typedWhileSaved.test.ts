/**
 * Text that changes while VS Code writes a save: `isDirty` of the document is false then until the next key. What a person
 * typed at such a moment counts all the same, and the agent's edit is neither refused nor taken for theirs.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { planReplacements } from "../../../src/core/changes/edits/notebookEdit";
import { readSelection } from "../../../src/vscode/attachments/editorAttachments";
import { isUnsaved } from "../../../src/vscode/editor/documents";
import { LastActiveEditor } from "../../../src/vscode/editor/lastActiveEditor";
import { edit, readTextFile } from "../../contract/filesApply";
import { eventually } from "../../fakes/eventually";
import { isSoak } from "../../fakes/soak";
import { type EditorWorld, editorWorld, typeAtStart } from "../editorWorld";
import { text as notebookText } from "../notebookBench";
import { SlowDisk } from "../slowDisk";
import { typeKeys } from "../typist";

describe("text that changes while it is saved", () => {
  let world: EditorWorld;
  let slow: SlowDisk;
  beforeEach(async () => {
    slow = new SlowDisk();
    world = await editorWorld(["app"], { slow });
  });
  afterEach(async () => {
    slow.slowWrite = undefined;
    await world.dispose();
  });

  const onDisk = async (path: string) => Buffer.from((await world.bytes(path)) ?? []).toString();

  /** The next write does `what` before it is made. */
  const whileWritten = (what: () => Promise<unknown>) => {
    slow.slowWrite = async () => {
      slow.slowWrite = undefined;
      await what();
    };
  };

  /** A document of which a person typed `saved` before a save, and `more` while it was written. */
  async function typedWhileSaved(path: string): Promise<vscode.TextDocument> {
    await world.put(path, "one old\n");
    const editor = await world.show(path);
    await typeAtStart(editor, "saved ");
    whileWritten(() => typeAtStart(editor, "more "));
    await editor.document.save();
    assert.equal(editor.document.getText(), "more saved one old\n");
    assert.equal(await onDisk(path), "saved one old\n");
    return editor.document;
  }

  it("is unsaved, whatever the document says: it is what is read", async () => {
    const document = await typedWhileSaved("a.ts");
    assert.equal(isUnsaved(document), true);
    const { text, stamp, from } = await readTextFile(world, "a.ts");
    assert.deepEqual([text, stamp.dirty, from], ["more saved one old\n", true, "editor"]);
    await document.save();
    assert.equal(isUnsaved(document), false);
    assert.equal((await readTextFile(world, "a.ts")).stamp.dirty, false);
  });

  it("is unsaved where it is selected and attached", async () => {
    const document = await typedWhileSaved("a.ts");
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, 4);
    const inUse = new LastActiveEditor();
    try {
      await eventually("the editor knows the selection", () => !editor.selection.isEmpty);
      const read = await readSelection(world.files, inUse);
      assert.ok("ranges" in read);
      assert.deepEqual([read.ranges[0]?.text, read.unsaved], ["more", true]);
    } finally {
      inUse.dispose();
    }
  });

  it("takes an edit, which stays unsaved with it, and nothing is written under it", async () => {
    const document = await typedWhileSaved("a.ts");
    const outcome = await edit(world, "a.ts", "old", "new");
    assert.ok(outcome.kind === "applied");
    assert.deepEqual([outcome.text, outcome.saved, outcome.stamp.dirty], ["more saved one new\n", false, true]);
    assert.equal(document.getText(), "more saved one new\n");
    assert.equal(await onDisk("a.ts"), "saved one old\n");
  });

  it("makes an edit of what was read before stale, on disk as well", async () => {
    await world.put("a.ts", "one old\n");
    const editor = await world.show("a.ts");
    await typeAtStart(editor, "saved ");
    await editor.document.save();
    const ref = await world.files.resolve("a.ts");
    const { stamp } = await readTextFile(world, "a.ts");
    // The same bytes are written again, so that what is on disk is what was read.
    whileWritten(() => typeAtStart(editor, "more "));
    await vscode.commands.executeCommand("workbench.action.files.saveWithoutFormatting");
    await eventually("what was typed stands in the editor", () => editor.document.getText() === "more saved one old\n");
    await eventually("what was typed counts as unsaved", () => isUnsaved(editor.document));
    const edits = [{ start: 0, end: 5, text: "agent" }];
    assert.deepEqual(await world.files.apply({ ref, base: stamp.sha256, edits }), { kind: "stale" });
    assert.equal(await onDisk("a.ts"), "saved one old\n");
    assert.equal(editor.document.getText(), "more saved one old\n");
  });

  it("was typed into an edit that is saved: the edit is saved, the typing is not, and is not the edit's", async () => {
    await world.put("a.ts", "one old\n");
    const { document } = await world.show("a.ts");
    whileWritten(() => typeKeys("typed "));
    const outcome = await edit(world, "a.ts", "old", "new");
    assert.ok(outcome.kind === "applied");
    assert.deepEqual([outcome.saved, outcome.unsaved, outcome.text], [true, undefined, "one new\n"]);
    assert.equal(await onDisk("a.ts"), "one new\n");
    assert.equal(document.getText(), "typed one new\n");
    const { text, stamp } = await readTextFile(world, "a.ts");
    assert.deepEqual([text, stamp.dirty], ["typed one new\n", true]);
  });

  it("also by something that is no key", async () => {
    await world.put("a.ts", "one old\n");
    const editor = await world.show("a.ts");
    whileWritten(() => typeAtStart(editor, "typed "));
    const outcome = await edit(world, "a.ts", "old", "new");
    assert.ok(outcome.kind === "applied");
    assert.deepEqual([outcome.saved, outcome.text, outcome.stamp.dirty], [true, "one new\n", true]);
    assert.equal(await onDisk("a.ts"), "one new\n");
  });

  it("into a cell of a notebook, the edit is saved, and the typing is not the edit's", async () => {
    const path = "n.ipynb";
    await world.put(path, notebookText);
    const notebook = await vscode.workspace.openNotebookDocument(world.uri(path));
    await vscode.window.showNotebookDocument(notebook);
    whileWritten(async () => {
      const change = new vscode.WorkspaceEdit();
      change.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), "typed ");
      await vscode.workspace.applyEdit(change);
    });
    const { text, stamp } = await readTextFile(world, path);
    const { edits } = planReplacements({ path }, text, [{ oldText: "x = 1", newText: "x = 22" }]);
    const outcome = await world.files.apply({ ref: await world.files.resolve(path), base: stamp.sha256, edits });
    assert.ok(outcome.kind === "applied");
    const made = notebookText.replace("x = 1", "x = 22");
    assert.deepEqual([outcome.saved, outcome.unsaved, outcome.text], [true, undefined, made]);
    assert.equal(await onDisk(path), made);
    const now = await readTextFile(world, path);
    assert.deepEqual(
      [now.text, now.stamp.dirty, outcome.stamp.dirty],
      [made.replace("# Title", "typed # Title"), true, true],
    );
  });

  describe("by a formatter", () => {
    /** Saving `a.ts` does `what`, then sets `two` for `one`. */
    const formats = (what: () => Promise<unknown>) =>
      vscode.workspace.onWillSaveTextDocument(({ document, waitUntil }) => {
        const { uri } = world;
        if (document.uri.toString() !== uri("a.ts").toString()) return;
        waitUntil(what().then(() => [vscode.TextEdit.replace(new vscode.Range(0, 0, 0, 3), "two")]));
      });

    async function editFormatted(what: () => Promise<unknown>) {
      await world.put("a.ts", "one old\n");
      const editor = await world.show("a.ts");
      const end = editor.document.lineAt(0).range.end;
      editor.selection = new vscode.Selection(end, end);
      const formatter = formats(what);
      try {
        const outcome = await edit(world, "a.ts", "old", "new");
        assert.ok(outcome.kind === "applied");
        return { outcome, document: editor.document };
      } finally {
        formatter.dispose();
      }
    }

    it("is the edit's, also where the person moves the cursor meanwhile", async () => {
      const { outcome } = await editFormatted(async () => vscode.commands.executeCommand("cursorLeft"));
      assert.deepEqual([outcome.saved, outcome.text, outcome.stamp.dirty], [true, "two new\n", false]);
      assert.equal(await onDisk("a.ts"), "two new\n");
    });

    for (const [by, what] of [
      ["types", () => typeKeys(" typed")],
      ["undoes something", async () => vscode.commands.executeCommand("undo")],
      ["deletes to the left", async () => vscode.commands.executeCommand("deleteLeft")],
      ["deletes to the right", async () => vscode.commands.executeCommand("deleteRight")],
      ["presses Tab", async () => vscode.commands.executeCommand("tab")],
      // What accepting a completion does with its text.
      [
        "inserts a snippet",
        async () => vscode.commands.executeCommand("editor.action.insertSnippet", { snippet: "snip" }),
      ],
    ] as const) {
      it(`is not where the person ${by} meanwhile`, async () => {
        const { outcome, document } = await editFormatted(what);
        assert.equal(outcome.text, "one new\n");
        assert.notEqual(document.getText(), outcome.text);
        assert.equal((await readTextFile(world, "a.ts")).text, document.getText());
      });
    }
  });
});

describe("at the same moment as a save", function () {
  // Many saves of a long file.
  this.timeout(240_000);
  const ROUNDS = isSoak("interleavings") ? 40 : 6;
  const long = "start\n".repeat(20_000);
  let world: EditorWorld;
  let editor: vscode.TextEditor;
  beforeEach(async () => {
    world = await editorWorld();
    await world.put("a.ts", long);
    editor = await world.show("a.ts");
  });
  afterEach(() => world.dispose());

  /** All of it is on disk once it is saved. */
  async function savedWhole(lines: readonly string[]): Promise<void> {
    assert.equal(editor.document.getText(), lines.toReversed().join("") + long);
    await eventually("the file is saved", async () => editor.document.save());
    assert.equal(await readFile(world.at("a.ts"), "utf8"), editor.document.getText());
  }

  it("edits are lost and refused as little as ever", async () => {
    const made: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await typeAtStart(editor, `typed ${round}\n`);
      const saving = editor.document.save();
      made.push(`made ${round}\n`);
      assert.equal((await edit(world, "a.ts", `typed ${round}\n`, `made ${round}\n`)).kind, "applied");
      await saving;
    }
    await savedWhole(made);
  });

  it("typing does not make a save before a command fail", async () => {
    const typed = ["first\n"];
    await typeAtStart(editor, "first\n");
    for (let round = 0; round < ROUNDS; round += 1) {
      const [ref] = await world.unsaved.unsaved();
      assert.ok(ref, `round ${round}`);
      const saving = world.unsaved.save([ref]);
      typed.push(`typed ${round}\n`);
      await typeAtStart(editor, `typed ${round}\n`);
      const { saved, failed } = await saving;
      assert.deepEqual([saved.length, failed], [1, []], `round ${round}`);
      typed.push("more\n");
      await typeAtStart(editor, "more\n");
    }
    await savedWhole(typed);
  });
});
