/** The view of the context: what fills it, what was sent, and what a person does about it. */
import assert from "node:assert/strict";
import { contextOf, requests, sentRequest, servers, talked, turnRow, untouched } from "./contexts";
import { openPanel, type PanelOptions, type PanelPage, panelTest } from "./panel";
import { Script, START } from "./script";

const context = { tokens: 148_000, window: 200_000 };
const results = { contextView: talked, sentRequests: requests, mcpServers: servers };
const records = new Script().user("fix it").answer("r", "Done.").end("done").records;

async function openContext(options: PanelOptions = {}, changes = {}): Promise<PanelPage> {
  const panel = await openPanel({ now: START, results, ...options, snapshot: { records, context, ...changes } });
  await panel.show("context");
  await panel.page.getByRole("region", { name: "Context" }).waitFor();
  await panel.settle();
  return panel;
}

const rowsOf = (panel: PanelPage, grid = 0) => panel.page.getByRole("treegrid").nth(grid).getByRole("row");
const texts = async (panel: PanelPage, grid = 0) =>
  (await rowsOf(panel, grid).allInnerTexts()).map(text => text.replace(/\s+/g, " "));
const focused = (panel: PanelPage) => panel.page.evaluate(() => document.activeElement?.textContent ?? "");

describe("panel: the view of the context", () => {
  panelTest("opens from the meter and by /context, in the conversation's place; Escape gives that back", async () => {
    const panel = await openContext();
    await panel.page.getByText("60k of 200k tokens").waitFor();
    await panel.page.getByText("Cache warm · 3:10 left").waitFor();
    await panel.page.getByText("Auto-compact at 160k (80 %)").waitFor();
    assert.equal(await panel.conversation.count(), 0);
    await panel.page.keyboard.press("Escape");
    await panel.conversation.waitFor();
    // The ring has the view's count.
    await panel.page.getByRole("button", { name: /^30.%, .* tokens in the context/ }).click();
    await panel.button("Close context").click();
    await panel.conversation.waitFor();
    await panel.composer.fill("/context");
    await panel.composer.press("Enter");
    await panel.button("Close context").click();
    await panel.conversation.waitFor();
    assert.ok(await panel.composer.evaluate(element => element === document.activeElement));
  });

  panelTest("has strata heaviest first, and its rows add up to what it says", async () => {
    const panel = await openContext();
    const heads = (await texts(panel)).filter(text => /^(?:Conversation|Tools|Rules|Reminders)/.test(text));
    assert.deepEqual(heads, ["Conversation 55k", "Tools and prompt 4.5k", "Rules and attachments 766", "Reminders 56"]);
    await rowsOf(panel).filter({ hasText: "Tools and prompt" }).click();
    await rowsOf(panel).filter({ hasText: "Rules and attachments" }).click();
    const all = await texts(panel);
    for (const expected of [
      "Why does the first test fail? 3 outputs shortened 16k",
      "AGENTS.md from this workspace's rules · in every request 26",
      "@problems from the workspace · with turn 13 739",
      "db 6 tools 1.8k",
      "Your words from earlier turns kept word for word 341",
    ])
      assert.ok(
        all.some(text => text.startsWith(expected)),
        `${expected} in\n${all.join("\n")}`,
      );
    assert.match(all.join("\n"), /Summary turns 1 to 10 · summarised/);
  });

  panelTest("works by keyboard alone: one tab stop, arrows open, close and reach a row's buttons", async () => {
    const panel = await openContext();
    const { keyboard } = panel.page;
    await rowsOf(panel).first().focus();
    await keyboard.press("ArrowLeft");
    assert.equal(await rowsOf(panel).count(), 4);
    await keyboard.press("ArrowRight");
    await keyboard.press("ArrowRight");
    assert.match(await focused(panel), /^Now run the tests/);
    await keyboard.press("ArrowDown");
    await keyboard.press("ArrowRight");
    assert.equal(
      await panel.page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
      "Summarise up to here",
    );
    await keyboard.press("Enter");
    assert.deepEqual(await panel.waitForRequest("compact"), { upTo: 13 });
    await keyboard.press("ArrowRight");
    await keyboard.press("Enter");
    assert.deepEqual(await panel.waitForRequest("pin"), { turn: 13, pinned: true });
    await keyboard.press("ArrowLeft");
    await keyboard.press("ArrowLeft");
    await keyboard.press("Enter");
    assert.deepEqual(await panel.waitForRequest("openContextRow"), { key: "turn:13" });
    await keyboard.press("ArrowLeft");
    assert.match(await focused(panel), /^Conversation/);
    await keyboard.press("End");
    assert.match(await focused(panel), /^Reminders/);
    const stops = await panel.page.evaluate(() => document.querySelectorAll("[role=treegrid] [tabindex='0']").length);
    assert.equal(stops, 2, "one for each list");
  });

  panelTest("switches a server off and on where its price stands", async () => {
    const panel = await openContext();
    await rowsOf(panel).filter({ hasText: "Tools and prompt" }).click();
    const all = (await texts(panel)).join("\n");
    assert.match(
      all,
      /files not in this request · 3\.3k when all its tools are 0/,
      "tools that wait to be found cost nothing",
    );
    await panel.page.getByRole("switch", { name: "Use server db" }).click();
    assert.deepEqual(await panel.waitForRequest("mcpSwitch"), { name: "db", on: false });
    await panel.page.getByRole("switch", { name: "Use server browser" }).click();
    assert.deepEqual(await panel.waitForRequest("mcpSwitch", 1), { name: "browser", on: true });
  });

  panelTest("compacts with words to keep, looks before, and takes the last one back", async () => {
    const panel = await openContext();
    await panel.button("Compact now…").click();
    await panel.page.getByLabel("What should the summary keep? (optional)").fill(" the names ");
    await panel.page.keyboard.press("Escape");
    assert.equal(await panel.button("Compact").count(), 0);
    assert.equal(await panel.conversation.count(), 0, "Escape closed the form alone");
    await panel.button("Compact now…").click();
    await panel.page.getByLabel("What should the summary keep? (optional)").fill(" the names ");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.waitForRequest("compact"), { guidance: "the names" });
    await panel.button("What would go?").click();
    await panel.waitForRequest("previewCompaction");
    await panel.page.getByText("Last compaction: 148k → 41k tokens").waitFor();
    await panel.button("Undo").click();
    assert.deepEqual(await panel.waitForRequest("undoCompaction"), { compactionId: "rec_9" });
  });

  panelTest(
    "tells of each request what differs, why it broke, what the cache gave and what it cost; opens it as sent",
    async () => {
      const pages = [requests, { requests: [sentRequest(38)], hasOlder: false, unreadable: 0 }];
      const later = { ...requests, requests: [43, 42].map(number => sentRequest(number)) };
      const panel = await openContext({ results: { ...results, sentRequests: [...pages, later] } });
      assert.match((await texts(panel, 1))[0] ?? "", /^41\. Turn 14, step 2 97 % reused · \$0\.004 53k/);
      await rowsOf(panel, 1).first().click();
      const opened = (await texts(panel, 1)).join("\n");
      assert.match(opened, /The first 58,000 of 60,041 tokens are as in the request before\./);
      assert.match(opened, /counted 52,811 tokens in, 51,040 of them from its cache, and 240 out\. Cost: \$0\.004\./);
      assert.match(opened, /npm test: exit 1, 1 of 3 failed new \+1,600[\s\S]*Todo list changed \+12/);
      await rowsOf(panel, 1).filter({ hasText: "40. Turn 14" }).click();
      await panel.page.getByText("A turn ended: its outputs are sent in short form now.").waitFor();
      await panel.page.getByRole("button", { name: "Request 41 as sent" }).click();
      assert.deepEqual(await panel.waitForRequest("openRequest"), { number: 41 });
      await rowsOf(panel, 1).filter({ hasText: "Earlier requests" }).click();
      assert.deepEqual(await panel.waitForRequest("sentRequests", 1), { before: 39 });
      await panel.play([{ type: "state", state: "running" }]);
      await rowsOf(panel, 1).filter({ hasText: "43. Turn 14" }).waitFor();
      const heads = (await texts(panel, 1)).flatMap(text => /^(?:\d+\.|Earlier)/.exec(text)?.[0] ?? []);
      assert.deepEqual(heads, ["43.", "42.", "41.", "40.", "39.", "38."], "without a gap");
    },
  );

  panelTest("says of an empty session what will be there, with what is known", async () => {
    const panel = await openContext({ results: { contextView: untouched } }, { records: [] });
    await panel.page.getByText("Your turns will appear here, each with its tokens.").waitFor();
    await panel.page.getByText("Each request will appear here, exactly as it was sent.").waitFor();
    assert.match((await texts(panel)).join("\n"), /^Tools and prompt 4\.5k\nRules and attachments 26$/);
  });

  panelTest("opens at once and fills; a late answer of another session is dropped", async () => {
    const panel = await openContext({ held: ["contextView"] });
    await panel.page.getByText("148k of 200k tokens").waitFor();
    await panel.page.getByText("Counting…").waitFor();
    await panel.release("contextView");
    await panel.page.getByRole("treegrid").first().waitFor();
  });

  panelTest(
    "of ten thousand turns it shows the newest, more when asked, and keeps its place while it grows",
    async () => {
      const newest = Array.from({ length: 100 }, (_, at) => turnRow(10_000 - at, `Question ${10_000 - at}`, 12));
      const page = Array.from({ length: 100 }, (_, at) => turnRow(9_900 - at, `Question ${9_900 - at}`, 12));
      const many = contextOf(newest, { turns: 10_000 });
      const grown = contextOf([turnRow(10_001, "Question 10001", 12), ...newest.slice(0, -1)], { turns: 10_001 });
      const panel = await openContext({ results: { contextView: [many, many, grown], contextTurns: { rows: page } } });
      await rowsOf(panel)
        .filter({ hasText: "9980 earlier turns" })
        .or(rowsOf(panel).filter({ hasText: "9,980 earlier turns" }))
        .click();
      await panel.waitForRequest("contextTurns");
      await rowsOf(panel).filter({ hasText: "Question 9881" }).waitFor();
      assert.ok((await rowsOf(panel).count()) < 250);
      const watched = rowsOf(panel).filter({ hasText: /^Question 9950/ });
      await watched.scrollIntoViewIfNeeded();
      const low = await watched.boundingBox();
      await watched.focus();
      const before = await watched.boundingBox();
      assert.equal(before?.height, low?.height, "with what is done to it, it is no higher");
      await panel.play([{ type: "state", state: "running" }]);
      await rowsOf(panel).filter({ hasText: "Question 10001" }).waitFor({ state: "attached" });
      await panel.settle();
      const after = await watched.boundingBox();
      assert.ok(Math.abs((after?.y ?? 0) - (before?.y ?? 0)) < 2, "nothing jumps");
      assert.match(await focused(panel), /^Question 9950/);
      assert.deepEqual(await panel.asked("contextTurns"), [{ before: 9901 }, { before: 9902 }]);
    },
  );

  panelTest("in a session of another window it is read, and nothing in it changes anything", async () => {
    const panel = await openContext({}, { readOnly: true });
    await rowsOf(panel).first().waitFor();
    assert.equal(await panel.page.getByRole("button", { name: /Compact now|Summarise|Pin/ }).count(), 0);
    assert.ok(await panel.button("Undo").isDisabled());
    await panel.page.getByRole("button", { name: "Request 41 as sent" }).waitFor();
  });

  panelTest(
    "a refusal is said in the tab; requests that cannot be read are counted; a broken prefix is no secret",
    async () => {
      const odd = { requests: [sentRequest(2, { unexplained: true })], hasOlder: false, unreadable: 3 };
      const panel = await openContext({
        results: { ...results, sentRequests: odd },
        refused: { openRequest: "There is no request 2." },
      });
      await panel.page.getByText("3 requests cannot be read from the log.").waitFor();
      await rowsOf(panel, 1).first().click();
      await panel.page.getByText(/Strata does not know why\. This is a defect\./).waitFor();
      await panel.page.getByRole("button", { name: "Request 2 as sent" }).click();
      await panel.page.getByRole("alert").getByText("There is no request 2.").waitFor();
    },
  );
});
