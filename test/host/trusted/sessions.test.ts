/** Sessions of a window: their outputs and files in editors, and the command that leaves one. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { inWorkspace, type Strata, startStrata } from "../strata";

describe("sessions in VS Code", () => {
  let strata: Strata;
  beforeEach(async () => {
    strata = await startStrata("auto");
  });
  afterEach(async () => {
    await strata.dispose();
    await discardEditors();
  });

  it("open a recorded output, whole and read only, and a file at a line; are left by a command, listed and opened", async () => {
    const { panel } = strata;
    strata.play({ calls: [{ id: "long", name: "Bash", input: { command: "seq 1 30000" } }] }, { text: "Done." });
    await strata.turn("count");
    const { handle = "" } = await panel.request("printed", { callId: "long" });
    await panel.request("openHandle", { handle });
    const { document } = await eventually("an active editor", () => vscode.window.activeTextEditor);
    assert.equal(document.getText(), Array.from({ length: 30_000 }, (_, line) => `${line + 1}\n`).join(""));
    assert.equal(
      vscode.workspace.fs.isWritableFileSystem(document.uri.scheme),
      undefined,
      "no file system can save it",
    );
    assert.match(document.fileName, /Recorded output\.txt$/);
    await panel.request("openFile", { path: "src/invoice.js", line: 4 });
    const editor = await eventually("the file is active", () => {
      const active = vscode.window.activeTextEditor;
      return active?.document !== document ? active : undefined;
    });
    assert.deepEqual([editor.document.uri.fsPath, editor.selection.active.line], [inWorkspace("src/invoice.js"), 3]);
    await assert.rejects(panel.request("openFile", { path: "src/none.js" }), /no src\/none\.js/);
    await panel.request("action", { action: "new-rules" });
    await eventually("a document that is not on disk yet", () => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.isUntitled === true && document.uri.path === vscode.Uri.file(inWorkspace("CODE_LAW.md")).path;
    });
    const first = panel.snapshot?.sessionId;
    await vscode.commands.executeCommand("strata.newSession");
    await eventually("another session is shown", () => !(panel.snapshot?.sessionId === first));
    const { sessions } = await panel.request("sessions", {});
    assert.deepEqual([sessions[0]?.id, sessions[0]?.title], [first, "count"]);
    await panel.request("openSession", { id: first ?? "" });
    assert.equal(panel.kinds(), "message inject message result message turnEnd");
  });

  it("open in tabs of the editor, several at once, each named as its session; one that is open comes to the front", async () => {
    const { panel } = strata;
    const tabs = () =>
      vscode.window.tabGroups.all
        .flatMap(group => group.tabs)
        .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith("strata.session"));
    const ids: string[] = [];
    for (const words of ["the first", "the second"]) {
      strata.play({ text: "Done." });
      await strata.turn(words);
      ids.push(panel.snapshot?.sessionId ?? "");
      await panel.request("newSession", {});
    }
    for (const id of [...ids, ...ids]) await panel.request("openSessionTab", { id });
    await eventually("both have their names", () => {
      const labels = tabs().map(({ label }) => label);
      return labels.length === 2 && labels.includes("the first") && labels.includes("the second");
    });
    await eventually("the one that was asked for last is in front", () =>
      tabs().some(({ isActive, label }) => isActive && label === "the second"),
    );
    await panel.request("renameSession", { id: ids[1] ?? "", title: "a better name" });
    await eventually("the tab has the new name", () => tabs().some(({ label }) => label === "a better name"));
    const { key } = await panel.request("deleteSession", { id: ids[0] ?? "" });
    await eventually("a new session is in its place", () => tabs().some(({ label }) => label === "New session"));
    await panel.request("restoreSession", { key });
    assert.ok((await panel.request("sessions", {})).sessions.some(({ id }) => id === ids[0]));
    await vscode.window.tabGroups.close(tabs());
  });
});
