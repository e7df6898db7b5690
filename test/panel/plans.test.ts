/** Plans: the card of a proposed one, what its buttons ask for, and how one that is carried out reads. */
import assert from "node:assert/strict";
import { looksTest, picture } from "./look";
import { openPanel, panelTest } from "./panel";
import { Script, SESSION } from "./script";

const text = `# Plan: Round half up

\`totalOf\` in \`src/invoice.ts:14\` rounds **down**. A half has to go up, in one place.

- [ ] Add \`roundHalfUp\` to \`src/money.ts\`
- [ ] Use it in \`totalOf\`
- [ ] Run \`npm test -- invoice\`
`;

const plan = { kind: "plan", turn: 1, title: "Round half up", steps: 3, text } as const;

function proposed(): Script {
  const script = new Script();
  script.record({ kind: "mode", mode: "plan" });
  script.user("plan how to mend the rounding").record({ kind: "title", title: "Mend the rounding" });
  script.request("req_1").answer("req_1", text);
  return script
    .record({ ...plan, op: "proposed" })
    .end("done")
    .state("idle");
}

describe("panel: plans", function () {
  this.timeout(60_000);

  panelTest("a proposed plan is opened, carried out in the chosen mode, also after a refusal, sent back", async () => {
    const script = proposed();
    const key = script.records.find(({ kind }) => kind === "plan")?.id;
    const panel = await openPanel({ snapshot: { mode: "plan", records: script.records } });
    await panel.page.getByTitle("Open the plan in the editor").click();
    assert.deepEqual(await panel.waitForRequest("openPlan"), { key });
    await panel.refuse("carryOutPlan", "The plan is empty.");
    await panel.button("Carry out").click();
    await panel.page.getByText("The plan is empty.").waitFor();
    assert.equal(await panel.button("Carry out").isEnabled(), true);
    await panel.refuse("carryOutPlan", undefined);
    assert.deepEqual(await panel.waitForRequest("carryOutPlan"), { key, mode: "ask" });
    await panel.button("More ways to carry it out").click();
    await panel.page.getByRole("menuitem", { name: /^Edits allowed/ }).click();
    assert.deepEqual(await panel.waitForRequest("carryOutPlan", 1), { key, mode: "edits" });
    await panel.button("Send back").click();
    assert.deepEqual(await panel.waitForRequest("sendPlanBack"), { key });
  });

  panelTest("its buttons keep the focus while they wait and after a refusal, and hand it on when they go", async () => {
    const script = proposed();
    const panel = await openPanel({
      snapshot: { mode: "plan", records: [...script.records] },
      held: ["carryOutPlan", "sendPlanBack"],
    });
    const focused = () => panel.page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id);
    for (const [name, method] of [
      ["Send back", "sendPlanBack"],
      ["Carry out", "carryOutPlan"],
    ] as const) {
      await panel.refuse(method, "The plan is empty.");
      await panel.button(name).focus();
      await panel.page.keyboard.press("Enter");
      await panel.page.keyboard.press("Enter");
      await panel.waitForRequest(method);
      assert.equal(await focused(), name, "while it waits");
      const arrow = panel.button("More ways to carry it out");
      assert.equal(await arrow.getAttribute("aria-disabled"), "true");
      await arrow.dispatchEvent("click");
      assert.equal(await panel.page.getByRole("menu").count(), 0, "no second answer meanwhile");
      await panel.release(method);
      await panel.page.locator(".split-more[aria-disabled=false]").waitFor();
      assert.equal((await panel.asked(method)).length, 1);
      assert.equal(await focused(), name, "after a refusal");
    }
    script.take();
    await panel.play(script.user("Carry out the plan.").state("running").take());
    assert.equal(await focused(), "composer-text");
  });

  panelTest("a plan that other turns came after can still be carried out", async () => {
    const script = proposed();
    const panel = await openPanel({ snapshot: { mode: "plan", records: [...script.records] } });
    const card = panel.page.getByRole("region", { name: "Plan: Round half up" });
    await card.getByText("3 steps").waitFor();
    await card.getByText("A half has to go up, in one place.").waitFor();
    script.take();
    script.user("what does it cost?").state("running").request("req_2").answer("req_2", "Nothing.");
    await panel.play(script.end("done").state("idle").take());
    await card.getByRole("button", { name: "More ways to carry it out" }).click();
    const way = panel.page.getByRole("menuitem", { name: /^Auto/ });
    const { y = 0, height = 0 } = (await way.boundingBox()) ?? {};
    assert.ok(y > 0 && y + height <= 800, "the chunk does not cut it");
    await way.click();
    assert.deepEqual((await panel.waitForRequest("carryOutPlan")) as { mode: string }, {
      key: script.records.find(({ kind }) => kind === "plan")?.id,
      mode: "auto",
    });
  });

  panelTest("only the newest proposal has buttons, and none while the agent works", async () => {
    const script = proposed();
    const panel = await openPanel({ snapshot: { mode: "plan", records: [...script.records] } });
    const buttons = () => panel.button("Carry out").count();
    assert.equal(await buttons(), 1);
    script.take();
    script.user("think again").state("running");
    await panel.play(script.take());
    assert.equal(await buttons(), 0);
    script.request("req_2").answer("req_2", text);
    script
      .record({ ...plan, op: "proposed", turn: 2 })
      .end("done")
      .state("idle");
    await panel.play(script.take());
    assert.equal(await buttons(), 1);
    assert.equal(await panel.page.getByRole("region", { name: "Plan: Round half up" }).count(), 2);
    script.record({ kind: "mode", mode: "edits" });
    script
      .record({ ...plan, op: "carried-out", turn: 3 })
      .user("Carry out the plan.")
      .state("running");
    await panel.play(script.take());
    assert.equal(await buttons(), 0);
    await panel.page.getByRole("region", { name: "Plan in progress: Round half up" }).waitFor();
  });

  panelTest("it becomes its progress, and is ended there, whatever the line is about", async () => {
    const script = proposed();
    const panel = await openPanel({ snapshot: { mode: "plan", records: [...script.records] } });
    const { page, status } = panel;
    script.take();
    const steps = [
      { content: "Add `roundHalfUp`", status: "completed" as const },
      { content: "Use it in `totalOf`", status: "pending" as const },
    ];
    script
      .record({ ...plan, op: "carried-out", turn: 2 })
      .todo(steps)
      .user("Carry out the plan.");
    await panel.play(script.state("running").take());
    const box = page.getByRole("region", { name: "Plan in progress: Round half up" });
    await box.getByText("1 of 2 done").waitFor();
    assert.equal(await page.locator(".plan").count(), 1);
    assert.equal(await status.locator("code").innerText(), "totalOf");
    const end = page.getByRole("button", { name: "End plan" });
    assert.equal(await end.count(), 0, "not while the agent works");
    await panel.play(script.request("req_3").answer("req_3", "So far.").end("done").state("idle").take());
    const file = { uri: "file:///a.ts", path: "a.ts", kind: "edited" as const, changes: 2, turns: [2], seq: 9 };
    await panel.send({ type: "review", sessionId: SESSION, files: [file] });
    await box.getByRole("button", { name: "End plan" }).press("Enter");
    assert.deepEqual(await panel.waitForRequest("endPlan"), { turn: 2 });
    await panel.play(script.record({ kind: "planEnd", turn: 2, title: "Round half up" }).todo([]).take());
    await end.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement?.id), "composer-text");
    await page.locator(".plan").getByText("ended", { exact: true }).waitFor();
  });

  looksTest("looks right", () => picture("plan", { snapshot: { mode: "plan", records: proposed().records } }));

  looksTest("looks right in a narrow panel, carried out", async () => {
    const script = proposed();
    script.record({ kind: "mode", mode: "edits" });
    script.user("Carry out the plan.").record({ ...plan, op: "carried-out", turn: 2, steps: 2 });
    script.request("req_2").answer("req_2", "`roundHalfUp` stands in `src/money.ts:3`.");
    script.end("done");
    script.record({ kind: "todo", todos: [{ content: "Use it in `totalOf`", status: "pending" }] });
    await picture("plan-carried-out", { width: 300, snapshot: { mode: "edits", records: script.records } });
  });
});
