/** /help and "Show Help": commands and keys in the conversation's place. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import type { PanelResult } from "../../src/shared/panelProtocol";
import { helpHandlers } from "../../src/vscode/panel/helpHandlers";
import { isSoak } from "../fakes/soak";
import { picture } from "./look";
import { openPanel, panelTest } from "./panel";

/** package.json with its English words, as VS Code gives it to an extension. */
function commandKeys(): Promise<PanelResult<"commandKeys">> {
  const read = (name: string) => readFileSync(join(root, name), "utf8");
  const words: Record<string, string> = JSON.parse(read("package.nls.json"));
  const manifest = JSON.parse(read("package.json"), (_, value) =>
    typeof value === "string" ? value.replace(/^%(.+)%$/, (all, key) => words[key] ?? all) : value,
  );
  return helpHandlers({ manifest: () => manifest }).commandKeys({});
}

describe("panel: help", function () {
  this.timeout(60_000);

  panelTest("/help shows commands and keys; Esc goes back, and the composer has the focus", async () => {
    const { page, composer, conversation, waitForRequest } = await openPanel({
      results: { commandKeys: await commandKeys() },
    });
    await composer.fill("/help");
    await composer.press("Enter");
    const help = page.getByRole("region", { name: "Help", exact: true });
    await help.getByText("/compact").waitFor();
    await help.getByText("Ask Strata About Selection").waitFor();
    const row = help.locator("dl > div", { hasText: "Find in the conversation" });
    assert.equal((await row.locator("kbd").allInnerTexts()).join(), "Ctrl+F");
    assert.equal(await composer.inputValue(), "");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Help");
    await help.getByRole("button", { name: "Change keys of commands" }).press("Enter");
    assert.deepEqual(await waitForRequest("action"), { action: "show-keys" });
    await page.keyboard.press("Escape");
    await conversation.waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "composer-text");
  });

  panelTest("the command of the view's menu opens it and closes it; a letter begins a message", async () => {
    const { page, show, composer, conversation } = await openPanel();
    await show("help");
    await page.getByRole("heading", { name: "Commands" }).waitFor();
    await page.keyboard.type("h");
    assert.equal(await composer.inputValue(), "h");
    await show("help");
    await conversation.waitFor();
  });

  panelTest("on a Mac keys are a Mac's", async () => {
    const { page, show } = await openPanel({ results: { commandKeys: await commandKeys() } });
    await page.evaluate(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
    await show("help");
    await page.getByRole("heading", { name: "Commands" }).waitFor();
    const keys = await page.locator(".help kbd").allInnerTexts();
    assert.ok(keys.includes("⌘F") && keys.includes("⌘K") && keys.includes("⌥F5"), keys.join(" "));
    assert.ok(!keys.some(key => key.includes("Ctrl")), keys.join(" "));
  });

  for (const language of ["en", "zh-cn"])
    for (const width of [300, 420])
      panelTest(`no key stands over the words beside it: ${width} px, ${language}`, async () => {
        const { page, show } = await openPanel({ results: { commandKeys: await commandKeys() }, width, language });
        await show("help");
        await page.locator(".help dl kbd").first().waitFor();
        const over = await page.locator(".help dl > div").evaluateAll(rows =>
          rows.flatMap(row => {
            const words = row.querySelector("dd")?.getBoundingClientRect() ?? new DOMRect();
            const keys = [...row.querySelectorAll("kbd, code")].map(key => key.getBoundingClientRect());
            return keys.some(({ right, bottom }) => right > words.left && bottom > words.top) ? [row.textContent] : [];
          }),
        );
        assert.deepEqual(over, []);
      });

  for (const [width, theme] of [
    [420, "dark"],
    [300, "light"],
    [700, "high-contrast"],
  ] as const)
    if (width === 420 || isSoak("looks"))
      panelTest(`looks right at ${width} px`, async () => {
        const results = { commandKeys: await commandKeys() };
        const look = { results, theme, width, height: 1400 };
        await picture(`help-${width}`, look, ({ show }) => show("help"));
      });
});
