/** A person looks at what goes to the model, in a tab of a real VS Code: its numbers are those of the log. */
import { parseManifest } from "../../../../src/core/context/requestLog";
import { inWorkbench } from "../../workbench";

describe("the view of the context", () => {
  const workbench = inWorkbench({
    settings: { "strata.permissions.mode": "auto", "strata.permissions.runEverything": true },
  });

  it("shows the tokens of each request as the provider counted them, those of its parts, and the request as sent", async () => {
    await workbench.send("Fix the failing test");
    // Not by the newest file: until this session has one, that is of the walk before in the same window.
    await workbench.panel.getByRole("button", { name: "About this turn" }).waitFor();
    const manifests = workbench
      .sessionFile("requests.jsonl")
      .trimEnd()
      .split("\n")
      .flatMap(line => parseManifest(line) ?? []);
    const steps = manifests.filter(({ purpose }) => purpose === undefined);
    await workbench.command("Strata: Show Context");
    const view = workbench.panel;
    const requests = view.getByRole("treegrid", { name: "Requests that were sent, newest first" });
    // What the provider counted stands where it did: with the answer, in the log.
    const counted = new Map<string, number>();
    for (const line of workbench.sessionFile("history.jsonl").trimEnd().split("\n")) {
      const { turn, step, usage } = JSON.parse(line).message?.metadata ?? {};
      if (usage) counted.set(`${turn}.${step}`, usage.input);
    }
    for (const { totalTokens, turn, step } of steps) {
      const tokens = (counted.get(`${turn}.${step}`) ?? totalTokens).toLocaleString("en-US");
      const row = requests.getByRole("row").filter({ hasText: `Turn ${turn}, step ${step}` });
      await row.locator(`.grid-number[title*="${tokens} token"]`).waitFor();
    }
    const tools = view.getByRole("row").filter({ hasText: "Tools and prompt" });
    // A part of what the provider counted.
    await tools.locator(".grid-number[title^=about]").waitFor();
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
