/** Choosing a model, the way a person does: from the panel that says there is none to a session with a model of its own. */
import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { openWorkbench, type Workbench, widenSideBar } from "../workbench";

const NOTHING_SET = { "strata.model.name": "", "strata.model.baseUrl": "https://api.openai.com/v1" };

const rows = (page: Page) => page.locator(".quick-input-list .monaco-list-row");
const shownModel = (panel: Frame, name: string | RegExp) => panel.getByRole("button", { name });

describe("setting up a model", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({ settings: NOTHING_SET });
  });
  after(() => workbench?.close());
  afterEach(async function () {
    await workbench.afterTest(this.currentTest, "model");
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
    await rows(page).filter({ hasText: "Another server" }).waitFor();
    await workbench.screenshot("vscode-whose-model");
    await rows(page).filter({ hasText: "Another server" }).click();
    await page.getByText("Choose a model: where it runs").waitFor();
    const input = page.locator(".quick-input-widget input");
    await input.first().fill(offline.url);
    await input.first().press("Enter");
    await page.getByText("Choose a model: its name").waitFor();
    await rows(page).filter({ hasText: "offline-model" }).click();
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
    workbench = await openWorkbench({ settings: NOTHING_SET, models: ["small", "large"] });
  });
  after(() => workbench?.close());
  afterEach(async function () {
    await workbench.afterTest(this.currentTest, "editor-model");
  });

  it("answers the first message without a key", async () => {
    const panel = await workbench.panel();
    const composer = panel.getByRole("textbox", { name: "Message Strata" });
    await panel.getByText("What should change in", { exact: false }).waitFor();
    await composer.fill("Hello?");
    await composer.press("Enter");
    await panel.getByText("The script is over.").waitFor();
    await workbench.screenshot("vscode-editor-model");
  });
});

describe("the list of models", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({ models: ["small", "large"] });
  });
  after(() => workbench?.close());
  afterEach(async function () {
    await workbench.afterTest(this.currentTest, "model-list");
  });

  it("offers what each provider has; what is chosen is the session's own, its effort too, also after a reload", async () => {
    const { page } = workbench;
    await widenSideBar(page);
    let panel = await workbench.panel();
    await shownModel(panel, "Model: offline-model").click();
    await rows(page).filter({ hasText: "The large one" }).waitFor();
    await rows(page).filter({ hasText: "in use" }).waitFor();
    await workbench.screenshot("vscode-model-list");
    const search = page.locator(".quick-input-widget input").first();
    await search.fill("large");
    await search.press("Enter");
    await shownModel(panel, "Model: strata-test/large").waitFor();
    await page.locator(".statusbar-item").filter({ hasText: "strata-test/large" }).waitFor();

    await shownModel(panel, "Model: strata-test/large").click();
    // The rows of the list before are there until this one is drawn.
    await rows(page).filter({ hasText: "The large one" }).filter({ hasText: "in use" }).waitFor();
    const high = rows(page).filter({ hasText: "slower and dearer" });
    await rows(page).filter({ hasText: "Effort" }).click();
    await high.waitFor();
    await workbench.screenshot("vscode-effort");
    await high.click();
    await shownModel(panel, "Model: strata-test/large · high").waitFor();

    const composer = panel.getByRole("textbox", { name: "Message Strata" });
    await composer.fill("Hello?");
    await composer.press("Enter");
    await panel.getByText("The script is over.").waitFor();
    assert.equal(workbench.offline.requests.length, 0, "the settings' model was not asked");
    await page.reload();
    await page.locator(".activitybar [aria-label=Strata]").first().waitFor();
    panel = await workbench.panel();
    await shownModel(panel, "Model: strata-test/large · high").waitFor();
    await workbench.command("Strata: New Session");
    await shownModel(panel, "Model: offline-model").waitFor();
  });

  it("keeps favorites, which come first", async () => {
    const { page } = workbench;
    await workbench.command("Strata: Choose Model");
    const small = rows(page).filter({ hasText: "The small one" });
    await small.hover();
    await small.getByRole("button", { name: "Add to favorites" }).click();
    await rows(page).filter({ hasText: "Favorites" }).first().waitFor();
    await workbench.screenshot("vscode-model-favorites");
    await page.keyboard.press("Escape");
  });
});
