/** A proposed edit as a person meets it: the diff editor beside the panel's question, its buttons, its keys, a reload. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { currentTurn } from "../../../../scripts/offline-model/conversation.mjs";
import type { OfflineRequest } from "../../../../scripts/offline-model/server.mjs";
import { soak } from "../../../fakes/soak";
import { inWorkbench } from "../../workbench";

const file = "src/invoice.js";
const path = { file_path: file };
const edit = { ...path, old_string: "return Math.floor(cents);", new_string: "return Math.round(cents);" };

/** Reads the file, proposes the edit, ends. */
function script(request: OfflineRequest) {
  const { calls } = currentTurn(request);
  if (calls.length === 0) return { text: "I read it first.", calls: [{ name: "Read", input: path }] };
  if (calls.length === 1)
    return { text: "Half cents are cut off: they have to be rounded.", calls: [{ name: "Edit", input: edit }] };
  return { text: `It said: ${calls[1]?.result}` };
}

describe("a proposal in the workbench", () => {
  const workbench = inWorkbench({ script, untyped: true, viewport: { width: 1400, height: 800 } });

  const tab = () => workbench.page.locator(".tab").filter({ hasText: "proposed by Strata" });
  const right = () => workbench.page.locator(".monaco-diff-editor .editor.modified");
  const action = (name: string) => workbench.page.locator(`.editor-actions [aria-label^="${name}"]`);
  const content = () => workbench.onDisk(file);

  async function ask() {
    await workbench.send("Fix the rounding");
    await workbench.panel.getByRole("alertdialog").waitFor();
    await tab().waitFor();
    await right().getByText("Math.round").waitFor();
  }

  it("opens beside the question; changed and accepted there, it lands as it stands", async () => {
    const { page, panel } = workbench;
    await ask();
    const isFocused = await panel.getByRole("alertdialog").evaluate(dialog => dialog.contains(document.activeElement));
    assert.equal(isFocused, true, "the question has the focus");
    await right().getByText("Math.round").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" // half up");
    await workbench.screenshot("vscode-approval-diff");
    await action("Allow").click();
    await panel.getByText("It said:").first().waitFor();
    assert.match(content(), /return Math\.round\(cents\); \/\/ half up\n/);
    await tab().waitFor({ state: "detached" });
    await panel.getByText("revised by you").last().waitFor();
    await workbench.screenshot("vscode-approval-diff-accepted");
  });

  soak("walks", () => {
    it("rejected with the keyboard, changes nothing", async () => {
      const before = content().replace(" // half up", "").replace("Math.round", "Math.floor");
      writeFileSync(workbench.at(file), before);
      const { page } = workbench;
      await ask();
      await right().getByText("Math.round").click();
      await page.keyboard.type("x");
      await page.keyboard.press("Control+K");
      await page.keyboard.press("Control+Backspace");
      await tab().waitFor({ state: "detached" });
      const { panel } = workbench;
      await panel.getByText("Denied").or(panel.getByText("The user denied this call")).first().waitFor();
      assert.equal(content(), before);
      assert.equal(await page.locator(".monaco-dialog-box").count(), 0);
    });

    it("is asked about again when the window is reloaded, once, and is rejected then", async () => {
      const before = content();
      await ask();
      await workbench.reload();
      const { panel } = workbench;
      await panel.getByRole("alertdialog").waitFor();
      await right().getByText("Math.round").waitFor();
      assert.equal(await tab().count(), 1);
      await action("Deny").click();
      await tab().waitFor({ state: "detached" });
      await panel.getByRole("alertdialog").waitFor({ state: "detached" });
      assert.equal(content(), before);
    });

    it("stays after a reload where somebody typed in it, and is accepted as it stands then", async () => {
      const { page } = workbench;
      const before = content();
      await ask();
      await right().getByText("Math.round").click();
      await page.keyboard.press("End");
      await page.keyboard.type(" // typed");
      await workbench.backedUp("// typed");
      await workbench.reload();
      await right().getByText("// typed").waitFor();
      await workbench.screenshot("vscode-proposal-reloaded");
      await workbench.panel.getByRole("alertdialog").waitFor();
      await action("Allow").click();
      await tab().waitFor({ state: "detached" });
      assert.notEqual(content(), before);
      assert.match(content(), /Math\.round\(cents\); \/\/ typed/);
    });
  });
});
