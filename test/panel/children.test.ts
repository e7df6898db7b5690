/** Agents that work for this one: their rows, what they ask, and their conversations. */
import assert from "node:assert/strict";
import type { Budget } from "../../src/shared/delegation";
import type { QuestionForm } from "../../src/shared/question";
import { mentions, pictures } from "./look";
import { openPanel, panelTest } from "./panel";
import { commandAction, editAction } from "./scenes";
import { invoiceDiff, Script, snapshot } from "./script";

const budget: Budget = {
  ...{ tokens: 200_000, cost: 0.2, minutes: 20, children: 0, model: "gpt-6-nano", tools: ["Read", "Grep"] },
  ...{ files: "reads", hosts: [] },
};
const tasks = [
  ["ses_a", "Where totals are rounded"],
  ["ses_b", "Who calls totalOf, and with which tax"],
  ["ses_c", "测试如何运行"],
] as const;

/** Three at work. */
function exploring(): Script {
  const script = new Script()
    .user("Why is the total a cent too low? Look everywhere.")
    .state("running")
    .request("req_1");
  const calls = tasks.map(([id, description]): [string, string, Record<string, string>] => [
    `call_${id}`,
    "Task",
    { description, prompt: `Find out: ${description}.`, subagent_type: "explore" },
  ]);
  script.answer("req_1", "Three explorers look at it.", calls);
  for (const [id, title] of tasks) script.child(id, `call_${id}`, { title, budget });
  return script;
}

const live = () =>
  new Script()
    .childState("ses_a", { doing: "Looked at src/invoice.ts" })
    .childState("ses_b", { doing: 'Searching "totalOf(" in src, test and the documentation of the package' })
    .childState("ses_c", { state: "waiting", spent: { input: 0, output: 0 } })
    .take();

/** All ended, each in its way. */
function explored(): Script {
  const script = exploring();
  const usage = { input: 40_200, output: 1_100, cost: 0.021 };
  script.child("ses_a", "call_ses_a", { reason: "done", usage, durationMs: 34_000 });
  script.child("ses_b", "call_ses_b", {
    reason: "limit",
    usage,
    durationMs: 81_000,
    why: "Its 200k tokens are used up.",
  });
  script.child("ses_c", "call_ses_c", { reason: "error", usage, durationMs: 400, why: "The model is not available." });
  for (const [id] of tasks) script.result(`call_${id}`, "Task", { digest: "Task done", durationMs: 34_000 });
  return script.answer("req_2", "`totalOf` rounds down.");
}

/** One in a working tree, and one that a person began. */
function writing(): Script {
  const input = { description: "Round half up", prompt: "Do it.", subagent_type: "build" };
  const script = new Script().user("Fix it").answer("req_1", "", [["call_1", "Task", input]]);
  const worktree = { path: "/home/me/.strata/trees/invoices-1", branch: "strata/round" };
  script.child("ses_a", "call_1", { agent: "build", title: "Round half up", budget, worktree });
  const usage = { input: 90_000, output: 6_000, cost: 0.4 };
  script.child("ses_a", "call_1", { reason: "done", usage, durationMs: 184_000, keepsTree: true });
  script.result("call_1", "Task", { digest: "Task done" }).answer("req_2", "Look at it.").end("done");
  script.child("ses_b", "", { agent: "review", title: "Uncommitted changes", budget });
  script.child("ses_b", "call_9", { phase: "changed", changes: [invoiceDiff], messageId: "msg_9" });
  return script.child("ses_b", "", { reason: "done", usage, durationMs: 12_000 });
}

const shown = (script: Script, more: Parameters<typeof snapshot>[0] = {}) => ({
  snapshot: snapshot({ title: "Round totals half up", records: [...script.records], ...more }),
});

/** A question of the first. */
const asks = (script: Script) =>
  script.approval("apr", { ...commandAction, callId: "ses_a/call_7", title: `explore: ${commandAction.title}` });

const option = { value: "19 %", label: "19 %" };
const form: QuestionForm = {
  fields: [
    {
      type: "choice",
      name: "tax",
      title: "explore: Which tax?",
      options: [option],
      multiple: false,
      ownWords: true,
      required: true,
    },
  ],
};

const rowOf = (title: string) => `.tool.child:has-text("${title}")`;
const report = "src/invoice.ts:14 rounds down (obs:3fa9c1d2e4b5)\nNothing else rounds. [said, not seen]";
const caller = { id: "session_1", title: "Round totals half up", agent: "explore" };
const ofChild = snapshot({
  sessionId: "ses_a",
  title: tasks[0][1],
  caller,
  records: new Script().user("Find out").records,
});

describe("panel: agents that work for this one", function () {
  this.timeout(120_000);

  panelTest("have a row each: what they do, what remains of their budget, Stop and Open", async () => {
    const panel = await openPanel({ ...shown(exploring(), { state: "running" }), results: { openSession: ofChild } });
    const { page } = panel;
    await panel.play(live());
    assert.equal(await page.locator(".tool.child").count(), 3);
    const text = await page.locator(rowOf(tasks[0][1])).innerText();
    for (const part of ["explore", "Looked at src/invoice.ts", "34k of 200k", "$0.01"])
      assert.ok(text.includes(part), part);
    await page.locator(rowOf("测试如何运行")).getByText("waiting", { exact: true }).waitFor();
    await panel.button(`Stop: ${tasks[1][1]}`).click();
    assert.deepEqual(await panel.waitForRequest("stopChild"), { childId: "ses_b" });
    const script = new Script(exploring().records.length + 1);
    script.child("ses_b", "call_ses_b", { reason: "stopped", title: tasks[1][1], durationMs: 4_000 });
    await panel.play(script.take());
    await page.locator(rowOf(tasks[1][1])).getByText("stopped", { exact: true }).waitFor();
    assert.equal(await panel.button(`Stop: ${tasks[1][1]}`).count(), 0);
    await page.locator(rowOf(tasks[0][1])).getByRole("button", { name: "Open" }).click();
    assert.deepEqual(await panel.waitForRequest("openSession"), { id: "ses_a" });
    await panel.button("Back to “Round totals half up”").click();
    assert.deepEqual(await panel.waitForRequest("openSession", 1), { id: "session_1" });
  });

  panelTest("ask in the main conversation, by their names; what was answered is a line", async () => {
    const script = exploring();
    const panel = await openPanel({ ...shown(script, { state: "running" }) });
    await panel.play(live());
    script.take();
    await panel.play(asks(script).state("asking").childState("ses_a", { state: "asking" }).take());
    const card = panel.page.getByRole("alertdialog", { name: "explore: Run this command?" });
    await card.waitFor();
    assert.deepEqual(await mentions(panel, "asks you"), ["asks you"]);
    assert.equal(await panel.page.locator('[data-item="ses_a/call_7"]').count(), 0);
    await panel.pass(400);
    await panel.page.keyboard.press("Control+Enter");
    assert.equal(((await panel.waitForRequest("answer")) as { approvalId: string }).approvalId, "apr");
    const answer = { decision: "allow", scope: "once", by: "user" } as const;
    const asked = { ...commandAction, callId: "ses_a/call_7", title: `explore: ${commandAction.title}` };
    await panel.play(script.approval("apr", asked, answer).state("running").take());
    assert.equal(await card.count(), 0);
    const line = panel.page.locator('[data-item="ses_a/call_7"]');
    assert.match(await line.innerText(), /^explore: Run .* · Allowed$/);
    // The turn ends, and nothing of it is called cut off.
    await panel.play(script.end("done").state("idle").take());
    assert.match(await line.innerText(), /Allowed$/);
    await panel.status.getByText("3 agents at work").waitFor();
    const edit = { ...editAction, callId: "ses_a/call_8", title: "explore: Edit src/invoice.ts" };
    await panel.play(script.approval("apr_2", edit).state("asking").take());
    await panel.page.getByRole("alertdialog", { name: "explore: Edit src/invoice.ts?" }).waitFor();
    await panel.play(script.approval("apr_2", edit, { ...answer, decision: "deny", words: "Not yet." }).take());
    await panel.page.getByText("explore: Edit src/invoice.ts · Denied: Not yet.").waitFor();
    await panel.play(script.question("q", "ses_b/call_3", "AskUser", form).take());
    await panel.page.getByRole("form", { name: "The agent asks you" }).getByText("explore: Which tax?").waitFor();
    await panel.play(
      script
        .question("q", "ses_b/call_3", "AskUser", form, { action: "accept", by: "user", values: { tax: ["19 %"] } })
        .take(),
    );
    await panel.page.getByText("19 %", { exact: true }).waitFor();
  });

  panelTest("reports open in their rows, and lead to what was seen; a working tree is reviewed", async () => {
    const printed = { first: report, last: "" };
    const panel = await openPanel({ ...shown(explored()), results: { printed } });
    await panel.page.getByRole("button", { name: /^explore Where totals are rounded/ }).click();
    await panel.page.getByRole("button", { name: "obs:3fa9c1d2e4b5" }).click();
    assert.deepEqual(await panel.waitForRequest("openHandle"), { handle: "obs:3fa9c1d2e4b5" });
    const other = await openPanel(shown(writing()));
    await other.button("Review").click();
    assert.deepEqual(await other.waitForRequest("openChildDiffs"), { childId: "ses_a" });
    await other.page.getByRole("button", { name: /^review Uncommitted changes/ }).click();
    await other.page.locator(".diff-file").hover();
    await other.button("Undo this edit of src/invoice.ts").click();
    const { uri } = invoiceDiff;
    assert.deepEqual(await other.waitForRequest("undoEdit"), { callId: "call_9", messageId: "msg_9", uri });
  });

  const running = (script: Script, more: Parameters<typeof snapshot>[0] = {}) =>
    shown(script, { state: "running", live: live(), ...more });
  const asking = () => {
    const state = new Script().childState("ses_a", { state: "asking" }).take();
    return running(asks(exploring()), { state: "asking", live: [...live(), ...state] });
  };
  const answered = () => {
    const answer = { decision: "allow", scope: "once", by: "user" } as const;
    const script = asks(exploring()).approval(
      "apr",
      { ...commandAction, callId: "ses_a/call_7", title: "explore: Run `npm test`" },
      answer,
    );
    script.approval(
      "apr_2",
      { ...editAction, callId: "ses_a/call_8", title: "explore: Edit src/invoice.ts" },
      { ...answer, decision: "deny", words: "Not yet." },
    );
    return script.question("q", "ses_b/call_3", "AskUser", form, {
      action: "accept",
      by: "user",
      values: { tax: ["19 %"] },
    });
  };
  pictures({
    "three agents at work": [{ ...running(exploring()), height: 500 }],
    "three agents at work, 300 px": [{ ...running(exploring()), width: 300, height: 500 }],
    "three agents that ended": [{ ...shown(explored()), width: 300, height: 500 }],
    "a report": [
      { ...shown(explored()), height: 600, results: { printed: { first: report, last: "" } } },
      ({ page }) => page.getByRole("button", { name: /^explore Where totals are rounded/ }).click(),
    ],
    "an agent that asks": [{ ...asking(), width: 300, height: 700 }],
    "what an agent asked": [{ ...shown(answered(), { state: "running", live: live() }), width: 300, height: 700 }],
    "agents that changed files": [
      { ...shown(writing()), height: 700 },
      ({ page }) => page.getByRole("button", { name: /^review Uncommitted changes/ }).click(),
    ],
    "agents behind a turn": [
      { ...running(exploring().answer("r", "They go on.").end("done"), { state: "idle" }), height: 500 },
    ],
    "the conversation of an agent": [{ snapshot: ofChild, width: 300, height: 500 }],
  });
});
