/** Sessions of a window: their outputs and files in editors, and the command that leaves one. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../editorWorld";
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
    strata.play({ calls: [{ id: "long", name: "Bash", input: { command: "seq 1 3000" } }] }, { text: "Done." });
    await strata.turn("count");
    const { text } = await panel.request("details", { callId: "long" });
    const handle = /obs:[0-9a-f]{12}/.exec(text)?.[0] ?? "";
    await panel.request("openHandle", { handle });
    const { document } = await eventually("an active editor", () => vscode.window.activeTextEditor);
    assert.equal(document.getText(), Array.from({ length: 3000 }, (_, line) => `${line + 1}\n`).join(""));
    assert.equal(
      vscode.workspace.fs.isWritableFileSystem(document.uri.scheme),
      undefined,
      "no file system can save it",
    );
    assert.match(document.fileName, /obs [0-9a-f]{12}\.txt$/);
    await panel.request("openFile", { path: "src/invoice.js", line: 4 });
    const editor = await eventually("the file is active", () => {
      const active = vscode.window.activeTextEditor;
      return active?.document !== document ? active : undefined;
    });
    assert.deepEqual([editor.document.uri.fsPath, editor.selection.active.line], [inWorkspace("src/invoice.js"), 3]);
    await assert.rejects(panel.request("openFile", { path: "src/none.js" }), /no src\/none\.js/);
    const first = panel.snapshot?.sessionId;
    await vscode.commands.executeCommand("strata.newSession");
    await eventually("another session is shown", () => !(panel.snapshot?.sessionId === first));
    const { sessions } = await panel.request("sessions", {});
    assert.deepEqual([sessions[0]?.id, sessions[0]?.title], [first, "count"]);
    await panel.request("openSession", { id: first ?? "" });
    assert.equal(panel.kinds(), "message message result message turnEnd");
  });
});
