/** A rewind as a person does it in VS Code: what an edit and a command did goes back, what was typed and never saved stays. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { OfflineAnswer } from "../../../../scripts/offline-model/server.mjs";
import { call, changing } from "../../changing";

const answers: OfflineAnswer[] = [
  { text: "I look first.", calls: [call("r1", "Read", { file_path: "src/invoice.js" })] },
  {
    calls: [
      call("e1", "Edit", {
        file_path: "src/invoice.js",
        old_string: "return Math.floor(cents);",
        new_string: "return Math.round(cents);",
      }),
    ],
  },
  // Nothing shows it: that it went back is known from the session alone.
  { calls: [call("w1", "Write", { file_path: "notes.txt", content: "half up\n" })] },
  { calls: [call("b1", "Bash", { command: "echo made > made.txt && cp package.json copy.json" })] },
  { text: "Rounded." },
];

describe("a rewind in the editor", () => {
  const rewinding = changing(answers);

  it("shows beforehand what it does, keeps what was typed and not saved, and is undone", async () => {
    const { page, panel } = rewinding;
    await rewinding.send("Round half up");
    await panel.getByText("Rounded.").last().waitFor();

    await rewinding.open("src/invoice.js");
    await rewinding.lines("return Math.round").first().waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// mine, not saved");
    await rewinding.lines("mine, not saved").waitFor();

    await panel.getByRole("button", { name: "Go back to here" }).first().press("Enter");
    await panel.getByText("4 files would change", { exact: false }).last().waitFor();
    const review = panel.getByTitle(/ to review$/);
    await review.waitFor();
    await panel.getByText("later changes stay").first().waitFor();
    await rewinding.screenshot("vscode-rewind-preview");
    await panel.getByRole("button", { name: "Go back with a part" }).click();
    await panel.getByRole("menuitem", { name: "Files only" }).click();

    await rewinding.lines("return Math.floor").first().waitFor();
    assert.equal(await rewinding.lines("mine, not saved").count(), 1, "what was typed stands");
    await panel.getByText("Went back to before “", { exact: false }).first().waitFor();
    await review.waitFor({ state: "detached" });
    assert.deepEqual([existsSync(rewinding.at("made.txt")), existsSync(rewinding.at("copy.json"))], [false, false]);
    assert.ok(!rewinding.onDisk("src/invoice.js").includes("mine"), "nobody saved it");
    await rewinding.screenshot("vscode-rewind");

    await panel.locator(".rewound").getByRole("button", { name: "Undo" }).click();
    await rewinding.lines("return Math.round").first().waitFor();
    assert.equal(await rewinding.lines("mine, not saved").count(), 1);
    await panel.getByText("Undid going back", { exact: false }).first().waitFor();
    await review.waitFor();
    assert.equal(rewinding.onDisk("made.txt"), "made\n");
    assert.equal(rewinding.onDisk("copy.json"), rewinding.onDisk("package.json"));
  });
});
