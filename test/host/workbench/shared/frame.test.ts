/** The frame that VS Code draws around the panel: the session's name as the view's title, its actions, and the key of the mode. */
import assert from "node:assert/strict";
import { inWorkbench } from "../../workbench";

describe("the panel's frame", () => {
  const workbench = inWorkbench({ script: () => ({ text: "Half up." }) });

  it("has the session's name as its title, its actions beside it, and a key that cycles the mode while the panel has the focus", async () => {
    const { page, panel } = workbench;
    const title = page.locator(".part.sidebar .composite.title");
    await title.getByText(/Strata: New session/i).waitFor();
    await workbench.send("how is it rounded");
    await panel.getByText("Half up.").last().waitFor();
    await title.getByText(/Strata: how is it rounded/i).waitFor();

    const mode = () => panel.getByRole("button", { name: /^Mode: / }).getAttribute("aria-label");
    const before = await mode();
    await workbench.composer.press("Control+.");
    await panel.getByRole("button", { name: "Mode: Edits allowed" }).waitFor();
    assert.notEqual(await mode(), before);
    await workbench.open("src/invoice.js");
    await page.keyboard.press("Control+.");
    await page.keyboard.press("Escape");
    assert.equal(await mode(), "Mode: Edits allowed", "in an editor the key is VS Code's");

    const sessions = panel.getByRole("list", { name: "Sessions" });
    await title.getByRole("button", { name: /^Show Sessions/ }).click();
    await sessions.waitFor();
    await workbench.screenshot("frame");
    await title.getByRole("button", { name: /^Show Sessions/ }).click();
    await sessions.waitFor({ state: "detached" });
    await title.getByRole("button", { name: /^New Session/ }).click();
    await title.getByText(/Strata: New session/i).waitFor();
  });
});
