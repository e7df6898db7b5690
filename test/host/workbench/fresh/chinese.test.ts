/** Strata in a VS Code that runs in Chinese: its commands, its panel, a question, settings; nothing of it is English. */
import assert from "node:assert/strict";
import type { Frame, FrameLocator } from "playwright-core";
import type { OfflineScript } from "../../../../scripts/offline-model/server.mjs";
import { inWorkbench } from "../../workbench";

/** What stays as it is in every language: names of programs, keys, files, tools, and of what the model wrote. */
const known =
  /^(?:Strata|VS|Code|MCP|API|Ctrl|Alt|Shift|Enter|Esc|Tab|Git|JSON|Markdown|URL|ID|Bash|Edit|Read|AGENTS|md|offline|model|sample|src|js|ts|npm|test|kB|MB|GB|TB|s|ms|min|h|k|v|d|http|https|localhost|Amazon|Bedrock|Anthropic|Google|OpenAI|Ollama|LM|Studio|GitHub|Copilot|Chat|Completions|Responses)$/;

/** Words of two and more letters in what a person reads there, less those that are known. */
async function english(where: Frame | FrameLocator): Promise<string[]> {
  const text = await where.locator("body").innerText();
  const words = text.match(/[A-Za-z]{2,}(?: [A-Za-z]{2,})+/g) ?? [];
  return words.filter(each => !each.split(" ").every(word => known.test(word)));
}

/** Nothing answers there without a key. */
const OWN = "https://api.openai.com/v1";

const script: OfflineScript = request =>
  request.messages.some(message => message.role === "tool")
    ? { text: "好的。" }
    : { calls: [{ id: "run", name: "Bash", input: { command: "touch x1" } }] };

describe("Strata in Chinese", () => {
  const workbench = inWorkbench({
    fresh: true,
    ...{ language: "zh-cn", wide: true, viewport: { width: 1280, height: 900 }, script },
    settings: { "strata.permissions.mode": "ask", "strata.model.name": "", "strata.model.baseUrl": OWN },
  });

  it("a first start, a question and what became of it", async () => {
    const { page, panel } = workbench;
    const server = panel.getByRole("button", { name: /本地服务器/ });
    await server.waitFor();
    assert.equal(await panel.locator("html").getAttribute("lang"), "zh-CN");
    await workbench.screenshot("chinese-empty");
    assert.deepEqual(await english(panel), []);
    await workbench.composer.fill("运行测试");
    await workbench.composer.press("Enter");
    await panel.getByText("等待模型").waitFor();
    // Sent, the way, its address: three actions.
    await server.click();
    const address = page.locator(".quick-input-widget input:visible").first();
    await address.fill(workbench.offline.url);
    await address.press("Enter");
    const allow = panel.getByRole("button", { name: "允许", exact: true });
    await allow.waitFor();
    await workbench.screenshot("chinese-question");
    assert.deepEqual(await english(panel), []);
    await allow.click();
    await panel.getByText("好的。").last().waitFor();
    // What the command printed is its own.
    await panel
      .getByText(/^已完成/)
      .last()
      .waitFor();
    await workbench.screenshot("chinese-turn");
    assert.deepEqual(await english(panel), []);
  });

  it("the page of tools and rules, by a command that has a Chinese name", async () => {
    await workbench.command("Strata: 工具与规则");
    await workbench.tabPage.getByRole("heading", { level: 1 }).waitFor();
    await workbench.screenshot("chinese-tools");
    assert.deepEqual(await english(workbench.tabPage), []);
  });
});
