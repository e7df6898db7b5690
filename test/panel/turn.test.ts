/** A turn as a person follows it: streamed words, cards, questions, pending messages, how it ends. */
import assert from "node:assert/strict";
import { openPanel, panelTest } from "./panel";
import { bash, closing, commandAction, editAction, testOutput } from "./scenes";
import { invoiceDiff, Script, START, snapshot } from "./script";

const allow = { decision: "allow" as const, scope: "once" as const, by: "user" as const };

describe("panel: a turn", () => {
  panelTest("from the question to the end, by keyboard", async () => {
    const panel = await openPanel({ results: { printed: { first: testOutput, last: "" } } });
    const { page, composer, conversation, play, waitForRequest } = panel;
    await composer.fill("run the tests");
    await composer.press("Enter");
    assert.deepEqual(await waitForRequest("submit"), { text: "run the tests", delivery: "steer" });

    const script = new Script().user("run the tests").state("running").request("req_1", 41_000);
    await play(script.take());
    await conversation.getByText("run the tests").waitFor();
    await page.getByText("21 %", { exact: true }).waitFor();
    await panel.status.getByText("Waiting for the model", { exact: true }).waitFor();
    await play(script.text("req_1", "I'll run **them** no").take());
    await conversation.getByText("I'll run them no").waitFor();
    await play(
      script
        .text("req_1", "w.")
        .answer("req_1", "I'll run **them** now.", [bash("call_test")])
        .take(),
    );
    await conversation.getByText("I'll run them now.").waitFor();

    await play(script.approval("approval_1", commandAction).state("asking").take());
    const dialog = page.getByRole("alertdialog", { name: "Run this command?" });
    await dialog.getByText("npm test -- invoice", { exact: true }).waitFor();
    assert.ok(await dialog.evaluate(element => element === document.activeElement), "focus moves to the question");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent?.startsWith("Allow")), true);
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("answer"), { approvalId: "approval_1", decision: "allow", scope: "once" });

    script.approval("approval_1", commandAction, allow).state("running").start("call_test", "Bash", "Run `npm test`");
    await play(script.output("call_test", testOutput.slice(0, 200)).take());
    assert.equal(await dialog.count(), 0);
    assert.ok(await composer.evaluate(element => element === document.activeElement), "focus goes back");
    await page.locator(".terminal").getByText("adds its lines").waitFor();
    await play(
      script
        .result("call_test", "Bash", {
          digest: "Bash npm test -- invoice exit 1 · 2.3 s",
          status: "error",
          error: { code: "EXIT", message: "Exit code 1 after 2.3 s." },
          durationMs: 2300,
        })
        .take(),
    );
    const card = page.getByRole("button", { name: /^Ran npm test -- invoice exit 1 2.3 s$/ });
    await card.waitFor();
    await page.locator(".failure", { hasText: "FAIL totals round half up" }).waitFor();
    script.request("req_2").text("req_2", closing).answer("req_2", closing).end("done").state("idle");
    await play(script.take());
    await conversation.getByText("Finished, the last command failed · 12 s").waitFor();
    assert.equal(await panel.button("Stop").count(), 0);
    assert.equal(await page.locator(".failure").count(), 2, "what was open stays open at the end of the turn");
  });

  panelTest("an edit's question shows the exact diff", async () => {
    const script = new Script().user("fix it").request("r");
    script.answer("r", "", [["call_edit", "Edit", { file_path: "src/invoice.ts" }]]).approval("a", editAction);
    const { page } = await openPanel({ snapshot: { records: script.records, state: "asking" } });
    const dialog = page.getByRole("alertdialog", { name: "Edit src/invoice.ts?" });
    await dialog.waitFor();
    const lines = await dialog.locator(".diff-line").allTextContents();
    assert.equal(lines.join("\n"), invoiceDiff.diff.trimEnd().split("\n").slice(3).join("\n").replace(/^./gm, ""));
    const copied = await dialog.locator("pre").evaluate(pre => {
      getSelection()?.selectAllChildren(pre);
      return getSelection()?.toString();
    });
    assert.equal(copied, lines.join("\n"), "without numbers and signs");
    const told = await dialog.locator(".diff-line.removed").evaluate(({ dataset }) => ({ ...dataset }));
    assert.deepEqual(told, { wide: "13    - ", narrow: "13 - ", said: "removed" });
    assert.equal(await dialog.locator(".diff-line.added").count(), 3);
  });

  panelTest("cards open with a click or Enter; an edit opens its diff, a read its file", async () => {
    const script = new Script()
      .user("go")
      .request("r")
      .answer("r", "", [
        ["c1", "Read", { file_path: "src/a.ts" }],
        ["c2", "Edit", { file_path: "src/invoice.ts" }],
      ]);
    script.result("c1", "Read", { digest: "Read src/a.ts 1–84" });
    script.result("c2", "Edit", { digest: "Edit src/invoice.ts +3 −1", changes: [invoiceDiff] }).end("done");
    const { page, button, waitForRequest } = await openPanel({ snapshot: { records: script.records } });
    const read = page.getByRole("button", { name: /^Looked at src\/a.ts/ });
    await read.press("Enter");
    await page.getByText("What the tool gave, whole.").waitFor();
    assert.deepEqual(await waitForRequest("printed"), { callId: "c1" });
    assert.equal(await read.getAttribute("aria-expanded"), "true");
    await read.click();
    assert.equal(await page.getByText("What the tool gave, whole.").count(), 0);
    await button("Open src/a.ts").focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("openFile"), { path: "src/a.ts" });
    await button("Diff").click();
    assert.deepEqual(await waitForRequest("openDiff"), { callId: "c2", uri: invoiceDiff.uri });
    await page.getByRole("button", { name: /^Edited src\/invoice.ts/ }).click();
    assert.equal(await page.locator(".diff-line.removed").count(), 1);
  });

  panelTest(
    "calls whose questions come later open; the one in front is shown by its question, unless it was open",
    async () => {
      const script = new Script().user("go").state("running").request("r");
      const commands = ["npm test", "npm run build", "npm run lint"];
      script.answer(
        "r",
        "",
        commands.map((command, at) => [`c${at}`, "Bash", { command, description: `Step ${at}` }]),
      );
      const ask = (at: number) => {
        const detail = { type: "command" as const, command: commands[at] ?? "", cwd: "/code" };
        script.approval(`a${at}`, { ...commandAction, callId: `c${at}`, detail });
      };
      ask(0);
      ask(1);
      const { records } = script.state("asking");
      script.take();
      const { page, play } = await openPanel({ snapshot: { records: [...records], state: "asking" } });
      const row = (at: number) => page.locator(`[data-item=c${at}] .tool-toggle`);
      const input = (at: number) => page.locator(`[data-item=c${at}]`).getByText(`"Step ${at}"`);
      assert.ok(await row(0).isDisabled());
      await row(1).click();
      await input(1).waitFor();
      script.approval("a0", { ...commandAction, callId: "c0" }, { decision: "deny", scope: "once", by: "user" });
      await play(script.take());
      assert.equal(await input(1).count(), 1, "it stays as it was left");
      for (const left of [0, 1]) {
        await row(1).press("Enter");
        assert.equal(await input(1).count(), left);
      }
    },
  );

  panelTest("pending messages can be edited and taken back", async () => {
    const script = new Script().user("go").state("running");
    script.pending("p1", "added", "queue", "then the changelog").pending("p2", "added", "steer", "use tabs");
    const { page, play, waitForRequest, composer, openStatus } = await openPanel({ snapshot: { state: "running" } });
    await play(script.take());
    await page.getByText("2 queued", { exact: true }).waitFor();
    await openStatus();
    const rows = page.getByRole("list", { name: "Pending messages" }).getByRole("listitem");
    assert.deepEqual(await rows.allTextContents(), ["then the changelog", "Next stepuse tabs"]);
    await rows.nth(0).getByRole("button", { name: "Edit pending message" }).click();
    const field = page.getByRole("textbox", { name: "Edit pending message" });
    assert.deepEqual(await waitForRequest("beginEdit"), { pendingId: "p1" });
    assert.equal(await field.evaluate(box => (box as HTMLTextAreaElement).selectionStart), "then the changelog".length);
    await field.fill("then the readme");
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("editPending"), { pendingId: "p1", text: "then the readme" });
    assert.deepEqual(await waitForRequest("endEdit"), { pendingId: "p1" });
    await play(script.pending("p1", "edited", "queue", "then the readme").take());
    await rows.getByText("then the readme").waitFor();
    await rows.nth(1).getByRole("button", { name: "Remove pending message" }).click();
    assert.deepEqual(await waitForRequest("removePending"), { pendingId: "p2" });
    await play(script.pending("p2", "removed", "steer").take());
    assert.equal(await rows.count(), 1);
    // the model takes the message while it is being edited
    await rows.nth(0).getByRole("button", { name: "Edit pending message" }).click();
    await page.getByRole("textbox", { name: "Edit pending message" }).fill("then the licence");
    await play(script.user("then the readme", { pendingId: "p1" }).take());
    assert.equal(await rows.count(), 0);
    assert.equal(await composer.inputValue(), "then the licence");
  });

  panelTest(
    "words of a waiting message that is being edited stay with their session when another one comes",
    async () => {
      const script = new Script().state("running").user("go").pending("p1", "added", "queue", "then the changelog");
      const panel = await openPanel({ snapshot: { state: "running" } });
      await panel.play(script.take());
      await panel.openStatus();
      await panel.button("Edit pending message").click();
      await panel.page.getByRole("textbox", { name: "Edit pending message" }).fill("then the licence");
      await panel.send({ type: "snapshot", snapshot: snapshot({ sessionId: "s9", title: "Other" }) });
      await panel.page.getByRole("heading", { name: "Other" }).waitFor();
      assert.equal(await panel.composer.inputValue(), "");
      const kept = (await panel.asked("keepDraft")) as { sessionId?: string; draft: string }[];
      assert.equal(kept.filter(({ sessionId }) => sessionId === "session_1").at(-1)?.draft, "then the licence");
    },
  );

  panelTest("an error offers what can be done; Retry goes on", async () => {
    const script = new Script().user("go").end("error", {
      code: "auth",
      message: "The API key was rejected (401).",
      details: "“Incorrect API key provided: …”",
      actions: ["retry", "set-key"],
    });
    const { page, button, waitForRequest, play } = await openPanel({ snapshot: { records: script.records } });
    await page.getByRole("alert").getByText("Incorrect API key").waitFor();
    await button("More actions").click();
    assert.deepEqual(await page.getByRole("menuitem").allTextContents(), ["Set key", "Help"]);
    await page.getByRole("menuitem", { name: "Set key" }).click();
    assert.deepEqual(await waitForRequest("action"), { action: "set-key" });
    await button("Retry").click();
    await waitForRequest("resume");
    script.take();
    await play(script.state("running").take());
    assert.equal(await button("Retry").count(), 0);
    assert.equal(await button("Set key").count(), 1, "the likeliest of what is left");
  });

  panelTest("a held message is sent when the person says so", async () => {
    const { page, play, button, waitForRequest, openStatus } = await openPanel({ snapshot: { state: "running" } });
    const script = new Script().user("go").pending("p1", "added", "queue", "then the changelog");
    await play(script.take());
    await openStatus();
    assert.equal(await button("Send pending message").count(), 0);
    await play(script.end("stopped").state("idle").take());
    await page.getByText("Not sent: you stopped", { exact: true }).waitFor();
    for (const name of ["Edit pending message", "Remove pending message"]) assert.equal(await button(name).count(), 1);
    await button("Send pending message").click();
    assert.deepEqual(await waitForRequest("sendPending"), { pendingId: "p1" });
    await play(script.user("then the changelog", { pendingId: "p1" }).state("running").take());
    assert.equal(await page.getByRole("list", { name: "Pending messages" }).count(), 0);
  });

  panelTest("what was stopped, paused or cut off by a crash can be continued", async () => {
    const { button, send, waitForRequest } = await openPanel();
    for (const [at, reason] of (["stopped", "limit", "interrupted"] as const).entries()) {
      const records = new Script().user("go").end(reason).records;
      await send({ type: "snapshot", snapshot: snapshot({ sessionId: `session_${reason}`, records }) });
      await button("Continue").click();
      await waitForRequest("resume", at);
    }
  });

  panelTest("a model that goes silent, before its first word or in the middle: how long is said", async () => {
    const { page, play, pass } = await openPanel({ now: START });
    const waiting = page.getByText(/^Waiting for the model/);
    const script = new Script().user("go").state("running").request("r");
    await play(script.take());
    assert.equal(await waiting.textContent(), "Waiting for the model");
    await pass(25_000);
    await page.getByText("Waiting for the model · 25 s").waitFor();
    await play(script.text("r", "Half a sentence").take());
    assert.equal(await waiting.count(), 0);
    await pass(15_000);
    await page.getByText("Waiting for the model · 15 s").waitFor();
    await play(script.answer("r", "Half a sentence, and its end.").end("done").state("idle").take());
    assert.equal(await waiting.count(), 0);
  });

  panelTest("thoughts stay closed until somebody wants them", async () => {
    const { page, play, conversation } = await openPanel();
    const script = new Script().user("go").state("running").request("r").reasoning("r", "Secretly wondering");
    await play(script.take());
    await page.getByRole("button", { name: "Thinking" }).click();
    await conversation.getByText("Secretly wondering").waitFor();
    await play(script.answer("r", "Done.", [], "Secretly wondering", { thoughtMs: 12_400 }).take());
    await page.getByRole("button", { name: "Thought for 12 s" }).waitFor();
  });
});
