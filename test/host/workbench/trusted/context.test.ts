/** A person looks at what goes to the model, in a tab of a real VS Code: its numbers are those of the log. */
import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { parseManifest, spliceSegments } from "../../../../src/core/context/requestLog";
import type { Segment } from "../../../../src/shared/manifest";
import { eventually } from "../../../fakes/eventually";
import { inWorkbench } from "../../workbench";

describe("the view of the context in a tab", () => {
  const workbench = inWorkbench({
    settings: { "strata.permissions.mode": "auto", "strata.permissions.runEverything": true },
  });

  const tab = (): Promise<Frame> =>
    eventually("a tab with the context", async () => {
      for (const frame of workbench.page.frames()) {
        const found = await frame
          .locator(".context-page [role=treegrid]")
          .count()
          .catch(() => 0);
        if (found > 0) return frame;
      }
      return undefined;
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
    const view = await tab();
    const requests = view.getByRole("treegrid", { name: "Requests that were sent, newest first" });
    for (const { totalTokens, turn, step } of steps) {
      const row = requests.getByRole("row").filter({ hasText: `Turn ${turn}, step ${step}` });
      await row.getByText(totalTokens.toLocaleString("en-US"), { exact: true }).waitFor();
    }
    const tools = view.getByRole("row").filter({ hasText: "Tools and prompt" });
    assert.equal(await tools.locator(".grid-number").getAttribute("title"), `${fixed.toLocaleString("en-US")} tokens`);
    await workbench.screenshot("vscode-context-tab");
    await requests
      .getByRole("button", { name: /Request \d+ as sent/ })
      .first()
      .click();
    await workbench.page.getByRole("tab", { name: /^request \d+\.txt/ }).waitFor();
    await workbench.command("Strata: Show Context");
    await (await tab()).getByRole("button", { name: "How it works" }).click();
    await workbench.page.getByRole("tab", { name: /context\.md/ }).waitFor();
  });
});
