import assert from "node:assert/strict";
import { openWorkbench, type Workbench } from "../workbench";

describe("Strata in VS Code's page", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench();
  });
  after(() => workbench?.close());

  it("shows its panel", async () => {
    const panel = await workbench.panel();
    await panel.getByRole("textbox", { name: "Message Strata" }).waitFor();
    await workbench.screenshot("workbench");
    assert.equal(await panel.getByRole("button", { name: "Send" }).count(), 1);
  });
});
