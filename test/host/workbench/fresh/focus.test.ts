/** Keys that are typed at once behind a key that leads into the panel: they reach the composer or nobody, never the file. */
import assert from "node:assert/strict";
import { eventually } from "../../../fakes/eventually";
import { inWorkbench } from "../../workbench";

const TYPED = "why is that so";
const MENTION = "@src/invoice.js:1-3 ";

describe("asking about a selection", () => {
  // At first the panel was never opened.
  const workbench = inWorkbench({ fresh: true, panel: false });

  const lines = async () =>
    (await workbench.page.locator(".editor-instance .view-line").allInnerTexts()).toSorted().join("\n");

  for (const wait of [0, 50, 200])
    it(`leaves the file as it is where somebody types ${wait} ms behind the key`, async () => {
      const { page } = workbench;
      await workbench.open("src/invoice.js");
      await page.locator(".editor-instance .view-lines").first().click();
      await page.keyboard.press("ControlOrMeta+Home");
      for (let line = 0; line < 3; line++) await page.keyboard.press("Shift+ArrowDown");
      await page.locator(".statusbar", { hasText: "selected" }).waitFor();
      const before = await lines();
      await page.keyboard.press("ControlOrMeta+K");
      await page.keyboard.press("a", { delay: wait });
      await page.keyboard.type(TYPED);
      await workbench.openPanel();
      await eventually("the selection is mentioned", async () =>
        (await workbench.composer.inputValue()).startsWith(MENTION),
      );
      const rest = (await workbench.composer.inputValue()).slice(MENTION.length);
      console.log(`behind ${wait} ms the composer has "${rest}"`);
      assert.ok(TYPED.endsWith(rest), rest);
      assert.equal(await lines(), before);
      assert.equal(await page.locator(".tab.dirty").count(), 0);
      await workbench.composer.fill("");
    });
});
