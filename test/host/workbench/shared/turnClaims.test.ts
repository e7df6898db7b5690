/** A claim of the last answer that the log does not show, as a person sees it in VS Code: it leads to the run. */
import type { OfflineAnswer } from "../../../../scripts/offline-model/server.mjs";
import { call } from "../../changing";
import { inWorkbench } from "../../workbench";

const file_path = "src/invoice.js";
const said = `${"The totals are rounded in one place.\n\n".repeat(30)}All tests pass.`;
const answers: OfflineAnswer[] = [
  { calls: [call("r1", "Read", { file_path })] },
  { calls: [call("b1", "Bash", { command: "node --test --test-name-pattern=nothing" })] },
  { calls: [call("e1", "Edit", { file_path, old_string: "Math.floor", new_string: "Math.round" })] },
  { text: said },
  { text: said },
];

describe("a stale claim", () => {
  const workbench = inWorkbench({
    settings: { "strata.permissions.mode": "edits", "strata.permissions.allow": ["Bash(node --test *)"] },
    script: () => answers.shift() ?? { text: "No more." },
  });

  it("is told once to the model, stands in the turn's line, and is opened to its evidence", async () => {
    const { panel } = workbench;
    await workbench.send("round half up");
    await panel.getByText("Asked once to check “All tests pass”").waitFor();
    await panel.getByText("“All tests pass”: files changed after the last run").waitFor();
    await workbench.screenshot("vscode-stale-claim");
    const run = panel.locator('[data-tool="Bash"]');
    await panel.getByRole("button", { name: "Show run" }).click();
    await run.getByText("node --test").first().waitFor();
    await workbench.screenshot("vscode-stale-claim-run");
  });
});
