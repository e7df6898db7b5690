/**
 * A person at work: VS Code's own page, Strata's panel in it, the demo with its questions. `STRATA_SCREENSHOT=1 npm test --
 * host` makes the README's picture of it, media/screenshot.png.
 */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame } from "playwright-core";
import { root } from "../../../scripts/lib/install.mjs";
import { out } from "../paths.mjs";
import { openWorkbench, type Workbench, widenSideBar } from "../workbench";

describe("a turn in the panel", () => {
  let workbench: Workbench;
  let panel: Frame;
  before(async () => {
    workbench = await openWorkbench({
      viewport: { width: 1280, height: 800 },
      settings: { "workbench.colorTheme": "Default Dark Modern" },
    });
    const { page } = workbench;
    await workbench.open("invoice.js");
    panel = await workbench.panel();
    await widenSideBar(page);
  });
  after(() => workbench?.close());

  afterEach(async function () {
    await workbench.afterTest(this.currentTest, "vscode");
  });

  const allow = async (question: RegExp) => {
    await panel.getByText(question).first().waitFor();
    await panel.getByRole("button", { name: "Allow", exact: true }).first().click();
  };

  it("begins with an empty panel", async () => {
    await panel.getByRole("textbox", { name: "Message Strata" }).waitFor();
    await workbench.screenshot("workbench");
    assert.equal(await panel.getByRole("button", { name: "Send" }).count(), 1);
  });

  it("asks before commands and edits, shows what it does, and repairs the sample", async () => {
    const message = panel.getByRole("textbox", { name: "Message Strata" });
    await message.fill("Fix the failing test");
    await panel.getByRole("button", { name: "Send" }).and(panel.locator(":enabled")).waitFor();
    await message.press("Enter");
    await allow(/Run .*npm test/);
    await panel
      .getByText(/Math\.round/)
      .first()
      .waitFor();
    await workbench.screenshot("vscode-approval");
    await panel.getByRole("button", { name: "Allow", exact: true }).first().click();
    await allow(/Run .*npm test/);
    await panel.getByText("Repaired:").waitFor();
    await panel.getByRole("button", { name: "Send" }).waitFor();
    await workbench.screenshot("vscode-panel");
    if (process.env.STRATA_SCREENSHOT) copyFileSync(join(out, "vscode-panel.png"), join(root, "media/screenshot.png"));
    assert.match(readFileSync(join(workbench.workspace, "src", "invoice.js"), "utf8"), /Math\.round\(cents\)/);
    const log = panel.getByRole("log", { name: "Conversation" });
    assert.match((await log.textContent()) ?? "", /Fix the failing test/);
  });
});
