/** What axe-core finds in a state of the panel. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunOptions } from "axe-core";
import type { PanelPage } from "./panel";

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

/** Fails with a line for each element that a rule finds. */
export async function checkAccess({ page }: PanelPage): Promise<void> {
  await page.evaluate(source);
  const found = await page.evaluate(async given => {
    const { violations } = await window.axe.run(document, given);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary = "" }) =>
          `${id}: ${html.slice(0, 160)} ${failureSummary.replace(/\s+/g, " ").slice(0, 220)}`,
      ),
    );
  }, options);
  assert.deepEqual(found, []);
}

declare global {
  interface Window {
    axe: typeof import("axe-core");
  }
}
