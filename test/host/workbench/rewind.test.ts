/** A rewind as a person does it in VS Code: what an edit and a command did goes back, what was typed and never saved stays. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame } from "playwright-core";
import type { OfflineAnswer } from "../../../scripts/offline-model/server.mjs";
import { openWorkbench, type Workbench, widenSideBar } from "../workbench";

const call = (id: string, name: string, input: object) => ({ id, name, input });

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
  let workbench: Workbench;
  let panel: Frame;
  before(async () => {
    const left = [...answers];
    workbench = await openWorkbench({
      viewport: { width: 1280, height: 800 },
      settings: {
        "workbench.colorTheme": "Default Dark Modern",
        "strata.permissions.mode": "auto",
        "strata.permissions.runEverything": true,
        "files.autoSave": "off",
      },
      script: () => left.shift() ?? { text: "The script is over." },
    });
    panel = await workbench.panel();
    await widenSideBar(workbench.page);
  });
  after(() => workbench?.close());
  afterEach(async function () {
    await workbench.afterTest(this.currentTest, "rewind");
  });

  const onDisk = (path: string) => join(workbench.workspace, path);
  const lines = (text: string) => workbench.page.locator(".editor-instance .view-line").filter({ hasText: text });

  it("shows beforehand what it does, keeps what was typed and not saved, and is undone", async () => {
    const { page } = workbench;
    const message = panel.getByRole("textbox", { name: "Message Strata" });
    await message.fill("Round half up");
    await panel.getByRole("button", { name: "Send" }).and(panel.locator(":enabled")).waitFor();
    await message.press("Enter");
    await panel.getByText("Rounded.").waitFor();

    await workbench.open("src/invoice.js");
    await lines("return Math.round").first().waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// mine, not saved");
    await lines("mine, not saved").waitFor();

    await panel.getByRole("button", { name: "Rewind to here" }).first().press("Enter");
    await panel.getByText("4 files would change", { exact: false }).waitFor();
    const review = panel.getByRole("region", { name: "Changes to review" });
    await review.waitFor();
    await panel.getByText("goes back; what was changed since stays").waitFor();
    await workbench.screenshot("vscode-rewind-preview");
    await panel.getByRole("button", { name: "Files only" }).click();

    await lines("return Math.floor").first().waitFor();
    assert.equal(await lines("mine, not saved").count(), 1, "what was typed stands");
    await panel.getByText("Rewound", { exact: false }).first().waitFor();
    assert.deepEqual([existsSync(onDisk("made.txt")), existsSync(onDisk("copy.json"))], [false, false]);
    await review.waitFor({ state: "detached" });
    assert.ok(!readFileSync(onDisk("src/invoice.js"), "utf8").includes("mine"), "nobody saved it");
    await workbench.screenshot("vscode-rewind");

    await panel.getByRole("button", { name: "Undo the rewind" }).click();
    await lines("return Math.round").first().waitFor();
    assert.equal(await lines("mine, not saved").count(), 1);
    await panel.getByText("The rewind was undone", { exact: false }).first().waitFor();
    await review.waitFor();
    assert.equal(readFileSync(onDisk("made.txt"), "utf8"), "made\n");
    assert.equal(readFileSync(onDisk("copy.json"), "utf8"), readFileSync(onDisk("package.json"), "utf8"));
  });
});
