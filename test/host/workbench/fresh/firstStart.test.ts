/** The way from nothing to a first answer, as a newcomer takes it: counted in actions (a message sent, a click, a choice). */
import assert from "node:assert/strict";
import { inWorkbench } from "../../workbench";

const settings = {
  "strata.model.name": "",
  "strata.model.provider": "server",
  "strata.model.baseUrl": "https://api.openai.com/v1",
};

describe("the first start", () => {
  const workbench = inWorkbench({ fresh: true, models: ["small", "large"], settings });

  it("takes two actions to an answer of a model that VS Code has; what was typed before waits and goes out", async () => {
    const { panel } = workbench;
    await panel.getByText("Choose a model to begin").last().waitFor();
    await workbench.send("Hello?");
    await panel.getByText("Waits for a model").last().waitFor();
    await workbench.screenshot("vscode-first-start");
    await workbench.reload();
    await workbench.panel.getByText("Waits for a model").last().waitFor();
    await workbench.panel.getByRole("button", { name: /Use VS Code's models/ }).click();
    await workbench.panel.getByText("The script is over.").last().waitFor();
    assert.equal(await workbench.panel.getByText("Waits for a model").count(), 0);
    const focused = await workbench.panel.evaluate(() => document.hasFocus() && document.activeElement?.id);
    assert.equal(focused, "composer-text");
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
