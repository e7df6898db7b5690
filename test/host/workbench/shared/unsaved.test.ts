/** Text that was typed and not saved, over a reload of the window: VS Code brings it back, and Strata goes by it. */
import assert from "node:assert/strict";
import { soak } from "../../../fakes/soak";
import { call } from "../../changing";
import { inWorkbench } from "../../workbench";

soak("walks", () => {
  describe("unsaved text over a reload", () => {
    const file_path = "src/invoice.js";
    const seen: Record<string, string> = {};
    const workbench = inWorkbench({
      panel: false,
      settings: { "strata.permissions.mode": "edits", "files.hotExit": "onExitAndWindowClose" },
      script: request => {
        for (const { callId, text } of request.messages) if (callId) seen[callId] = text;
        if (!("read" in seen)) return { calls: [call("read", "Read", { file_path })] };
        if (!("edit" in seen)) {
          return { calls: [call("edit", "Edit", { file_path, old_string: "Math.floor", new_string: "Math.round" })] };
        }
        return { text: "Changed beside your typing." };
      },
    });

    it("is read and edited as it was, also in a tab that nobody looked at since", async () => {
      const { page } = workbench;
      const before = workbench.onDisk(file_path);
      await workbench.open("invoice.js");
      await page.keyboard.press("ControlOrMeta+Home");
      await page.keyboard.type("// typed, not saved ");
      await page.locator('.tab.dirty[data-resource-name="invoice.js"]').waitFor();
      await workbench.open("package.json");
      await workbench.backedUp("// typed, not saved ");
      await workbench.reload();
      await page.locator('.tab.dirty[data-resource-name="invoice.js"]').waitFor();
      const panel = await workbench.openPanel();
      await workbench.send("Round to the nearest");
      await panel.getByText("Changed beside your typing").last().waitFor();
      assert.match(seen.read ?? "", /unsaved changes[\s\S]*\n1\t\/\/ typed, not saved /);
      assert.match(seen.edit ?? "", /^Edited src\/invoice\.js: .*not saved/);
      assert.equal(workbench.onDisk(file_path), before);
      await workbench.open("invoice.js");
      await page.locator(".view-line").filter({ hasText: "Math.round" }).first().waitFor();
      await page.locator(".view-line").filter({ hasText: "// typed, not saved" }).first().waitFor();
      await workbench.screenshot("vscode-unsaved");
    });
  });
});
