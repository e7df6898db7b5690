/** The beginning: what an empty conversation offers, and the ways to a model. */
import assert from "node:assert/strict";
import type { PanelResult } from "../../src/shared/panelProtocol";
import { looksTest, picture } from "./look";
import { openPanel, panelTest } from "./panel";
import { Script, SESSION, snapshot, surroundings } from "./script";

const without = { ...surroundings, model: { state: "none" as const, message: "No model yet." } };
const ways: PanelResult<"modelWays"> = {
  editor: ["Claude Sonnet 4.5", "GPT-6"],
  local: [{ title: "Ollama", models: 3 }],
};
const offers: PanelResult<"offers"> = {
  offers: [
    { icon: "beaker", text: "1 test fails. Fix it", detail: "npm test", words: "Fix the failing tests of `npm test`" },
    { icon: "diff", text: "Review 3 uncommitted files", words: "Review the uncommitted changes @changes" },
    { icon: "file-code", text: "Explain invoice.js", words: "Explain @src/invoice.js" },
    { icon: "history", text: "Continue: Round totals half up", detail: "11:27", sessionId: "session_2" },
  ],
};
const found: PanelResult<"found"> = { summary: "2 rules files, 1 skill, 1 server needs approval" };

describe("panel: the beginning without a model", () => {
  panelTest("offers each way in a line, leads there, and says what waits; with a model it gives way", async () => {
    const { page, button, asked, send, waitForRequest, play } = await openPanel({
      snapshot: { surroundings: without },
      results: { modelWays: ways, offers },
    });
    const list = page.getByRole("list", { name: "Ways to a model" });
    await list.getByRole("button", { name: /Use VS Code's models/ }).click();
    await list.getByRole("button", { name: /Paste an API key/ }).click();
    await list.getByRole("button", { name: /Local server.*Ollama: 3 models/ }).click();
    await waitForRequest("action", 2);
    assert.deepEqual(await asked("action"), [
      { action: "use-editor-model" },
      { action: "paste-key" },
      { action: "use-local-server" },
    ]);
    await play(new Script().pending("p1", "added", "queue", "Why?").take());
    await page.getByRole("log").getByText("Waits for a model", { exact: true }).waitFor();
    assert.equal((await button("Send pending message").count()) + (await page.locator(".status").count()), 0);
    await button("Edit pending message").click();
    await page.keyboard.type(" Now.");
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("editPending"), { pendingId: "p1", text: "Why? Now." });
    await list.getByRole("button").first().focus();
    await send({ type: "surroundings", surroundings });
    await list.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement?.id), "composer-text");
  });

  panelTest("where VS Code has no models but can sign in to Copilot, that is a way", async () => {
    const { page, waitForRequest } = await openPanel({
      snapshot: { surroundings: without },
      results: { modelWays: { editor: [], local: [], signIn: true } },
    });
    await page.getByText(/None is running\. Ollama, LM Studio, llama\.cpp, vLLM/).waitFor();
    assert.equal(await page.getByRole("button", { name: /Use VS Code's models/ }).count(), 0);
    await page.getByRole("button", { name: /Use Copilot's models/ }).click();
    assert.deepEqual(await waitForRequest("action"), { action: "copilot-sign-in" });
  });

  panelTest("a server that was started meanwhile is found when the person comes back", async () => {
    const { page, asked, waitForRequest } = await openPanel({
      snapshot: { surroundings: without },
      results: { modelWays: [{ editor: [], local: [] }, ways] },
    });
    await page.getByText(/None is running/).waitFor();
    const before = (await asked("modelWays")).length;
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await waitForRequest("modelWays", before);
    await page.getByText("Ollama: 3 models").waitFor();
  });

  panelTest("the demo is offered below the ways, without a folder too", async () => {
    for (const workspace of ["trusted", "none"] as const) {
      const { page, waitForRequest } = await openPanel({ snapshot: { surroundings: { ...without, workspace } } });
      await page.getByRole("button", { name: "Try the demo" }).click();
      assert.deepEqual(await waitForRequest("action"), { action: "try-demo" });
    }
  });

  panelTest("is one tab stop, and arrows go from way to way", async () => {
    const { page } = await openPanel({ snapshot: { surroundings: without }, results: { modelWays: ways } });
    const rows = page.getByRole("list", { name: "Ways to a model" }).getByRole("button");
    await rows.nth(2).waitFor();
    await rows.first().focus();
    for (let times = 0; times < 3; times += 1) await page.keyboard.press("ArrowDown");
    assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? "", /Local server/);
    await page.keyboard.press("Tab");
    assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? "", /Try the demo/);
    await page.keyboard.press("Shift+Tab");
    assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? "", /Local server/);
  });
});

describe("panel: the beginning with a model", () => {
  panelTest("an offer stands in the composer, the last session opens, what was found opens its page", async () => {
    const { page, composer, waitForRequest } = await openPanel({ results: { offers, found, openSession: snapshot() } });
    await page.getByText("What should we do in invoices?").waitFor();
    await page.getByRole("button", { name: /Review 3 uncommitted files/ }).click();
    assert.equal(await composer.inputValue(), "Review the uncommitted changes @changes");
    await page.getByRole("button", { name: /Found here: 2 rules files/ }).click();
    assert.deepEqual(await waitForRequest("action"), { action: "show-tools" });
    await page.getByRole("button", { name: /Continue: Round totals half up/ }).click();
    assert.deepEqual(await waitForRequest("openSession"), { id: "session_2" });
  });

  panelTest("what is offered comes without moving what stands there, and is read once", async () => {
    const { page, asked, release, settle } = await openPanel({ results: { offers, found }, held: ["offers", "found"] });
    const title = page.getByText("What should we do in invoices?");
    await title.waitFor();
    const before = await title.boundingBox();
    await release("offers");
    await release("found");
    await page.getByText("Explain invoice.js").waitFor();
    await settle();
    assert.deepEqual(await title.boundingBox(), before);
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await settle();
    assert.equal((await asked("offers")).length, 1);
  });
});

describe("panel: how the beginning looks", function () {
  this.timeout(120_000);
  const size = { width: 300, height: 640 };
  const waiting = new Script().pending("p1", "added", "queue", "Why does the first test fail?").records;
  looksTest("no model", () =>
    picture("start-none", {
      ...size,
      snapshot: { sessionId: SESSION, surroundings: without, records: waiting },
      results: { modelWays: ways },
    }),
  );
  looksTest("offers", () =>
    picture("start-offers", { ...size, snapshot: { surroundings }, results: { offers, found } }),
  );
});
