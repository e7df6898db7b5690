/**
 * A person at work: VS Code's own page, Strata's panel in it, the demo with its questions. `STRATA_SCREENSHOT=1 npm test --
 * host` makes the README's picture of it, media/screenshot.png.
 */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../../scripts/lib/install.mjs";
import { out } from "../../paths.mjs";
import { inWorkbench } from "../../workbench";

describe("a turn in the panel", () => {
  const workbench = inWorkbench({ fresh: true, panel: false, wide: true });

  it("takes letters from its first picture on, asks before commands and edits, and repairs the sample", async () => {
    const { page } = workbench;
    await workbench.open("invoice.js");
    await page.locator(".activitybar [aria-label=Strata]").first().click();
    const view = page.locator("iframe.webview.ready").first().contentFrame();
    const composer = view.locator("iframe#active-frame").contentFrame().locator("#composer-text");
    await composer.waitFor();
    await composer.evaluate(
      box =>
        new Promise<void>(resolve => {
          if (box === document.activeElement) resolve();
          else box.addEventListener("focus", () => resolve(), { once: true });
        }),
    );
    const words = "Fix the failing test, and say what was wrong with it";
    await page.keyboard.type(words, { delay: 15 });
    const panel = await workbench.openPanel();
    await panel.getByRole("button", { name: /^Model/ }).waitFor();
    await workbench.screenshot("vscode-opened");
    assert.equal(await composer.inputValue(), words);
    assert.equal(await composer.evaluate(box => getComputedStyle(box).resize), "none", "with its own styles");
    assert.equal(await panel.getByRole("button", { name: "Send", exact: true }).count(), 1);

    await panel.getByRole("button", { name: "Send", exact: true }).and(panel.locator(":enabled")).waitFor();
    await composer.press("Enter");
    const allow = panel.getByRole("button", { name: "Allow", exact: true }).first();
    const runsTests = panel.getByText(/Run .*npm test/).first();
    await runsTests.waitFor();
    await allow.click();
    await panel
      .getByText(/Math\.round/)
      .first()
      .waitFor();
    await workbench.screenshot("vscode-approval");
    if (process.env.STRATA_SCREENSHOT)
      copyFileSync(join(out, "vscode-approval.png"), join(root, "media/screenshot.png"));
    await allow.click();
    await runsTests.waitFor();
    await allow.click();
    await panel.getByText("Repaired:").last().waitFor();
    await panel.getByRole("button", { name: "Send", exact: true }).waitFor();
    await workbench.screenshot("vscode-panel");
    assert.match(workbench.onDisk("src/invoice.js"), /Math\.round\(cents\)/);
    const log = panel.getByRole("log", { name: "Conversation" });
    assert.match((await log.textContent()) ?? "", /Fix the failing test/);
  });
});
