/** A workspace's hooks in VS Code: nothing runs until the person said yes to their exact text; then it does, and what changes asks again. */
import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { soak } from "../../../fakes/soak";
import { insist, inWorkbench } from "../../workbench";

const row = (page: Page, text: string | RegExp) =>
  page.locator(".quick-input-list .monaco-list-row:visible").filter({ hasText: text }).first();
const hooked = (command: string) =>
  JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] } });

soak("walks", () => {
  describe("Strata: Show Hooks", () => {
    const workbench = inWorkbench({
      panel: false,
      files: { ".claude/settings.json": hooked("touch ran.txt; echo 'not here' >&2; exit 2") },
    });

    it("shows what waits, asks with the exact text, runs it dry, and asks anew after a change", async () => {
      const { page } = workbench;
      const list = async (text: RegExp) => insist(() => workbench.command("Strata: Show Hooks"), row(page, text));
      const dialog = page.locator(".monaco-dialog-box");
      await list(/not approved/);
      await workbench.screenshot("vscode-hooks");
      // What waits comes first: the first Enter asks about it.
      await page.keyboard.press("Enter");
      await dialog.getByText("touch ran.txt").waitFor();
      await workbench.screenshot("vscode-hooks-consent");
      await dialog.getByRole("button", { name: "Approve" }).click();
      await dialog.waitFor({ state: "detached" });
      await list(/1 hook, runs/);
      writeFileSync(workbench.at(".claude/settings.json"), hooked("touch other.txt"));
      await list(/not approved/);
      await page.keyboard.press("Escape");
    });
  });
});
