/** A plan as a person meets it: it opens in the editor, is changed there, outlives a reload unsaved, and is carried out. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame } from "playwright-core";
import { currentTurn } from "../../../scripts/offline-model/conversation.mjs";
import type { OfflineRequest } from "../../../scripts/offline-model/server.mjs";
import { insist, openWorkbench, type Workbench } from "../workbench";

const file = "src/invoice.js";
const path = { file_path: file };
const edit = { ...path, old_string: "return Math.floor(cents);", new_string: "return Math.round(cents);" };
const plan = `# Plan: Round half up

\`${file}\` cuts half cents off.

- [ ] Round in \`${file}\`
- [ ] Run the tests
`;

describe("a plan in the workbench", function () {
  this.timeout(240_000);
  let workbench: Workbench;
  let panel: Frame;
  const asked: string[] = [];

  /** In plan mode it reads and plans; else it edits. */
  function script(request: OfflineRequest) {
    const text = request.messages.map(message => message.text).join("\n");
    asked.push(text);
    const { calls } = currentTurn(request);
    if (calls.length === 0) return { text: "I look first.", calls: [{ name: "Read", input: path }] };
    if (/Plan mode: read, search/.test(request.messages.at(-1)?.text ?? "")) return { text: plan };
    if (calls.length === 1) return { calls: [{ name: "Edit", input: edit }] };
    return { text: "Half cents are rounded up now." };
  }

  before(async () => {
    workbench = await openWorkbench({
      viewport: { width: 1400, height: 800 },
      settings: { "workbench.colorTheme": "Default Dark Modern" },
      script,
    });
    panel = await workbench.panel();
  });
  after(() => workbench?.close());
  afterEach(async function () {
    await workbench.afterTest(this.currentTest, "plan");
  });

  const tab = () => workbench.page.locator(".tab").filter({ hasText: "Plan of turn 1.md" });
  const lines = () => workbench.page.locator(".editor-instance .view-lines");
  const content = () => readFileSync(join(workbench.workspace, file), "utf8");

  async function send(words: string) {
    const message = panel.getByRole("textbox", { name: "Message Strata" });
    await message.fill(words);
    await panel.getByRole("button", { name: "Send" }).and(panel.locator(":enabled")).waitFor();
    await message.press("Enter");
  }

  it("opens by itself, takes what is typed into it, and keeps that over a reload without a save", async () => {
    const { page } = workbench;
    const planOnly = panel.getByRole("menuitemradio", { name: /^Plan only/ });
    await insist(() => panel.getByRole("button", { name: /^Mode: / }).click(), planOnly);
    await planOnly.click();
    await send("Plan the rounding");
    await tab().waitFor();
    await panel.getByRole("button", { name: "Carry out" }).waitFor();
    assert.match(content(), /Math\.floor/);
    await lines().getByText("Run the tests").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    // VS Code goes on with the list by itself in some versions: a line of our own begins at its beginning.
    await page.keyboard.press("Shift+Home");
    await page.keyboard.type("> and say so in one line");
    await lines().getByText("> and say so in one line").waitFor();
    await workbench.screenshot("plan-edited");
    await workbench.backedUp("> and say so in one line");
    await page.reload();
    await page.locator(".activitybar [aria-label=Strata]").first().waitFor();
    panel = await workbench.panel();
    await tab().waitFor();
    await tab().click();
    await lines().getByText("> and say so in one line").waitFor();
  });

  it("is carried out by its key as it stands there: mode, todos, work", async () => {
    const { page } = workbench;
    await lines().getByText("Run the tests").click();
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+Enter");
    await page.locator(".quick-input-widget").getByText("Edits allowed").click();
    await panel.getByText("Half cents are rounded up now.").waitFor();
    await panel.getByRole("button", { name: "Mode: Edits allowed" }).waitFor();
    assert.match(content(), /Math\.round\(cents\)/);
    assert.match(asked.at(-1) ?? "", /The user approved the plan[\s\S]*> and say so in one line/);
    assert.match(asked.at(-1) ?? "", /\[ \] Round in `src\/invoice\.js`\n\[ \] Run the tests/);
    await panel.getByRole("region", { name: "Plan that is carried out: Round half up" }).waitFor();
    await workbench.screenshot("plan-carried-out");
    assert.equal(
      existsSync(join(workbench.workspace, "Plan of turn 1.md")),
      false,
      "nothing of it is in the workspace",
    );
  });

  it("is told step by step in a page from the log, and its key hides the work over a reload", async () => {
    const { page } = workbench;
    await panel.getByRole("button", { name: "What was done in this turn, and why" }).last().click();
    await page.locator(".tab").filter({ hasText: "What turn 2 did" }).waitFor();
    await workbench.screenshot("turn-report");
    await panel.getByText("Read src/invoice.js").or(panel.locator(".tool")).first().waitFor();
    await panel.getByRole("textbox", { name: "Message Strata" }).click();
    await page.keyboard.press("Control+K");
    await page.keyboard.press("h");
    await panel.locator(".conversation.focused").waitFor();
    assert.equal(await panel.locator(".tool:visible").count(), 0);
    await workbench.screenshot("focus-view");
    await page.reload();
    await page.locator(".activitybar [aria-label=Strata]").first().waitFor();
    panel = await workbench.panel();
    await panel.locator(".conversation.focused").waitFor();
    await panel.getByText("Half cents are rounded up now.").waitFor();
  });
});
