/** Whole turns in a real VS Code, against a model over HTTP. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { OfflineRequest } from "../../../scripts/offline-model/server.mjs";
import { discardEditors } from "../discardEditors";
import { typeAtStart } from "../editorWorld";
import { inWorkspace, onDisk, resultOf, type Strata, startStrata, writeHere } from "../strata";

const call = (id: string, name: string, input: object) => ({ id, name, input });
/** What the model was told about a call. */
const told = (request: OfflineRequest, callId: string) =>
  request.messages.find(message => message.callId === callId)?.text ?? "";

describe("a turn in VS Code", () => {
  let strata: Strata;
  afterEach(async () => {
    await strata.dispose();
    await discardEditors();
  });

  it("uses every one of the nine tools", async () => {
    strata = await startStrata("auto");
    const todos = [{ content: "Try all tools", status: "in_progress" }];
    const seen: Record<string, string> = {};
    strata.play(
      {
        text: "I look around.",
        calls: [
          call("todo", "TodoWrite", { todos }),
          call("ls", "LS", { depth: 2 }),
          call("glob", "Glob", { pattern: "**/*.js" }),
          call("grep", "Grep", { pattern: "roundTotal", output_mode: "content" }),
          call("read", "Read", { file_path: "src/invoice.js" }),
        ],
      },
      {
        calls: [
          call("write", "Write", { file_path: "notes/new.txt", content: "alpha\nbeta\ngamma\n" }),
          call("edit", "Edit", { file_path: "notes/new.txt", old_string: "beta", new_string: "BETA" }),
          call("multi", "MultiEdit", {
            file_path: "notes/new.txt",
            edits: [
              { old_string: "alpha", new_string: "ALPHA" },
              { old_string: "gamma", new_string: "GAMMA" },
            ],
          }),
        ],
      },
      { calls: [call("bash", "Bash", { command: "cat notes/new.txt && pwd" })] },
      request => {
        for (const id of ["todo", "ls", "glob", "grep", "read", "write", "edit", "multi", "bash"])
          seen[id] = told(request, id);
        return { text: "All nine work." };
      },
    );
    const end = await strata.turn("try all tools");
    assert.deepEqual([end.reason, end.toolCalls, end.toolFailures, end.steps], ["done", 9, 0, 4]);
    assert.match(seen.ls ?? "", /invoice\.js/);
    assert.match(seen.glob ?? "", /test\/invoice\.test\.js/);
    assert.match(seen.grep ?? "", /src\/invoice\.js/);
    assert.match(seen.read ?? "", /Math\.floor\(cents\)/);
    assert.match(seen.bash ?? "", /ALPHA\nBETA\nGAMMA/);
    assert.ok(seen.bash?.includes(inWorkspace("")), "commands run in the workspace");
    assert.equal(await onDisk("notes/new.txt"), "ALPHA\nBETA\nGAMMA\n");
    const { panel } = strata;
    assert.ok(panel.events.some(event => event.type === "output" && event.text.includes("BETA")));
    assert.ok(panel.records.some(record => record.kind === "todo"));
    assert.equal(panel.snapshot?.surroundings.model.state, "ready");
  });

  it("reads and edits unsaved text beside what is typed meanwhile, refuses an edit of what was typed over, saves nothing", async () => {
    await writeHere("draft.txt", "first\nsecond\nthird\n");
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(inWorkspace("draft.txt")));
    await typeAtStart(editor, "typed, ");
    strata = await startStrata("edits");
    const edit = (id: string, old_string: string, new_string: string) =>
      call(id, "Edit", { file_path: "draft.txt", old_string, new_string });
    const seen = { read: "", beside: "", over: "" };
    strata.play(
      { calls: [call("read", "Read", { file_path: "draft.txt" })] },
      async request => {
        seen.read = told(request, "read");
        await typeAtStart(editor, "more ");
        return { calls: [edit("beside", "second", "changed")] };
      },
      async request => {
        seen.beside = told(request, "beside");
        await editor.edit(change => change.replace(new vscode.Range(2, 0, 2, 5), "3rd"));
        return { calls: [edit("over", "third", "lost")] };
      },
      request => {
        seen.over = told(request, "over");
        return { text: "I see." };
      },
    );
    await strata.turn("change the draft");
    assert.match(seen.read, /typed, first/);
    assert.match(seen.beside, /kept:\n-typed, first\n\+more typed, first$/m);
    assert.equal(resultOf(strata.panel, "over").error?.code, "CONFLICT");
    assert.match(seen.over, /\n3\t3rd\n[^\n]*\n3\tlost\n/);
    assert.equal(editor.document.getText(), "more typed, first\nchanged\n3rd\n");
    assert.equal(editor.document.isDirty, true);
    assert.equal(await onDisk("draft.txt"), "first\nsecond\nthird\n");
  });
});
