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
  const panel = await stateOf(options, then);
  await panel.screenshot(name);
  await checkAccess(panel, options.theme ?? "dark");
  await pictureEverywhere(panel, name, options);
}

/** What a picture shows: a panel, and what is done in it. */
export type Look = [options: PanelOptions, then?: (panel: PanelPage) => Promise<unknown>];

/**
 * A picture of each, under its name: of the first in `npm test`, of all in the soak of looks, in every theme and width there. Each
 * state is opened in `npm test` too, and tells each thing once.
 */
export function pictures(looks: Readonly<Record<string, Look>>): void {
  const isWhole = (at: number) => at === 0 || isSoak("looks");
  for (const [at, [name, [options, then]]] of Object.entries(looks).entries())
    panelTest(name, () => (isWhole(at) ? picture(name, options, then) : stateOf(options, then)));
}

/** A panel in a state: each thing is told once there, and nothing is wider than the panel. */
async function stateOf(options: PanelOptions, then?: (panel: PanelPage) => Promise<unknown>): Promise<PanelPage> {
  const panel = await openPanel({ now: START + 192_000, ...options });
  await panel.settle();
  await then?.(panel);
  await checkToldOnce(panel);
  await checkWidth(panel);
  return panel;
}

/** Texts of Strata in sight that say this; what a person wrote, or screen readers alone hear, is no mention. @param words an expression, in any case */
export const mentions = ({ page }: PanelPage, words: string) =>
  page.evaluate(wanted => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const around = node.parentElement;
      if (around === null || around.closest(".visually-hidden, .user, script, style") || !around.checkVisibility())
        continue;
      if (new RegExp(wanted, "i").test(node.textContent ?? "")) found.push(node.textContent ?? "");
    }
    return found;
  }, words);

/** What is counted of one thing in a state: a wait in its row and its card, a plan in its box, a cut answer in its notice. */
const AT_MOST = { wait: 2, plan: 1, cut: 1 };

/** How often the panel tells of one wait, of each plan, and of a cut answer. */
async function mentionCounts(panel: PanelPage): Promise<typeof AT_MOST> {
  const { page } = panel;
  const waits = await page.locator(".waiting").count();
  // the others wait behind the one in front, each with its row
  const rows = Math.min(waits, await page.locator(".tool.asking").count());
  const told = waits === 0 ? [] : await mentions(panel, "wait(s|ing) for you|needs you|等待你|等你");
  const titles = await page.locator(".plan .plan-title").allTextContents();
  const plans = await Promise.all(titles.map(async title => (await mentions(panel, literal(title))).length));
  const cut = await mentions(panel, "connection (was )?(lost|ended|broke)|cut off|中断");
  // a message in the queue is another thing
  const lines = waits === 0 ? 0 : await page.locator(".status-line:not([data-kind=queue])").count();
  return { wait: waits + rows + told.length + lines, plan: Math.max(0, ...plans), cut: cut.length };
}

const literal = (text: string) => text.replace(/[^\p{L}\p{N} ]/gu, "\\$&");

async function checkToldOnce(panel: PanelPage): Promise<void> {
  const counts = await mentionCounts(panel);
  const more = Object.entries(AT_MOST).filter(([thing, most]) => counts[thing as keyof typeof AT_MOST] > most);
  assert.deepEqual(more, [], JSON.stringify(counts));
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
