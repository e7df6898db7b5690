/** A person looks at what goes to the model, in a tab of a real VS Code: its numbers are those of the log. */
import assert from "node:assert/strict";
import { parseManifest, spliceSegments } from "../../../../src/core/context/requestLog";
import type { Segment } from "../../../../src/shared/manifest";
import { eventually } from "../../../fakes/eventually";
import { inWorkbench } from "../../workbench";

describe("the view of the context", () => {
  const workbench = inWorkbench({
    settings: { "strata.permissions.mode": "auto", "strata.permissions.runEverything": true },
  });

  it("shows the tokens of each request and of tools and prompt as its manifest has them, and the request as sent", async () => {
    await workbench.send("Fix the failing test");
    await eventually("the turn has ended", () => workbench.sessionFile("history.jsonl").includes('"kind":"turnEnd"'));
    const manifests = workbench
      .sessionFile("requests.jsonl")
      .trimEnd()
      .split("\n")
      .flatMap(line => parseManifest(line) ?? []);
    const steps = manifests.filter(({ purpose }) => purpose === undefined);
    const segments = steps.reduce<Segment[]>((before, manifest) => spliceSegments(before, manifest), []);
    const isFixed = ({ layer, trust }: (typeof segments)[number]) => layer === "L1" || trust === "workspace";
    const fixed = segments.filter(isFixed).reduce((sum, { tokens }) => sum + tokens, 0);
    await workbench.command("Strata: Show Context");
    const view = workbench.panel;
    const requests = view.getByRole("treegrid", { name: "Requests that were sent, newest first" });
    for (const { totalTokens, turn, step } of steps) {
      const row = requests.getByRole("row").filter({ hasText: `Turn ${turn}, step ${step}` });
      await row.getByText(totalTokens.toLocaleString("en-US"), { exact: true }).waitFor();
    }
    const tools = view.getByRole("row").filter({ hasText: "Tools and prompt" });
    assert.equal(await tools.locator(".grid-number").getAttribute("title"), `${fixed.toLocaleString("en-US")} tokens`);
    await workbench.screenshot("vscode-context");
    await requests
      .getByRole("button", { name: /Request \d+ as sent/ })
      .first()
      .click();
    await workbench.page.getByRole("tab", { name: /^request \d+\.txt/ }).waitFor();
    await view.getByRole("button", { name: "How it works" }).click();
    await workbench.page.getByRole("tab", { name: /context\.md/ }).waitFor();
  });
});
