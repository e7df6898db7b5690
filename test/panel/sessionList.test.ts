/** The list of sessions: groups, a search, what is done with one, all by keys. */
import assert from "node:assert/strict";
import { pictureEverywhere } from "./look";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { summary } from "./scenes";
import { Script, START, snapshot } from "./script";

const DAY = 86_400_000;

const many = [
  summary("session_2", "Build the release", { running: true, asks: "npm run build" }),
  summary("session_3", "Move the importer to streams", { running: true, cost: 0.31 }),
  summary("session_4", "Rules of the house", { pinned: true, changes: { files: 1, added: 3, removed: 0 } }),
  summary("session_1", "Round totals half up", { changes: { files: 2, added: 12, removed: 6 }, cost: 0.04 }),
  summary("session_5", "تقريب المجاميع إلى الأعلى 👩‍👩‍👧", { updated: START - 60_000 }),
  summary("session_6", "A session of a newer version", { newer: true, updated: START - 120_000 }),
  ...Array.from({ length: 14 }, (_, at) =>
    summary(`old_${at}`, `Older thing ${at}`, { updated: START - (at + 1) * DAY }),
  ),
];
const deleted = [{ key: ".trash-1-x", title: "A try that led nowhere", turns: 3, deleted: START - 60_000 }];

async function openList(options: Parameters<typeof openPanel>[0] = {}) {
  const panel = await openPanel({
    snapshot: { waiting: ["session_2"] },
    now: START + 300_000,
    ...options,
    results: { sessions: { sessions: many, deleted }, ...options.results },
  });
  await panel.show("sessions");
  const list = panel.page.getByRole("list", { name: "Sessions" });
  await list.locator(".session").first().waitFor();
  const search = panel.page.getByRole("searchbox", { name: "Search sessions" });
  return { ...panel, list, search, titles: () => list.locator(".session-title").allTextContents() };
}

const focused = ({ page }: Pick<PanelPage, "page">) =>
  page.evaluate(
    () =>
      document.activeElement?.querySelector(".session-title")?.textContent ?? document.activeElement?.textContent ?? "",
  );

describe("panel: the list of sessions", () => {
  panelTest(
    "stands in groups, what waits for a person first; older and deleted ones are closed until somebody opens them",
    async () => {
      const panel = await openList();
      const { list, titles, page, screenshot } = panel;
      assert.deepEqual(await list.locator(".session-group").allTextContents(), [
        ...["Waiting", "Running", "Pinned", "Today", "Older14", "Deleted1"],
      ]);
      assert.deepEqual(
        (await titles()).slice(0, 4),
        many.slice(0, 4).map(({ title }) => title),
      );
      await screenshot("sessions-list");
      await page.getByRole("button", { name: /^Deleted/ }).click();
      await list.getByText("A try that led nowhere").waitFor();
      await page.getByRole("button", { name: /^Older/ }).click();
      await list.getByText("Older thing 13").waitFor();
      await pictureEverywhere(panel, "sessions-all", {});
    },
  );

  for (const [theme, width] of [
    ["light", 300],
    ["high-contrast", 700],
  ] as const)
    panelTest(`fits at ${width} px, ${theme}: nothing is wider than the panel`, async () => {
      const { page, screenshot } = await openList({ theme, width });
      await page.keyboard.press("ArrowDown");
      await screenshot(`sessions-${width}-${theme}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    });

  panelTest("at 300 px a long question leaves room for lines, cost and age; all of it is a tooltip", async () => {
    const asks = "npm run build -- --all --with-everything-that-there-is";
    const changes = { files: 2, added: 12, removed: 6 };
    const facts = { running: true, asks, changes, cost: 0.04 };
    const sessions = [
      summary("session_2", "Build the release", facts),
      summary("session_3", "Short", { running: true }),
    ];
    const { list, screenshot } = await openList({ width: 300, results: { sessions: { sessions } } });
    const row = list.locator(".session-facts").first();
    await screenshot("sessions-facts-300");
    assert.equal(await row.getAttribute("title"), `asks: ${asks} · 2 files +12 −6 · $0.04 · 5 min ago`);
    const cut = await row.locator("> *").evaluateAll(all => all.map(each => each.scrollWidth > each.clientWidth));
    assert.deepEqual(cut, [true, false, false, false]);
    assert.ok(await row.evaluate(each => each.scrollWidth <= each.clientWidth));
  });

  panelTest("is one tab stop: arrows walk it, Enter opens, Esc goes back to the composer", async () => {
    const all = await openList({
      results: {
        openSession: snapshot({
          sessionId: "session_3",
          title: "Move",
          records: new Script().user("hello three").records,
        }),
      },
    });
    const { page, search, composer, waitForRequest, list } = all;
    assert.ok(await search.evaluate(box => box === document.activeElement));
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(all), "Build the release");
    for (const [key, title] of [
      ["End", "Deleted1"],
      ["Home", "Waiting"],
      ["ArrowDown", "Build the release"],
      ["ArrowDown", "Running"],
      ["ArrowDown", "Move the importer to streams"],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await focused(all), title, key);
    }
    assert.equal(await list.locator("[tabindex='0']").count(), 1);
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("openSession"), { id: "session_3" });
    await page.getByText("hello three").waitFor();
    await all.show("sessions");
    await list.locator(".session").first().waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await list.count(), 0);
    assert.ok(await composer.evaluate(element => element === document.activeElement));
  });

  panelTest(
    "F2 renames, Esc leaves the name, Delete deletes with an undo, and the focus stays in the list",
    async () => {
      const all = await openList({
        results: { deleteSession: { key: ".trash-2-session_3" }, restoreSession: { id: "session_3" } },
      });
      const { page, waitForRequest, list } = all;
      for (let at = 0; at < 3; at += 1) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("F2");
      const box = page.getByRole("textbox", { name: "Name of the session" });
      await box.fill("Nothing");
      await page.keyboard.press("Escape");
      await list.getByText("Move the importer to streams").waitFor();
      await page.keyboard.press("F2");
      await box.fill("  e\u0301 new name ");
      await page.keyboard.press("Enter");
      assert.deepEqual(await waitForRequest("renameSession"), { id: "session_3", title: "e\u0301 new name" });
      await page.waitForFunction(() => document.activeElement?.matches(".session"));
      await page.keyboard.press("Delete");
      assert.deepEqual(await waitForRequest("deleteSession"), { id: "session_3" });
      const gone = page.locator(".sessions-gone");
      await gone.getByText("Deleted “Move the importer to streams”.").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      assert.deepEqual(await waitForRequest("restoreSession"), { key: ".trash-2-session_3" });
      await gone.waitFor({ state: "detached" });
    },
  );

  panelTest("Down goes from the search to what there is; a row that is not drawn never takes the focus", async () => {
    const none = { sessions: [], deleted };
    const sessions = [none, none, { sessions: many, deleted }];
    const all = await openPanel({ now: START + 300_000, results: { sessions, restoreSession: { id: "session_3" } } });
    const { page, show, send } = all;
    await show("sessions");
    await page.getByRole("button", { name: "Deleted 1" }).waitFor();
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(all), "Deleted1");
    await page.keyboard.press("Enter");
    await page.getByRole("searchbox").press("ArrowDown");
    assert.equal(await focused(all), "Restore");
    await page.keyboard.press("Enter");
    await all.waitForRequest("sessions", 1);
    await page.waitForFunction(() => document.activeElement?.matches("li [tabindex='0']"));
    await send({ type: "sessionsChanged" });
    await page.getByText("Build the release").waitFor();
    assert.equal(await focused(all), "Restore");
  });

  panelTest("of which the session that is shown is deleted stays, with an undo", async () => {
    const all = await openList({
      held: ["deleteSession"],
      results: {
        deleteSession: { key: ".trash-2-session_1" },
        restoreSession: { id: "session_1" },
      },
    });
    const { page, list, send, release, waitForRequest } = all;
    await list.locator(".session[aria-current=true]").focus();
    await page.keyboard.press("Delete");
    await waitForRequest("deleteSession");
    // A new session stands in its place before the answer comes.
    await send({ type: "snapshot", snapshot: snapshot({ sessionId: "session_new" }) });
    await release("deleteSession");
    await page.locator(".sessions-gone").getByText("Deleted “Round totals half up”.").waitFor();
    await page.waitForFunction(() => document.activeElement?.matches(".session"));
    await page.getByRole("button", { name: "Undo" }).click();
    assert.deepEqual(await waitForRequest("restoreSession"), { key: ".trash-2-session_1" });
    await page.waitForFunction(() => document.activeElement?.closest("[data-key=session_1]") !== null);
    // Another one from elsewhere closes the list, as before.
    await send({ type: "snapshot", snapshot: snapshot({ sessionId: "session_other" }) });
    await list.waitFor({ state: "detached" });
  });

  panelTest("goes with what happens: focus, what is written in a name and the place scrolled to stay", async () => {
    const [first, second, ...rest] = many;
    assert.ok(first && second);
    const ended = { ...second, running: false };
    const fresh = summary("session_new", "A new one", { running: true });
    const all = await openList({
      height: 300,
      results: {
        sessions: [
          { sessions: many, deleted },
          { sessions: [fresh, first, ended, ...rest], deleted },
          { sessions: [fresh, ...rest], deleted },
        ],
      },
    });
    const { page, list, send, asked, waitForRequest } = all;
    const changes = async () => {
      const seen = (await asked("sessions")).length;
      await send({ type: "sessionsChanged" });
      return seen;
    };
    for (let at = 0; at < 3; at += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F2");
    await page.keyboard.type("half a na");
    const seen = await changes();
    const box = page.getByRole("textbox", { name: "Name of the session" });
    assert.equal(await box.inputValue(), "half a na");
    assert.equal((await asked("sessions")).length, seen, "not while somebody writes in a row");
    await page.keyboard.press("Escape");
    await waitForRequest("sessions", seen);
    await page.waitForFunction(() => document.querySelectorAll(".codicon-modifier-spin").length === 1);
    assert.equal(await focused(all), second.title);
    const scroller = page.locator(".sessions-scroller");
    await scroller.evaluate(each => each.scrollTo(0, 100));
    const title = list.getByText("Rules of the house");
    const before = (await title.boundingBox())?.y;
    await waitForRequest("sessions", await changes());
    await list.getByText(first.title).waitFor({ state: "detached" });
    assert.equal((await title.boundingBox())?.y, before);
    // Its row is gone, and another one has the focus.
    assert.ok(await page.evaluate(() => document.activeElement?.matches(".session")));
  });

  panelTest("asks anew when a person comes back", async () => {
    const { page, list, waitForRequest } = await openList({
      results: { sessions: [{ sessions: many }, { sessions: [summary("new", "Made meanwhile"), ...many] }] },
    });
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    assert.deepEqual(await waitForRequest("sessions", 1), {});
    await list.getByText("Made meanwhile").waitFor();
  });

  panelTest("what else can be done is behind each row's menu, by keys too", async () => {
    const panel = await openList();
    const { page, waitForRequest } = panel;
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const items = page.getByRole("menuitem");
    assert.deepEqual(await items.allTextContents(), [
      ...["Open in editor", "RenameF2", "Pin to top", "Duplicate", "Export…", "DeleteDel"],
    ]);
    await panel.screenshot("sessions-menu");
    await pictureEverywhere(panel, "sessions-menu", {});
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("openSessionTab"), { id: "session_2" });
    await page.getByRole("button", { name: "More actions for A session of a newer version" }).click();
    assert.deepEqual(await items.allTextContents(), ["DeleteDel"]);
    await page.keyboard.press("Escape");
    assert.equal(await items.count(), 0);
  });

  panelTest("a search goes through titles and text, page by page, and shows the line that was found", async () => {
    const { page, list, search, titles, screenshot, waitForRequest } = await openList({
      results: {
        searchSessions: [
          { hits: [{ id: "session_1" }], next: 1 },
          { hits: [{ id: "old_3", line: { source: "user", text: "the (.*) group is half of it" } }], next: 9 },
          { hits: [{ id: "gone" }], next: null },
        ],
      },
    });
    await search.fill("half (.*)");
    assert.deepEqual(await waitForRequest("searchSessions"), { query: "half (.*)", from: 0 });
    await list.getByText("Older thing 3").waitFor();
    assert.deepEqual(await titles(), ["Round totals half up", "Older thing 3"]);
    assert.deepEqual(await list.locator("b").allTextContents(), ["half", "(.*)", "half"]);
    await screenshot("sessions-search");
    await page.keyboard.press("Escape");
    await list.getByText("Build the release").waitFor();
    assert.equal(await search.inputValue(), "");
  });

  panelTest("a letter typed on a row searches, and one typed into a name does not", async () => {
    const { page, composer, search, list } = await openList({ results: { searchSessions: { hits: [], next: null } } });
    for (let at = 0; at < 3; at += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F2");
    await page.keyboard.type("ab");
    assert.equal(await page.getByRole("textbox", { name: "Name of the session" }).inputValue(), "ab");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.matches(".session"));
    await page.keyboard.type("half");
    assert.deepEqual([await search.inputValue(), await composer.inputValue()], ["half", ""]);
    await page.keyboard.press("Escape");
    await list.getByText("Build the release").waitFor();
  });

  panelTest("that finds nothing, and that is empty, say so", async () => {
    const { page, search } = await openList({ results: { searchSessions: { hits: [], next: null } } });
    await search.fill("nowhere");
    await page.locator(".sessions").getByText("No session contains “nowhere”.").waitFor();
    const empty = await openPanel({ results: { sessions: { sessions: [] } } });
    await empty.show("sessions");
    await empty.page.locator(".sessions").getByText("No sessions in this workspace yet.").waitFor();
  });

  panelTest("of 1,000 two hundred are drawn, and more on a click", async () => {
    const sessions = Array.from({ length: 1_000 }, (_, at) => summary(`s_${at}`, `Session ${at}`));
    const { list, button } = await openList({ results: { sessions: { sessions } } });
    assert.equal(await list.locator("li").count(), 201);
    await button("Show more").click();
    await list.getByText("Session 390").waitFor();
  });

  panelTest("each session has its own draft in the composer", async () => {
    const { page, composer, send } = await openPanel({ snapshot: { sessionId: "session_1" } });
    await composer.fill("for the first");
    await send({
      type: "snapshot",
      snapshot: snapshot({ sessionId: "session_2", draft: { draft: "for the second", inFlight: [] } }),
    });
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "for the second");
    await send({
      type: "snapshot",
      snapshot: snapshot({ sessionId: "session_1", draft: { draft: "for the first", inFlight: [] } }),
    });
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "for the first");
  });

  panelTest(
    "what another composer of the session took over or sent leaves this one, and is kept for that one",
    async () => {
      const { page, composer, send, asked, pass } = await openPanel({ snapshot: { sessionId: "session_1" } });
      await composer.fill("half a thought ");
      await send({ type: "compose", op: "moved", text: "another thought", focus: false });
      assert.equal(await composer.inputValue(), "half a thought ");
      await pass(1_000);
      const kept = async () =>
        (await asked("keepDraft")).flatMap(each => {
          const { sessionId, draft } = each as { sessionId?: string; draft: string };
          return sessionId === "session_1" ? draft : [];
        });
      const before = await kept();
      assert.equal(before.at(-1), "half a thought ");
      await send({ type: "compose", op: "moved", text: "half a thought", focus: false });
      assert.equal(await composer.inputValue(), "");
      await pass(1_000);
      await send({ type: "snapshot", snapshot: snapshot({ sessionId: "session_2" }) });
      assert.deepEqual(await kept(), before, "an empty box says nothing");
      await composer.fill("for the second");
      await pass(1_000);
      await page.waitForFunction(() => sessionStorage.getItem("draft")?.includes("for the second"));
    },
  );

  panelTest("a session that another window deleted says so; what was typed goes along into a new one", async () => {
    const { page, composer, play, button, waitForRequest, screenshot } = await openPanel({
      results: { newSession: snapshot({ sessionId: "session_9" }) },
    });
    await composer.fill("unsent words");
    await play([{ type: "session", version: 1, sessionId: "session_1", readOnly: true, deleted: true }]);
    await page.getByText("This session was deleted in another window. What you typed is kept.").waitFor();
    await screenshot("sessions-deleted-elsewhere");
    await button("Restore").click();
    await waitForRequest("restoreShown");
    await page.locator(".banner").getByRole("button", { name: "New session" }).click();
    await waitForRequest("newSession");
    await page.getByText("This session was deleted").waitFor({ state: "detached" });
    assert.equal(await composer.inputValue(), "unsent words");
  });
});
