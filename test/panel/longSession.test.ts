/** A long session as it opens: its end first, everything in the end. */
import assert from "node:assert/strict";
import { openPanel, panelTest } from "./panel";
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
    const panel = await openPanel({ snapshot: snapshot({ records: long(120).records }), held: ["open"] });
    const { page, conversation } = panel;
    await page.evaluate(() => {
      const log = document.querySelector("[role=log]")!;
      const seen: string[] = [];
      Object.assign(window, { seen });
      const words = () => `${log.textContent?.includes("question 1answer 1")} ${log.getAttribute("aria-busy")}`;
      new MutationObserver(() => seen.push(words())).observe(log, { childList: true, subtree: true });
    });
    await panel.release("open");
    await page.getByText("answer 120", { exact: true }).waitFor();
    await conversation.and(page.locator("[aria-busy=false]")).getByText("question 1", { exact: true }).waitFor({
      state: "attached",
    });
    await panel.settle();
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    assert.equal(seen[0], "false true", "first the end alone; screen readers are told to wait");
    assert.ok((await conversation.evaluate(log => log.scrollHeight - log.scrollTop - log.clientHeight)) < 2);
    const text = (await conversation.textContent()) ?? "";
    const places = Array.from({ length: 120 }, (_, turn) => text.indexOf(`question ${turn + 1}answer`));
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
