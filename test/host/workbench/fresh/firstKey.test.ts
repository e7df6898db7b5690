/** The way from nothing to a first answer with a key, counted in actions; what is pasted stands in no log and no session. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { eventually } from "../../../fakes/eventually";
import { inWorkbench } from "../../workbench";

const settings = { "strata.model.name": "", "strata.model.baseUrl": "https://api.openai.com/v1" };
const KEY = "sk-0a1b2c3d4e5f60718293a4b5c6d7e8f9";

describe("a first key", () => {
  const workbench = inWorkbench({ fresh: true, settings });
  const rows = () => workbench.page.locator(".quick-input-list .monaco-list-row:visible");
  const title = (text: string) => workbench.page.locator(".quick-input-title:visible", { hasText: text });

  it("takes five actions, and one more where an address is dead, which is said", async () => {
    const { page, panel, offline } = workbench;
    let actions = 0;
    const click = async (place: Locator) => {
      actions += 1;
      await place.click();
    };
    const input = page.locator(".quick-input-widget input:visible").first();
    const type = async (text: string) => {
      actions += 1;
      await input.fill(text);
      await input.press("Enter");
    };
    await panel.getByText("Choose a model to begin").last().waitFor();
    await workbench.send("Hello?");
    actions += 1;
    await panel.getByText("Waits for a model").last().waitFor();
    await click(panel.getByRole("button", { name: /Paste an API key/ }));
    await title("Paste an API key").waitFor();
    await type(`${KEY} `);
    await click(rows().filter({ hasText: "Another server" }));
    await title("Server address").waitFor();
    await type("localhost:9");
    await page.locator(".quick-input-message", { hasText: "No server answers at localhost:9." }).waitFor();
    await workbench.screenshot("vscode-dead-address");
    await type(offline.url);
    await panel.getByText("Hello?").first().waitFor();
    await panel.getByText("Waits for a model").last().waitFor({ state: "detached" });
    assert.equal(actions, 6, "one of them the mistake");
    await eventually("the model is asked", () => offline.requests.length > 0);
    const files = readdirSync(workbench.userData, { recursive: true, withFileTypes: true });
    const logs = files.filter(file => file.isFile() && /\.(?:log|jsonl|json)$/.test(file.name));
    assert.ok(logs.length > 0);
    for (const { parentPath, name } of logs)
      assert.ok(!readFileSync(join(parentPath, name), "utf8").includes(KEY), `the key stands in ${name}`);
  });
});
