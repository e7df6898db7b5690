/** A window that is reloaded in the middle of it, and a window without a folder. */
import assert from "node:assert/strict";
import { openWorkbench, type Workbench } from "../workbench";

describe("reloading the window", () => {
  let workbench: Workbench;
  before(async () => {
    const hang = { name: "Bash", input: { command: "echo begun; sleep 1000" } };
    workbench = await openWorkbench({
      settings: { "strata.permissions.mode": "auto", "strata.permissions.runEverything": true },
      script: request =>
        request.messages.some(message => message.role === "tool")
          ? { text: "Continued after the reload." }
          : { text: "I begin.", calls: [hang] },
    });
  });
  after(() => workbench?.close());
  afterEach(async function () {
    await workbench.afterTest(this.currentTest, "reload");
  });

  it("shows the conversation again, says what became of the turn, and goes on", async () => {
    const before = await workbench.panel();
    const message = before.getByRole("textbox", { name: "Message Strata" });
    await message.fill("Begin");
    await before.getByRole("button", { name: "Send" }).and(before.locator(":enabled")).click();
    await before.getByText("begun").first().waitFor();
    await message.fill("half a sen");
    await message.pressSequentially("tence");
    await workbench.page.waitForTimeout(1500); // a person takes that long to reload
    await workbench.page.reload();
    await workbench.page.locator(".activitybar [aria-label=Strata]").first().waitFor();
    const panel = await workbench.panel();
    await panel.getByText("I begin.").waitFor();
    await workbench.screenshot("vscode-reloaded");
    const kept = await panel.getByRole("textbox", { name: "Message Strata" }).inputValue();
    assert.equal(kept, "half a sentence", "what was not sent yet is there");
    const log = panel.getByRole("log", { name: "Conversation" });
    const proceed = panel.getByRole("button", { name: "Continue" });
    await proceed.waitFor();
    assert.match((await log.textContent()) ?? "", /Begin/);
    await proceed.click();
    await panel.getByText("Continued after the reload.").waitFor();
  });

  it("without a folder says so and offers to open one", async () => {
    const url = new URL(workbench.page.url());
    url.searchParams.delete("folder");
    url.searchParams.set("ew", "true");
    await workbench.page.goto(url.href);
    await workbench.page.locator(".activitybar [aria-label=Strata]").first().waitFor();
    const panel = await workbench.panel();
    await panel.getByRole("button", { name: /open a? ?folder/i }).waitFor();
    await workbench.screenshot("vscode-no-folder");
    assert.equal(await panel.getByText("I begin.").count(), 0, "sessions belong to their workspace");
  });
});
