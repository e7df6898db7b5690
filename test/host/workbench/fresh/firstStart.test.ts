/** The way from nothing to a first answer, as a newcomer takes it: counted in clicks. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { inWorkbench } from "../../workbench";

const settings = {
  "strata.model.name": "",
  "strata.model.provider": "server",
  "strata.model.baseUrl": "https://api.openai.com/v1",
};

describe("the first start", () => {
  const workbench = inWorkbench({ fresh: true, models: ["small", "large"], settings });
  const rows = () => workbench.page.locator(".quick-input-list .monaco-list-row");

  it("takes three clicks to an answer of a model that VS Code has; what was typed before waits and goes out", async () => {
    const { panel } = workbench;
    // The one that opened the panel.
    let clicks = 1;
    const click = async (place: Locator) => {
      clicks += 1;
      await place.click();
    };
    await panel.getByText("Choose a model to begin").last().waitFor();
    await workbench.send("Hello?");
    await panel.getByText("Waits for a model").last().waitFor();
    await workbench.screenshot("vscode-first-start");
    await workbench.reload();
    await workbench.panel.getByText("Waits for a model").last().waitFor();
    await click(workbench.panel.getByRole("button", { name: /Use VS Code's models/ }));
    await click(rows().filter({ hasText: "The large one" }).first());
    await workbench.panel.getByText("The script is over.").last().waitFor();
    assert.equal(await workbench.panel.getByText("Waits for a model").count(), 0);
    assert.ok(clicks <= 3, `${clicks} clicks`);
  });

  it("shows its walkthrough, and what was found here in a tab", async () => {
    await workbench.command("Strata: Get Started");
    await workbench.page.getByText("Get Started with Strata").first().waitFor();
    await workbench.screenshot("vscode-walkthrough");
    await workbench.command("Strata: Tools and Rules");
    await workbench.page.locator(".tab", { hasText: "Tools and Rules" }).waitFor();
    await workbench.screenshot("vscode-found");
  });
});
