/** Setting a model up, the way a person does: from the panel that says there is none. */
import type { Page } from "playwright-core";
import { soak } from "../../../fakes/soak";
import { inWorkbench } from "../../workbench";

const rows = (page: Page) => page.locator(".quick-input-list .monaco-list-row");

soak("walks", () => {
  describe("setting up a model", () => {
    const settings = { "strata.model.name": "", "strata.model.baseUrl": "https://api.openai.com/v1" };
    const workbench = inWorkbench({ settings });

    it("leads from the panel to a model that answers", async () => {
      const { page, panel, offline } = workbench;
      await workbench.composer.waitFor();
      await workbench.screenshot("vscode-no-model");
      await panel.getByRole("button", { name: "No model" }).click();
      await rows(page).filter({ hasText: "Another provider" }).click();
      await rows(page).filter({ hasText: "Another server" }).waitFor();
      await workbench.screenshot("vscode-whose-model");
      await rows(page).filter({ hasText: "Another server" }).click();
      await page.getByText("Server address").waitFor();
      const input = page.locator(".quick-input-widget input");
      await input.first().fill(offline.url);
      await input.first().press("Enter");
      await page.getByText("Model name").waitFor();
      await rows(page).filter({ hasText: "offline-model" }).click();
      await page.getByText("Context window").waitFor();
      await input.first().fill("32k");
      await input.first().press("Enter");
      await page.getByRole("button", { name: "Check Connection" }).click();
      await page
        .getByText(/^Connected to "offline-model"/)
        .first()
        .waitFor();
      await panel.getByText("Demo: answers are prepared", { exact: false }).first().waitFor();
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
});
