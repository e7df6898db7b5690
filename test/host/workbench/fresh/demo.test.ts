/** The demo, from the card of a person without a model to a repaired test; and the model that they set up after it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../../fakes/eventually";
import { inWorkbench } from "../../workbench";

const settings = {
  ...{
    "strata.model.name": "",
    "strata.model.provider": "server",
    "strata.model.baseUrl": "https://api.openai.com/v1",
  },
  ...{ "strata.permissions.mode": "edits", "strata.permissions.allow": ["Bash(npm test *)"] },
};

describe("the demo", () => {
  const workbench = inWorkbench({ fresh: true, settings });
  const rows = () => workbench.page.locator(".quick-input-list .monaco-list-row:visible");
  const title = (text: string) => workbench.page.locator(".quick-input-title:visible", { hasText: text });
  const input = () => workbench.page.locator(".quick-input-widget input:visible").first();
  const type = async (text: string) => {
    await input().fill(text);
    await input().press("Enter");
  };

  it("opens a window of its own, whose script repairs the test; a model that is set up takes its place", async () => {
    const { page, panel } = workbench;
    await panel.getByText("Choose a model to begin").last().waitFor();
    const opened = page.waitForEvent("popup");
    await panel.getByRole("button", { name: "Try the demo" }).click();
    const other = await opened;
    await other.waitForURL(/[?&]folder=/);
    const address = other.url();
    await other.close();
    const folder = new URL(address).searchParams.get("folder") ?? "";
    assert.match(folder, /\/strata-demo-\w{6}\/invoice-sample$/);
    const source = () => readFileSync(join(folder, "src/invoice.js"), "utf8");
    assert.match(source(), /Math\.floor\(cents\)/);
    await workbench.goto(address);
    const demo = await workbench.openPanel();
    await demo.getByText("Demo: answers are prepared", { exact: false }).first().waitFor();
    await workbench.screenshot("vscode-demo");
    await demo.getByRole("button", { name: "Fix the failing test" }).click();
    await workbench.composer.press("Enter");
    await demo.getByText("Repaired:").last().waitFor();
    await workbench.screenshot("vscode-demo-done");
    assert.match(source(), /Math\.round\(cents\)/);
    assert.equal(workbench.offline.requests.length, 0, "the person's own model was asked");

    await demo.getByRole("button", { name: "Paste an API key" }).first().click();
    await type("sk-0a1b2c3d4e5f60718293a4b5c6d7e8f9");
    await rows().filter({ hasText: "Another server" }).click();
    await title("Server address").waitFor();
    await type(workbench.offline.url);
    await workbench.kept("strata.demoIsOver");
    await workbench.reload();
    await workbench.send("Hello?");
    await eventually("the model that was set up is asked", () => workbench.offline.requests.length > 0);
  });
});
