/** A workspace's hooks in VS Code: nothing runs until the person said yes to their exact text; then it does, and what changes asks again. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { insist, openWorkbench, type Workbench } from "../workbench";

const row = (page: Page, text: string | RegExp) =>
  page.locator(".quick-input-list .monaco-list-row:visible").filter({ hasText: text }).first();
/** One widget shows a question after another, and keeps the rows of the one before: what it asks tells which one it is. */
const asks = (page: Page, placeholder: string) =>
  page.locator(`.quick-input-widget input[placeholder^="${placeholder}"]`).waitFor();

describe("Strata: Show Hooks", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench({ viewport: { width: 1280, height: 800 } });
    mkdirSync(join(workbench.workspace, ".claude"), { recursive: true });
    write("touch ran.txt; echo 'not here' >&2; exit 2");
  });
  after(() => workbench?.close());

  function write(command: string): void {
    const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] };
    writeFileSync(join(workbench.workspace, ".claude/settings.json"), JSON.stringify({ hooks }));
  }

  it("shows what waits, asks with the exact text, runs it dry, and asks anew after a change", async () => {
    const { page } = workbench;
    const list = (text: RegExp) => insist(() => workbench.command("Strata: Show Hooks"), row(page, text));
    await list(/not agreed to: does not run/);
    await workbench.screenshot("vscode-hooks");
    await row(page, /not agreed to/).click();
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.getByText("touch ran.txt").waitFor();
    await workbench.screenshot("vscode-hooks-consent");
    await dialog.getByRole("button", { name: "Agree" }).click();
    await dialog.waitFor({ state: "detached" });
    await list(/1 hook, runs/);
    await row(page, "Dry run").click();
    await asks(page, "At which moment?");
    await row(page, "PreToolUse").click();
    await page.locator(".quick-input-message", { hasText: "Of which tool?" }).waitFor();
    await page.keyboard.press("Enter");
    await asks(page, "These would run.");
    assert.equal(existsSync(join(workbench.workspace, "ran.txt")), false);
    await row(page, "touch ran.txt").click();
    await page.locator(".tab", { hasText: "Dry run of a hook" }).waitFor();
    assert.equal(existsSync(join(workbench.workspace, "ran.txt")), true);
    await workbench.screenshot("vscode-hooks-dry-run");
    write("touch other.txt");
    await list(/not agreed to: does not run/);
    await page.keyboard.press("Escape");
  });
});
