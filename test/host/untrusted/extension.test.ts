import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("extension in an untrusted workspace", () => {
  it("opens its view all the same", async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await vscode.commands.executeCommand("strata.chat.focus");
    const extension = vscode.extensions.getExtension("strata-agent.strata");
    await extension?.activate();
    assert.equal(extension?.isActive, true);
  });
});
