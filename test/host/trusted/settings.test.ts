/** The page of settings against VS Code's own: values, where each was set, and what a change writes. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { settingsIn } from "../../../src/core/permissions/levels";
import { eventually } from "../../fakes/eventually";
import { withSettings } from "../settings";
import { type Strata, startStrata } from "../strata";

describe("the page of settings in VS Code", () => {
  let strata: Strata;
  beforeEach(async () => {
    strata = await startStrata("ask");
  });
  afterEach(() => strata.dispose());

  const row = async (name: string) => {
    const { rows } = await strata.panel.request("settings", {});
    const found = rows.find(each => each.name === name);
    assert.ok(found, `a row of ${name}`);
    return found;
  };
  const own = (name: string) => vscode.workspace.getConfiguration("strata").inspect(name)?.globalValue;
  const set = (name: string, value?: string | number | boolean | string[]) =>
    strata.panel.request("setSetting", { name, ...(value === undefined ? {} : { value }) });

  it("has a row of every setting of the manifest, with its words, and nothing else", async () => {
    const { rows } = await strata.panel.request("settings", {});
    const manifest = vscode.extensions.getExtension("strata-agent.strata")?.packageJSON;
    const names = Object.keys(manifest.contributes.configuration.properties).map(name => name.slice("strata.".length));
    assert.deepEqual(rows.map(({ name }) => name).sort(), names.sort());
    assert.match((await row("permissions.allow")).meaning, /: Bash\(npm test \*\), Edit\(docs\/\*\*\)/);
    assert.doesNotMatch(
      rows.map(({ meaning }) => meaning).join("\n"),
      /strata\.[a-z]/,
      "others are named by their titles",
    );
    assert.deepEqual(
      rows.filter(({ title, meaning }) => title === "" || meaning === "").map(({ name }) => name),
      [],
    );
  });

  it("each value to choose from has a name, and no two have the same", async () => {
    const { rows } = await strata.panel.request("settings", {});
    for (const { name, choices = [] } of rows) {
      const labels = choices.map(({ label }) => label);
      assert.equal(new Set(labels).size, labels.length, name);
      assert.deepEqual(
        choices.filter(({ value, label }) => value === label),
        [],
        `${name} has values without a name`,
      );
    }
  });

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

  it("a value is written for the person where nobody else set it, and its reset takes it out of the file", async () => {
    await withSettings({ "strata.agent.maxSteps": undefined }, async () => {
      const before = await row("agent.maxSteps");
      assert.deepEqual([before.source, before.kind], ["default", "number"]);
      await set("agent.maxSteps", 77);
      assert.equal(own("agent.maxSteps"), 77);
      const after = await row("agent.maxSteps");
      assert.deepEqual([after.source, after.value], ["user", 77]);
      await set("agent.maxSteps");
      assert.equal(own("agent.maxSteps"), undefined);
      assert.deepEqual(await row("agent.maxSteps"), before);
    });
  });

  it("a value of the workspace is changed where it stands, and nothing is written for the person", async () => {
    await withSettings({ "strata.agent.maxSteps": 50 }, async () => {
      const workspace = vscode.ConfigurationTarget.Workspace;
      const configuration = vscode.workspace.getConfiguration("strata");
      await configuration.update("agent.maxSteps", 60, workspace);
      try {
        assert.equal((await row("agent.maxSteps")).source, "workspace");
        await set("agent.maxSteps", 61);
        const found = vscode.workspace.getConfiguration("strata").inspect("agent.maxSteps");
        assert.deepEqual([found?.workspaceValue, found?.globalValue], [61, 50]);
      } finally {
        await configuration.update("agent.maxSteps", undefined, workspace);
      }
      assert.equal((await row("agent.maxSteps")).source, "user");
    });
  });

  it("what cannot be used is refused in words and writes nothing, be it a value or a name", async () => {
    await withSettings({ "strata.agent.maxSteps": 50 }, async () => {
      await assert.rejects(set("agent.maxSteps", "many"), /^Error: Steps in a turn was not changed: ./);
      await assert.rejects(set("permissions.mode", "everything"), /was not changed/);
      assert.equal(own("agent.maxSteps"), 50);
      await assert.rejects(set("no.such", 1), /There is no setting no\.such/);
    });
  });

  it("the page that was wanted is in every answer until another is, since the first may be passed over", async () => {
    await vscode.commands.executeCommand("strata.showHooks");
    const [first, second] = [await strata.panel.request("settings", {}), await strata.panel.request("settings", {})];
    assert.equal(first.wanted?.page, "hooks");
    assert.deepEqual(second.wanted, first.wanted);
    await vscode.commands.executeCommand("strata.showHooks");
    const anew = (await strata.panel.request("settings", {})).wanted;
    assert.equal(anew?.page, "hooks");
    assert.notEqual(anew?.nth, first.wanted?.nth);
    await vscode.commands.executeCommand("strata.showSettings");
    assert.equal((await strata.panel.request("settings", {})).wanted, undefined);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("rules are a list, one in each line; what only a file can hold is edited there", async () => {
    await withSettings({ "strata.permissions.deny": ["Read(secrets/**)"] }, async () => {
      const rules = await row("permissions.deny");
      assert.deepEqual([rules.kind, rules.value, rules.source], ["list", ["Read(secrets/**)"], "user"]);
      assert.equal((await row("model.prices")).kind, "file");
      await set("permissions.deny", ["Read(secrets/**)", "Bash(git push *)"]);
      assert.deepEqual(own("permissions.deny"), ["Read(secrets/**)", "Bash(git push *)"]);
    });
  });
});
