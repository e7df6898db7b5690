/** What is in force, as a person sees it in VS Code. */
import type { Page } from "playwright-core";
import { soak } from "../../../fakes/soak";
import { insist, inWorkbench } from "../../workbench";

const row = (page: Page, text: string | RegExp) =>
  page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first();

soak("walks", () => {
  describe("Strata: Show Permissions", () => {
    const workbench = inWorkbench({
      panel: false,
      settings: {
        "strata.permissions.mode": "edits",
        "strata.permissions.allow": ["Bash(npm test *)", "Bash(oops"],
        "strata.permissions.deny": ["Bash(git push *)"],
      },
    });

    it("lists rules with their places and what is wrong with them, and tries a command", async () => {
      const { page } = workbench;
      await insist(() => workbench.command("Strata: Show Permissions"), row(page, "Mode: Edits allowed"));
      await row(page, /Cannot be read: .* It is left out/).waitFor();
      await workbench.screenshot("vscode-permissions");
      await row(page, "Try a command…").click();
      const input = page.locator(".quick-input-widget input[type=text]");
      await input.fill("npm test && git push --force");
      await row(page, /Never runs.*rule `Bash\(git push \*\)` in your settings forbids this/).waitFor();
      await workbench.screenshot("vscode-permissions-tried");
      await input.fill("ls src");
      await row(page, /Runs.*it (?:only reads|can only read)/).waitFor();
      await page.keyboard.press("Escape");
    });
  });
});
