/** Pictures for people to look at, and what can be measured of them. */
import assert from "node:assert/strict";
import { checkAccess } from "./access";
import { openPanel, type PanelOptions, type PanelPage } from "./panel";
import { START } from "./script";

/** Nothing is wider than the panel: no part of it can be reached only by scrolling sideways. */
async function checkWidth({ page }: PanelPage) {
  const wide = await page.evaluate(() => ({
    body: document.documentElement.scrollWidth - window.innerWidth,
    log: [...document.querySelectorAll(".scroller")].map(log => log.scrollWidth - log.clientWidth),
  }));
  assert.deepEqual(wide, { body: 0, log: wide.log.map(() => 0) });
}

/** Opens the panel, does what `then` does, and writes test/out/panel-<name>.png. Fails where a part is out of sight. */
export async function picture(name: string, options: PanelOptions, then?: (panel: PanelPage) => Promise<unknown>) {
  const panel = await openPanel({ now: START + 192_000, ...options });
  await panel.settle();
  await then?.(panel);
  await panel.screenshot(name);
  await checkWidth(panel);
  await checkAccess(panel, options.theme ?? "dark");
}
