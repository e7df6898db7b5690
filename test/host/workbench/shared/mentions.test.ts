/** Mentions as a person types them, on VS Code's own page. */
import assert from "node:assert/strict";
import { eventually } from "../../../fakes/eventually";
import { insist, inWorkbench } from "../../workbench";

describe("mentions in the workbench", () => {
  const asked: string[] = [];
  const workbench = inWorkbench({
    panel: false,
    files: { "notes.md": "" },
    script: ({ messages }) => {
      asked.push(messages.find(({ role, text }) => role === "user" && !text.startsWith("<system-"))?.text ?? "");
      return { text: "It adds up the invoice." };
    },
  });

  const suggestion = (name: string) =>
    workbench.page.locator(".suggest-widget.visible .monaco-list-row").filter({ hasText: name });
  /** The list comes by itself; where the machine was too slow for it, it is asked for, as a person does. */
  const offered = async (name: string) => {
    const list = suggestion(name);
    await list
      .first()
      .waitFor({ timeout: 15_000 })
      .catch(() => insist(() => workbench.page.keyboard.press("Control+Space"), list));
  };
  /** As the editor shows it: blanks are no-break spaces there. */
  const shown = (text: string) => workbench.lines(text.replaceAll(" ", "\u00a0"));

  it("are completed by keys, in a file and in the prompt editor, which sends by a key", async () => {
    const { page } = workbench;
    await workbench.open("notes.md");
    await page.locator(".editor-instance .view-line").first().click();
    await page.keyboard.type("See @inv");
    await offered("invoice.js");
    await workbench.screenshot("vscode-mention-completion");
    const rows = await page.locator(".suggest-widget.visible .monaco-list-row .label-name").allTextContents();
    assert.deepEqual(rows.slice(0, 2), ["invoice.js", "invoice.test.js"], "the server's order");
    await page.keyboard.press("Enter");
    await shown("See @src/invoice.js").waitFor();
    await page.keyboard.type(", all of @src");
    await page.locator(".suggest-widget.visible .monaco-list-row.focused").filter({ hasText: "src/" }).waitFor();
    await page.keyboard.press("Enter");
    await shown("all of @src/").waitFor();
    await offered("invoice.js");
    await page.keyboard.press("Enter");
    await shown("See @src/invoice.js, all of @src/invoice.js").waitFor();
    await page.keyboard.type(" and @inoi.j");
    await offered("invoice.js");
    // A blank ends it: Enter is a new line then, and no choice.
    await page.keyboard.type(" is");
    await page.locator(".suggest-widget.visible").waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await page.keyboard.type("end");
    await shown("end").waitFor();
    await page.keyboard.press("ControlOrMeta+S");

    await workbench.command("Strata: Write Prompt");
    await page.locator(".tab.active").filter({ hasText: "Untitled" }).waitFor();
    await page.keyboard.type("What does @inv");
    await offered("invoice.js");
    await page.keyboard.press("Enter");
    await page.keyboard.type(" do, from the first line on?");
    await page.locator('.view-line span[class*="mtk"]').getByText("@src/invoice.js", { exact: true }).waitFor();
    await workbench.screenshot("vscode-prompt-editor");
    await page.keyboard.press("ControlOrMeta+Enter");
    await eventually("the model is asked", () => asked.length > 0);
    assert.match(asked[0] ?? "", /^What does @src\/invoice\.js do, from the first line on\?\s+<system-reminder>/);
    await page.locator(".tab").filter({ hasText: "Untitled" }).waitFor({ state: "detached" });
    assert.equal(await page.locator(".monaco-dialog-box").count(), 0);
    // The view opens by itself, and takes the focus.
    await page.locator("iframe.webview.ready").first().waitFor();
    const panel = await workbench.openPanel();
    await panel.getByText("It adds up the invoice.").last().waitFor();
  });
});
