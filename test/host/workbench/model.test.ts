/** Setting a model up, the way a person does: from the panel that says there is none to a connection that was checked. */
import assert from "node:assert/strict";
import { openWorkbench, type Workbench } from "../workbench";

describe("setting up a model", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({ settings: { "strata.model.name": "" } });
  });
  after(() => workbench?.close());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await workbench.screenshot("model-failure");
  });

  it("leads from the panel to a model that answers", async () => {
    const { page, offline } = workbench;
    const panel = await workbench.panel();
    await panel.getByRole("textbox", { name: "Message Strata" }).waitFor();
    await workbench.screenshot("vscode-no-model");
    await panel
      .getByRole("button", { name: /choose a? ?model/i })
      .first()
      .click();
    const input = page.locator(".quick-input-widget input");
    await page.getByText("Choose a model (1 of 2): where it runs").waitFor();

    assert.equal(await input.first().inputValue(), offline.url);
    await input.first().press("Enter");
    await page.getByText("Choose a model (2 of 2): its name").waitFor();
    await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "offline-model" }).click();
    await page.getByRole("button", { name: "Check Connection" }).click();
    await page
      .getByText(/^Connected to "offline-model"/)
      .first()
      .waitFor();
    await panel.getByText("This is the offline model", { exact: false }).first().waitFor();
  });

  it("says in one sentence when nobody answers", async () => {
    await workbench.offline.close();
    await workbench.command("Strata: Check Model Connection");
    // VS Code shows three toasts in 800 ms at most, and this is quicker than a person: the list has all.
    await workbench.command("Notifications: Show Notifications");
    await workbench.page.getByRole("button", { name: "Choose Model" }).first().waitFor();
    await workbench.screenshot("vscode-no-connection");
  });
});
