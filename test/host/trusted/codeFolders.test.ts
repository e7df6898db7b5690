/** Code and Refactor over several folders, and in documents that were never saved. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { nodeClock } from "../../../src/node/system";
import type { Json } from "../../../src/shared/messages";
import { VSCodeCode } from "../../../src/vscode/code/codeIntelligence";
import { DrivenSession } from "../../fakes/drivenSession";
import { type EditorWorld, editorWorld, typeAtStart } from "../editorWorld";
import { registerWords } from "../wordLanguage";

const tree = {
  "app:load.word": "def zqLoad\n",
  "app:src/use.word": "say zqLoad\nsay zqSave\n",
  "lib:load.word": "def zqSave\nsay zqLoad\n",
};

describe("what the editor knows of several folders", () => {
  let world: EditorWorld;
  let driven: DrivenSession;
  let words: vscode.Disposable;
  let known: vscode.Uri[];
  beforeEach(async () => {
    world = await editorWorld(["app", "lib"]);
    for (const [path, text] of Object.entries(tree)) await world.put(path, text);
    known = Object.keys(tree).map(world.uri);
    words = registerWords(() => known);
    const { files, search } = world;
    const code = new VSCodeCode({
      documents: files.documents,
      refOf: uri => files.refIfAny(uri),
      coldMs: 100,
      clock: nodeClock,
    });
    const on = { files, search, code };
    driven = await DrivenSession.start({ mode: "auto", on });
  });
  afterEach(async () => {
    await driven.close();
    words.dispose();
    await world.dispose();
  });

  const answers = async (input: Json, expected: string | RegExp) => {
    const { status, text } = await driven.call("Code", input);
    assert.equal(status, "ok", text);
    if (typeof expected === "string") assert.equal(text, expected);
    else assert.match(text, expected);
  };
  const text = async (path: string) => String(Buffer.from((await world.bytes(path)) ?? []));

  it("finds a declaration in the other folder, and all places, each under its own", async () => {
    await answers(
      { action: "definition", symbol: "zqSave", file_path: "app:src/use.word" },
      "lib:load.word\n1:def zqSave\n(1 hit in 1 file)",
    );
    await answers(
      { action: "references", symbol: "zqLoad", file_path: "lib:load.word", line: 2 },
      "app:load.word\n1:def zqLoad\n\napp:src/use.word\n1:say zqLoad\n\nlib:load.word\n2:say zqLoad\n(3 hits in 3 files)",
    );
  });

  it("finds symbols of all folders by name, and tells files of the same name apart", async () => {
    await answers(
      { action: "symbols", symbol: "zq" },
      "app:load.word\n1:def zqLoad\n\nlib:load.word\n1:def zqSave\n(2 hits in 2 files)",
    );
    await world.put("lib:other.word", "def zqLoad\n");
    known.push(world.uri("lib:other.word"));
    const { status, text: told } = await driven.call("Code", { action: "hover", symbol: "zqLoad" });
    assert.equal(status, "AMBIGUOUS");
    assert.match(told, /declared in several places: app:load\.word:1, lib:other\.word:1\. Name one with file_path/);
  });

  it("knows unsaved text of a file in the other folder", async () => {
    await typeAtStart(await world.show("app:load.word"), "say zqSave\n");
    await answers(
      { action: "references", symbol: "zqSave", file_path: "lib:load.word" },
      "app:load.word\n1:say zqSave\n\napp:src/use.word\n2:say zqSave\n\nlib:load.word\n1:def zqSave\n(3 hits in 3 files)",
    );
  });

  it("knows documents that were never saved, and renames in them too", async () => {
    const document = await vscode.workspace.openTextDocument({ content: "say zqLoad\n" });
    const path = `untitled:${document.uri.path}`;
    await answers(
      { action: "references", symbol: "zqLoad", file_path: path },
      `app:load.word\n1:def zqLoad\n\napp:src/use.word\n1:say zqLoad\n\nlib:load.word\n2:say zqLoad\n\n${path}\n1:say zqLoad\n(4 hits in 4 files)`,
    );
    await answers({ action: "symbols", file_path: path }, /^No language extension /);
    await vscode.window.showTextDocument(document);
    const rename = { action: "rename", symbol: "zqLoad", file_path: path, new_name: "fetch" };
    const { status, text: told } = await driven.call("Refactor", rename);
    assert.equal(status, "ok", told);
    assert.equal(document.getText(), "say fetch\n");
    assert.equal(await text("app:load.word"), "def fetch\n");
  });

  it("renames over all folders, and says of each file what was done", async () => {
    const rename = { action: "rename", symbol: "zqLoad", file_path: "app:load.word", new_name: "fetch" };
    const { status, text: told } = await driven.call("Refactor", rename);
    assert.equal(status, "ok", told);
    assert.deepEqual(await Promise.all(Object.keys(tree).map(text)), [
      "def fetch\n",
      "say fetch\nsay zqSave\n",
      "def zqSave\nsay fetch\n",
    ]);
    for (const path of Object.keys(tree)) assert.ok(told.includes(path), told);
  });
});
