/** Going back in the panel: the button on a message, what it would do, doing it, and the other branch. */
import assert from "node:assert/strict";
import { changing } from "./changedFiles";
import { openPanel, panelTest } from "./panel";
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
  stays: ["large.bin stays: it can't be restored: it has more than 10 MB."],
  gaps: [],
  turns: 1,
};

describe("panel: going back", function () {
  this.timeout(120_000);

  panelTest("the button says what would happen; only what would change something can be chosen", async () => {
    const alone = { ...preview, files: [] };
    const panel = await openPanel({ snapshot: { records }, results: { previewRewind: [preview, alone] } });
    const { page, waitForRequest, asked } = panel;
    await page.getByRole("button", { name: "Go back to here…" }).first().press("Enter");
    await page.getByText("3 files would change. 1 turn moves to another branch", { exact: false }).waitFor();
    await page.getByText("goes back · later changes stay").waitFor();
    await page.getByText("made while this ran: npm run build").waitFor();
    await page.getByText("large.bin stays").waitFor();
    assert.equal((await asked("rewind")).length, 0);
    await panel.screenshot("rewind");
    await page.getByRole("button", { name: "Go back with a part" }).click();
    await page.getByRole("menuitem", { name: "Files only" }).click();
    assert.deepEqual(await waitForRequest("rewind"), { turn: 1, what: "files" });
    await page.getByRole("button", { name: "Go back to here…" }).first().press("Enter");
    await page.getByText("No files would change.", { exact: false }).waitFor();
    await page.getByText("large.bin stays").waitFor();
    assert.equal(await panel.button("Go back with a part").count(), 0);
    await panel.button("Go back").click();
    assert.deepEqual(await waitForRequest("rewind", 1), { turn: 1, what: "conversation" });
  });

  panelTest("the preview has the focus; Esc closes it and gives the focus back; at 300 px nothing is cut", async () => {
    const panel = await openPanel({ snapshot: { records }, results: { previewRewind: preview }, width: 300 });
    const { page, asked } = panel;
    const button = page.getByRole("button", { name: "Go back to here…" }).first();
    await button.press("Enter");
    const box = page.getByRole("region", { name: "Go back to before turn 1" });
    await box.waitFor();
    assert.ok(await box.evaluate(element => element === document.activeElement));
    await panel.screenshot("rewind-300");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Go back");
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
    assert.ok(await button.evaluate(element => element === document.activeElement));
    assert.deepEqual([...(await asked("rewind")), ...(await asked("stop"))], []);
  });

  panelTest("what a rewind put into the composer goes with its undo, where it stands there unchanged", async () => {
    const text =
      message?.kind === "message"
        ? message.message.parts.flatMap(part => (part.type === "text" ? part.text : [])).join("")
        : "";
    for (const [before, after] of [
      ["", ""],
      ["A thought ", ""],
      ["A thought ", " of mine"],
    ] as const) {
      const panel = await openPanel({ snapshot: { records }, results: { previewRewind: preview } });
      const { page, composer, waitForRequest, send } = panel;
      await composer.fill(before);
      await page.getByRole("button", { name: "Go back to here…" }).first().press("Enter");
      await page.getByRole("button", { name: "Go back with a part" }).click();
      await page.getByRole("menuitem", { name: "Conversation only" }).click();
      await waitForRequest("rewind");
      await page.waitForFunction(words => document.querySelector("textarea")?.value.endsWith(words), text);
      if (after !== "") await composer.pressSequentially(after);
      await send({ type: "compose", op: "remove", text, focus: false });
      assert.equal(await composer.inputValue(), after === "" ? before : `${before}${text}${after}`);
    }
  });

  panelTest("the list of a turn's files says that they went back, until that is undone", async () => {
    const script = changing().answer("req_end", "Every total rounds half up now.").end("done");
    const about = { kind: "rewind" as const, phase: "done" as const, turn: 1, files: 3 };
    const rewound = script.record({ ...about, rewindId: "rwd_1" }).records;
    const panel = await openPanel({ snapshot: { records: [...rewound], rewound: "rwd_1" }, width: 300 });
    await panel.page.getByText("3 files changed, undone").waitFor();
    assert.equal(await panel.button("Open all").count(), 0);
    await panel.screenshot("rewound-300");
    const undone = script.record({ ...about, rewindId: "rwd_2", undoes: "rwd_1" }).records;
    await panel.send({ type: "snapshot", snapshot: snapshot({ records: undone }) });
    await panel.page.getByText("3 files changed, undone").waitFor({ state: "detached" });
    await panel.button("Open all").waitFor();
  });

  panelTest("a branch is counted as soon as its message is sent, and the other one is one click away", async () => {
    const panel = await openPanel({ snapshot: { records } });
    const { page, waitForRequest } = panel;
    assert.equal(await page.getByText("Branch", { exact: false }).count(), 0);
    await panel.send({ type: "forks", sessionId: "session_1", forks: [{ messageId, tips: [9, 12, 30], current: 2 }] });
    await page.getByText("Branch 3 of 3").waitFor();
    await panel.send({ type: "forks", sessionId: "session_1", forks: [{ messageId, tips: [9, 30], current: 1 }] });
    await page.getByText("Branch 2 of 2").waitFor();
    assert.ok(await page.getByRole("button", { name: "Next branch" }).isDisabled());
    await page.getByRole("button", { name: "Previous branch" }).click();
    assert.deepEqual(await waitForRequest("switchBranch"), { tip: 9 });
    const { id: _, ...other } = message?.kind === "message" ? message.message : { id: "" };
    const branch = records.map(record =>
      record === message ? { ...message, message: { ...other, id: "other" } } : record,
    ) as typeof records;
    const shown = snapshot({ records: branch, forks: [{ messageId: "other", tips: [40, 30], current: 0 }] });
    await panel.send({ type: "snapshot", snapshot: shown });
    await page.getByText("Branch 1 of 2").waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    assert.equal(await focused(), "Message Strata", "they went with their branch");
    assert.ok(await page.getByRole("button", { name: "Previous branch" }).isDisabled());
  });
});
