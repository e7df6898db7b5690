/** Models that VS Code has: one answers where nothing is set up, and the list offers them beside the others. */
import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { soak } from "../../../fakes/soak";
import { inWorkbench } from "../../workbench";

const models = ["small", "large"];
const rows = (page: Page) => page.locator(".quick-input-list .monaco-list-row");
const shownModel = (panel: Frame, name: string | RegExp) => panel.getByRole("button", { name });

describe("a model that VS Code has", () => {
  const settings = { "strata.model.name": "", "strata.model.baseUrl": "https://api.openai.com/v1" };
  const workbench = inWorkbench({ fresh: true, models, settings });

  it("answers the first message without a key", async () => {
    const { panel } = workbench;
    await panel.getByText("What should we do in", { exact: false }).last().waitFor();
    await workbench.send("Hello?");
    await panel.getByText("The script is over.").last().waitFor();
    await workbench.screenshot("vscode-editor-model");
  });
});

soak("walks", () => {
  describe("the list of models", () => {
    const workbench = inWorkbench({ fresh: true, models, wide: true });

    it("offers what each provider has; what is chosen is the session's own, its effort too, also after a reload", async () => {
      const { page } = workbench;
      let { panel } = workbench;
      await shownModel(panel, "Model: offline-model").click();
      await rows(page).filter({ hasText: "The large one" }).waitFor();
      await rows(page).filter({ hasText: "in use" }).waitFor();
      await workbench.screenshot("vscode-model-list");
      const search = page.locator(".quick-input-widget input").first();
      await search.fill("large");
      await search.press("Enter");
      await shownModel(panel, "Model: strata-test/large").waitFor();

      await shownModel(panel, "Model: strata-test/large").click();
      // The rows of the list before are there until this one is drawn.
      await rows(page).filter({ hasText: "The large one" }).filter({ hasText: "in use" }).waitFor();
      const high = rows(page).filter({ hasText: "Slower and more expensive" });
      await rows(page).filter({ hasText: "Effort" }).click();
      await high.waitFor();
      await workbench.screenshot("vscode-effort");
      await high.click();
      await shownModel(panel, "Model: strata-test/large · high").waitFor();

      await workbench.send("Hello?");
      await panel.getByText("The script is over.").last().waitFor();
      assert.equal(workbench.offline.requests.length, 0, "the settings' model was not asked");
      await workbench.reload();
      panel = workbench.panel;
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
});
