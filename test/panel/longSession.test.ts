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
    const panel = await openPanel({ snapshot: snapshot({ records: long(100).records }), held: ["open"] });
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
    assert.ok((await conversation.evaluate(log => log.scrollHeight - log.scrollTop - log.clientHeight)) < 2);
    const text = (await conversation.textContent()) ?? "";
    const places = Array.from({ length: 100 }, (_, turn) => text.indexOf(`question ${turn + 1}answer`));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      "in their order, each once",
    );
    assert.equal(text.split("answer 60").length, 2);
  });

  panelTest("who reads further up while the rest is drawn keeps the place", async () => {
    const panel = await openPanel({ snapshot: snapshot({ records: long(120).records }), held: ["open"] });
    const { page, conversation } = panel;
    await page.evaluate(() => {
      const idle = window.requestIdleCallback.bind(window);
      const begun = Promise.withResolvers<void>();
      Object.assign(window, { goOn: begun.resolve });
      window.requestIdleCallback = (callback, options) => {
        begun.promise.then(() => idle(callback, options));
        return 0;
      };
    });
    await panel.release("open");
    await page.getByText("answer 120", { exact: true }).waitFor();
    await conversation.evaluate(log => log.scrollBy(0, -900));
    await panel.settle();
    const read = page.getByText("answer 115", { exact: true });
    const before = (await read.boundingBox())?.y;
    await page.evaluate(() => (window as unknown as { goOn(): void }).goOn());
    await conversation.and(page.locator("[aria-busy=false]")).waitFor();
    await panel.settle();
    const after = (await read.boundingBox())?.y;
    assert.ok(Math.abs((after ?? 0) - (before ?? 1000)) <= 1, `${before} → ${after}`);
  });
});

/** The host knows all of it; the panel opens on the last turns, and the others come as they do in hours of work. */
async function worked(known: number, turns: number) {
  const script = long(turns);
  const at = known * 3;
  const panel = await openPanel({
    snapshot: snapshot({ records: script.records.slice(0, at) }),
    results: { older: { records: script.records, hasOlder: false } },
  });
  await panel.conversation.and(panel.page.locator("[aria-busy=false]")).waitFor();
  const rest = script.records.slice(at).map(record => ({ type: "record" as const, record }));
  return { panel, rest };
}

const first = (panel: PanelPage) => panel.conversation.getByText("question 1", { exact: true });
const height = (panel: PanelPage) => panel.conversation.evaluate(log => log.scrollHeight);

describe("panel: hours of work", () => {
  panelTest("what is far above the end goes, nothing in sight moves, and going up brings it again", async () => {
    const { panel, rest } = await worked(2, 600);
    const { page, conversation } = panel;
    await page.evaluate(() => {
      Object.assign(window, { shift: 0 });
      new PerformanceObserver(list => {
        for (const entry of list.getEntries())
          (window as unknown as { shift: number }).shift += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift" });
    });
    await panel.play(rest);
    await first(panel).waitFor({ state: "detached" });
    await panel.settle();
    assert.ok((await height(panel)) < 45_000, `${await height(panel)}`);
    assert.equal(await page.evaluate(() => (window as unknown as { shift: number }).shift), 0);
    assert.ok((await conversation.evaluate(log => log.scrollHeight - log.scrollTop - log.clientHeight)) < 2);
    assert.equal((await panel.asked("older")).length, 0);

    await conversation.evaluate(log => log.scrollTo(0, 0));
    await panel.waitForRequest("older");
    await page.waitForFunction(() => document.querySelector(".older") === null);
    await conversation.evaluate(log => log.scrollTo(0, 0));
    await first(panel).waitFor();
    await page.keyboard.press("Escape");
    const turns = await conversation.evaluate(log =>
      [...log.querySelectorAll<HTMLElement>(".user[data-item], .far")].flatMap(
        each => each.dataset.holds?.split(" ").filter(key => key.startsWith("msg_")) ?? each.dataset.item ?? "",
      ),
    );
    const asked = turns.map(key => Number(key.slice(4))).filter(seq => seq % 3 === 1);
    assert.deepEqual(
      asked,
      Array.from({ length: 600 }, (_, turn) => turn * 3 + 1),
      "each once, in order",
    );
  });

  panelTest("what is selected or written in stays, and so does all below it; then it goes", async () => {
    const { panel, rest } = await worked(30, 600);
    const { page, conversation } = panel;
    await conversation.getByText("question 25", { exact: true }).selectText();
    await panel.play(rest.slice(0, -1));
    await panel.pass(1_000);
    assert.equal(await page.evaluate(() => getSelection()?.toString()), "question 25");
    await conversation.getByText("question 25", { exact: true }).waitFor();
    await page.evaluate(() => getSelection()?.empty());
    await panel.play(rest.slice(-1));
    await conversation.getByText("question 25", { exact: true }).waitFor({ state: "detached" });
  });
});
