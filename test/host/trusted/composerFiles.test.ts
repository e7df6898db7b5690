/** "Add File to Strata", and what the panel asks about mentions, in a real VS Code. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { inWorkspace, type Strata, startStrata, writeHere } from "../strata";

const uri = (path: string) => vscode.Uri.file(inWorkspace(path));

describe("adding files to the message", () => {
  let strata: Strata;
  before(async () => {
    await writeHere("mentioned/my notes.md", "one\n");
    await writeHere("mentioned/说明.md", "two\n");
  });
  beforeEach(async () => {
    strata = await startStrata("auto");
  });
  afterEach(async () => {
    await strata.dispose();
    await discardEditors();
  });

  const added = async (...args: unknown[]) => {
    const seen = strata.panel.composed.length;
    await vscode.commands.executeCommand("strata.addFile", ...args);
    await eventually("words in the composer", () => strata.panel.composed[seen]);
    return strata.panel.composed.slice(seen).reduce((all, { text }) => all + text, "");
  };

  it("mentions all that is selected in the explorer, folders as such, and nothing outside", async () => {
    const selected = ["src/invoice.js", "mentioned/my notes.md", "mentioned"].map(uri);
    assert.equal(await added(selected[0], selected), '@src/invoice.js @"mentioned/my notes.md" @mentioned/ ');
    assert.equal(
      await added(uri("src"), [uri("src"), vscode.Uri.file("/etc/passwd"), uri("none.js"), uri(".")]),
      "@src/ ",
    );
    assert.deepEqual(strata.panel.composed.at(-1), { type: "compose", op: "mention", text: "@src/ ", focus: true });
  });

  it("mentions the tab that was clicked, or the active editor's file", async () => {
    assert.equal(await added(uri("mentioned/说明.md"), { groupId: 0, editorIndex: 0 }), '@"mentioned/说明.md" ');
    await vscode.window.showTextDocument(uri("src/invoice.js"));
    assert.equal(await added(), "@src/invoice.js ");
    const untitled = await vscode.workspace.openTextDocument({ content: "not saved" });
    await vscode.window.showTextDocument(untitled);
    assert.equal(await added(), `@untitled:${untitled.uri.path} `);
  });

  it("makes mentions of paths and of URIs, as the window of a remote machine names files too", async () => {
    const path = inWorkspace("mentioned/my notes.md");
    const remote = vscode.Uri.from({ scheme: "vscode-remote", authority: "host", path }).toString();
    const places = [path, vscode.Uri.file(path).toString(), remote, inWorkspace("src"), "/etc/passwd", "x y:"];
    const mention = '@"mentioned/my notes.md"';
    assert.deepEqual((await strata.panel.request("mentionPlaces", { places })).mentions, [
      ...[mention, mention, mention, "@src/", null, null],
    ]);
  });
});
