/** What a turn changed, as a person sees it in VS Code: the list in the panel, the multi-file diff, undo. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { OfflineAnswer } from "../../../../scripts/offline-model/server.mjs";
import { call, changing } from "../../changing";

const answers: OfflineAnswer[] = [
  {
    text: "I look at both files first.",
    calls: [
      call("r1", "Read", { file_path: "src/invoice.js" }),
      call("r2", "Read", { file_path: "test/invoice.test.js" }),
    ],
  },
  {
    calls: [
      call("e1", "MultiEdit", {
        file_path: "src/invoice.js",
        edits: [
          { old_string: "// Amounts are", new_string: 'import { halfUp } from "./rounding.js";\n\n// Amounts are' },
          { old_string: "return Math.floor(cents);", new_string: "return halfUp(cents);" },
        ],
      }),
      call("e2", "Edit", {
        file_path: "test/invoice.test.js",
        old_string: "// two and a half hours at 3.33: 832.5 cents",
        new_string: "// two and a half hours at 3.33: 832.5 cents, half up",
      }),
      call("w1", "Write", {
        file_path: "src/rounding.js",
        content: "export const halfUp = cents => Math.round(cents);\n",
      }),
    ],
  },
  { text: "Rounding has a file of its own now." },
];

describe("changed files in the panel", () => {
  const changed = changing(answers, { settings: { "diffEditor.hideUnchangedRegions.enabled": true } });

  it("are listed at the turn's end, open in one diff, and are undone one by one", async () => {
    const { page, panel } = changed;
    const before = changed.onDisk("src/invoice.js");
    await changed.send("Give rounding a file of its own");
    await panel.locator(".changes-toggle").click();
    const files = panel.getByRole("list", { name: "Changed files" }).getByRole("listitem");
    assert.equal(await files.count(), 3);
    await panel.getByRole("button", { name: "Open all" }).click();
    const diffs = page.locator(".multiDiffEntry");
    await diffs.filter({ hasText: "rounding.js" }).locator(".view-line").filter({ hasText: "Math.round" }).waitFor();
    await diffs.filter({ hasText: "invoice.js" }).locator(".view-line").filter({ hasText: "return halfUp" }).waitFor();
    assert.equal(await page.locator(".multiDiffEntry .status").filter({ hasText: "R" }).count(), 0, "none is renamed");
    await files.first().hover();
    await changed.screenshot("vscode-multi-diff");
    await files.filter({ hasText: "invoice.js" }).locator(".file-open").click();
    await page.locator(".tab").filter({ hasText: "invoice.js (since the turn began)" }).waitFor();
    await page
      .locator(".monaco-diff-editor .modified .view-line")
      .filter({ hasText: "return halfUp" })
      .first()
      .waitFor();
    // What waits for a review is undone by the line above the composer; what was kept, by its row.
    await panel.getByRole("button", { name: "Keep", exact: true }).click();
    const undo = panel.getByRole("button", { name: "Undo the changes of invoice.js" });
    await undo.waitFor({ state: "attached" });
    await undo.focus();
    await undo.press("Enter");
    await panel.getByText("3 files changed, 1 undone").first().waitFor();
    await changed.screenshot("vscode-changed-files");
    assert.equal(changed.onDisk("src/invoice.js"), before);
    const undoNew = panel.getByRole("button", { name: "Undo the changes of rounding.js" });
    await undoNew.focus();
    await undoNew.press("Enter");
    await panel.getByText("3 files changed, 2 undone").first().waitFor();
    assert.equal(existsSync(changed.at("src/rounding.js")), false);
    const redo = panel.getByRole("button", { name: "Redo the changes of rounding.js" });
    await redo.press("Enter");
    await panel.getByText("3 files changed, 1 undone").first().waitFor();
    assert.match(changed.onDisk("src/rounding.js"), /halfUp/);
  });
});
