/** The first moment of the panel: what is in sight can be used. */
import assert from "node:assert/strict";
import { openWorkbench, type Workbench } from "../workbench";

describe("a click on Strata's icon", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench();
  });
  after(() => workbench?.close());

  it("gives a composer that takes letters from its first picture on, with its own styles", async () => {
    const { page } = workbench;
    await page.locator(".activitybar [aria-label=Strata]").first().click();
    const view = page.locator("iframe.webview.ready").first().contentFrame();
    const composer = view.locator("iframe#active-frame").contentFrame().locator("#composer-text");
    await composer.waitFor();
    await composer.evaluate(
      box =>
        new Promise<void>(resolve => {
          const look = () => (box === document.activeElement ? resolve() : setTimeout(look, 5));
          look();
        }),
    );
    const words = "fix the failing test, and say what was wrong with it";
    await page.keyboard.type(words, { delay: 15 });
    await view
      .locator("iframe#active-frame")
      .contentFrame()
      .getByRole("button", { name: /^Model/ })
      .waitFor();
    await workbench.screenshot("vscode-opened");
    assert.equal(await composer.inputValue(), words);
    assert.equal(await composer.evaluate(box => getComputedStyle(box).resize), "none");
  });
});
