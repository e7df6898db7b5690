/** Pictures for people to look at, and what can be measured of them. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { isSoak, soak } from "../fakes/soak";
import { checkAccess, wear } from "./access";
import { openPanel, type PanelOptions, type PanelPage, panelTest, type Theme } from "./panel";
import { START } from "./script";

/** Nothing is wider than the panel: no part of it can be reached only by scrolling sideways. */
async function checkWidth({ page }: PanelPage) {
  const wide = await page.evaluate(() => ({
    body: document.documentElement.scrollWidth - window.innerWidth,
    log: [...document.querySelectorAll(".scroller")].map(log => log.scrollWidth - log.clientWidth),
  }));
  assert.deepEqual(wide, { body: 0, log: wide.log.map(() => 0) });
}

/** Opens the panel and does what `then` does; in the soak of looks test/out/panel-<name>.png shows it. Fails where a part is out of sight. */
export async function picture(name: string, options: PanelOptions, then?: (panel: PanelPage) => Promise<unknown>) {
  const panel = await openPanel({ now: START + 192_000, ...options });
  await panel.settle();
  await then?.(panel);
  await panel.screenshot(name);
  await checkWidth(panel);
  await checkAccess(panel, options.theme ?? "dark");
  await pictureEverywhere(panel, name, options);
}

/** What a picture shows: a panel, and what is done in it. */
export type Look = [options: PanelOptions, then?: (panel: PanelPage) => Promise<unknown>];

/** A picture of each, under its name: of the first in `npm test`, of all in the soak of looks, in every theme and width there. */
export function pictures(looks: Readonly<Record<string, Look>>): void {
  for (const [at, [name, [options, then]]] of Object.entries(looks).entries())
    (at === 0 ? panelTest : looksTest)(name, () => picture(name, options, then));
}

/** A test of the soak of looks: a state that people look at, of which nothing is asserted but what `picture` measures. */
export function looksTest(title: string, body: () => Promise<unknown>): void {
  soak("looks", () => panelTest(title, body));
}

/** In the soak of looks: the state that a panel is in, in each of the usual themes and widths: test/out/looks/<name>-<theme>-<width>.png. */
export async function pictureEverywhere(panel: PanelPage, name: string, options: PanelOptions): Promise<void> {
  // What is opened in another theme was opened in the dark one as well.
  if (!isSoak("looks") || (options.theme ?? "dark") !== "dark") return;
  const folder = join(root, "test", "out", "looks");
  mkdirSync(folder, { recursive: true });
  const height = panel.page.viewportSize()?.height ?? 800;
  for (const width of [300, 420, 700]) {
    await panel.page.setViewportSize({ width, height });
    for (const theme of ["dark", "light", "high-contrast"] satisfies Theme[]) {
      await wear(panel.page, theme);
      await panel.settle();
      await panel.page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
    }
    await checkWidth(panel);
  }
  await wear(panel.page, options.theme ?? "dark");
}
