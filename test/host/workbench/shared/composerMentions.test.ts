/** Mentions in the composer of a real VS Code: the menu by keyboard, a drag, and what the model is told. */
import assert from "node:assert/strict";
import { soak } from "../../../fakes/soak";
import { inWorkbench } from "../../workbench";

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
  });
});
