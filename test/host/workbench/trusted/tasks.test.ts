/** A server in the background, as a person sees it: in the panel, as a terminal, stopped; and a command typed, not run. */
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { eventually } from "../../../fakes/eventually";
import { soak } from "../../../fakes/soak";
import { inWorkbench } from "../../workbench";

/** Prints, waits until a file is there, prints once more, and stays. */
const SERVER = `printf '\\033[32mready\\033[0m on port 3000\\n'; until [ -e visitor ]; do sleep 0.1; done; echo "GET /invoices 200"; sleep 1000`;

soak("walks", () => {
  describe("background tasks in the workbench", () => {
    const workbench = inWorkbench({
      settings: {
        ...{ "terminal.integrated.gpuAcceleration": "off" },
        "strata.permissions.mode": "auto",
        "strata.permissions.runEverything": true,
      },
      script: ({ messages }) => {
        const answered = messages.filter(message => message.role === "tool").length;
        if (answered === 0) {
          const calls = [
            { name: "Bash", input: { command: SERVER, run_in_background: true } },
            { name: "Bash", input: { command: "touch ran-once" } },
          ];
          return { text: "I start the server.", calls };
        }
        return { text: "The server runs in the background as task_1." };
      },
    });

    const rows = () => workbench.page.locator(".terminal-wrapper.active .xterm-rows");

    it("are listed, follow in a terminal, and are stopped from the panel", async () => {
      const { panel } = workbench;
      await workbench.send("Start the server");
      await panel.getByText("The server runs in the background").last().waitFor();
      const line = panel.getByRole("region", { name: "Background tasks" });
      await panel.locator(".status-toggle").filter({ hasText: "1 background task running" }).click();
      await line.getByText(/running \d+:\d\d/).waitFor();
      await workbench.screenshot("vscode-tasks");
      await line.getByRole("button", { name: /^Open as Terminal/ }).click();
      await rows().getByText("ready on port 3000").waitFor();
      writeFileSync(workbench.at("visitor"), "");
      await rows().getByText("GET /invoices 200").waitFor();
      await workbench.screenshot("vscode-task-terminal");
      await line.getByRole("button", { name: /^Stop/ }).click();
      await line.getByText("stopped").first().waitFor();
      await rows()
        .getByText(/\[ended by you after /)
        .waitFor();
      await workbench.screenshot("vscode-task-stopped");
      await line.getByRole("button", { name: /^Dismiss/ }).click();
      await line.waitFor({ state: "detached" });
    });

    it("a command's card opens a terminal with the command typed and not run", async () => {
      const card = workbench.panel.locator(".tool-line", { hasText: "touch ran-once" });
      await card.hover();
      const marker = workbench.at("ran-once");
      assert.ok(existsSync(marker), "the agent ran it");
      rmSync(marker);
      await card.getByRole("button", { name: "Open in a terminal, not run" }).click();
      await rows().getByText("touch ran-once").waitFor();
      await workbench.screenshot("vscode-command-typed");
      assert.ok(!existsSync(marker));
      await workbench.page.locator(".terminal-wrapper.active .xterm-helper-textarea").focus();
      await workbench.page.keyboard.press("Enter");
      await eventually("Enter runs it", () => existsSync(marker));
    });
  });
});
