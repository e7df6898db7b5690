/** Mentions in the composer of a real VS Code: the menu by keyboard, the explorer's menu, a drag, and what the model is told. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { eventually } from "../../../fakes/eventually";
import { soak } from "../../../fakes/soak";
import { insist, inWorkbench } from "../../workbench";

describe("mentions in the composer", () => {
  /** all that the newest request had of the user, in order */
  let told = "";
  let answers = 0;
  const workbench = inWorkbench({
    ...{ panel: false, wide: true },
    files: { "docs/my notes.md": "# Notes\n" },
    script: ({ messages }) => {
      told = messages.flatMap(({ role, text }) => (role === "user" ? [text] : [])).join("\n");
      answers += 1;
      return { text: `Noted, number ${answers}.` };
    },
  });
  before(async () => {
    await workbench.open("invoice.js");
    const panel = await workbench.openPanel();
    await panel.getByRole("button", { name: "Model: offline-model" }).waitFor();
  });

  const value = (text: string) =>
    workbench.panel.waitForFunction(wanted => document.querySelector("textarea")?.value === wanted, text);
  const options = () => workbench.panel.getByRole("option");
  const chip = (name: string) =>
    workbench.panel.getByRole("list", { name: "Attached to this message" }).getByText(name);
  /** Waits for the answer to it as well: the next message must not join the turn. */
  const enter = async (number: number) => {
    await workbench.page.keyboard.press("Enter");
    await workbench.panel.getByText(`Noted, number ${number}.`).last().waitFor();
    await workbench.panel.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  };

  /** A menu that has only just opened leaves a click aside. */
  const add = async () => {
    const entry = workbench.page.locator(".context-view .action-label").filter({ hasText: "Add File to Strata" });
    await eventually("the menu takes a click", async () => {
      await entry.click();
      await entry.waitFor({ state: "detached", timeout: 3000 });
      return true;
    });
  };

  it("are chosen by keyboard, the active editor's file first; the model is told to read them", async () => {
    const { page } = workbench;
    await workbench.composer.focus();
    await page.keyboard.type("Compare @");
    await options().filter({ hasText: "active editor" }).waitFor();
    assert.match((await options().first().textContent()) ?? "", /^invoice\.js.*active editor/);
    await options().filter({ hasText: "terminal" }).waitFor();
    await workbench.screenshot("vscode-mention-menu");
    await page.keyboard.press("Enter");
    await value("Compare @src/invoice.js ");
    await page.keyboard.type("with @notes");
    await options().filter({ hasText: "my notes.md" }).waitFor();
    await page.keyboard.press("Tab");
    await value('Compare @src/invoice.js with @"docs/my notes.md" ');
    await chip("invoice.js").waitFor();
    await chip("my notes.md").waitFor();
    await workbench.screenshot("vscode-mention-chips");
    await enter(1);
    const asked = told.indexOf('Compare @src/invoice.js with @"docs/my notes.md"');
    assert.ok(asked >= 0, told);
    assert.match(
      told.slice(asked),
      /<system-reminder>\n[^\n]*@src\/invoice\.js\.\n[^\n]*@"docs\/my notes\.md"\.\n[^\n]*Read tool[^\n]*\n<\/system-reminder>/,
    );
  });

  soak("walks", () => {
    it("of a file that is deleted meanwhile are seen to be of nothing, and nothing is asked for", async () => {
      const { page } = workbench;
      writeFileSync(workbench.at("gone.txt"), "soon gone\n");
      await workbench.composer.focus();
      await page.keyboard.type("Look at @gone.txt now");
      await page.keyboard.press("Escape");
      await chip("gone.txt").waitFor();
      rmSync(workbench.at("gone.txt"));
      await chip("not found").waitFor();
      await workbench.screenshot("vscode-mention-missing");
      await enter(2);
      const asked = told.indexOf("Look at @gone.txt now");
      assert.ok(asked >= 0, told);
      assert.doesNotMatch(told.slice(asked), /MUST read/);
    });

    it("come from what is dragged here with Shift held", async () => {
      const { page } = workbench;
      const tab = await page.locator('.tab.active[data-resource-name="invoice.js"]').boundingBox();
      const target = await page.locator("iframe.webview.ready").first().boundingBox();
      assert.ok(tab && target);
      const [x, y] = [target.x + target.width / 2, target.y + target.height - 60];
      await page.mouse.move(tab.x + 40, tab.y + 10);
      await page.mouse.down();
      await page.mouse.move(tab.x + 20, tab.y + 40, { steps: 4 });
      await page.keyboard.down("Shift");
      await page.mouse.move(x, y - 20, { steps: 8 });
      await page.mouse.move(x, y, { steps: 4 });
      await workbench.panel.locator(".composer.dropping").waitFor();
      await workbench.screenshot("vscode-mention-drag");
      await page.mouse.up();
      await page.keyboard.up("Shift");
      await value("@src/invoice.js ");
      await workbench.composer.fill("");
    });

    it("come from the explorer's menu, several at once, and from a tab", async () => {
      const { page } = workbench;
      await page.locator(".activitybar [aria-label^=Explorer]").first().click();
      const row = (name: string) => page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: name });
      // A click opens the folder, which moves the rows below it.
      await insist(() => row("docs").first().click(), row("my notes.md"));
      await row("package.json").click({ modifiers: ["ControlOrMeta"] });
      for (const name of ["docs", "package.json"]) await row(name).and(page.locator(".selected")).waitFor();
      await row("package.json").click({ button: "right" });
      await add();
      await workbench.composer.waitFor();
      await value("@docs/ @package.json ");
      await page.locator('.tab.active[data-resource-name="invoice.js"]').click({ button: "right" });
      await add();
      await value("@docs/ @package.json @src/invoice.js ");
      await page.keyboard.type("!");
      await value("@docs/ @package.json @src/invoice.js !");
    });
  });
});
