/** Setting a model up, the way a person does: from the panel that says there is none to a connection that was checked. */
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
    const rows = page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "Another server" }).waitFor();
    await workbench.screenshot("vscode-whose-model");
    await rows.filter({ hasText: offline.url }).click();
    await page.getByText("Choose a model: its name").waitFor();
    await rows.filter({ hasText: "offline-model" }).click();
    await page.getByText("Choose a model: how much it reads").waitFor();
    await input.first().fill("32k");
    await input.first().press("Enter");
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

describe("a model that VS Code has", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({ settings: { "strata.model.name": "" }, models: ["small", "large"] });
  });
  after(() => workbench?.close());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await workbench.screenshot("editor-model-failure");
  });

  it("answers the first message without a key, and another is chosen from the list", async () => {
    const { page } = workbench;
    const panel = await workbench.panel();
    const composer = panel.getByRole("textbox", { name: "Message Strata" });
    await panel.getByText("What should change in", { exact: false }).waitFor();
    await composer.fill("Hello?");
    await composer.press("Enter");
    await panel.getByText("The script is over.").waitFor();
    await workbench.screenshot("vscode-editor-model");
    await workbench.command("Strata: Choose Model");
    const rows = page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "The small one" }).waitFor();
    await workbench.screenshot("vscode-choose-model");
    await rows.filter({ hasText: "The large one" }).click();
    await page
      .getByText(/^The model is now The large one, which VS Code has/)
      .first()
      .waitFor();
    await panel.getByText("strata-test/large", { exact: false }).first().waitFor();
  });
});
