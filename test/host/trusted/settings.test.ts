/** Settings, which VS Code's own page shows. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { settingsIn } from "../../../src/shared/settingsIn";
import { eventually } from "../../fakes/eventually";

describe("settings in VS Code", () => {
  // Where both ways of writing are in one file, VS Code knows of the nested one alone.
  for (const [written, name, meant] of [
    ['"strata.model.nmae": "x"', "model.nmae", "model.name"],
    ['"strata": { "agnet": { "maxSteps": 3 } }', "agnet.maxSteps", "agent.maxSteps"],
  ])
    it(`a name that no setting has is found in the workspace's file: ${written}`, async () => {
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(folder);
      const file = vscode.Uri.joinPath(folder.uri, ".vscode/settings.json");
      await vscode.workspace.fs.writeFile(file, Buffer.from(`{ ${written} }`));
      const known = () => vscode.workspace.getConfiguration().inspect<object>("strata")?.workspaceValue;
      try {
        await eventually("VS Code has read it", () => known() !== undefined);
        const told = `strata.${name} in here has no effect: there is no such setting. Did you mean strata.${meant}?`;
        assert.deepEqual(settingsIn({ strata: known() }, "here").unknown, [told]);
      } finally {
        await vscode.workspace.fs.delete(file);
      }
      await eventually("it is gone", () => known() === undefined);
    });

  it("are shown by the gear of the panel", async () => {
    await vscode.commands.executeCommand("strata.showSettings");
    await eventually("the tab", () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === "Settings");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });
});
