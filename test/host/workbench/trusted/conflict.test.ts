/** A person types where the agent is about to edit: nothing is written over it, both see why, and the agent edits again. */
import assert from "node:assert/strict";
import { currentTurn } from "../../../../scripts/offline-model/conversation.mjs";
import type { OfflineScript } from "../../../../scripts/offline-model/server.mjs";
import { soak } from "../../../fakes/soak";
import { inWorkbench } from "../../workbench";

const file_path = "src/invoice.js";
const edit = (old_string: string, new_string: string) => ({
  name: "Edit",
  input: { file_path, old_string, new_string },
});

/** Reads, waits for a yes (meanwhile the person types), edits two places, and the one that was refused once more. */
const script: OfflineScript = request => {
  const { calls } = currentTurn(request);
  const steps = [
    { calls: [{ name: "Read", input: { file_path } }] },
    { calls: [{ name: "Bash", input: { command: "npm test" } }] },
    {
      calls: [
        edit("  return Math.floor(cents);", "  return Math.round(cents);"),
        edit('/** 83250 becomes "832.50". */', '/** 83250 becomes "832.50", without a currency. */'),
      ],
    },
    {},
    {
      text: "You changed that line yourself, so I build on yours:",
      calls: [edit("Math.trunc(cents)", "Math.round(cents)")],
    },
    { text: "Done: it rounds half up." },
  ];
  return steps[calls.length] ?? { text: "Done." };
};

soak("walks", () => {
  describe("a conflict in the panel", () => {
    const workbench = inWorkbench({
      ...{ panel: false, wide: true, script },
      settings: { "strata.permissions.mode": "edits" },
    });

    it("keeps what was typed, says so, and the agent edits what stands now", async () => {
      const { page } = workbench;
      await workbench.open("invoice.js:5:12");
      const panel = await workbench.openPanel();
      await workbench.send("Round half up");
      await panel
        .getByText(/Run .*npm test/)
        .first()
        .waitFor();
      await page.locator(".editor-instance .view-line").filter({ hasText: "Math.floor" }).click();
      await page.keyboard.press("End");
      for (let i = 0; i < "floor(cents);".length; i += 1) await page.keyboard.press("Backspace");
      await page.keyboard.type("trunc(cents);", { delay: 20 });
      await panel.getByRole("button", { name: "Run", exact: true }).first().click();
      // What was allowed was a command beside saved files: there is one with unsaved changes now, so it is asked again.
      await panel.getByRole("button", { name: "More ways to allow" }).click();
      await panel.getByRole("menuitem", { name: "Run without saving", exact: true }).click();
      await panel.getByText("Done: it rounds half up.").last().waitFor();
      const card = panel.locator('.tool[data-tool="Edit"]').first();
      assert.match((await card.textContent()) ?? "", /conflict, nothing written/);
      await card.locator(".tool-toggle").click();
      await card.getByText("your edit would put").scrollIntoViewIfNeeded();
      await workbench.screenshot("vscode-conflict");
      const lines = page.locator(".editor-instance .view-line");
      await lines.filter({ hasText: "Math.round(cents)" }).waitFor();
      await lines.filter({ hasText: "without a currency" }).waitFor();
      assert.match(workbench.onDisk(file_path), /Math\.floor/, "the person did not save");
    });
  });
});
