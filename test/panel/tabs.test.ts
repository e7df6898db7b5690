/** A test's page is the next one's tab: nothing of the one shows in the other. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openPanel, panelTest } from "./panel";

describe("panel tests: a tab that was there before", () => {
  let used: Page | undefined;

  panelTest("has a draft, a pointer on a button and a clock that went ahead", async () => {
    const { page, composer, button, pass } = await openPanel();
    await composer.fill("half a thought");
    await pass(100_000);
    await page.waitForFunction(() => sessionStorage.getItem("draft")?.includes("half a thought"));
    await button("Mode: Ask first").hover();
    assert.ok(await page.evaluate(() => document.querySelector("button:hover") !== null));
    used = page;
  });

  panelTest("has none of it afterwards", async () => {
    const { page, composer } = await openPanel();
    assert.equal(page, used);
    assert.equal(await composer.inputValue(), "");
    const left = await page.evaluate(() => ({
      hovered: document.querySelector("button:hover") !== null,
      stored: sessionStorage.getItem("draft")?.includes("thought") ?? false,
      ahead: performance.now() > 90_000,
    }));
    assert.deepEqual(left, { hovered: false, stored: false, ahead: false });
  });
});
