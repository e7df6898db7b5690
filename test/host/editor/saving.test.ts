/** What becomes of an edit when it is saved: encodings, formatters, settings of saving, a save that fails, a file that is read-only. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { setImmediate as laterTurn } from "node:timers/promises";
import * as vscode from "vscode";
import type { ApplyOutcome } from "../../../src/core/ground/ports";
import { edit, readTextFile } from "../../contract/filesApply";
import { eventually } from "../../fakes/eventually";
import { type EditorWorld, editorWorld } from "../editorWorld";
import { withSettings } from "../settings";
import { SlowDisk } from "../slowDisk";

describe("an edit that is saved", () => {
  let world: EditorWorld;
  beforeEach(async () => {
    world = await editorWorld();
  });
  afterEach(() => world.dispose());

  const bytes = async (path: string) => Buffer.from((await world.bytes(path)) ?? []);
  const onDisk = async (path: string) => (await bytes(path)).toString("utf8");
  const applied = async (path: string, before: string, after: string) => {
    const outcome = await edit(world, path, before, after);
    assert.ok(outcome.kind === "applied");
    return outcome;
  };
  const document = (path: string) => vscode.workspace.openTextDocument(vscode.Uri.file(world.at(path)));

  describe("in the user's encoding", () => {
    const japanese = Buffer.from("93fa967b", "hex"); // 日本
    const line = (words: string) => Buffer.concat([japanese, Buffer.from(` ${words}\n`)]);

    it("is written back in it, byte for byte", () =>
      withSettings({ "files.encoding": "shiftjis" }, async () => {
        await world.put("a.txt", line("old"));
        assert.equal((await readTextFile(world, "a.txt")).text, "日本 old\n");
        const outcome = await applied("a.txt", "old", "日");
        assert.deepEqual(
          await bytes("a.txt"),
          Buffer.concat([japanese, Buffer.from(" "), japanese.subarray(0, 2), Buffer.from("\n")]),
        );
        assert.equal((await readTextFile(world, "a.txt")).stamp.sha256, outcome.stamp.sha256);
      }));

    it("also where the editor cannot keep the line ends as they are", () =>
      withSettings({ "files.encoding": "shiftjis" }, async () => {
        const mixed = Buffer.concat([line("one"), Buffer.from("two\r\nold\n")]);
        await world.put("a.txt", mixed);
        await applied("a.txt", "old", "日");
        const expected = Buffer.concat([
          line("one"),
          Buffer.from("two\r\n"),
          japanese.subarray(0, 2),
          Buffer.from("\n"),
        ]);
        assert.deepEqual(await bytes("a.txt"), expected);
      }));

    it("is refused where the encoding has no such character, and changes nothing", () =>
      withSettings({ "files.encoding": "windows1252" }, async () => {
        await world.put("a.txt", Buffer.from("caf\xe9 old\n", "latin1"));
        await world.put("ascii.txt", "plain old\n");
        for (const path of ["a.txt", "ascii.txt"]) {
          const before = await bytes(path);
          await assert.rejects(edit(world, path, "old", "日本"), /its encoding is windows1252, which has no "日"/);
          assert.deepEqual(await bytes(path), before);
          assert.equal((await document(path)).isDirty, false);
        }
        await applied("a.txt", "old", "€");
        assert.deepEqual(await bytes("a.txt"), Buffer.from("caf\xe9 \x80\n", "latin1"));
      }));

    it("of a file that is UTF-8 by chance is the editor's", () =>
      withSettings({ "files.encoding": "shiftjis" }, async () => {
        await world.put("a.txt", Buffer.from("c3a9206f6c640a", "hex")); // half-width katakana, or é
        assert.equal((await readTextFile(world, "a.txt")).text, "ﾃｩ old\n");
        await applied("a.txt", "old", "new");
        assert.deepEqual(await bytes("a.txt"), Buffer.from("c3a9206e65770a", "hex"));
      }));

    it("of a new file is the one that the settings name", () =>
      withSettings({ "files.encoding": "shiftjis" }, async () => {
        const create = async (path: string, text: string) =>
          world.files.apply({ ref: await world.files.resolve(path), base: null, edits: [{ start: 0, end: 0, text }] });
        const outcome = await create("new/a.txt", "日本 new\n");
        assert.ok(outcome.kind === "applied");
        assert.deepEqual(await bytes("new/a.txt"), line("new"));
        const file = await readTextFile(world, "new/a.txt");
        assert.deepEqual([file.text, file.stamp.sha256], ["日本 new\n", outcome.stamp.sha256]);
        assert.deepEqual(await create("new/a.txt", "other"), { kind: "stale" });
        await assert.rejects(create("b.txt", "😀"), /its encoding is shiftjis, which has no "😀"/);
        assert.equal(await world.bytes("b.txt"), undefined);
      }));

    it("that it was opened with, by hand", async () => {
      await world.put("a.txt", line("old"));
      const editor = await world.show("a.txt");
      await vscode.workspace.openTextDocument(editor.document.uri, { encoding: "shiftjis" });
      assert.equal((await readTextFile(world, "a.txt")).text, "日本 old\n");
      await applied("a.txt", "old", "new");
      assert.deepEqual(await bytes("a.txt"), line("new"));
    });
  });

  it("is changed by the settings of saving, and the outcome has it", () =>
    withSettings({ "files.insertFinalNewline": true, "files.trimTrailingWhitespace": true }, async () => {
      await world.put("a.txt", "one  \nold");
      const outcome = await applied("a.txt", "old", "new  ");
      assert.deepEqual([outcome.text, outcome.saved], ["one\nnew\n", true]);
      assert.equal(await onDisk("a.txt"), "one\nnew\n");
      assert.equal((await readTextFile(world, "a.txt")).stamp.sha256, outcome.stamp.sha256);
    }));

  it("stays in the editor where it should not be saved, until the editor saves by itself", () =>
    withSettings({ "files.autoSave": "afterDelay", "files.autoSaveDelay": 200 }, async () => {
      world.save.after = false;
      await world.put("a.txt", "old\n");
      const outcome = await applied("a.txt", "old", "new");
      assert.deepEqual([outcome.saved, outcome.text], [false, "new\n"]);
      await eventually("the editor saved by itself", async () => (await onDisk("a.txt")) === "new\n");
      assert.equal((await readTextFile(world, "a.txt")).stamp.sha256, outcome.stamp.sha256, "no false alarm");
      assert.equal((await applied("a.txt", "new", "newer")).text, "newer\n");
    }));

  it("is not saved over what another program wrote at the same moment", async () => {
    await world.put("a.txt", "one old\n");
    const { document } = await world.show("a.txt");
    // of the same size, which VS Code itself would take for the same file
    const subscription = vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
      if (changed === document && changed.isDirty) writeFileSync(world.at("a.txt"), "two old\n");
    });
    try {
      const outcome = await applied("a.txt", "old", "new");
      assert.deepEqual([outcome.saved, outcome.text], [false, "one new\n"]);
      assert.match(outcome.unsaved ?? "", /changed on disk at the same moment/);
      assert.deepEqual([document.getText(), document.isDirty], ["one new\n", true]);
      assert.equal(await onDisk("a.txt"), "two old\n");
    } finally {
      subscription.dispose();
    }
  });

  describe("is not written over what another program wrote while participants of the save were at work,", () => {
    const late = async (theirs: string, check: (outcome: ApplyOutcome) => void) => {
      await world.put("a.txt", "one old\n");
      const { document } = await world.show("a.txt");
      let writes = 0;
      const formatter = vscode.workspace.onWillSaveTextDocument(({ document: saved, waitUntil }) => {
        if (saved === document && writes++ === 0)
          waitUntil(laterTurn().then(() => writeFileSync(world.at("a.txt"), theirs)));
      });
      try {
        check(await edit(world, "a.txt", "old", "new"));
        assert.equal(await onDisk("a.txt"), theirs);
        return document;
      } finally {
        formatter.dispose();
      }
    };

    it("of the same size: it is made anew on that", async () => {
      const document = await late("two old\n", outcome => assert.deepEqual(outcome, { kind: "stale" }));
      assert.deepEqual([document.getText(), document.isDirty], ["two old\n", false]);
      assert.deepEqual((await applied("a.txt", "old", "new")).text, "two new\n");
      assert.equal(await onDisk("a.txt"), "two new\n");
    });

    it("of another size: it stays in the editor", () =>
      late("twenty old\n", outcome => {
        assert.ok(outcome.kind === "applied");
        assert.match(outcome.unsaved ?? "", /changed on disk at the same moment/);
      }));
  });

  it("says why it was not saved where saving fails, and stays in the editor", async () => {
    await world.put("a.txt", "old\n");
    await world.show("a.txt");
    const broken = vscode.workspace.onWillSaveTextDocument(({ document, waitUntil }) => {
      if (!document.fileName.endsWith("a.txt")) return;
      // The folder goes away under the save.
      waitUntil(world.remove(".").then(() => writeFile(world.at("."), "in the way")));
    });
    try {
      const outcome = await applied("a.txt", "old", "new");
      assert.deepEqual([outcome.saved, outcome.stamp.dirty, outcome.text], [false, true, "new\n"]);
      assert.match(outcome.unsaved ?? "", /could not save it|changed on disk/);
      assert.equal((await document("a.txt")).getText(), "new\n");
    } finally {
      broken.dispose();
    }
  });

  it("takes nothing that was typed since: that stays unsaved, and is not the edit's", async () => {
    await world.put("a.txt", "one old\n");
    const editor = await world.show("a.txt");
    let typed = false;
    const subscription = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document !== editor.document || contentChanges.length === 0 || typed) return;
      typed = true;
      void vscode.commands.executeCommand("type", { text: "typed " });
    });
    try {
      const outcome = await applied("a.txt", "old", "new");
      await eventually("what was typed stands in the editor", () => editor.document.getText() === "typed one new\n");
      assert.equal(outcome.text, "one new\n", "the typing is not in it");
      assert.ok(["one new\n", "one old\n", "typed one new\n"].includes(await onDisk("a.txt")));
      if (!outcome.saved) assert.match(outcome.unsaved ?? "", /the user typed into it/);
    } finally {
      subscription.dispose();
    }
  });

  describe("of a read-only file is refused, on disk and in the editor:", () => {
    const refused = async (path: string, words: RegExp) => {
      await assert.rejects(edit(world, path, "old", "new"), { name: "FileError", code: "READ_ONLY", message: words });
      assert.equal(await onDisk(path), "old\n");
      const shown = await document(path);
      assert.deepEqual([shown.getText(), shown.isDirty], ["old\n", false]);
    };

    for (const open of [true, false]) {
      it(`by setting (${open ? "open" : "not open"})`, () =>
        withSettings({ "files.readonlyInclude": { "**/locked/**": true } }, async () => {
          await world.put("locked/a.txt", "old\n");
          if (open) await world.show("locked/a.txt");
          await refused("locked/a.txt", /the setting files\.readonlyInclude makes it read-only/);
        }));
    }

    it("unless the setting leaves it out", () =>
      withSettings(
        { "files.readonlyInclude": { "**/locked/**": true }, "files.readonlyExclude": { "**/*.md": true } },
        async () => {
          await world.put("locked/a.md", "old\n");
          assert.equal((await applied("locked/a.md", "old", "new")).saved, true);
        },
      ));

    it("a new one too", () =>
      withSettings({ "files.readonlyInclude": { "**/locked/**": true } }, async () => {
        const ref = await world.files.resolve("locked/new.txt");
        await assert.rejects(world.files.apply({ ref, base: null, edits: [] }), { code: "READ_ONLY" });
        assert.equal(await world.bytes("locked/new.txt"), undefined);
      }));

    for (const save of [true, false]) {
      it(`by the session (${save ? "saved" : "not saved"} afterwards)`, async () => {
        world.save.after = save;
        await world.put("a.txt", "old\n");
        await world.show("a.txt");
        await vscode.commands.executeCommand("workbench.action.files.setActiveEditorReadonlyInSession");
        try {
          await refused("a.txt", /it is read-only in the editor/);
        } finally {
          await vscode.commands.executeCommand("workbench.action.files.resetActiveEditorReadonlyInSession");
        }
      });
    }

    it("by its permissions", async () => {
      await world.put("a.txt", "old\n");
      await world.makeReadOnly("a.txt");
      await world.show("a.txt");
      await refused("a.txt", /no permission to write it/);
    });
  });
});

describe("an edit of a file that the editor does not finish opening", () => {
  it("is made where the file is stored, and later ones as well", async () => {
    const slow = new SlowDisk();
    const world = await editorWorld(["app"], { slow, openMs: 200 });
    const { promise: hangs, resolve: goOn } = Promise.withResolvers<void>();
    try {
      await world.put("a.ts", "one old\n");
      const ref = await world.files.resolve("a.ts");
      const { stamp } = await readTextFile(world, "a.ts");
      slow.slowRead = () => hangs;
      const edits = [{ start: 4, end: 7, text: "new" }];
      const outcome = await world.files.apply({ ref, base: stamp.sha256, edits });
      assert.ok(outcome.kind === "applied");
      assert.deepEqual([outcome.text, outcome.saved], ["one new\n", true]);
      assert.equal(Buffer.from((await world.bytes("a.ts")) ?? []).toString(), "one new\n");
      const later = { ref, base: outcome.stamp.sha256, edits: [{ start: 0, end: 3, text: "two" }] };
      assert.equal((await world.files.apply(later)).kind, "applied");
      assert.equal(Buffer.from((await world.bytes("a.ts")) ?? []).toString(), "two new\n");
    } finally {
      goOn();
      await world.dispose();
    }
  });
});
