/** Files as the editor has them: unsaved text, one step of undo, typing that survives (ARCHITECTURE.md). */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { planLines } from "../../../src/core/changes/edits/planEdits";
import { editsBetween } from "../../../src/core/changes/timeline/putBack";
import type { ApplyOutcome, FileError, GrepLine, TextFile } from "../../../src/core/ground/ports";
import { eventually } from "../../fakes/eventually";
import { type EditorWorld, editorWorld, typeAtStart } from "../editorWorld";

describe("files in the editor", () => {
  let world: EditorWorld;
  beforeEach(async () => {
    world = await editorWorld();
  });
  afterEach(() => world.dispose());

  const read = async (path: string): Promise<TextFile> => {
    const file = await world.files.read(await world.files.resolve(path), 1_000_000);
    assert.ok(file.kind === "text");
    return file;
  };
  const edit = async (path: string, before: string, after: string, base?: TextFile): Promise<ApplyOutcome> => {
    const { text, stamp } = base ?? (await read(path));
    const start = text.indexOf(before);
    const edits = [{ start, end: start + before.length, text: after }];
    return world.files.apply({ ref: await world.files.resolve(path), base: stamp.sha256, edits });
  };
  const onDisk = async (path: string) => Buffer.from((await world.bytes(path)) ?? []).toString("utf8");

  it("unsaved text is what is read, with the document's version", async () => {
    await world.put("a.ts", "one\n");
    const editor = await world.show("a.ts");
    const clean = await read("a.ts");
    assert.deepEqual([clean.from, clean.stamp.dirty, clean.stamp.version], ["editor", false, editor.document.version]);
    await typeAtStart(editor, "typed ");
    const dirty = await read("a.ts");
    assert.deepEqual([dirty.text, dirty.from, dirty.stamp.dirty], ["typed one\n", "editor", true]);
    assert.equal(dirty.stamp.version, editor.document.version);
    assert.notEqual(dirty.stamp.sha256, clean.stamp.sha256);
  });

  it("opening and closing a file changes no stamp", async () => {
    await world.put("a.ts", "one\r\ntwo\r\n");
    const before = (await read("a.ts")).stamp.sha256;
    await world.show("a.ts");
    assert.equal((await read("a.ts")).stamp.sha256, before);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    assert.equal((await read("a.ts")).stamp.sha256, before);
  });

  it("an edit is saved and is one step of undo", async () => {
    await world.put("a.ts", "one two three\n");
    const editor = await world.show("a.ts");
    const { stamp } = await read("a.ts");
    const outcome = await world.files.apply({
      ref: await world.files.resolve("a.ts"),
      base: stamp.sha256,
      edits: [
        { start: 0, end: 3, text: "1" },
        { start: 8, end: 13, text: "3" },
      ],
    });
    assert.ok(outcome.kind === "applied");
    assert.deepEqual([outcome.text, outcome.saved, outcome.stamp.dirty], ["1 two 3\n", true, false]);
    assert.equal(await onDisk("a.ts"), "1 two 3\n");
    assert.equal(editor.document.getText(), "1 two 3\n");
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), "one two three\n");
  });

  for (const [name, width, beside] of [
    ["a small file", 5, false],
    ["a large file", 100, false],
    ["a file beside the active one", 5, true],
  ] as const)
    it(`a change of the first and the last line leaves the cursor between them where it is: ${name}`, async () => {
      const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line} ${"x".repeat(width)}\n`).join("");
      await world.put("a.ts", lines);
      await world.put("b.ts", "other\n");
      const editor = await world.show("a.ts");
      editor.selection = new vscode.Selection(1_000, 4, 1_000, 4);
      const uri = vscode.Uri.file(world.at("b.ts"));
      if (beside) await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Two });
      const { text, stamp } = await read("a.ts");
      const { edits } = planLines(text, lines.replace("line 0 ", "LINE 0 ").replace("line 1999 ", "LINE 1999 "));
      const outcome = await world.files.apply({ ref: await world.files.resolve("a.ts"), base: stamp.sha256, edits });
      assert.equal(outcome.kind, "applied");
      // What the edit did to the cursor is told before what a key does to it from there.
      const { document, viewColumn = vscode.ViewColumn.One } = editor;
      const shown = await vscode.window.showTextDocument(document, viewColumn);
      await vscode.commands.executeCommand("cursorRight");
      const cursor = () => `${shown.selection.active.line}:${shown.selection.active.character}`;
      await eventually("the cursor is one place further", () => cursor() === "1000:5", { saw: cursor });
    });

  it("an edit of a file that is not open can be undone once it is", async () => {
    await world.put("a.ts", "one\n");
    await edit("a.ts", "one", "two");
    const editor = await world.show("a.ts");
    await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), "one\n");
  });

  it("line ends of unsaved text change as a whole, and with lines; several kinds the editor does not hold there", async () => {
    await world.put("a.ts", "one\r\ntwo\r\n");
    const editor = await world.show("a.ts");
    await typeAtStart(editor, "typed ");
    const apply = async (target: string) => {
      const { text, stamp } = await read("a.ts");
      const ref = await world.files.resolve("a.ts");
      const outcome = await world.files.apply({ ref, base: stamp.sha256, edits: editsBetween(text, target) });
      assert.ok(outcome.kind === "applied");
      assert.deepEqual([outcome.text, outcome.saved], [editor.document.getText(), false]);
      assert.equal((await read("a.ts")).stamp.sha256, outcome.stamp.sha256);
      return outcome.text;
    };
    assert.equal(await apply("typed one\ntwo\n"), "typed one\ntwo\n");
    assert.equal(await apply("typed one\r\n2\r\nmore\r\n"), "typed one\r\n2\r\nmore\r\n");
    await vscode.window.showTextDocument(editor.document);
    for (const stands of ["typed one\n2\nmore\n", "typed one\ntwo\n", "typed one\r\ntwo\r\n"]) {
      await vscode.commands.executeCommand("undo");
      assert.equal(editor.document.getText(), stands);
    }
    assert.equal(await apply("typed one\n2\r\nmore\r\n"), "typed one\r\n2\r\nmore\r\n");
    assert.equal(await onDisk("a.ts"), "one\r\ntwo\r\n");
  });

  it("without saving, an edit stays in the editor", async () => {
    world.save.after = false;
    await world.put("a.ts", "one\n");
    const outcome = await edit("a.ts", "one", "two");
    assert.ok(outcome.kind === "applied");
    assert.deepEqual([outcome.saved, outcome.stamp.dirty, await onDisk("a.ts")], [false, true, "one\n"]);
    assert.equal((await read("a.ts")).text, "two\n");
  });

  it("typing since the read makes an edit stale, and stays", async () => {
    await world.put("a.ts", "one\n");
    const editor = await world.show("a.ts");
    const base = await read("a.ts");
    await typeAtStart(editor, "typed ");
    assert.deepEqual(await edit("a.ts", "one", "two", base), { kind: "stale" });
    assert.equal(editor.document.getText(), "typed one\n");
    assert.equal(await onDisk("a.ts"), "one\n");
  });

  it("typing while an edit is under way is never lost", async () => {
    await world.put("a.ts", "one\n");
    const editor = await world.show("a.ts");
    const base = await read("a.ts");
    const [outcome] = await Promise.all([edit("a.ts", "one", "two", base), typeAtStart(editor, "typed ")]);
    const text = editor.document.getText();
    assert.match(text, /^typed /);
    assert.equal(text, outcome.kind === "applied" ? "typed two\n" : "typed one\n");
  });

  it("a command that changed an open file is seen at once, and edits go on from there", async () => {
    await world.put("a.ts", "one\n");
    const editor = await world.show("a.ts");
    await world.put("a.ts", "one, changed on disk\n");
    const file = await read("a.ts");
    assert.equal(file.text, "one, changed on disk\n");
    const outcome = await edit("a.ts", "one", "two", file);
    assert.ok(outcome.kind === "applied");
    assert.equal(outcome.text, "two, changed on disk\n");
    // VS Code may have looked at the file's time before it was written, and at its text after: then it refuses to save.
    if (outcome.saved) assert.equal(await onDisk("a.ts"), "two, changed on disk\n");
    else assert.match(outcome.unsaved ?? "", /could not save|changed on disk/);
    await eventually("the editor shows what is on disk", () => editor.document.getText() === "two, changed on disk\n");
  });

  it("a file that is opened through a link is the same file", async () => {
    await world.put("real.ts", "one\n");
    await world.link("real.ts", "alias.ts");
    const editor = await world.show("alias.ts");
    await typeAtStart(editor, "typed ");
    assert.equal((await read("real.ts")).text, "typed one\n");
    const outcome = await edit("real.ts", "one", "two");
    assert.equal(outcome.kind === "applied" && outcome.text, "typed two\n");
    assert.equal(editor.document.getText(), "typed two\n");
  });

  it("unsaved text of a file that was deleted is the user's", async () => {
    await world.put("a.ts", "one\n");
    await typeAtStart(await world.show("a.ts"), "typed ");
    const ref = await world.files.resolve("a.ts");
    await world.remove("a.ts");
    assert.equal((await read("a.ts")).text, "typed one\n");
    const edits = [{ start: 0, end: 0, text: "new" }];
    assert.deepEqual(await world.files.apply({ ref, base: null, edits }), { kind: "stale" });
  });

  it("a large unsaved text is refused before it is read", async () => {
    await world.put("a.ts", "x\n");
    await typeAtStart(await world.show("a.ts"), "0123456789");
    const ref = await world.files.resolve("a.ts");
    await assert.rejects(world.files.read(ref, 10), (error: FileError) => error.code === "TOO_LARGE");
  });

  describe("search", () => {
    const grep = async (pattern: string, path = ".", rest: object = {}) => {
      const lines: GrepLine[] = [];
      const query = {
        ...{ pattern, ref: await world.files.resolve(path), mode: "content" as const, before: 0, after: 0 },
        ...{ ignoreCase: false, multiline: false, ...rest },
      };
      await world.search.grep(query, line => lines.push(line) > 0, new AbortController().signal);
      return lines.map(line => `${line.path}:${line.line}:${line.text}`).sort();
    };

    beforeEach(async () => {
      await world.put(".gitignore", "out\n");
      await world.put("src/a.ts", "needle on disk\n");
      await world.put("src/b.ts", "needle in b\n");
      await world.put("out/c.ts", "nothing\n");
      const editor = await world.show("src/a.ts");
      await editor.edit(change => change.replace(new vscode.Range(0, 0, 0, 100), "unsaved needle"));
      await typeAtStart(await world.show("out/c.ts"), "needle, ignored ");
    });

    it("sees unsaved text instead of what is on disk, and ignores what is ignored", async () => {
      assert.deepEqual(await grep("needle"), ["src/a.ts:1:unsaved needle", "src/b.ts:1:needle in b"]);
      assert.deepEqual(await grep("needle", "src"), ["src/a.ts:1:unsaved needle", "src/b.ts:1:needle in b"]);
      assert.deepEqual(await grep("on disk"), []);
    });

    it("does not write out a protected file's unsaved text, unless that file itself is searched", async () => {
      await world.put(".env", "KEY=saved\n");
      await typeAtStart(await world.show(".env"), "typed-needle ");
      assert.deepEqual(await grep("typed-needle"), []);
      assert.deepEqual(await grep("typed-needle", ".env"), [".env:1:typed-needle KEY=saved"]);
    });
  });
});
