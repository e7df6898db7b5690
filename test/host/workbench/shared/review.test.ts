/** A review as a person does it in VS Code: by keyboard, over a reload, with text that was never saved, and in the diff. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import type { OfflineAnswer } from "../../../../scripts/offline-model/server.mjs";
import { eventually } from "../../../fakes/eventually";
import { soak } from "../../../fakes/soak";
import { call, changing } from "../../changing";
import { insist } from "../../workbench";

const FIRST = 'import { halfUp } from "./rounding.js";';

const answers: OfflineAnswer[] = [
  { text: "I look first.", calls: [call("r1", "Read", { file_path: "src/invoice.js" })] },
  {
    calls: [
      call("e1", "MultiEdit", {
        file_path: "src/invoice.js",
        edits: [
          { old_string: "// Amounts are", new_string: `${FIRST}\n\n// Amounts are` },
          { old_string: "return Math.floor(cents);", new_string: "return halfUp(cents);" },
        ],
      }),
      call("w1", "Write", {
        file_path: "src/rounding.js",
        content: "export const halfUp = cents => Math.round(cents);\n",
      }),
    ],
  },
  { text: "Rounding has a file of its own now." },
  { text: "I heard." },
  { calls: [call("r3", "Read", { file_path: "src/rounding.js" }), call("r4", "Read", { file_path: "package.json" })] },
  {
    calls: [
      call("e3", "Edit", { file_path: "src/rounding.js", old_string: "cents =>", new_string: "amount =>" }),
      call("w2", "Write", { file_path: "src/currency.js", content: 'export const sign = "€";\n' }),
    ],
  },
  { text: "Renamed." },
  { text: "Hello." },
  { text: "Nothing waits." },
];

describe("a review in the editor", () => {
  const reviewing = changing(answers);
  const lines = (text: string) => reviewing.lines(text);
  const lenses = () =>
    reviewing.page.locator(".editor-instance .codelens-decoration").filter({ hasText: "Keep change" });

  it("counts in the panel, marks in the file, and outlives a reload with what was typed and never saved", async () => {
    const { page } = reviewing;
    await reviewing.send("Give rounding a file of its own");
    await reviewing.panel.getByTitle("3 changes to review").waitFor();
    await reviewing.panel.getByRole("button", { name: "Review", exact: true }).click();
    await lenses().first().waitFor();
    await page.keyboard.press("Escape");
    await reviewing.command("Strata: Next Change to Review");
    await page
      .locator(".tab.active")
      .filter({ hasText: /invoice|rounding/ })
      .waitFor();
    await reviewing.screenshot("vscode-review");

    await reviewing.open("src/invoice.js");
    await lines("return halfUp").first().waitFor();
    const atEnd = page.locator(".statusbar-item").filter({ hasText: "Ln 26, Col 1" });
    await insist(() => page.keyboard.press("Control+End"), atEnd);
    await page.keyboard.type("// mine, not saved");
    await lines("mine, not saved").waitFor();
    await reviewing.backedUp("// mine, not saved");
    await reviewing.reload();
    await lines("mine, not saved").waitFor();
    await lenses().nth(1).waitFor();
    assert.equal(await lenses().count(), 2, "both changes of the file wait");
  });

  soak("walks", () => {
    it("stays marked where one of two editors of the file is closed", async () => {
      const { page } = reviewing;
      const at = (place: string) => page.locator(".statusbar-item").filter({ hasText: place });
      const groups = page.locator(".editor-group-container");
      await reviewing.command("View: Split Editor Right");
      await groups.nth(1).waitFor();
      await reviewing.command("View: Close Editor");
      await groups.nth(1).waitFor({ state: "detached" });
      await lines("mine, not saved").click();
      await page.keyboard.press("Control+Home");
      await reviewing.command("Strata: Next Change to Review");
      await at("Ln 7, Col 1").waitFor();
      await insist(() => page.keyboard.press("Shift+Alt+F5"), at("Ln 1, Col 1"));
      assert.equal(await lenses().count(), 2);
    });
  });

  it("by keyboard alone: next, undo, keep; unsaved text stays, and the editor's undo brings a change back", async () => {
    const { page } = reviewing;
    await lines("mine, not saved").click();
    await page.keyboard.press("Control+Home");
    await insist(
      () => page.keyboard.press("Alt+F5"),
      page.locator(".statusbar-item").filter({ hasText: "Ln 7, Col 1" }),
    );
    await insist(
      () => page.keyboard.press("Control+K").then(() => page.keyboard.press("Control+Backspace")),
      lines("return Math.floor"),
    );
    assert.equal(await lines("mine, not saved").count(), 1);
    assert.equal(await lines(FIRST).count(), 1, "the other change stands");
    await page.keyboard.press("Control+Z");
    await lines("return halfUp").waitFor();
    await lenses().nth(1).waitFor();
    await reviewing.screenshot("vscode-review-back");
    await page.keyboard.press("Control+Y");
    await lines("return Math.floor").waitFor();
    assert.match(reviewing.onDisk("src/invoice.js"), /return halfUp/, "nobody saved");
    const keep = async () => {
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("Control+K");
      await page.keyboard.press("Control+Enter");
      await lenses().first().waitFor({ state: "detached", timeout: 10_000 });
      return true;
    };
    await eventually("the change that was kept is not marked any more", keep, { limitMs: 90_000 });
    assert.equal(await lines(FIRST).count(), 1, "what was kept stands");
    await reviewing.panel.getByTitle("1 change to review").waitFor();
    await reviewing.panel.getByRole("button", { name: "Keep", exact: true }).click();
    await reviewing.panel.getByTitle(/ to review$/).waitFor({ state: "detached" });
    await reviewing.send("go on");
    await reviewing.panel.getByText("I heard.").last().waitFor();
    const heard = reviewing.offline.requests.at(-1);
    assert.match(JSON.stringify(heard), /the user undid a change of yours in src\/invoice\.js/);
  });

  soak("walks", () => {
    it("in the multi-file diff: marked on its right side, and undone there by keyboard", async () => {
      const { page } = reviewing;
      await reviewing.send("rename");
      await reviewing.panel.getByTitle("2 changes to review").waitFor();
      await reviewing.panel.getByRole("button", { name: "Open all" }).last().click();
      const diffs = page.locator(".multiDiffEntry");
      const right = diffs.filter({ hasText: "rounding.js" }).locator(".modified .view-line");
      await right.filter({ hasText: "amount =>" }).first().waitFor();
      await reviewing.screenshot("vscode-review-multi-diff");
      await right.filter({ hasText: "amount =>" }).first().click();
      await page.keyboard.press("Home");
      await insist(
        () => page.keyboard.press("Control+K").then(() => page.keyboard.press("Control+Backspace")),
        reviewing.panel.getByTitle("1 change to review"),
      );
      // The count is of the text; it is saved a moment later.
      const undone = /^export const halfUp = cents => Math.round\(cents\);/;
      await eventually("the undone change is saved", () => undone.test(reviewing.onDisk("src/rounding.js")));
    });

    it("is on the file's name in the explorer, and on the folders around it", async () => {
      const { page, panel } = reviewing;
      await panel.getByTitle("1 change to review").waitFor();
      await reviewing.open("src/currency.js");
      await reviewing.command("View: Show Explorer");
      const badged = () =>
        [...document.querySelectorAll(".explorer-folders-view .monaco-icon-label")]
          .filter(label => getComputedStyle(label, "::after").content.includes("±"))
          .map(label => label.textContent)
          .join();
      await page.waitForFunction(`(${badged})() === "currency.js"`);
      await reviewing.screenshot("vscode-review-badge");
      // It, and the diff behind it.
      for (let editors = 0; editors < 2; editors++) await reviewing.command("View: Close Editor");
      await reviewing.openPanel();
    });

    it("follows what another program does to a file that no editor shows", async () => {
      const { panel } = reviewing;
      const made = reviewing.onDisk("src/currency.js");
      await panel.getByTitle("1 change to review").waitFor();
      writeFileSync(reviewing.at("src/currency.js"), "// of another program\n");
      await panel.getByTitle(/ to review$/).waitFor({ state: "detached" });
      writeFileSync(reviewing.at("src/currency.js"), made);
      await panel.getByTitle("1 change to review").waitFor();
    });
  });
});
