/** Questions: nothing is allowed that could not be seen, and no key answers more than it was pressed for. */
import assert from "node:assert/strict";
import { fileChange } from "../../src/core/ground/text/diff";
import type { ApprovalAction } from "../../src/shared/approval";
import { openAsker } from "./asker";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { commandAction, editAction } from "./scenes";
import { invoiceDiff, Script } from "./script";

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
  openPanel({ snapshot: { records: question(action).records, state: "asking" } });

/** A question does not take the key before it could be noticed. */
async function noticed({ page, pass }: PanelPage) {
  await page.getByRole("alertdialog").first().waitFor();
  await pass(400);
}

describe("panel: questions", () => {
  const command = (text: string) => ({
    ...commandAction,
    detail: { type: "command" as const, command: text, cwd: "/code" },
  });

  panelTest("a long text is allowed once it was opened, by the mouse or the key", async () => {
    const steps = Array.from({ length: 200 }, (_, at) => `echo step ${at + 1}`);
    for (const action of [command(steps.join("\n")), command(`echo ${"safe; ".repeat(900)} rm -rf ~`)]) {
      const panel = await open(action);
      const { page, button, asked, waitForRequest, screenshot } = panel;
      await page.getByText("It can be allowed once they are shown.").waitFor();
      await noticed(panel);
      await screenshot("asking-long");
      assert.equal(await button("More ways to allow").getAttribute("aria-disabled"), "true");
      await page.keyboard.press("Control+Enter");
      await button("More ways to allow").and(page.locator("[aria-disabled=false]")).waitFor();
      assert.deepEqual(await asked("answer"), []);
      await screenshot("asking-long-opened");
      await page.keyboard.press("Control+Enter");
      assert.deepEqual(await waitForRequest("answer"), { approvalId: "a", decision: "allow", scope: "once" });
    }
  });

  panelTest("what was changed in the diff editor is what is asked; a long one has to be opened anew", async () => {
    const lines = Array.from({ length: 80 }, (_, index) => `line ${index + 1}`);
    const panel = await open(writing(`${lines.join("\n")}\n`));
    const { page, send, button, waitForRequest } = panel;
    const all = page.getByRole("button", { name: /^Show all \d+ lines$/ });
    await all.click();
    assert.equal(await page.locator(".approval .diff-line.added").count(), 80);
    const diff = `@@ -0,0 +1,90 @@\n${Array.from({ length: 90 }, (_, index) => `+mine ${index}`).join("\n")}`;
    const change = { uri: "file:///code/big.txt", path: "big.txt", created: true, added: 90, removed: 0, diff };
    await send({ type: "revised", approvalId: "a", change });
    await page.getByText("With your changes from the diff editor:").waitFor();
    await all.click();
    await button("Allow").click();
    const seen = { approvalId: "a", decision: "allow", scope: "once", seen: true };
    assert.deepEqual(await waitForRequest("answer"), seen);
  });

  panelTest("the menu that grants hides nothing of what is granted, however many ways it has", async () => {
    const { panel, ask } = await openAsker();
    const { page, button } = panel;
    for (const ways of [0, 2, 8]) {
      const rules = Array.from({ length: ways }, (_, at) => [`Bash(npm run ${at} *)`]);
      await ask({ ...command("npm test"), rules });
      await button("More ways to allow").click();
      const menu = await page.getByRole("menu").boundingBox();
      const dialog = page.getByRole("alertdialog");
      const [asked, row] = [await dialog.boundingBox(), await dialog.locator(".button-row").boundingBox()];
      assert.ok(menu && asked && row);
      assert.ok(menu.y >= row.y || menu.y + menu.height <= asked.y, `${ways} rules: ${menu.y} of ${asked.y}`);
      assert.ok(menu.y >= 0 && menu.y + menu.height <= 800, "all of it is in sight");
      await page.keyboard.press("Escape");
    }
  });

  panelTest("no part of a long line is out of sight", async () => {
    const { page } = await open(writing(`${"a = 1; ".repeat(60)}\n`));
    const hidden = await page.locator(".approval pre").evaluate(pre => pre.scrollWidth - pre.clientWidth);
    assert.equal(hidden, 0);
  });

  panelTest("what was not recorded is said, and does not count as looked at", async () => {
    const { panel, ask } = await openAsker();
    const { page, button, waitForRequest } = panel;
    const approvalId = await ask(writing(`${"x".repeat(99)}\n`.repeat(2000)));
    await page.getByText(/Only the first 64 KB of this change are shown; 1,\d+ lines are not\./).waitFor();
    await page.getByRole("button", { name: /^Show all \d+ lines$/ }).click();
    await button("Allow").click();
    assert.deepEqual(await waitForRequest("answer"), { approvalId, decision: "allow", scope: "once" });
  });

  panelTest("an edit opens in the diff editor; what was changed there is said afterwards", async () => {
    const script = question(editAction);
    const { page, button, play, waitForRequest, screenshot } = await openPanel({
      snapshot: { records: script.records, state: "asking" },
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
    await page.getByRole("button", { name: /^Edited src\/invoice\.ts/ }).click();
    const said = page.getByText("You changed it first: +2 −1");
    await said.waitFor();
    await screenshot("revised-300");
  });

  panelTest(
    "a command has no diff to open; it says whether it runs in the sandbox, and where, if not in the workspace's only root",
    async () => {
      const detail = { type: "command", command: "npm test", cwd: "/code" } as const;
      const { panel, ask } = await openAsker();
      await ask({ ...commandAction, detail: { ...detail, sandbox: { kind: "sandbox" } } });
      await panel.page.getByText("in sandbox", { exact: true }).waitFor();
      assert.equal(await panel.page.getByText("Open Diff").count(), 0);
      await panel.page.getByText("in /code", { exact: true }).waitFor();
      await ask({ ...commandAction, detail: { ...detail, place: "" } });
      await panel.page.getByText("outside the sandbox", { exact: true }).waitFor();
      assert.equal(await panel.page.locator(".approval-why").count(), 0);
    },
  );

  panelTest("where something is deleted Deny is the default, and the key that allows goes to Allow only", async () => {
    const { panel, ask } = await openAsker();
    const { page, button, asked, settle, waitForRequest } = panel;
    const effects: ApprovalAction["effects"] = [
      { kind: "deletes", words: "Deletes dist" },
      { kind: "reason", words: "starts a shell" },
    ];
    const approvalId = await ask({ ...command("rm -rf dist\u202e | sh"), effects });
    assert.equal(await page.locator(".approval-why .approval-warning").textContent(), " Deletes dist");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    assert.match((await focused()) ?? "", /^Deny/);
    assert.ok(await button("Deny").evaluate(element => element.classList.contains("primary")));
    for (const key of ["Control+Enter", "Control+Enter"]) await page.keyboard.press(key);
    await settle();
    assert.deepEqual([await focused(), await asked("answer")], ["Allow ", []]);
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("answer"), { approvalId, decision: "allow", scope: "once" });
  });

  panelTest("characters that hide or reorder are shown as signs", async () => {
    const command = "echo \u202eok\u200b \u001b[2K\rrm";
    const { panel, ask } = await openAsker();
    const { page } = panel;
    await ask({ ...commandAction, detail: { type: "command", command, cwd: "/code/\u2066a" } });
    await page.getByText("echo \\u{202e}ok\\u{200b} ␛[2K␍rm").first().waitFor();
    await page.getByText("in /code/\\u{2066}a").first().waitFor();
    const literal = { command: "echo \\u{202e}ok\t␛", cwd: "/code/a  b\n" };
    await ask({ ...commandAction, detail: { type: "command", ...literal } });
    await page.getByText("echo \\u{5c}u{202e}ok␉\\u{241b}").first().waitFor();
    assert.equal(await page.locator(".approval-why").textContent(), "in /code/a  b␊");
    await ask(writing("a\u202eb\n"));
    assert.equal(await page.locator(".approval .diff-line.added").textContent(), "a\\u{202e}b");
  });

  panelTest(
    "a key that is held answers nothing, neither does one from text or before the question was seen",
    async () => {
      const panel = await openPanel({ snapshot: { state: "running" } });
      const { page, composer, play, asked, settle, waitForRequest } = panel;
      await page.keyboard.down("Control");
      await page.keyboard.down("Enter");
      await play(question(commandAction).state("asking").take());
      await page.keyboard.down("Enter");
      await noticed(panel);
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
    const panel = await openPanel({ snapshot: { records: script.records, state: "asking" } });
    const { page, button, asked, waitForRequest } = panel;
    await noticed(panel);
    await panel.status.getByText("1 queued").waitFor();
    await panel.openStatus();
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

  panelTest(
    "of several questions the front one is shown, and how many wait behind it; it is in sight in a short panel",
    async () => {
      const bash = (id: string): [string, string, { command: string }] => [id, "Bash", { command: "npm test" }];
      const script = new Script().user("run the tests").state("running").request("req_1");
      script.answer("req_1", "I'll run them.", [bash("call_1"), bash("call_2"), bash("call_3")]);
      for (const at of [1, 2, 3]) script.approval(`approval_${at}`, { ...commandAction, callId: `call_${at}` });
      for (const [width, height] of [
        [300, 240],
        [900, 240],
        [210, 300],
        [150, 300],
        [150, 400],
        [420, 800],
      ] as const) {
        const panel = await openPanel({ snapshot: { records: script.records, state: "asking" }, ...{ width, height } });
        const { page, button } = panel;
        const dialog = page.getByRole("alertdialog");
        await dialog.getByText("2 more", { exact: true }).waitFor();
        assert.equal(await dialog.count(), 1);
        await panel.screenshot(`question-short-${width}-${height}`);
        for (const name of ["Allow", "More ways to allow", "Deny", "Deny, because…", "Send", "Stop"]) {
          const box = await button(name).boundingBox();
          const at = `${name} at ${width} × ${height}`;
          assert.ok(box !== null && box.y >= 0 && box.y + box.height <= height && box.x + box.width <= width, at);
          const isHit = await button(name).evaluate(element => {
            const { left, top, width, height } = element.getBoundingClientRect();
            const points = [0.1, 0.5, 0.9].map(part =>
              document.elementFromPoint(left + width / 2, top + height * part),
            );
            return points.every(hit => hit !== null && element.contains(hit));
          });
          assert.ok(isHit, `${at} lies behind something`);
        }
        if (height < 420) continue;
        const { height: high = 0 } = (await dialog.boundingBox()) ?? {};
        assert.ok(high <= height / 2 + 1, `${high} of ${height}`);
      }
    },
  );
});
