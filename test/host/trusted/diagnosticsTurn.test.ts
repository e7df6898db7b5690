/** The whole way: an edit that breaks something, and the model that is told so. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { OfflineRequest } from "../../../scripts/offline-model/server.mjs";
import { eventually } from "../../fakes/eventually";
import { startChecker } from "../checker";
import { discardEditors } from "../editorWorld";
import { inWorkspace, onDisk, resultOf, type Strata, startStrata, writeHere } from "../strata";

const call = (id: string, name: string, input: object) => ({ id, name, input });
/** What the model was told of the newest call of this id. */
const told = (request: OfflineRequest, callId: string) =>
  request.messages.findLast(message => message.callId === callId)?.text ?? "";

describe("an edit that introduces a problem, in VS Code", () => {
  let strata: Strata;
  let checker: vscode.Disposable;
  beforeEach(async () => {
    checker = startChecker("sql", [100]);
    await writeHere("query.sql", "select 1\nold bad\nselect 2\n");
    const uri = vscode.Uri.file(inWorkspace("query.sql"));
    await vscode.window.showTextDocument(uri);
    // Of the text as it stands: what the test before left may be shown for a moment more.
    const problems = () => vscode.languages.getDiagnostics(uri).map(({ range }) => range.start.line);
    await eventually("the old problem alone is listed", () => problems().join() === "1");
    strata = await startStrata("edits");
    // As it is by default.
    await strata.setting("diagnostics.waitMs", undefined);
  });
  afterEach(async () => {
    checker.dispose();
    await strata.dispose();
    await discardEditors();
    await vscode.workspace.fs.delete(vscode.Uri.file(inWorkspace("query.sql")));
  });

  /** Reads the file, makes the edit, asks for problems; what the model was told of the last two. */
  async function turn(old_string: string, new_string: string): Promise<{ edit: string; list: string }> {
    const seen = { edit: "", list: "" };
    strata.play(
      { calls: [call("read", "Read", { file_path: "query.sql" })] },
      { calls: [call("edit", "Edit", { file_path: "query.sql", old_string, new_string })] },
      { calls: [call("list", "Diagnostics", { file_path: "query.sql" })] },
      request => {
        seen.edit = told(request, "edit");
        seen.list = told(request, "list");
        return { text: "Done." };
      },
    );
    const end = await strata.turn("change the query");
    assert.deepEqual([end.reason, end.toolFailures], ["done", 0]);
    return seen;
  }

  it("the model is told exactly that one; the old one that moved is not new, and the tool lists both", async () => {
    const { edit, list } = await turn("select 1\n", "select 1\nfrom a\nmy bad\n");
    assert.match(edit, /\nNew problems[^\n]*\nerror 3:4 my bad is bad \(test 7\)$/);
    assert.equal(
      list,
      "query.sql:3:4 error my bad is bad (test 7)\nquery.sql:4:5 error old bad is bad (test 7)\n(2 errors in 1 file)",
    );
    assert.equal(await onDisk("query.sql"), "select 1\nfrom a\nmy bad\nold bad\nselect 2\n");
    assert.equal(resultOf(strata.panel, "edit").digest, "Edit query.sql +2 −0 · 1 new error");
  });
});
