/** Trust that is granted while a session is open. */
import assert from "node:assert/strict";
import { call, changing } from "../../changing";

const file_path = "src/invoice.js";
const edit = { file_path, old_string: "Math.floor", new_string: "Math.round" };

describe("trust that is granted", () => {
  const workbench = changing(
    [
      { calls: [call("r", "Read", { file_path })] },
      { calls: [call("e", "Edit", edit)] },
      { text: "That is it." },
      { calls: [call("r2", "Read", { file_path })] },
      { calls: [call("e2", "Edit", edit)] },
      { text: "Now it is done." },
    ],
    {
      ...{ fresh: true, restricted: true, wide: false },
      settings: { "strata.permissions.mode": "edits", "strata.permissions.runEverything": false },
      files: { ".vscode/settings.json": '{ "strata.permissions.deny": ["Read(none)"] }' },
    },
  );

  it("names what is held back, and takes effect in the session that is open", async () => {
    const { page, panel } = workbench;
    const chip = panel.getByRole("button", { name: "Mode: Read only" });
    await chip.click();
    await panel.getByText(/ignores its rules and settings\./).waitFor();
    await workbench.screenshot("vscode-untrusted");
    await panel.locator("body").press("Escape");
    await workbench.send("fix it");
    await panel.getByText("That is it.").last().waitFor();
    assert.match(workbench.onDisk(file_path), /Math\.floor/);
    await workbench.command("Workspaces: Manage Workspace Trust");
    await page.getByRole("button", { name: "Trust", exact: true }).first().click();
    await chip.waitFor({ state: "detached" });
    await workbench.send("fix it now");
    await panel.getByText("Now it is done.").last().waitFor();
    assert.match(workbench.onDisk(file_path), /Math\.round/);
    const sent = workbench.offline.requests.map(({ rawBody }) => rawBody);
    assert.doesNotMatch(sent[0] ?? "", /Rules from AGENTS\.md/);
    assert.match(sent.at(-1) ?? "", /Rules from AGENTS\.md/);
  });
});
