/** What axe-core finds in a state of the panel. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { isSoak } from "../fakes/soak";
import { allThemes, type PanelPage, readTheme, type Theme } from "./panel";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Of a page in a frame of VS Code's some rules say nothing: the frame's title and landmarks are VS Code's. */
const options: RunOptions = {
  rules: {
    region: { enabled: false },
    "landmark-one-main": { enabled: false },
    "page-has-heading-one": { enabled: false },
    bypass: { enabled: false },
    // A text box of several lines with a list has no other role by which screen readers tell of the list.
    "aria-allowed-role": { enabled: false },
  },
};

/** High contrast is looked at in the soak of looks, with all the others. */
const usual: readonly string[] = ["dark", "light"] satisfies Theme[];

/** Fails with a line for each element that a rule finds; in themes other than the page's own only colours are looked at. */
export async function checkAccess({ page }: PanelPage, own: Theme): Promise<void> {
  await page.evaluate(source);
  const found = (await finds(page, options)).map(find => `${own}: ${find}`);
  // All of VS Code's themes take seconds a picture; what was drawn in another than the dark one was drawn in that as well.
  const themes = isSoak("looks") && own === "dark" ? allThemes : usual;
  for (const theme of themes.filter(each => each !== own)) {
    await wear(page, theme);
    const colours = await finds(page, { runOnly: ["color-contrast"] });
    const own = theme === "high-contrast" || usual.includes(theme) ? [] : ownPairs(theme);
    found.push(...colours.filter(find => !own.some(pair => find.includes(pair))).map(find => `${theme}: ${find}`));
  }
  assert.deepEqual(found, []);
}

/** What VS Code itself writes on what, in every part of it: where that is hard to read in a theme, it is so everywhere. */
const PAIRS = [
  ["button-foreground", "button-background"],
  ["menu-selectionForeground", "menu-selectionBackground"],
  ["foreground", "list-inactiveSelectionBackground"],
] as const;

/** These pairs of a theme, as axe names them. */
function ownPairs(theme: string): string[] {
  const { variables } = readTheme(theme);
  return PAIRS.map(pair => pair.map(name => variables[`--vscode-${name}`]?.toLowerCase())).map(
    ([front, back]) => `(foreground color: ${front}, background color: ${back},`,
  );
}

function finds(page: Page, given: RunOptions): Promise<string[]> {
  return page.evaluate(async options => {
    const { violations } = await window.axe.run(document, options);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = "" }) =>
          `${id}: ${html.slice(0, 160)} ${failureSummary.replace(/\s+/g, " ").slice(0, 220)}`,
      ),
    );
  }, given);
}

/** The page gets another theme's variables and class, as VS Code gives them to a panel that is open. */
export async function wear(page: Page, theme: string): Promise<void> {
  await page.evaluate(({ variables, bodyClass }) => {
    const { style } = document.documentElement;
    for (const name of [...style]) if (name.startsWith("--vscode-")) style.removeProperty(name);
    for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
    const { classList } = document.body;
    classList.remove("vscode-dark", "vscode-light", "vscode-high-contrast", "vscode-high-contrast-light");
    classList.add(...bodyClass.split(" "));
  }, readTheme(theme));
}

declare global {
  interface Window {
    axe: typeof import("axe-core");
  }
}
