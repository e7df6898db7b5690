/** Two windows of one folder, to each of which VS Code gives a storage of its own, and two sessions at one function. */
import assert from "node:assert/strict";
import { eventually } from "../../../fakes/eventually";
import { call } from "../../changing";
import { inWorkbench } from "../../workbench";

describe("two windows at one function", () => {
  const file_path = "src/invoice.js";
  const edit = (old_string: string, new_string: string) =>
    call(new_string, "Edit", { file_path, old_string, new_string });
  const workbench = inWorkbench({
    settings: { "strata.permissions.mode": "edits" },
    script: ({ messages }) => {
      const isSecond = JSON.stringify(messages).includes("Round to the nearest");
      const change = isSecond ? edit("Math.ceil", "Math.round") : edit("Math.floor", "Math.ceil");
      const calls = [call("read", "Read", { file_path }), change];
      const next = calls[messages.filter(({ role }) => role === "tool").length];
      return next ? { calls: [next] } : { text: "That was all." };
    },
  });

  it("the second is asked before it writes, and sees whose lines they are", async () => {
    await workbench.send("Round up");
    await workbench.panel.getByText("That was all.").last().waitFor();
    const second = await workbench.page.context().newPage();
    await second.goto(workbench.page.url());
    await second.locator(".activitybar [aria-label*=Strata]").first().click();
    const panel = second.locator("iframe.webview.ready").first().contentFrame().frameLocator("iframe#active-frame");
    await panel.locator("#composer-text").fill("Round to the nearest");
    await panel.getByRole("button", { name: "Send", exact: true }).and(panel.locator(":enabled")).waitFor();
    await panel.locator("#composer-text").press("Enter");
    const asked = panel.getByRole("alertdialog").filter({ hasText: "Round up" });
    await asked.waitFor();
    assert.match(workbench.onDisk(file_path), /Math\.ceil/);
    await asked.getByRole("button", { name: "Allow", exact: true }).click();
    await eventually("it is written", () => /Math\.round/.test(workbench.onDisk(file_path)));
    await second.close();
  });
});
