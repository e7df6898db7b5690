/** Going back in the panel: the button on a message, what it would do, doing it, and the other branch. */
import assert from "node:assert/strict";
import { changing } from "./changedFiles";
import { closeBrowser, openPanel, panelTest } from "./panel";
import { snapshot } from "./script";

const { records } = changing().answer("req_end", "Every total rounds half up now.").end("done");
const message = records.find(record => record.kind === "message");
const messageId = message?.kind === "message" ? message.message.id : "";
const preview = {
  turn: 1,
  files: [
    { path: "src/invoice.ts", uri: "file:///ws/src/invoice.ts", becomes: "changed" as const, merged: true },
    { path: "src/half.ts", uri: "file:///ws/src/half.ts", becomes: "deleted" as const, merged: false },
    {
      path: "out.log",
      uri: "file:///ws/out.log",
      becomes: "deleted" as const,
      merged: false,
      during: "npm run build > out.log",
    },
  ],
  stays: ["large.bin stays: it can't be restored, since it has more than 10 MB."],
  gaps: [],
  turns: 1,
};

describe("panel: going back", function () {
  this.timeout(120_000);
  after(closeBrowser);

  panelTest("the button says what would happen, and nothing happens before one of it is chosen", async () => {
    const panel = await openPanel({ snapshot: snapshot({ records }), results: { previewRewind: preview } });
    const { page, waitForRequest, asked } = panel;
    await page.getByRole("button", { name: "Rewind to here" }).first().press("Enter");
    await page.getByText("3 files would change. 1 turn leaves the conversation", { exact: false }).waitFor();
    await page.getByText("goes back; what was changed since stays").waitFor();
    await page.getByText("made while this ran: npm run build").waitFor();
    await page.getByText("large.bin stays").waitFor();
    assert.equal((await asked("rewind")).length, 0);
    await panel.screenshot("rewind");
    await page.getByRole("button", { name: "Files only" }).click();
    assert.deepEqual(await waitForRequest("rewind"), { turn: 1, what: "files" });
  });

  panelTest("the other branch is one click away", async () => {
    const forks = [{ messageId, tips: [9, 30], current: 1 }];
    const panel = await openPanel({ snapshot: snapshot({ records, forks }) });
    const { page, waitForRequest } = panel;
    await page.getByText("Branch 2 of 2").waitFor();
    assert.ok(await page.getByRole("button", { name: "Next branch" }).isDisabled());
    await page.getByRole("button", { name: "Previous branch" }).click();
    assert.deepEqual(await waitForRequest("switchBranch"), { tip: 9 });
  });
});
