/** The page of settings: rows with their source and control, six pages, a search, and what axe-core says of each. */
import assert from "node:assert/strict";
import type { PanelResult } from "../../src/shared/panelProtocol";
import type { SettingRow } from "../../src/shared/settingsProtocol";
import { checkAccess, wear } from "./access";
import { pictureEverywhere } from "./look";
import { openPanel, type PanelPage, panelTest } from "./panel";

const row = (name: string, page: SettingRow["page"], changes: Partial<SettingRow>): SettingRow => ({
  ...{ name, page, title: name, meaning: "What it means. And more of it.", kind: "switch", value: true },
  source: "default",
  ...changes,
});

const rows: SettingRow[] = [
  row("model.name", "model", { title: "Model", kind: "text", value: "gpt-6-mini", source: "user" }),
  row("model.reasoning", "model", {
    ...{ title: "Reasoning", kind: "choice", value: "default", meaning: "How much the model thinks." },
    choices: [
      { value: "default", label: "As the server has it" },
      { value: "high", label: "High", words: "Slower, for hard problems." },
    ],
  }),
  row("agent.maxSteps", "model", { title: "Steps in a turn", kind: "number", value: 200, min: 1, source: "workspace" }),
  row("model.prices", "model", { title: "Prices", kind: "file", value: {} }),
  row("bash.sandbox", "permissions", {
    ...{ title: "Sandbox", kind: "choice", value: "on", source: "managed" },
    ...{
      choices: [
        { value: "on", label: "On" },
        { value: "off", label: "Off" },
      ],
      locked: "Your organisation manages this setting.",
    },
  }),
  row("permissions.allow", "permissions", { title: "Runs without asking", kind: "list", value: ["Bash(npm test)"] }),
  row("mcp.off", "tools", { title: "Servers and tools that are off", kind: "list", value: [] }),
  row("mentions.inComments", "skills", { title: "Mentions in comments" }),
  row("log.messages", "storage", { title: "Log requests" }),
];

const fact = (
  page: SettingRow["page"],
  title: string,
  ...lines: { label: string; from?: string; detail?: string; approved?: boolean }[]
) => ({
  page,
  section: { kind: title, title, lines },
});
const results = {
  settings: { rows },
  settingsFacts: {
    facts: [
      fact("permissions", "Never runs", { label: "Bash(rm -rf *)", from: "administrator: /etc/strata/settings.json" }),
      fact("skills", "Rules", { label: "AGENTS.md", from: "This workspace" }),
      fact(
        "hooks",
        "Hooks",
        { label: ".claude/settings.json", detail: "2 hooks · not approved", approved: false },
        { label: "b.json", approved: true },
        { label: "~/own.json" },
      ),
      fact("storage", "Sessions", { label: "12 sessions on disk", detail: "3.1 MB" }),
    ],
  } satisfies PanelResult<"settingsFacts">,
  mcpServers: { servers: [], problems: [] },
};
const open = (more: Partial<Parameters<typeof openPanel>[0]> = {}) =>
  openPanel({ name: "settings", width: 700, results, ...more });

const pages = [
  ...["Model", "Permissions and sandbox", "Tools and servers"],
  ...["Skills, prompts and agents", "Hooks", "Storage and log"],
];

const tab = ({ page }: PanelPage, name: string) => page.getByRole("tab", { name, exact: true });

describe("panel: settings", () => {
  panelTest("a row says where it was set, and each kind of control writes what was chosen", async () => {
    const panel = await open();
    const { page, waitForRequest, button } = panel;
    const name = page.getByLabel("Model", { exact: true }).and(page.locator("input"));
    await page.getByText("Set by you").waitFor();
    await page.getByText("Set by the workspace").waitFor();
    await name.fill("claude-5");
    await name.press("Enter");
    assert.deepEqual(await waitForRequest("setSetting"), { name: "model.name", value: "claude-5" });
    await page.getByLabel("Reasoning").selectOption("high");
    await page.getByLabel("Reasoning").press("Enter");
    assert.deepEqual(await waitForRequest("setSetting", 1), { name: "model.reasoning", value: "high" });
    const steps = page.getByLabel("Steps in a turn", { exact: true });
    await steps.fill("7");
    await steps.press("Escape");
    assert.equal(await steps.inputValue(), "200");
    await button("Reset Steps in a turn to its default").click();
    assert.deepEqual(await waitForRequest("setSetting", 2), { name: "agent.maxSteps" });
    await button("Prices: Edit in settings.json").click();
    assert.deepEqual(await waitForRequest("editSetting"), { name: "model.prices" });
  });

  panelTest("a refusal is said below its row while it is mended; leaving shows what holds", async () => {
    const panel = await open({ refused: { setSetting: "Steps in a turn was not changed: it must be 1 or more." } });
    const { page } = panel;
    const steps = page.getByLabel("Steps in a turn", { exact: true });
    const problem = page.locator('[data-setting="agent.maxSteps"]').getByRole("alert");
    const refused = async (press: () => Promise<unknown>, nth: number) => {
      await steps.fill("0");
      await press();
      await panel.waitForRequest("setSetting", nth);
      await problem.getByText("it must be 1 or more").waitFor();
    };
    await refused(() => steps.press("Enter"), 0);
    assert.equal(await page.getByRole("alert").count(), 1, "nothing at the top");
    assert.deepEqual([await steps.inputValue(), await steps.getAttribute("aria-invalid")], ["0", "true"]);
    assert.equal(await steps.getAttribute("aria-errormessage"), await problem.getAttribute("id"));
    await steps.press("Escape");
    assert.deepEqual([await steps.inputValue(), await problem.count()], ["200", 0]);
    await refused(() => steps.press("Enter"), 1);
    await steps.blur();
    assert.equal(await steps.inputValue(), "200");
    assert.equal((await panel.asked("setSetting")).length, 2, "it is not written again");
    await refused(() => steps.blur(), 2);
    assert.equal(await steps.inputValue(), "200");
    await steps.fill("7");
    assert.equal(await problem.count(), 0, "the next change takes it away");
  });

  panelTest("an empty number goes back to its default, which its placeholder names", async () => {
    const more = [
      row("bash.limit", "model", { title: "Limit", kind: "number", value: null, byDefault: null }),
      row("bash.seconds", "model", { title: "Seconds", kind: "number", value: 120, byDefault: 120 }),
    ];
    const panel = await open({ results: { ...results, settings: { rows: [...rows, ...more] } } });
    const field = (name: string) => panel.page.getByLabel(name, { exact: true });
    assert.equal(await field("Limit").getAttribute("placeholder"), "Automatic");
    assert.equal(await field("Seconds").getAttribute("placeholder"), "120");
    await field("Seconds").fill("");
    await field("Seconds").press("Enter");
    assert.equal(await field("Seconds").inputValue(), "120");
    await field("Steps in a turn").fill("");
    await field("Steps in a turn").blur();
    assert.deepEqual(await panel.waitForRequest("setSetting"), { name: "agent.maxSteps" });
  });

  panelTest(
    "arrow keys choose without writing what they pass over; a switch shows at once what was chosen",
    async () => {
      const choices = ["off", "on", "required"].map(value => ({ value, label: value }));
      const sandbox = row("bash.sandbox", "model", { title: "Sandbox", kind: "choice", value: "on", choices });
      const marks = row("review.marks", "model", { title: "Marks" });
      const panel = await open({
        results: { ...results, settings: { rows: [sandbox, marks] } },
        held: ["setSetting"],
        now: 0,
      });
      const { page } = panel;
      const select = page.getByRole("combobox", { name: "Sandbox" });
      await select.focus();
      await page.keyboard.press("ArrowUp");
      assert.equal(await select.inputValue(), "off");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      assert.equal(await select.inputValue(), "required");
      assert.deepEqual(await panel.asked("setSetting"), []);
      await panel.pass(1_500);
      const written = await panel.waitForRequest("setSetting");
      assert.deepEqual(written, { name: "bash.sandbox", value: "required" });
      assert.equal(await select.inputValue(), "required", "before the host answers");
      await page.keyboard.press("ArrowUp");
      await select.blur();
      assert.deepEqual(await panel.waitForRequest("setSetting", 1), { name: "bash.sandbox", value: "on" });
      await select.focus();
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Escape");
      await select.blur();
      const box = page.getByRole("checkbox", { name: "Marks" });
      await box.click();
      assert.equal(await box.isChecked(), false);
      assert.deepEqual(await panel.waitForRequest("setSetting", 2), { name: "review.marks", value: false });
    },
  );

  panelTest("what the organisation manages is read only and says so", async () => {
    const panel = await open();
    await tab(panel, "Permissions and sandbox").click();
    await panel.page.getByText("Your organisation manages this setting.").waitFor();
    assert.ok(await panel.page.getByRole("combobox", { name: "Sandbox" }).isDisabled());
    await panel.page.getByText("Bash(rm -rf *)").waitFor();
    const list = panel.page.getByLabel("Runs without asking");
    await list.fill("Bash(npm test)\n Edit(docs/**) \n\n");
    await list.blur();
    assert.deepEqual(await panel.waitForRequest("setSetting"), {
      name: "permissions.allow",
      value: ["Bash(npm test)", "Edit(docs/**)"],
    });
    await panel.button("Try a command…").click();
    assert.deepEqual(await panel.waitForRequest("settingsAct"), { act: "try-command" });
  });

  panelTest("pages are one tab stop; the one that was asked for is shown; a search finds rows of all", async () => {
    const panel = await open({ results: { ...results, settings: { rows, wanted: { page: "hooks", nth: 1 } } } });
    const { page } = panel;
    await page.getByText(".claude/settings.json").waitFor();
    await tab(panel, "Hooks").focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(await tab(panel, "Storage and log").getAttribute("aria-selected"), "true");
    assert.ok(await tab(panel, "Storage and log").evaluate(one => one === document.activeElement));
    await page.keyboard.press("Home");
    assert.equal(await tab(panel, "Model").getAttribute("tabindex"), "0");
    await page.getByRole("searchbox", { name: "Search settings" }).fill("sandbox");
    await page.getByRole("combobox", { name: "Sandbox" }).waitFor();
    assert.equal(await page.locator(".setting").count(), 1);
    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByText("No setting has these words.").waitFor();
  });

  panelTest("a wanted page is shown though its first answer is passed over, and once for each wish", async () => {
    const wanted = (page: SettingRow["page"], nth: number) => ({ rows, wanted: { page, nth } });
    const settings = [wanted("hooks", 1), wanted("hooks", 1), wanted("hooks", 1), wanted("hooks", 2)];
    const panel = await open({ results: { ...results, settings }, held: ["settings"] });
    const comesBack = () => panel.page.evaluate(() => void window.dispatchEvent(new Event("focus")));
    const isShown = async (name: string) => (await tab(panel, name).getAttribute("aria-selected")) === "true";
    await panel.waitForRequest("settings");
    await comesBack();
    await panel.waitForRequest("settings", 1);
    await panel.release("settings");
    await panel.settle();
    assert.ok(await isShown("Hooks"));
    await tab(panel, "Model").click();
    await comesBack();
    await panel.waitForRequest("settings", 2);
    await panel.settle();
    assert.ok(await isShown("Model"), "no jump back");
    await comesBack();
    await panel.waitForRequest("settings", 3);
    await panel.settle();
    assert.ok(await isShown("Hooks"), "a second wish for the same page counts");
  });

  panelTest("a file of hooks is approved or revoked at its line, and what holds then is asked for", async () => {
    const panel = await open();
    await tab(panel, "Hooks").click();
    const before = (await panel.asked("settingsFacts")).length;
    await panel.button("Approve: .claude/settings.json").click();
    assert.deepEqual(await panel.waitForRequest("decideHooks"), { path: ".claude/settings.json" });
    await panel.waitForRequest("settingsFacts", before);
    await panel.button("Revoke: b.json").click();
    assert.deepEqual(await panel.waitForRequest("decideHooks", 1), { path: "b.json" });
    assert.equal(await panel.page.locator(".fact button").count(), 2, "the person's own need no approval");
  });

  panelTest("axe-core finds nothing on the six pages, and each has its pictures", async () => {
    const panel = await open();
    for (const name of pages) {
      await tab(panel, name).click();
      await panel.settle();
      await checkAccess(panel, "dark");
      await wear(panel.page, "dark");
      await pictureEverywhere(panel, `settings-${name.split(/\W/)[0]?.toLowerCase()}`, {});
      await panel.page.setViewportSize({ width: 700, height: 800 });
    }
  });
});
