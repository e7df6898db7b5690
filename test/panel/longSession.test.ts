/** A long session: its end first as it opens; what is far above the end goes in hours of work, and comes again. */
import assert from "node:assert/strict";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { Script, snapshot } from "./script";

/** Turns with long answers: more than fits on the screen. */
function long(turns: number): Script {
  const script = new Script();
  for (let turn = 1; turn <= turns; turn += 1) {
    const words = `answer ${turn}\n\n${"A line of words.\n\n".repeat(6)}`;
    script.user(`question ${turn}`).answer(`req_${turn}`, words).end("done");
  }
  return script;
}

describe("panel: a long session opens", () => {
  panelTest("a long session is drawn from its end: what is in sight first, then the rest, nothing moves", async () => {
    const panel = await openPanel({ snapshot: { records: long(100).records }, held: ["open"] });
    const { page, conversation } = panel;
    await page.evaluate(() => {
      const log = document.querySelector("[role=log]")!;
      const seen: string[] = [];
      Object.assign(window, { seen });
      const words = () => `${log.textContent?.includes("question 1answer 1")} ${log.getAttribute("aria-busy")}`;
      new MutationObserver(() => seen.push(words())).observe(log, { childList: true, subtree: true });
    });
    await panel.release("open");
    await page.getByText("answer 100", { exact: true }).waitFor();
    await conversation.and(page.locator("[aria-busy=false]")).getByText("question 1", { exact: true }).waitFor({
      state: "attached",
    });
    await panel.settle();
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    assert.equal(seen[0], "false true", "first the end alone; screen readers are told to wait");
    assert.ok((await conversation.evaluate(log => -log.scrollTop)) < 2);
    const text = (await conversation.textContent()) ?? "";
    const places = Array.from({ length: 100 }, (_, turn) => text.indexOf(`question ${turn + 1}answer`));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      "in their order, each once",
    );
    assert.equal(text.split("answer 60").length, 2);
  });
});

/** The panel opens on the first turns, and the others come as they do in hours of work; opened anew it has the last ones. */
async function worked(known: number, more: Parameters<typeof snapshot>[0] = {}) {
  const { records } = long(800);
  const start = snapshot({ records: records.slice(0, known * 3), ...more });
  const panel = await openPanel({
    results: { open: [start, snapshot({ records: records.slice(-200), hasOlder: true })] },
  });
  await panel.conversation.and(panel.page.locator("[aria-busy=false]")).waitFor();
  const rest = records.slice(known * 3).map(record => ({ type: "record" as const, record }));
  return { panel, rest };
}

const first = (panel: PanelPage) => panel.conversation.getByText("question 1", { exact: true });

describe("panel: hours of work", () => {
  panelTest("once nothing runs the newest records are opened anew, and nothing in sight moves", async () => {
    const { panel, rest } = await worked(2);
    const { page, conversation } = panel;
    await panel.play(rest);
    await first(panel).waitFor({ state: "detached" });
    await panel.settle();
    assert.ok((await conversation.evaluate(log => -log.scrollTop)) < 2);
    await page.getByText("answer 800", { exact: true }).waitFor();
    assert.equal((await panel.asked("open")).length, 2);
    await conversation.and(page.locator("[aria-busy=false]")).waitFor();
    await conversation.evaluate(log => log.scrollTo(0, -log.scrollHeight));
    await panel.waitForRequest("older");
  });

  panelTest("where something is selected nothing goes", async () => {
    const { panel, rest } = await worked(30);
    const { page, conversation } = panel;
    await conversation.getByText("question 25", { exact: true }).selectText();
    await panel.play(rest);
    await panel.pass(1_000);
    assert.equal(await page.evaluate(() => getSelection()?.toString()), "question 25");
    assert.equal((await panel.asked("open")).length, 1);
  });

  panelTest("while a message that waits is edited nothing goes; numbers of left branches do not count", async () => {
    const pending = [{ pendingId: "p1", delivery: "queue" as const, text: "then the readme" }];
    const edited = await worked(2, { pending, held: ["p1"] });
    await edited.panel.openStatus();
    await edited.panel.button("Edit pending message").click();
    const records = long(12).records.map((record, at) => (at < 6 ? record : { ...record, seq: record.seq + 5_000 }));
    const branched = await openPanel({ snapshot: { records: records.slice(0, 30) } });
    const rest = records.slice(30).map(record => ({ type: "record" as const, record }));
    for (const { panel, rest: events } of [edited, { panel: branched, rest }]) {
      await panel.play(events);
      await panel.pass(1_000);
      assert.equal((await panel.asked("open")).length, 1);
    }
  });
});
