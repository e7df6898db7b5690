import assert from "node:assert/strict";
import * as vscode from "vscode";

const id = "strata-agent.strata";

describe("extension", () => {
  // Its view would be painted behind all that comes.
  after(() => vscode.commands.executeCommand("workbench.action.closeSidebar"));

  it("is there, in a trusted workspace", () => {
    assert.equal(vscode.workspace.isTrusted, true);
    assert.ok(vscode.extensions.getExtension(id));
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
