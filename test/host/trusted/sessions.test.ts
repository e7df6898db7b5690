/** Sessions of a window: reload and resume, a turn that a crash cut off, opening and diffing what was done. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../editorWorld";
import { inWorkspace, type Strata, startStrata, writeHere } from "../strata";

/** The log of a session, below the user data of this VS Code. */
function logOf(id: string): string {
  const userData = dirname(process.env.STRATA_HOST_REPORT ?? "");
  const [log] = globSync(`**/strata-agent.strata/sessions/${id}/history.jsonl`, { cwd: userData });
  assert.ok(log, "the session is in the workspace's storage");
  return join(userData, log);
}

describe("sessions in VS Code", () => {
  let strata: Strata;
  beforeEach(async () => {
    strata = await startStrata("auto");
  });
  afterEach(async () => {
    await strata.dispose();
    await discardEditors();
  });

  it("are the same after a reload, and go on", async () => {
    strata.play({ text: "Hello." });
    await strata.turn("remember the number 7");
    const before = strata.panel.records;
    const { sessions } = await strata.api.agent();
    await sessions.close();
    await strata.panel.request("open", {});
    assert.deepEqual(strata.panel.records, before);
    let said: string[] = [];
    strata.play(request => {
      said = request.messages.filter(message => message.role === "user").map(message => message.text);
      return { text: "Seven." };
    });
    assert.equal((await strata.turn("which number?")).reason, "done");
    assert.match(said[0] ?? "", /remember the number 7/);
  });

  it("that a crash cut off say so and can be continued", async () => {
    strata.play({ text: "I wait.", calls: [{ id: "bash", name: "Bash", input: { command: "echo on; sleep 1000" } }] });
    await strata.panel.request("submit", { text: "wait", delivery: "steer" });
    await eventually("the command's output", () => strata.panel.events.find(event => event.type === "output"));
    const id = strata.panel.snapshot?.sessionId ?? "";
    const atCrash = await readFile(logOf(id), "utf8");
    const { sessions } = await strata.api.agent();
    await sessions.close();
    await writeFile(logOf(id), atCrash);
    await strata.panel.request("open", {});
    assert.equal(strata.panel.snapshot?.sessionId, id);
    assert.equal(strata.panel.kinds(), "message message result turnEnd");
    const [, , result, end] = strata.panel.records;
    assert.ok(result?.kind === "result" && end?.kind === "turnEnd");
    assert.deepEqual(
      [result.error?.code, end.reason, end.error?.actions],
      ["INTERRUPTED", "interrupted", ["continue"]],
    );
    let observed = "";
    strata.play(request => {
      observed = request.messages.find(message => message.callId === "bash")?.text ?? "";
      return { text: "I see." };
    });
    await strata.panel.request("resume", {});
    await eventually("the turn that was continued ended", () => /turnEnd message turnEnd$/.test(strata.panel.kinds()));
    assert.match(observed, /interrupted, its effect is unknown/);
  });

  it("are listed, opened and left by commands", async () => {
    strata.play({ text: "One." });
    await strata.turn("first session");
    const first = strata.panel.snapshot?.sessionId;
    await vscode.commands.executeCommand("strata.newSession");
    await eventually("another session is shown", () => !(strata.panel.snapshot?.sessionId === first));
    const { sessions } = await strata.panel.request("sessions", {});
    assert.deepEqual([sessions[0]?.id, sessions[0]?.title], [first, "first session"]);
    await strata.panel.request("openSession", { id: first ?? "" });
    assert.equal(strata.panel.kinds(), "message message turnEnd");
  });

  it("show the diff of an edit as it was, and after the file changed the places alone", async () => {
    await writeHere("diffed.txt", "one\ntwo\nthree\n");
    const edit = { file_path: "diffed.txt", old_string: "two", new_string: "TWO" };
    strata.play(
      { calls: [{ id: "read", name: "Read", input: { file_path: "diffed.txt" } }] },
      { calls: [{ id: "edit", name: "Edit", input: edit }] },
      { text: "Done." },
    );
    await strata.turn("edit it");
    const uri = vscode.Uri.file(inWorkspace("diffed.txt"));
    const sides = async () => {
      await strata.panel.request("openDiff", { callId: "edit", uri: uri.toString() });
      const input = await eventually("a diff editor", () => {
        const active = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return active instanceof vscode.TabInputTextDiff ? active : undefined;
      });
      const documents = [input.original, input.modified].map(side => vscode.workspace.openTextDocument(side));
      return (await Promise.all(documents)).map(document => document.getText());
    };
    assert.deepEqual(await sides(), ["one\ntwo\nthree\n", "one\nTWO\nthree\n"]);
    await discardEditors();
    await writeHere("diffed.txt", "zero\none\nTWO\nthree\n");
    assert.deepEqual(await sides(), ["one\ntwo\nthree\n", "one\nTWO\nthree\n"]);
  });

  it("open a recorded output, whole and read only", async () => {
    strata.play({ calls: [{ id: "long", name: "Bash", input: { command: "seq 1 3000" } }] }, { text: "Done." });
    await strata.turn("count");
    const { text } = await strata.panel.request("details", { callId: "long" });
    const handle = /obs:[0-9a-f]{12}/.exec(text)?.[0] ?? "";
    await strata.panel.request("openHandle", { handle });
    const { document } = await eventually("an active editor", () => vscode.window.activeTextEditor);
    assert.equal(document.getText(), Array.from({ length: 3000 }, (_, line) => `${line + 1}\n`).join(""));
    assert.equal(
      vscode.workspace.fs.isWritableFileSystem(document.uri.scheme),
      undefined,
      "no file system can save it",
    );
    assert.match(document.fileName, /obs [0-9a-f]{12}\.txt$/);
    await assert.rejects(
      strata.panel.request("openHandle", { handle: "obs:000000000000" }),
      /No output of this session/,
    );
  });

  it("open a file at a line", async () => {
    await strata.panel.request("openFile", { path: "src/invoice.js", line: 4 });
    const editor = await eventually("an active editor", () => vscode.window.activeTextEditor);
    assert.deepEqual([editor.document.uri.fsPath, editor.selection.active.line], [inWorkspace("src/invoice.js"), 3]);
    await assert.rejects(
      strata.panel.request("openFile", { path: "src/none.js" }),
      /There is no src\/none\.js in the workspace/,
    );
  });
});
