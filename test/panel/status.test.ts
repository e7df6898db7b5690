/** The one line above the composer and the row below the text: what they say, open and do, in any room there is. */
import assert from "node:assert/strict";
import type { ReviewFile } from "../../src/shared/panelSnapshot";
import { fileUri } from "./changedFiles";
import { looksTest, picture } from "./look";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { asking, fixed, fixing, summary, todos } from "./scenes";
import { Script, START, snapshot, surroundings } from "./script";

const context = { tokens: 41_000, window: 200_000 };
const review: ReviewFile[] = [
  {
    ...{ uri: fileUri("src/invoice.ts"), path: "src/invoice.ts", kind: "edited", changes: 6, turns: [1], seq: 9 },
    ...{ added: 10, removed: 5 },
  },
  {
    ...{ uri: fileUri("src/money.ts"), path: "src/money.ts", kind: "created", changes: 1, turns: [1], seq: 9 },
    ...{ added: 2, removed: 1 },
  },
];
const task = {
  ...{ taskId: "task_1", callId: "call_dev", command: "npm run dev", cwd: "/code", lines: 14 },
  ...{ state: "running" as const, startedAt: START },
};
const title = "Fix the failing invoice test";

function busy(): Script {
  const script = fixing().state("running");
  script.pending("p1", "added", "queue", "then update the changelog");
  script.pending("p2", "added", "queue", "and the readme");
  return script.pending("p3", "added", "queue", "then commit");
}
const busySnapshot = (more = {}) =>
  snapshot({ title, context, records: busy().records, state: "running", review, tasks: [task], ...more });

const rows = ({ page }: PanelPage) => page.getByRole("list", { name: "Pending messages" }).getByRole("listitem");
const focusedIn = ({ page }: PanelPage, selector: string) =>
  page.evaluate(wanted => document.activeElement?.closest(wanted) !== null, selector);

describe("panel: the line above the composer", function () {
  this.timeout(120_000);

  panelTest("is one line of one height, whatever it says; without anything to say it is not there", async () => {
    const panel = await openPanel({ snapshot: { context } });
    assert.equal(await panel.status.count(), 0);
    const heights = new Set<number>();
    const measure = async (words: string) => {
      await panel.status.getByText(words).waitFor();
      heights.add((await panel.page.locator(".status-line").boundingBox())?.height ?? 0);
    };
    const script = new Script().user("go").state("running").request("r");
    await panel.play(script.take());
    await measure("Waiting for the model");
    await panel.play(script.todo(todos(1)).take());
    await measure("Running · Fix the rounding (2 of 3)");
    const message = "The model is busy, and says so in more words than any line of any panel has room for.";
    await panel.play(
      script
        .live({ type: "retry", requestId: "r", attempt: 1, attempts: 5, delayMs: 9_000, code: "rate-limit", message })
        .take(),
    );
    await measure("Retry in");
    await panel.play(script.compaction("summarising").take());
    await measure("Compacting history");
    await panel.send({ type: "review", sessionId: "session_1", files: review });
    await panel.play(script.end("stopped").state("idle").take());
    await measure("2 files changed");
    assert.equal(heights.size, 1, [...heights].join());
  });

  panelTest("opens upward to todos, queue and tasks, and the conversation stays at its end", async () => {
    const panel = await openPanel({ snapshot: busySnapshot() });
    const { page, conversation, status } = panel;
    const place = () => page.locator(".status-line").boundingBox();
    const fromEnd = () => conversation.evaluate(log => -log.scrollTop);
    const before = await place();
    await panel.openStatus();
    await panel.settle();
    for (const name of ["Todo list", "Queue", "Background tasks"]) await status.getByRole("region", { name }).waitFor();
    assert.deepEqual(await place(), before);
    assert.ok((await fromEnd()) < 2);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    assert.equal(await status.getByRole("region").count(), 0, "Esc closes it");
    assert.deepEqual(await panel.asked("stop"), [], "and stops nothing");
    assert.ok(await focusedIn(panel, ".status-toggle"));
  });

  panelTest("the queue is put into another order by keys and by the mouse; the focus goes along", async () => {
    const panel = await openPanel({ snapshot: busySnapshot() });
    await panel.openStatus();
    await rows(panel).nth(0).getByRole("button", { name: /^Move/ }).focus();
    await panel.page.keyboard.press("Alt+ArrowUp");
    assert.deepEqual(await panel.asked("orderPending"), [], "it is the first");
    await panel.page.keyboard.press("Alt+ArrowDown");
    assert.deepEqual(await panel.waitForRequest("orderPending"), { pendingIds: ["p2", "p1", "p3"] });
    assert.ok(
      await rows(panel)
        .nth(1)
        .getByRole("button", { name: /^Move/ })
        .evaluate(it => it === document.activeElement),
    );
    await rows(panel).nth(2).dragTo(rows(panel).nth(0));
    assert.deepEqual(await panel.waitForRequest("orderPending", 1), { pendingIds: ["p3", "p1", "p2"] });
    await rows(panel)
      .nth(1)
      .getByRole("button", { name: /^Send now/ })
      .click();
    assert.deepEqual(await panel.waitForRequest("sendPending"), { pendingId: "p2" });
  });

  panelTest("a list has one tab stop; arrows walk it, and what goes away leaves the focus in it", async () => {
    const panel = await openPanel({ snapshot: busySnapshot() });
    const { page } = panel;
    await panel.openStatus();
    const stops = () =>
      page.locator(".pending button").evaluateAll(all => all.filter(({ tabIndex }) => tabIndex === 0).length);
    assert.equal(await stops(), 1);
    await rows(panel).nth(0).getByRole("button", { name: "Remove pending message" }).focus();
    await page.keyboard.press("End");
    assert.ok(
      await rows(panel)
        .nth(2)
        .getByRole("button", { name: "Remove pending message" })
        .evaluate(it => it === document.activeElement),
    );
    assert.equal(await stops(), 1);
    const script = busy();
    script.take();
    await panel.play(script.pending("p3", "removed", "queue", "then commit").take());
    assert.ok(await focusedIn(panel, ".pending-row"));
    await panel.play(script.pending("p2", "removed", "queue").pending("p1", "removed", "queue").take());
    assert.ok(await panel.composer.evaluate(it => it === document.activeElement), "the list is gone");
  });

  panelTest("its toggle keeps the focus when it says something else, and hands it on when it goes", async () => {
    const panel = await openPanel({ snapshot: busySnapshot({ tasks: [] }) });
    const toggle = panel.status.locator("[aria-expanded]");
    await toggle.focus();
    await panel.play([{ type: "state", state: "stopping" }]);
    assert.ok(await toggle.evaluate(it => it === document.activeElement));
    const script = busy();
    script.take();
    const gone = script.pending("p1", "removed", "queue").pending("p2", "removed", "queue");
    await panel.play(gone.pending("p3", "removed", "queue").todo([]).take());
    await toggle.waitFor({ state: "detached" });
    assert.ok(await panel.composer.evaluate(it => it === document.activeElement));
  });

  panelTest("the list closes when it is asked for again, and when another session is shown", async () => {
    const first = summary("session_1", "First");
    const { page, show, send } = await openPanel({ results: { sessions: { sessions: [first] } } });
    const rows = page.getByRole("list", { name: "Sessions" }).getByRole("button");
    await show("sessions");
    await rows.first().waitFor();
    await show("sessions");
    assert.equal(await rows.count(), 0);
    await show("sessions");
    await rows.first().waitFor();
    await send({ type: "snapshot", snapshot: snapshot({ sessionId: "s9", title: "Other" }) });
    await rows.first().waitFor({ state: "detached" });
  });

  panelTest("waiting, retrying with a countdown, stopping: each is said", async () => {
    const { page, play, pass, button, status, waitForRequest } = await openPanel({ now: START });
    const script = new Script().user("go").state("running").request("r");
    await play(script.take());
    await page.getByText("Waiting for the model").waitFor();
    const retry = { requestId: "r", attempt: 2, attempts: 5, code: "rate-limit", message: "The model is busy (429)." };
    await play(script.live({ type: "retry", delayMs: 60_000, ...retry }).take());
    await page.getByText("The model is busy (429).").waitFor();
    await page.getByText("Retry in 60 s").waitFor();
    await pass(5_000);
    await page.getByText("Retry in 55 s").waitFor();
    await status.getByRole("button", { name: "Stop" }).click();
    await waitForRequest("stop");
    await play(script.state("stopping").take());
    await status.getByText("Stopping", { exact: true }).waitFor();
    assert.equal(await button("Stop").count(), 0);
  });

  panelTest("VS Code hears when the page has the focus, and when not", async () => {
    const panel = await openPanel();
    assert.deepEqual(await panel.waitForRequest("pageFocus"), { focused: true });
    await panel.page.evaluate(() => window.dispatchEvent(new Event("blur")));
    await panel.waitForRequest("pageFocus", 1);
  });
});

describe("panel: the row below the text", function () {
  this.timeout(120_000);

  panelTest("the ring says the percentage, its number to who asks; ＋ opens what can be mentioned", async () => {
    const panel = await openPanel({ snapshot: { context } });
    const ring = panel.page.getByRole("button", { name: "41,000 of 200,000 tokens in the context" });
    assert.equal((await ring.innerText()).replace(/\u00a0/g, " "), "21 %");
    assert.match((await ring.getAttribute("title")) ?? "", /^41,000 of 200,000 tokens/);
    await panel.composer.fill("look at");
    await panel.page.getByRole("button", { name: /^Add context/ }).click();
    assert.equal(await panel.composer.inputValue(), "look at @");
    await panel.waitForRequest("completeMention");
    assert.ok(await panel.composer.evaluate(box => box === document.activeElement));
  });

  panelTest("moving among editor tabs changes no mode", async () => {
    const panel = await openPanel({ snapshot: { context } });
    for (const keys of ["Control+Tab", "Control+Shift+Tab", "Shift+Tab", "Tab"]) await panel.page.keyboard.press(keys);
    await panel.settle();
    assert.deepEqual(await panel.asked("setMode"), []);
  });

  panelTest("the mode menu can be read in each theme", () =>
    picture("modes", { width: 420, height: 500, snapshot: { context } }, async panel => {
      await panel.button("Mode: Ask first").click();
      await panel.page.getByRole("menuitemradio").first().waitFor();
    }),
  );

  const around = {
    ...surroundings,
    model: { ...surroundings.model, name: "claude-opus-4-5-20251101-with-a-long-name" },
  };
  for (const [width, height] of [
    [150, 400],
    [300, 600],
    [900, 240],
    [300, 240],
  ] as const)
    panelTest(`at ${width} × ${height} px composer, line and question are in sight`, async () => {
      const panel = await openPanel({ width, height, snapshot: busySnapshot({ surroundings: around }) });
      await panel.openStatus();
      const inside = async (locator: ReturnType<PanelPage["button"]>, name: string) => {
        const box = await locator.boundingBox();
        assert.ok(box && box.x >= 0 && box.y >= 0, `${name}: ${JSON.stringify(box)}`);
        assert.ok(box.x + box.width <= width && box.y + box.height <= height, `${name}: ${JSON.stringify(box)}`);
      };
      await panel.composer.fill("a\nb\nc\nd\ne\nf\ng\nh\ni\nj");
      await panel.settle();
      await inside(panel.composer, "text");
      await inside(panel.button("Send"), "send");
      await inside(panel.button("Stop"), "stop");
      await inside(panel.page.getByRole("button", { name: /tokens in the context/ }), "ring");
      await panel.screenshot(`frame-${width}-${height}`);
      await panel.send({
        type: "snapshot",
        snapshot: snapshot({ title, context, records: asking().records, state: "asking" }),
      });
      await panel.composer.fill("");
      await inside(panel.button("Send"), "send, asked");
      await inside(panel.button("Allow"), "the answer, asked");
      await panel.screenshot(`frame-asking-${width}-${height}`);
    });

  looksTest("look of the opened line", () =>
    picture("status", { width: 300, height: 760, snapshot: busySnapshot() }, panel => panel.openStatus()),
  );
  looksTest("look of what waits for a review", () =>
    picture("status-review", {
      ...{ width: 300, height: 500 },
      snapshot: { title, context, records: fixed().records, review },
    }),
  );
});
