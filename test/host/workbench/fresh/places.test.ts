/** Strata's view at other places of VS Code while it works, sessions in tabs over a reload, and an editor that follows the agent. */
import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { eventually } from "../../../fakes/eventually";
import { soak } from "../../../fakes/soak";
import { inWorkbench } from "../../workbench";

/** Documents in which one can write to Strata, those in tabs too. */
async function panels(page: Page): Promise<Frame[]> {
  const found: Frame[] = [];
  for (const frame of page.frames()) {
    // A frame may go while it is asked.
    const shown = await frame.evaluate(() => document.querySelector("#composer-text") !== null).catch(() => false);
    if (shown) found.push(frame);
  }
  return found;
}

const onlyPanel = (page: Page) =>
  eventually("there is one panel", async () => {
    const [panel, ...others] = await panels(page);
    return others.length === 0 ? panel : undefined;
  });

soak("walks", () => {
  describe("Strata's view at other places", () => {
    const workbench = inWorkbench({
      fresh: true,
      script: request =>
        request.messages.some(message => message.role === "tool")
          ? { text: "It ran." }
          : { text: "I begin.", calls: [{ name: "Bash", input: { command: "echo begun" } }] },
    });
    const move = async (place: string) => {
      await workbench.command("View: Move View");
      await workbench.take("Strata");
      await workbench.take(place);
    };
    const asks = (panel: Frame) => panel.getByRole("button", { name: "Allow", exact: true });

    it("asks at the bottom and in the other side bar what it asked where it was, with what was typed", async () => {
      const { page } = workbench;
      await workbench.send("Begin");
      await asks(workbench.panel).waitFor();
      await workbench.composer.fill("half a thought");
      await workbench.kept("half a thought");
      await move("New Panel Entry");
      const below = await onlyPanel(page);
      await asks(below).waitFor();
      const box = await page.locator(".part.panel").boundingBox();
      const button = await asks(below).boundingBox();
      assert.ok(box && button && button.y > box.y && button.y + button.height < box.y + box.height, "in sight");
      assert.equal(await below.locator("#composer-text").inputValue(), "half a thought");
      await workbench.screenshot("vscode-bottom-panel");
      await move("New Secondary Side Bar Entry");
      const beside = await onlyPanel(page);
      await asks(beside).click();
      await beside.getByRole("log").getByText("It ran.").waitFor();
      assert.equal(await beside.locator("#composer-text").inputValue(), "half a thought");
      await workbench.screenshot("vscode-other-side-bar");
    });
  });

  describe("sessions in tabs", () => {
    const workbench = inWorkbench({ fresh: true, script: () => ({ text: "An answer." }) });

    it("are there again after a reload, each with its session, its draft and the row of its actions, and so is a page", async () => {
      const { page } = workbench;
      await workbench.send("First of all");
      await workbench.panel.getByRole("log").getByText("An answer.").waitFor();
      await workbench.command("Strata: Open Session in Editor");
      await page.locator(".tab", { hasText: "First of all" }).waitFor();
      await workbench.command("Strata: New Session in Editor");
      const tab = await eventually("the new tab's panel", async () => (await panels(page)).at(2));
      await tab.locator("#composer-text").fill("half a thought");
      await workbench.kept("half a thought");
      await workbench.command("Strata: Tools and Rules");
      await workbench.tabPage.getByRole("heading", { name: "Tools and Rules" }).waitFor();
      // As a person does it: of a page that is loaded again under it, VS Code may not have written which tabs there are.
      const loaded = page.waitForEvent("load");
      await workbench.command("Developer: Reload Window");
      await loaded;
      await workbench.tabPage.getByRole("heading", { name: "Tools and Rules" }).waitFor();
      await page.locator(".tab", { hasText: "New session" }).click();
      const again = await eventually("the tab that was shown", async () => {
        for (const panel of await panels(page))
          if ((await panel.locator("#composer-text").inputValue()) === "half a thought") return panel;
        return undefined;
      });
      await page.locator(".editor-group-container .editor-actions").getByRole("button", { name: "Find" }).waitFor();
      await again.locator("#composer-text").focus();
      await page.locator(".tab", { hasText: "First of all" }).click();
      await eventually("its conversation", async () => {
        for (const panel of await panels(page))
          if ((await panel.getByRole("log").getByText("An answer.").count()) > 0) return true;
        return undefined;
      });
    });
  });
});
