/** A window that is reloaded in the middle of it, and a window without a folder. */
import assert from "node:assert/strict";
import { soak } from "../../../fakes/soak";
import { inWorkbench } from "../../workbench";

soak("walks", () =>
  describe("reloading the window", () => {
    const hang = { name: "Bash", input: { command: "echo begun; sleep 1000" } };
    const workbench = inWorkbench({
      settings: { "strata.permissions.mode": "auto", "strata.permissions.runEverything": true },
      script: request =>
        request.messages.some(message => message.role === "tool")
          ? { text: "Continued after the reload." }
          : { text: "I begin.", calls: [hang] },
    });

    it("shows the conversation again, says what became of the turn, and goes on", async () => {
      await workbench.send("Begin");
      await workbench.panel.getByText("begun").first().waitFor();
      await workbench.composer.fill("half a sen");
      await workbench.composer.pressSequentially("tence");
      await workbench.kept("half a sentence");
      await workbench.reload();
      const { panel } = workbench;
      await panel.getByText("I begin.").last().waitFor();
      await workbench.screenshot("vscode-reloaded");
      assert.equal(await workbench.composer.inputValue(), "half a sentence", "what was not sent yet is there");
      const log = panel.getByRole("log", { name: "Conversation" });
      const proceed = panel.getByRole("button", { name: "Continue" });
      await proceed.waitFor();
      assert.match((await log.textContent()) ?? "", /Begin/);
      await proceed.click();
      await panel.getByText("Continued after the reload.").last().waitFor();
    });

    it("without a folder says so and offers to open one", async () => {
      const url = new URL(workbench.page.url());
      url.searchParams.delete("folder");
      url.searchParams.set("ew", "true");
      await workbench.goto(url.href);
      const panel = await workbench.openPanel();
      await panel.getByRole("button", { name: /open a? ?folder/i }).waitFor();
      await workbench.screenshot("vscode-no-folder");
      assert.equal(await panel.getByText("I begin.").count(), 0, "sessions belong to their workspace");
    });
  }),
);
