/** A person who does something else while the agent works: the question and the end find them. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { soak } from "../../../fakes/soak";
import { inWorkbench } from "../../workbench";

soak("walks", () =>
  describe("a question while the panel is hidden", () => {
    let ask: () => void;
    const asked = new Promise<void>(resolve => {
      ask = resolve;
    });
    const workbench = inWorkbench({
      script: async ({ messages }) => {
        if (messages.at(-1)?.role === "tool") return { text: "It ran." };
        await asked;
        return { calls: [{ id: "call", name: "Bash", input: { command: "echo on" } }] };
      },
    });

    it("is on the icon, in the status bar and in a notification, which brings the person back", async () => {
      const { page, panel } = workbench;
      await workbench.send("run it");
      const status = page.locator(".statusbar-item", { hasText: /Strata/ });
      await status.getByText("Strata: running").waitFor();
      await page
        .getByRole("tab", { name: /Explorer/ })
        .first()
        .click();
      ask();
      await status.getByText("Strata: waiting").waitFor();
      await page
        .locator(".activitybar .action-item", { has: page.locator("[aria-label*=Strata]") })
        .getByText("1")
        .waitFor();
      const note = page.locator(".notification-toast", { hasText: "Strata asks: Run" });
      await workbench.screenshot("attention");
      await note.getByRole("button", { name: "Show" }).click();
      await panel.getByRole("button", { name: "Allow", exact: true }).click();
      await status.getByText("Strata: finished").waitFor();
      await panel.getByText("It ran.").last().waitFor();
      await workbench.command("Strata: Export Session");
      const target = page.locator(".quick-input-widget input[type=text]");
      await page.locator(".quick-input-list").getByText("Strata session").waitFor();
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        () =>
          document
            .querySelector<HTMLInputElement>(".quick-input-widget input[type=text]")
            ?.value.match(/\.(?:md|html|json|jsonl)$/) != null,
      );
      assert.equal(
        dirname(await target.inputValue()),
        dirname(workbench.workspace),
        "an export is proposed outside the workspace",
      );
    });
  }),
);
