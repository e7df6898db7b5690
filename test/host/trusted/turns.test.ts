/** Whole turns in a real VS Code, against a model over HTTP. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import type { OfflineRequest } from "../../../scripts/offline-model/server.mjs";
import { eventually } from "../../fakes/eventually";
import { discardEditors, typeAtStart } from "../editorWorld";
import { inWorkspace, onDisk, resultOf, type Strata, startStrata, writeHere } from "../strata";

const call = (id: string, name: string, input: object) => ({ id, name, input });
/** What the model was told about a call. */
const told = (request: OfflineRequest, callId: string) =>
  request.messages.find(message => message.callId === callId)?.text ?? "";

/** One that has ended and that nobody has waited for is a zombie: not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return !/^Z/.test(execFileSync("ps", ["-o", "stat=", "-p", `${pid}`]).toString());
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z";
  } catch {
    return false; // there is no such process
  }
}

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

  it("reads unsaved text, and its edit keeps it unsaved", async () => {
    await writeHere("draft.txt", "first\nsecond\n");
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(inWorkspace("draft.txt")));
    await typeAtStart(editor, "typed, ");
    strata = await startStrata("edits");
    let read = "";
    strata.play(
      { calls: [call("read", "Read", { file_path: "draft.txt" })] },
      request => {
        read = told(request, "read");
        return {
          calls: [call("edit", "Edit", { file_path: "draft.txt", old_string: "second", new_string: "changed" })],
        };
      },
      { text: "Done." },
    );
    const end = await strata.turn("change the draft");
    assert.equal(end.toolFailures, 0);
    assert.match(read, /typed, first/);
    assert.equal(editor.document.getText(), "typed, first\nchanged\n");
    assert.equal(editor.document.isDirty, true);
    assert.equal(await onDisk("draft.txt"), "first\nsecond\n");
  });

  it("makes an edit beside what was typed since it was read, and says so", async () => {
    await writeHere("race.txt", "first\nsecond\n");
    let answer = "";
    strata = await startStrata("edits");
    strata.play(
      { calls: [call("read", "Read", { file_path: "race.txt" })] },
      async () => {
        await typeAtStart(await vscode.window.showTextDocument(vscode.Uri.file(inWorkspace("race.txt"))), "typed, ");
        return {
          calls: [call("edit", "Edit", { file_path: "race.txt", old_string: "second", new_string: "changed" })],
        };
      },
      request => {
        answer = told(request, "edit");
        return { text: "I see." };
      },
    );
    await strata.turn("edit it");
    assert.match(answer, /it changed in other places too; that was kept:\n-first\n\+typed, first$/m);
    const document = vscode.window.activeTextEditor?.document;
    assert.deepEqual([document?.getText(), document?.isDirty], ["typed, first\nchanged\n", true]);
    assert.equal(await onDisk("race.txt"), "first\nsecond\n");
  });

  it("refuses an edit of a line that was changed since it was read, with both sides", async () => {
    await writeHere("race.txt", "first\nsecond\n");
    let answer = "";
    strata = await startStrata("edits");
    strata.play(
      { calls: [call("read", "Read", { file_path: "race.txt" })] },
      async () => {
        const editor = await vscode.window.showTextDocument(vscode.Uri.file(inWorkspace("race.txt")));
        await editor.edit(change => change.replace(new vscode.Range(1, 0, 1, 6), "2nd"));
        return { calls: [call("edit", "Edit", { file_path: "race.txt", old_string: "second", new_string: "lost" })] };
      },
      request => {
        answer = told(request, "edit");
        return { text: "I see." };
      },
    );
    await strata.turn("edit it");
    assert.equal(resultOf(strata.panel, "edit").error?.code, "CONFLICT");
    assert.match(answer, /What stands there now:\n2\t2nd\nWhat your edit would put there:\n2\tlost\n/);
    assert.equal(vscode.window.activeTextEditor?.document.getText(), "first\n2nd\n");
    assert.equal(await onDisk("race.txt"), "first\nsecond\n");
  });

  it("asks before an edit; a no changes nothing and is told to the model", async () => {
    await writeHere("asked.txt", "first\n");
    strata = await startStrata("ask");
    let answer = "";
    strata.play(
      { calls: [call("read", "Read", { file_path: "asked.txt" })] },
      { calls: [call("edit", "Edit", { file_path: "asked.txt", old_string: "first", new_string: "second" })] },
      request => {
        answer = told(request, "edit");
        return { text: "As you like." };
      },
    );
    const turn = strata.turn("edit it");
    const asked = await eventually("a question", () => strata.panel.records.find(record => record.kind === "approval"));
    await strata.panel.request("answer", {
      ...{ approvalId: asked.approvalId, decision: "deny", scope: "once", words: "leave it alone" },
    });
    await turn;
    assert.match(answer, /^DENIED[\s\S]*leave it alone/);
    assert.equal(await onDisk("asked.txt"), "first\n");
  });

  it("Stop ends a command that hangs, with all that it started", async () => {
    strata = await startStrata("auto");
    strata.play({
      calls: [call("bash", "Bash", { command: "sleep 1000 & echo $! $$ > pids.txt; echo started; wait" })],
    });
    const turn = strata.turn("hang");
    await eventually("the command started", () =>
      strata.panel.events.find(event => event.type === "output" && event.text.includes("started")),
    );
    const pids = (await onDisk("pids.txt")).trim().split(" ").map(Number);
    await strata.panel.request("stop", {});
    const end = await turn;
    assert.equal(end.reason, "stopped");
    assert.equal(resultOf(strata.panel, "bash").error?.code, "ABORTED");
    const alive = pids.filter(isAlive);
    assert.deepEqual(alive, []);
  });

  it("says what is wrong with the model in one sentence, and goes on after it was put right", async () => {
    strata = await startStrata("auto");
    // A server that is set up would be asked for its models, and the only one it has taken.
    await strata.setting("model.baseUrl", "http://127.0.0.1:9/v1");
    await strata.setting("model.name", "");
    await eventually("no model", () => strata.panel.surroundings?.model.state === "none");
    const end = await strata.turn("hello");
    assert.deepEqual([end.reason, end.error?.code], ["error", "no-model"]);
    await strata.setting("model.baseUrl", strata.offline.url);
    await strata.setting("model.name", "offline-model");
    await eventually("a model", () => strata.panel.surroundings?.model.state === "ready");
    strata.play({ text: "Hello." });
    await strata.panel.request("resume", {});
    await eventually("the turn that was continued ended", () => /turnEnd message turnEnd$/.test(strata.panel.kinds()));
  });
});
