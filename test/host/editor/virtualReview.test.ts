/** A review of files in folders that are on no disk, beside folders that are: each change kept, undone, or said why not. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { DrivenSession } from "../../fakes/drivenSession";
import { typeAtStart } from "../editorWorld";
import { virtualWorld } from "../virtualWorld";

const LINES = "one\ntwo\nthree\nfour\nfive\nsix\n";

describe("a review over several roots, one on no disk", () => {
  let world: Awaited<ReturnType<typeof virtualWorld>>;
  let driven: DrivenSession;
  beforeEach(async () => {
    world = await virtualWorld(["app", "lib"], ["lib"]);
    driven = await DrivenSession.start({ mode: "auto", on: world });
  });
  afterEach(async () => {
    await driven.close();
    await world.dispose();
  });

  const text = async (path: string) => {
    const bytes = await world.bytes(path);
    return bytes && Buffer.from(bytes).toString();
  };
  const call = async (name: string, input: Record<string, string>) => {
    const { status, text: told } = await driven.call(name, input);
    assert.equal(status, "ok", told);
  };
  const edit = (file_path: string, old_string: string, new_string: string) =>
    call("Edit", { file_path, old_string, new_string });
  const review = () => driven.session.review;
  const file = async (path: string) => {
    const found = (await review().list()).find(each => each.path === path);
    assert.ok(found, `something of ${path} waits`);
    return found;
  };

  /** The same file of both roots, with two changes. */
  async function bothEdited() {
    for (const file_path of ["app:a.txt", "lib:a.txt"]) {
      await world.put(file_path, LINES);
      await call("Read", { file_path });
      await edit(file_path, "two", "TWO");
      await edit(file_path, "five", "FIVE");
    }
  }

  it("files of the same name are told apart; a change is kept in one and undone in the other", async () => {
    await bothEdited();
    assert.deepEqual(
      (await review().list()).map(({ path, changes }) => [path, changes]),
      [
        ["app:a.txt", 2],
        ["lib:a.txt", 2],
      ],
    );
    const both = LINES.replace("two", "TWO").replace("five", "FIVE");
    const [app, lib] = [await file("app:a.txt"), await file("lib:a.txt")];
    const [kept] = await review().changesIn(app.uri, both);
    const [undone] = await review().changesIn(lib.uri, both);
    await review().keep(app, kept?.id);
    await review().undo(lib.uri, undone?.id);
    assert.deepEqual([await text("app:a.txt"), await text("lib:a.txt")], [both, LINES.replace("five", "FIVE")]);
    await review().undo(app.uri);
    await review().keep(await file("lib:a.txt"));
    assert.deepEqual(await review().list(), []);
    assert.deepEqual(
      [await text("app:a.txt"), await text("lib:a.txt")],
      [LINES.replace("two", "TWO"), LINES.replace("five", "FIVE")],
    );
  });

  it("what is typed and not saved stays, and is not saved by an undo", async () => {
    await bothEdited();
    const editor = await world.show("app:a.txt");
    await typeAtStart(editor, "typed\n");
    const { uri } = await file("app:a.txt");
    await review().undo(uri);
    assert.equal(editor.document.getText(), `typed\n${LINES}`);
    assert.equal(editor.document.isDirty, true);
    assert.equal(await text("app:a.txt"), LINES.replace("two", "TWO").replace("five", "FIVE"));
  });

  it("what is read-only says so, and waits on", async () => {
    await bothEdited();
    const { uri } = await file("app:a.txt");
    const files = vscode.workspace.getConfiguration("files");
    await files.update("readonlyInclude", { "**/a.txt": true }, vscode.ConfigurationTarget.Global);
    try {
      await assert.rejects(review().undo(uri), /the setting files\.readonlyInclude makes it read-only/);
      assert.equal((await file("app:a.txt")).changes, 2);
    } finally {
      await files.update("readonlyInclude", undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
