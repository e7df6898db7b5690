/** Moving between sessions and through a long one, and what stands around the conversation. */
import assert from "node:assert/strict";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { summary } from "./scenes";
import { Script, snapshot, surroundings } from "./script";

/** Turns with long answers: more than fits on the screen. */
function long(turns: number, script = new Script()): Script {
  for (let turn = 1; turn <= turns; turn += 1) {
    script
      .user(`question ${turn}`)
      .answer(`req_${turn}`, `answer ${turn}\n\n${"A line of words.\n\n".repeat(6)}`)
      .end("done");
  }
  return script;
}

const withRead = (script: Script): Script =>
  script
    .user("go")
    .request("r")
    .answer("r", "", [["c1", "Read", { file_path: "src/a.ts" }]])
    .result("c1", "Read", { digest: "Read src/a.ts 1–84" });

const fromEnd = ({ conversation }: PanelPage) => conversation.evaluate(log => Math.round(-log.scrollTop));

/** To a pixel: the browser holds what is read in parts of one. */
const isSame = (one: number, other: number) => Math.abs(one - other) < 1.5;
const topOf = ({ conversation }: PanelPage) =>
  conversation.evaluate(log => log.firstElementChild?.getBoundingClientRect().top ?? 0);

/** @param px from the end */
async function readFurtherUp(px: number) {
  const panel = await openPanel({ snapshot: { records: long(20).records, state: "running" } });
  await panel.page.getByText("answer 20").waitFor();
  await panel.conversation.hover();
  await panel.page.mouse.wheel(0, -px);
  await panel.button("Jump to latest").waitFor();
  return { panel, top: await topOf(panel) };
}

describe("panel: sessions and scrolling", () => {
  panelTest("another session that waits for an answer says so in the list", async () => {
    const { page, show, send } = await openPanel({
      results: {
        sessions: { sessions: [summary("session_1", "First"), { ...summary("session_2", "Second"), running: true }] },
      },
    });
    await send({ type: "waiting", sessionIds: ["session_2"] });
    await show("sessions");
    const rows = page.getByRole("list", { name: "Sessions" }).locator(".session");
    await rows.filter({ hasText: "waiting" }).waitFor();
    assert.deepEqual(await rows.locator("strong").count(), 1);
    await send({ type: "waiting", sessionIds: [] });
    await rows.filter({ hasText: "waiting" }).waitFor({ state: "detached" });
  });

  panelTest("a new session is empty, and its events are the ones that count", async () => {
    const { page, composer, waitForRequest, play } = await openPanel({ snapshot: { records: long(1).records } });
    await page.getByText("question 1").waitFor();
    await composer.fill("/new");
    await composer.press("Enter");
    await waitForRequest("newSession");
    await page.getByText("What should we do in invoices?").waitFor();
    await play(new Script(3).user("late words of the old one").take());
    assert.equal(await page.getByText("late words").count(), 0);
  });

  panelTest("another session that the host opens replaces everything", async () => {
    const { page, send } = await openPanel({ snapshot: { records: long(1).records } });
    await send({ type: "snapshot", snapshot: snapshot({ sessionId: "s9", title: "Other", mode: "plan" }) });
    await page.getByRole("heading", { name: "Other" }).waitFor();
    await page.getByRole("button", { name: "Mode: Plan only" }).waitFor();
    assert.equal(await page.getByText("question 1").count(), 0);
  });

  panelTest("the mode is chosen from a menu that says what each means", async () => {
    const { page, waitForRequest, play } = await openPanel();
    await page.getByRole("button", { name: "Mode: Ask first" }).click();
    const items = page.getByRole("menuitemradio");
    assert.equal(await items.count(), 4);
    assert.equal(
      await page.getByRole("menuitemradio", { checked: true }).textContent(),
      "Ask firstReads without asking. Asks before every edit and every command.",
    );
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("setMode"), { mode: "edits" });
    await play(new Script().record({ kind: "mode", mode: "edits" }).take());
    await page.getByRole("button", { name: "Mode: Edits allowed" }).waitFor();
    await page.getByRole("button", { name: "Mode: Edits allowed" }).click();
    await page.keyboard.press("Escape");
    assert.equal(await items.count(), 0);
  });

  panelTest("a long session opens at its end and stays there while it grows", async () => {
    const panel = await openPanel({ snapshot: { records: long(20).records, state: "running" } });
    await panel.page.getByText("answer 20").waitFor();
    assert.ok((await fromEnd(panel)) < 2);
    const script = new Script(60).request("r").text("r", "New words.\n\n".repeat(30), 60);
    await panel.play(script.take());
    assert.ok((await fromEnd(panel)) < 2);
  });

  panelTest("who reads further up is left alone, and can jump back", async () => {
    const { panel, top } = await readFurtherUp(600);
    await panel.play(new Script(60).request("r").text("r", "New words.\n\n".repeat(30), 60).take());
    assert.ok(isSame(await topOf(panel), top));
    await panel.button("Jump to latest").click();
    await panel.settle();
    assert.ok((await fromEnd(panel)) < 2);
  });

  panelTest(
    "it is followed through fast turns, not where a line was opened, and again where nothing overflows",
    async () => {
      const script = withRead(long(12));
      const panel = await openPanel({
        snapshot: { records: script.records, state: "running" },
        results: { printed: { first: "line\n".repeat(40), last: "" } },
      });
      script.take();
      const card = panel.page.getByRole("button", { name: /^Looked at src\/a.ts/ });
      await card.click();
      await panel.page.getByRole("region", { name: "Output of src/a.ts" }).waitFor();
      await panel.settle();
      assert.ok((await fromEnd(panel)) > 100, "what is opened grows downwards");
      await panel.button("Jump to latest").click();
      // each batch in a frame of its own, and what they grow by is there before the browser tells of the scrolling
      await panel.page.evaluate(
        async batches => {
          for (const batch of batches) {
            window.fakeHost.events(JSON.parse(batch));
            await new Promise(resolve => requestAnimationFrame(resolve));
          }
        },
        Array.from({ length: 30 }, (_, index) =>
          JSON.stringify([
            { type: "text", requestId: "r2", delta: `Words ${index}.\n\nMore.\n\n`.repeat(1 + (index % 4)) },
          ]),
        ),
      );
      await panel.settle();
      assert.ok((await fromEnd(panel)) < 2);
      await panel.conversation.hover();
      await panel.page.mouse.wheel(0, -600);
      await panel.button("Jump to latest").waitFor();
      await panel.page.setViewportSize({ width: 420, height: 20_000 });
      await panel.settle();
      await panel.page.setViewportSize({ width: 420, height: 800 });
      await panel.settle();
      assert.ok((await fromEnd(panel)) < 2);
    },
  );

  panelTest("growing while the view scrolls to the end is no scrolling of the reader's", async () => {
    const panel = await openPanel({ snapshot: { records: long(20).records, state: "running" } });
    await panel.page.getByText("answer 20").waitFor();
    // the end is far away by the time that the browser tells of the last scrolling
    await panel.conversation.evaluate(async log => {
      const frame = () => new Promise(resolve => requestAnimationFrame(resolve));
      for (let time = 0; time < 5; time += 1) {
        const more = document.createElement("div");
        more.style.height = "300px";
        log.firstElementChild?.append(more);
        log.addEventListener(
          "scroll",
          () => {
            more.style.height = "500px";
          },
          { once: true, capture: true },
        );
        await frame();
        await frame();
      }
    });
    await panel.settle();
    assert.ok((await fromEnd(panel)) < 2);
  });

  panelTest("sending, compacting and answering bring the end into sight", async () => {
    const script = long(20)
      .user("go")
      .request("r")
      .answer("r", "", [["call_test", "Bash", { command: "npm test" }]]);
    script.approval("a", {
      ...{ toolName: "Bash", callId: "call_test", title: "Run `npm test`?" },
      detail: { type: "command", command: "npm test", cwd: "/work" },
    });
    const panel = await openPanel({ snapshot: { records: script.records, state: "asking" } });
    const { page, composer, conversation, waitForRequest, settle } = panel;
    const away = async () => {
      await conversation.evaluate(log => log.scrollTo(0, -200));
      await page.locator(".jump").waitFor();
    };
    await page.getByRole("alertdialog").waitFor();
    await away();
    await composer.focus();
    await page.locator(".jump").click();
    await settle();
    assert.ok(await composer.evaluate(box => box === document.activeElement), "a click leaves the focus where it was");
    assert.equal(await page.locator(".jump").count(), 0);
    await away();
    await page.locator(".jump").focus();
    await page.keyboard.press("Enter");
    await settle();
    assert.ok(await composer.evaluate(box => box === document.activeElement), "never lost to the page");
    for (const words of ["go on", "/compact"]) {
      await away();
      await composer.fill(words);
      // a question waits: Enter would deny it
      await composer.press(words === "go on" ? "Alt+Enter" : "Enter");
      await waitForRequest(words === "go on" ? "submit" : "compact");
      await settle();
      assert.ok((await fromEnd(panel)) < 2, words);
    }
    await away();
    await page.getByRole("button", { name: "Deny", exact: true }).evaluate(button => (button as HTMLElement).click());
    await waitForRequest("answer");
    await settle();
    assert.ok((await fromEnd(panel)) < 2);
  });

  panelTest("older records come as the reader gets there, and what is read stays in place", async () => {
    const script = long(60);
    const panel = await openPanel({
      snapshot: { records: script.records.slice(120), hasOlder: true },
      held: ["older"],
      results: {
        older: [
          { records: script.records.slice(60, 120), hasOlder: true },
          { records: script.records.slice(0, 60), hasOlder: false },
        ],
      },
    });
    const { page, conversation, waitForRequest, settle, release } = panel;
    await page.getByText("answer 60").waitFor();
    const first = page.getByText("question 41");
    const top = () => first.evaluate(element => Math.round(element.getBoundingClientRect().top));
    await first.scrollIntoViewIfNeeded();
    assert.deepEqual(await waitForRequest("older"), { before: 121 });
    await settle();
    const before = await top();
    await release("older");
    // what is further up is drawn as the reader comes near
    await page.getByText("question 40").waitFor({ state: "attached" });
    await settle();
    assert.equal(await top(), before);
    await conversation.evaluate(log => log.scrollTo(0, -log.scrollHeight));
    await waitForRequest("older", 1);
    await page.getByText("Loading earlier messages…").waitFor({ state: "detached" });
    await conversation.evaluate(log => log.scrollTo(0, -log.scrollHeight));
    await page.getByText("question 1", { exact: true }).waitFor({ state: "attached" });
    assert.equal(await page.getByText("Loading earlier messages…").count(), 0);
  });

  panelTest("a question does not steal the place of who reads further up", async () => {
    const { panel, top } = await readFurtherUp(900);
    const script = new Script(60).request("r").answer("r", "", [["call_test", "Bash", { command: "npm test" }]]);
    script.approval("a", {
      toolName: "Bash",
      callId: "call_test",
      title: "Run `npm test`?",
      detail: { type: "command", command: "npm test", cwd: "/work" },
    });
    await panel.play(script.take());
    await panel.page.getByRole("alertdialog").waitFor();
    assert.ok(isSame(await topOf(panel), top));
    await panel.pass(400); // a question that has just appeared does not take the key
    // it is in sight all the same
    await panel.page.keyboard.press("Control+Enter");
    await panel.waitForRequest("answer");
  });

  panelTest("what is opened grows downwards: the line that was clicked stays", async () => {
    const script = withRead(long(12));
    const panel = await openPanel({
      snapshot: { records: script.records },
      results: { printed: { first: "line\n".repeat(40), last: "" } },
    });
    const card = panel.page.getByRole("button", { name: /^Looked at src\/a.ts/ });
    const before = await card.evaluate(element => element.getBoundingClientRect().top);
    await card.click();
    await panel.waitForRequest("printed");
    await panel.settle();
    assert.ok(isSame(await card.evaluate(element => element.getBoundingClientRect().top), before));
  });
});

describe("panel: surroundings", () => {
  panelTest("offline model, untrusted workspace, other window: each says what it means", async () => {
    const around = {
      ...surroundings,
      workspace: "untrusted" as const,
      model: {
        state: "ready" as const,
        name: "offline-model",
        address: "http://127.0.0.1:1",
        contextWindow: 1,
        offline: true,
      },
    };
    const { page, button, waitForRequest } = await openPanel({ snapshot: { readOnly: true, surroundings: around } });
    await page.getByText("Demo: answers are prepared").waitFor();
    await page.getByText("Open in another window").waitFor();
    await button("Mode: Read only").click();
    await page.getByRole("menu").getByText("This workspace is not trusted").waitFor();
    await page.getByRole("menuitem", { name: "Manage trust" }).click();
    assert.deepEqual(await waitForRequest("action"), { action: "trust" });
  });

  panelTest("no folder: the way to open one", async () => {
    const { button, waitForRequest } = await openPanel({
      snapshot: { surroundings: { ...surroundings, workspace: "none", folders: [] } },
    });
    await button("Open folder").click();
    assert.deepEqual(await waitForRequest("action"), { action: "open-folder" });
  });

  panelTest("an opening that fails says why and can be tried again", async () => {
    const { page, button, composer, refuse } = await openPanel({ refused: { open: "The log is of a newer version." } });
    await page.getByRole("alert").filter({ hasText: "The log is of a newer version." }).waitFor();
    assert.equal(await composer.isEditable(), false);
    await refuse("open", undefined);
    await button("Retry").click();
    await page.getByText("What should we do in invoices?").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.equal(await composer.isEditable(), true);
  });

  panelTest(
    "one that cannot be opened again stays, is typed into but sends nothing, and others can be opened",
    async () => {
      const script = new Script().user("go").answer("a", "Done.").end("done");
      const { page, button, composer, refuse, play, asked, screenshot } = await openPanel({
        snapshot: { records: [...script.records] },
      });
      await composer.fill("half a");
      await refuse("open", "The log is of a newer version.");
      script.user("missed").take();
      await play(script.answer("b", "More.").take());
      const banner = page.getByRole("alert").filter({ hasText: "The session could not be opened." });
      await banner.waitFor();
      await page.keyboard.type(" thought");
      await page.keyboard.press("Enter");
      assert.equal(await composer.inputValue(), "half a thought");
      assert.ok(await button("Send").isDisabled());
      assert.deepEqual(await asked("submit"), []);
      await banner.getByRole("button", { name: "Retry" }).waitFor();
      await screenshot("failed-again");
      await banner.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "New session" }).click();
      await page.getByText("What should we do in invoices?").waitFor();
      assert.equal(await banner.count(), 0);
    },
  );
});
