/** The focus view: the work is hidden, words and outcome stay; what waits for the person is never hidden. */
import assert from "node:assert/strict";
import { looksTest, picture } from "./look";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { editAction, fixed, fixing } from "./scenes";
import { Script, surroundings } from "./script";

const focused = { ...surroundings, focusView: true };
const tools = ({ page }: PanelPage) => page.locator(".tool:visible").count();

describe("panel: focus view", function () {
  this.timeout(60_000);

  panelTest("hides the work: what was said and how it ended stay", async () => {
    const { records } = fixed();
    const panel = await openPanel({ snapshot: { records } });
    assert.ok((await tools(panel)) > 0);
    await panel.send({ type: "surroundings", surroundings: focused });
    assert.equal(await tools(panel), 0);
    await panel.page.getByText("rounds down").first().waitFor();
    assert.equal(await panel.page.locator(".turn-end:visible").count(), 1);
    assert.equal(await panel.page.locator(".changes:visible").count(), 1);
    assert.equal(await panel.page.locator(".reasoning:visible").count(), 0);
  });

  panelTest("opens as it was, and follows the host", async () => {
    const { records } = fixed();
    const panel = await openPanel({ snapshot: { records, surroundings: focused } });
    assert.equal(await tools(panel), 0);
    await panel.send({ type: "surroundings", surroundings });
    await panel.settle();
    assert.ok((await tools(panel)) > 0);
  });

  panelTest("what runs, and what asks, is in sight", async () => {
    const script = fixing().state("running");
    const panel = await openPanel({ snapshot: { state: "running", records: script.records, surroundings: focused } });
    assert.equal(await tools(panel), 0);
    script.take();
    script.request("req_9").answer("req_9", "", [["call_more", "Edit", { file_path: "src/invoice.ts" }]]);
    script.approval("apr_9", { ...editAction, callId: "call_more" }).state("asking");
    await panel.play(script.take());
    await panel.page.getByRole("alertdialog").waitFor();
    assert.equal(await tools(panel), 1);
  });

  panelTest("a turn's end opens what was done in it, and why", async () => {
    const panel = await openPanel({ snapshot: { records: fixed().records } });
    await panel.button("About this turn").click();
    assert.deepEqual(await panel.waitForRequest("explainTurn"), { turn: 1 });
  });

  panelTest("sixty turns are all there, each with its outcome", async () => {
    const script = new Script();
    for (let turn = 1; turn <= 60; turn++) {
      script.user(`question ${turn}`).request(`req_${turn}`);
      script.answer(`req_${turn}`, "", [[`call_${turn}`, "Read", { file_path: `src/${turn}.ts` }]]);
      script.result(`call_${turn}`, "Read", { digest: `Read src/${turn}.ts` });
      script.request(`end_${turn}`).answer(`end_${turn}`, `Answer ${turn}.`).end("done");
    }
    const panel = await openPanel({ snapshot: { records: script.records } });
    await panel.page.waitForFunction(() => document.querySelectorAll(".turn-end").length === 60);
    await panel.send({ type: "surroundings", surroundings: focused });
    assert.equal(await panel.page.locator(".conversation.focused .turn-end").count(), 60);
    assert.equal(await tools(panel), 0);
  });

  looksTest("looks right", () => picture("focus", { snapshot: { records: fixed().records, surroundings: focused } }));
});
