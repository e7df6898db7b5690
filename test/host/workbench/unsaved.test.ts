/** Text that was typed and not saved, over a reload of the window: VS Code brings it back, and Strata goes by it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkbench, type Workbench } from "../workbench";

const call = (id: string, name: string, input: object) => ({ id, name, input });

describe("unsaved text over a reload", () => {
  let workbench: Workbench;
  const seen: Record<string, string> = {};
  before(async () => {
    const file_path = "src/invoice.js";
    workbench = await openWorkbench({
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
  });
  after(() => workbench?.close());
  afterEach(async function () {
    await workbench.afterTest(this.currentTest, "unsaved");
  });

  it("is read and edited as it was, also in a tab that nobody looked at since", async () => {
    const { page, workspace } = workbench;
    const onDisk = () => readFileSync(join(workspace, "src", "invoice.js"), "utf8");
    const before = onDisk();
    await workbench.open("invoice.js");
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.type("// typed, not saved ");
    await page.locator('.tab.dirty[data-resource-name="invoice.js"]').waitFor();
    await workbench.open("package.json");
    await workbench.backedUp("// typed, not saved ");
    await page.reload();
    await page.locator('.tab.dirty[data-resource-name="invoice.js"]').waitFor();
    const panel = await workbench.panel();
    await panel.getByRole("textbox", { name: "Message Strata" }).fill("Round to the nearest");
    await panel.getByRole("button", { name: "Send" }).and(panel.locator(":enabled")).click();
    await panel.getByText("Changed beside your typing").waitFor();
    assert.match(seen.read ?? "", /unsaved changes[\s\S]*\n1\t\/\/ typed, not saved /);
    assert.match(seen.edit ?? "", /^Edited src\/invoice\.js: .*not saved: it stands unsaved in the editor/);
    assert.equal(onDisk(), before);
    await workbench.open("invoice.js");
    await page.locator(".view-line").filter({ hasText: "Math.round" }).first().waitFor();
    await page.locator(".view-line").filter({ hasText: "// typed, not saved" }).first().waitFor();
    await workbench.screenshot("vscode-unsaved");
  });
});
