/** Questions: nothing is allowed that could not be seen, and no key answers more than it was pressed for. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { fileChange } from "../../src/core/text/diff";
import type { ApprovalAction } from "../../src/shared/records";
import { closeBrowser, openPanel, panelTest } from "./panel";
import { commandAction, editAction } from "./scenes";
import { invoiceDiff, Script, snapshot } from "./script";

function writing(text: string): Omit<ApprovalAction, "binds"> {
  const change = fileChange({ uri: "file:///code/big.txt", path: "big.txt" }, null, text);
  return { toolName: "Write", callId: "call_w", title: "Write big.txt?", detail: { type: "edit", changes: [change] } };
}

function question(action: Omit<ApprovalAction, "binds">) {
  const script = new Script()
    .user("go")
    .request("r")
    .answer("r", "", [[action.callId, action.toolName, { file_path: "src/invoice.ts" }]]);
  return script.approval("a", action);
}

const open = (action: Omit<ApprovalAction, "binds">) =>
  openPanel({ snapshot: snapshot({ records: question(action).records, state: "asking" }) });

/** A question does not take the key before it could be noticed. */
async function noticed(page: Page) {
  await page.getByRole("alertdialog").first().waitFor();
  await page.waitForTimeout(400);
}

describe("panel: questions", () => {
  after(closeBrowser);

  panelTest("a long file is shown whole, to the last line", async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}`);
    const { page, button, waitForRequest } = await open(writing(`${lines.join("\n")}\n`));
    const shown = page.locator(".approval .diff-line.added");
    await shown.last().waitFor();
    assert.equal(await shown.count(), 1000);
    assert.equal(await shown.last().textContent(), "+line 1000");
    assert.equal(await page.getByText("Only the first 64 KB").count(), 0);
    await button("Allow").click();
    assert.deepEqual(await waitForRequest("answer"), { approvalId: "a", decision: "allow", scope: "once" });
  });

  panelTest("what was not recorded is said, and allowed by a second press only", async () => {
    for (const first of ["Allow", "Allow for this session", "key"]) {
      const { page, button, asked, waitForRequest, settle } = await open(writing(`${"x".repeat(99)}\n`.repeat(2000)));
      await page.getByText(/Only the first 64 KB of this change are shown; 1,\d+ lines are not\./).waitFor();
      await noticed(page);
      if (first === "key") await page.keyboard.press("Control+Enter");
      else await button(first).dblclick();
      await button("Allow what is not shown too").waitFor();
      await settle();
      assert.deepEqual(await asked("answer"), []);
      await page.waitForTimeout(600); // beyond a double click
      await button("Allow what is not shown too").click();
      assert.deepEqual(await waitForRequest("answer"), { approvalId: "a", decision: "allow", scope: "once" });
    }
  });

  panelTest("an edit opens in the diff editor; what was changed there is said afterwards", async () => {
    const script = question(editAction);
    const { page, button, play, waitForRequest, screenshot } = await openPanel({
      snapshot: snapshot({ records: script.records, state: "asking" }),
      width: 300,
    });
    await screenshot("asking-edit-300");
    await button("Open Diff").click();
    assert.deepEqual(await waitForRequest("openProposal"), { approvalId: "a" });
    assert.equal(await page.getByRole("alertdialog").count(), 1, "looking at it is no answer");
    script.take();
    const edited = { added: 2, removed: 1, diff: "" };
    script.approval("a", editAction, { decision: "allow", scope: "once", by: "user", edited });
    const digest = "Edit src/invoice.ts +4 −1 · revised by you";
    await play(
      script
        .result("call_edit", "Edit", { digest, changes: [invoiceDiff] })
        .end("done")
        .take(),
    );
    await page.getByText("revised by you").waitFor();
    await page.getByRole("button", { name: /^Edit src\/invoice\.ts/ }).click();
    const said = page.getByText("You allowed this. You changed the proposal before accepting it: +2 −1");
    await said.waitFor();
    await screenshot("revised-300");
  });

  panelTest("a command has no diff to open", async () => {
    const { page } = await open(commandAction);
    await page.getByRole("alertdialog").waitFor();
    assert.equal(await page.getByText("Open Diff").count(), 0);
  });

  panelTest("characters that hide or reorder are shown as signs", async () => {
    const command = "echo \u202eok\u200b \u001b[2K\rrm";
    const { page } = await open({ ...commandAction, detail: { type: "command", command, cwd: "/code/\u2066a" } });
    await page.getByText("echo \\u{202e}ok\\u{200b} ␛[2K␍rm").first().waitFor();
    await page.getByText("in /code/\\u{2066}a").waitFor();
    const edit = await open(writing("a\u202eb\n"));
    assert.equal(await edit.page.locator(".approval .diff-line.added").textContent(), "+a\\u{202e}b");
  });

  panelTest(
    "a key that is held answers nothing, neither does one from text or before the question was seen",
    async () => {
      const { page, composer, play, asked, settle, waitForRequest } = await openPanel({
        snapshot: snapshot({ state: "running" }),
      });
      await page.keyboard.down("Control");
      await page.keyboard.down("Enter");
      await play(question(commandAction).state("asking").take());
      await page.keyboard.down("Enter");
      await noticed(page);
      await page.keyboard.down("Enter"); // pressed again without `up`: a repeat
      await page.keyboard.up("Enter");
      await page.keyboard.up("Control");
      await composer.fill("use tabs");
      await composer.press("Control+Enter");
      await settle();
      assert.deepEqual(await asked("answer"), []);
      assert.deepEqual(await asked("submit"), []);
      await composer.fill("");
      await composer.press("Control+Enter");
      await waitForRequest("answer");
      assert.equal((await asked("answer")).length, 1);
    },
  );

  panelTest("the editor of a pending message takes the key for itself", async () => {
    const script = question(commandAction).pending("p1", "added", "queue", "then the changelog");
    const { page, button, asked, waitForRequest } = await openPanel({
      snapshot: snapshot({ records: script.records, state: "asking" }),
    });
    await noticed(page);
    await button("Edit pending message").click();
    await page.getByRole("textbox", { name: "Edit pending message" }).fill("then the readme");
    await page.keyboard.press("Control+Enter");
    await waitForRequest("editPending");
    assert.deepEqual(await asked("answer"), []);
  });

  panelTest("Esc that is held denies one question and does not stop the turn", async () => {
    const { page, asked, play, settle, waitForRequest } = await open(commandAction);
    await page.getByRole("alertdialog").waitFor();
    await page.keyboard.down("Escape");
    await waitForRequest("answer");
    const denied = { decision: "deny" as const, scope: "once" as const };
    await play(new Script(20).approval("a", commandAction, { ...denied, by: "user" }).take());
    for (let repeats = 0; repeats < 3; repeats += 1) await page.keyboard.down("Escape");
    await page.keyboard.up("Escape");
    await settle();
    assert.deepEqual(await asked("answer"), [{ approvalId: "a", ...denied }]);
    assert.deepEqual(await asked("stop"), []);
  });
});
