import assert from "node:assert/strict";
import * as vscode from "vscode";

const id = "strata-agent.strata";

describe("extension", () => {
  it("is there, in a trusted workspace, and sleeps until somebody wants it", () => {
    assert.equal(vscode.workspace.isTrusted, true);
    assert.equal(vscode.extensions.getExtension(id)?.isActive, false);
  });

  it("wakes up when its view is opened, and every command of the manifest is there", async () => {
    await vscode.commands.executeCommand("strata.chat.focus");
    const extension = vscode.extensions.getExtension(id);
    await extension?.activate();
    assert.equal(extension?.isActive, true);
    const known = new Set(await vscode.commands.getCommands(true));
    const commands: { command: string }[] = extension.packageJSON.contributes.commands;
    assert.deepEqual(
      commands.map(({ command }) => command).filter(command => !known.has(command)),
      [],
    );
  });
});
