/** Code actions that run on save, as those of ESLint and "organize imports" do: the model is told, and its next edit is not stale. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { DrivenSession } from "../../fakes/drivenSession";
import { type EditorWorld, editorWorld } from "../editorWorld";
import { withSettings } from "../settings";

/** Sets a semicolon at the end of each line that has none. */
const fixAll: vscode.CodeActionProvider = {
  provideCodeActions(document) {
    const action = new vscode.CodeAction("Fix all", vscode.CodeActionKind.SourceFixAll.append("test"));
    action.edit = new vscode.WorkspaceEdit();
    for (const { index } of document.getText().matchAll(/(?<=[^;\n])(?=\n)/g))
      action.edit.insert(document.uri, document.positionAt(index), ";");
    return [action];
  },
};

describe("an edit that a code action changes when it is saved", () => {
  let world: EditorWorld;
  let provider: vscode.Disposable;
  beforeEach(async () => {
    world = await editorWorld();
    const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.SourceFixAll] };
    provider = vscode.languages.registerCodeActionsProvider({ pattern: "**/*.fixed" }, fixAll, kinds);
  });
  afterEach(async () => {
    provider.dispose();
    await world.dispose();
  });

  it("is told so, with what stands now, and edited again without another look", () =>
    withSettings({ "editor.codeActionsOnSave": { "source.fixAll": "explicit" } }, async () => {
      await world.put("a.fixed", "let a = 1;\nlet b = 2;\n");
      const session = await DrivenSession.start({ mode: "edits", on: { files: world.files, search: world.search } });
      try {
        const call = (name: string, input: object) => session.call(name, { file_path: "a.fixed", ...input });
        await call("Read", {});
        const { text } = await call("Edit", { old_string: "let b = 2;", new_string: "let b = 3" });
        assert.match(text, /When the file was saved, the editor .* changed more:\n-let b = 3\n\+let b = 3;/);
        const again = await call("Edit", { old_string: "let b = 3;", new_string: "let b = 4;" });
        assert.equal(again.status, "ok", again.text);
        assert.doesNotMatch(again.text, /Since you read the file/);
        assert.equal(Buffer.from((await world.bytes("a.fixed")) ?? []).toString(), "let a = 1;\nlet b = 4;\n");
      } finally {
        await session.close();
      }
    }));
});
