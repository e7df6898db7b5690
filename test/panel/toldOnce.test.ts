/** One thing is told in one place at a time: mentions in the panel of a wait, a plan and a cut answer, over their states. */
import assert from "node:assert/strict";
import { mentions, pictures } from "./look";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { asking, commandAction, editAction, todos } from "./scenes";
import { Script, type snapshot } from "./script";

const text = "# Plan: Round half up\n\nIn one place.\n\n- [ ] Add `roundHalfUp`\n- [ ] Use it\n";
const plan = { kind: "plan", title: "Round half up", steps: 2, text } as const;

function proposed(): Script {
  const script = new Script()
    .user("plan how to mend the totals")
    .request("req_1")
    .answer("req_1", `I looked.\n\n${text}`);
  return script
    .record({ ...plan, op: "proposed", turn: 1 })
    .end("done")
    .state("idle");
}

const cut = (script: Script, requestId: string) =>
  script
    .request(requestId)
    .text(requestId, "Half of it")
    .record({
      ...{ kind: "attempt", requestId, turn: 1, step: 1, reason: "Connection lost in the middle of the answer." },
      parts: [{ type: "text", text: "Half of it" }],
    });

const LOST = "Connection lost in the middle of the answer.";

describe("panel: told once", function () {
  this.timeout(120_000);

  panelTest("a command that waits is told by its row and its card", async () => {
    const panel = await openPanel({ snapshot: { records: asking().records, state: "asking" } });
    await panel.page.getByRole("alertdialog").waitFor();
    assert.deepEqual(await mentions(panel, "wait"), []);
    assert.equal(await panel.status.count(), 0);
    assert.equal(await panel.page.locator(".tool.asking, .waiting").count(), 2);
    await panel.button("Stop").click();
    await panel.waitForRequest("stop");
  });

  panelTest("a plan is told by its box, whatever becomes of it", async () => {
    const script = proposed();
    const panel = await openPanel({ snapshot: { mode: "plan", records: [...script.records] } });
    const told = async (state: string) => {
      await panel.page.locator(".plan").getByText(state).waitFor();
      assert.deepEqual(await mentions(panel, "round half up"), ["Round half up"], state);
      assert.deepEqual(await mentions(panel, "carry out the plan|carry out this plan"), [], state);
      assert.equal(await panel.page.locator(".plan").count(), 1, state);
    };
    await told("2 steps");
    script.take();
    script
      .record({ ...plan, op: "carried-out", turn: 2 })
      .todo(todos(1))
      .user("Carry out the plan.")
      .state("running");
    await panel.play(script.take());
    await told("1 of 3 done");
    await panel.openStatus();
    await told("1 of 3 done");
    await panel.play(script.request("req_2").answer("req_2", "So far.").end("stopped").state("idle").take());
    await told("1 of 3 done");
    await panel.play(script.record({ kind: "planEnd", turn: 2, title: plan.title }).todo([]).take());
    await told("ended");
  });

  panelTest(
    "an earlier no is told by the card and leads to its call; words that take it back offer to lift it",
    async () => {
      const facts = { files: ["/code/data"], removes: [], reads: [], acts: [], hosts: [] };
      const denial = { callId: "call_1", toolName: "Bash", title: "Run `rm -r data`", by: "user" as const, facts };
      const words = "You said no to `rm -r data` at 14:02";
      const script = new Script()
        .user("You may now delete data.")
        .answer("r1", "", [["call_1", "Bash", { command: "rm -r data" }]])
        .record({ kind: "denial", op: "made", denial, id: "den_1" })
        .end("done");
      for (let at = 0; at < 20; at += 1) script.user("more").answer(`more ${at}`, "line\n\n".repeat(9)).end("done");
      script.user("go on").answer("r2", "", [["call_test", "Bash", { command: "find data -delete" }]]);
      const denied = [{ denialId: "den_1", callId: "call_1", seq: 3, words }];
      script.approval("a", { ...commandAction, reason: words, effects: [], denied });
      const panel = await openPanel({ snapshot: { records: [...script.records], state: "asking" } });
      const { page, button, waitForRequest } = panel;
      await page.getByRole("button", { name: /^You said no to/ }).click();
      const row = page.locator('[data-item="call_1"]');
      await row.waitFor();
      await panel.settle();
      assert.ok(await row.evaluate(one => one.getBoundingClientRect().top >= 0));
      assert.equal((await mentions(panel, "said no")).length, 1);
      // What was said before the no takes nothing back.
      const offersNothing = async () => assert.equal(await page.getByText("Lift the no").count(), 0);
      await offersNothing();
      script.take();
      await panel.play(script.end("done").state("idle").user("Do not delete data.").take());
      await offersNothing();
      await panel.play(script.user("ok, go ahead and delete data now").take());
      await button("Lift the no to `rm -r data`?").click();
      assert.deepEqual(await waitForRequest("lift"), { which: "den_1", by: "message" });
      await panel.play(script.record({ kind: "denial", op: "lifted", denialIds: ["den_1"], by: "message" }).take());
      await page.getByText("A denial was lifted.").waitFor();
      await offersNothing();
    },
  );

  panelTest("ten cut answers are one, and told once, while they are asked for again and at the end", async () => {
    const message = LOST;
    const panel = await openPanel();
    const script = new Script().user("go").state("running");
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      cut(script, `req_${attempt}`);
      const retry = { attempt, attempts: 10, delayMs: 60_000, code: "cut", message } as const;
      await panel.play(script.live({ type: "retry", requestId: `req_${attempt}`, ...retry }).take());
      await panel.status.getByText("Retry in").waitFor();
      assert.equal((await mentions(panel, "connection")).length, 1, `attempt ${attempt}`);
      assert.equal(await panel.page.locator(".answer").count(), 1);
    }
    const error = { code: "cut", message, actions: ["continue", "check-connection"] } as const;
    await panel.play(
      script
        .end("error", { ...error, actions: [...error.actions] })
        .state("idle")
        .take(),
    );
    await panel.button("Continue").waitFor();
    assert.deepEqual(await mentions(panel, "connection lost"), [message]);
    assert.equal(await panel.page.locator(".answer").count(), 1);
    for (const [reason, told] of [
      ["error", message],
      ["stopped", `This answer was cut off: ${message}`],
      ["interrupted", "Cut off when the window closed or crashed"],
    ] as const) {
      const why = reason === "error" ? { ...error, code: "timeout" as const, message: told, actions: [] } : undefined;
      const { records } = cut(new Script().user("go"), "r").end(reason, why);
      assert.deepEqual(await mentions(await openPanel({ snapshot: { records } }), "cut off|connection"), [told]);
    }
  });

  const planned = (...more: string[]) => {
    const script = proposed();
    for (const title of more)
      script
        .user("think again")
        .answer(title, text)
        .record({ ...plan, op: "proposed", turn: 2, title });
    return script;
  };
  const carried = (done: number) =>
    proposed()
      .record({ ...plan, op: "carried-out", turn: 2 })
      .user("Carry out the plan.")
      .todo(todos(done));
  const waitingTwice = () =>
    asking()
      .answer("req_5", "", [["call_edit2", "Edit", { file_path: "src/invoice.ts" }]])
      .approval("approval_2", { ...editAction, callId: "call_edit2" });
  const longTodos = Array.from({ length: 12 }, (_, at) => ({
    content: at % 2 === 0 ? `Use \`roundHalfUp\` in **totals** ${at}` : `把 \`总额\` 四舍五入 ${at}`,
    status: at < 3 ? ("completed" as const) : at === 3 ? ("in_progress" as const) : ("pending" as const),
  }));
  const cutAnswers = (count: number) => {
    const script = new Script().user("go");
    for (let attempt = 1; attempt <= count; attempt += 1) cut(script, `req_${attempt}`);
    return script;
  };
  const long = `${text}\n${Array.from({ length: 200 }, (_, at) => `- [ ] Step ${at}`).join("\n")}`;
  const shown = (script: Script, more: Parameters<typeof snapshot>[0] = {}) => ({
    snapshot: { records: [...script.records], ...more },
  });
  const opened = (panel: PanelPage) => panel.openStatus();
  const claiming = () => {
    const script = new Script().user("round half up").answer("r1", "", [["c1", "Bash", { command: "npm test" }]]);
    script
      .result("c1", "Bash", { digest: "Bash npm test exit 0 · 2 s" })
      .answer("r2", "", [["c2", "Edit", { file_path: "src/a.ts" }]]);
    const { seq } = script
      .result("c2", "Edit", { digest: "Edit src/a.ts +1 −1" })
      .answer("r3", `${"It rounds.\n\n".repeat(60)}All tests pass.`).records[2] ?? { seq: 0 };
    const check = {
      kind: "check" as const,
      words: "npm run lint",
      sentence: "Run the linter before you finish",
      file: "AGENTS.md",
    };
    return script.end(
      "done",
      undefined,
      {},
      {
        claims: [{ kind: "stale", words: "All tests pass", callId: "c1", seq }, check],
        wentOn: { why: "announced", words: "I'll now change the totals" },
      },
    );
  };
  panelTest("a claim that the log does not show leads to the run, and is told once", async () => {
    const panel = await openPanel(shown(claiming()));
    assert.equal((await mentions(panel, "files changed after the last run")).length, 1);
    assert.equal((await mentions(panel, "Sent on once")).length, 1);
    await panel.page.waitForFunction(() => document.querySelector(".scroller")?.scrollTop === 0);
    await panel.screenshot("stale-claim");
    await panel.button("Show run").click();
    await panel.page.waitForFunction(() => (document.querySelector(".scroller")?.scrollTop ?? 0) < -100);
    assert.ok(await panel.page.locator('[data-item="c1"]').isVisible());
    await panel.screenshot("stale-claim");
  });
  pictures({
    "a plan": [shown(planned(), { mode: "plan" })],
    "a plan that took another's place": [shown(planned("Round up"), { mode: "plan" })],
    "a plan of 200 lines": [
      shown(planned().record({ ...plan, op: "proposed", turn: 1, title: "Long", steps: 202, text: long })),
    ],
    "a plan without steps": [shown(new Script().user("plan").record({ ...plan, op: "proposed", turn: 1, steps: 0 }))],
    "a plan under way": [shown(carried(1), { state: "running" }), opened],
    "a plan's steps": [shown(carried(1), { state: "running" }), ({ page }) => page.locator(".plan-name").click()],
    "a plan that waits for an answer": [shown(carried(1).approval("a", editAction), { state: "asking" })],
    "a plan that is done": [shown(carried(3).end("done"))],
    "two questions": [{ ...shown(waitingTwice(), { state: "asking" }), width: 300 }],
    "a question and a message that waits": [
      shown(asking().pending("p1", "added", "queue", "then the changelog"), { state: "asking" }),
    ],
    "twelve todos": [shown(new Script().user("go").todo(longTodos), { state: "running" }), opened],
    "ten cut answers": [shown(cutAnswers(10).end("error", { code: "cut", message: LOST, actions: ["continue"] }))],
    "a stale claim": [shown(claiming())],
    "a cut answer, stopped": [shown(cutAnswers(1).end("stopped"))],
    "a cut answer, the window closed": [shown(cutAnswers(1).end("interrupted"))],
  });
});
