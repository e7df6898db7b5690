/** The composer and the keys: what is sent when, and that nothing typed gets lost. */
import assert from "node:assert/strict";
import { openPanel, panelTest } from "./panel";
import { Script, snapshot } from "./script";

const running = () => snapshot({ records: new Script().user("fix it").records, state: "running" });

describe("panel: composer", () => {
  panelTest("has the names that tests and screen readers use", async () => {
    const { page, composer, conversation, button } = await openPanel({ snapshot: running() });
    await composer.waitFor();
    await conversation.waitFor();
    for (const name of ["Send", "Stop", "Mode: Ask first", "Model: gpt-6-mini"])
      assert.equal(await button(name).count(), 1, name);
    const unnamed = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, textarea, [role]")]
        .filter(element => !(element.getAttribute("aria-label") ?? element.textContent ?? "").trim())
        .filter(element => element.getAttribute("role") !== "status")
        .map(element => element.outerHTML),
    );
    assert.deepEqual(unnamed, []);
  });

  panelTest("has the focus when the panel opens; Tab follows the eye", async () => {
    const offers = [{ icon: "book", text: "Explain how totals are rounded", words: "Explain how totals are rounded" }];
    const { page, composer } = await openPanel({ results: { offers: { offers } } });
    await page.getByRole("button", { name: "Explain how totals are rounded" }).waitFor();
    assert.ok(await composer.evaluate(element => element === document.activeElement));
    await composer.fill("x");
    const names: string[] = [];
    await page.getByRole("log").focus();
    for (let stop = 0; stop < 7; stop += 1) {
      names.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
        ),
      );
      // What stands below the words is one stop.
      await page.keyboard.press(stop < 3 ? "Tab" : "ArrowRight");
    }
    assert.deepEqual(names, [
      "Conversation",
      "Explain how totals are rounded",
      "Message Strata",
      "Add context: a file, a picture, problems…",
      "Mode: Ask first",
      "Model: gpt-6-mini",
      "Send",
    ]);
  });

  panelTest("can be typed into before the script is there; text, caret, focus and the elements stay", async () => {
    const { page, composer, start, asked, waitForRequest, button } = await openPanel({ startLater: true });
    await page.keyboard.type("fix the test");
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowLeft");
    const box = await composer.elementHandle();
    const log = await page.getByRole("log").elementHandle();
    await start();
    await page.keyboard.type("failing ");
    assert.equal(await composer.inputValue(), "fix the failing test");
    assert.ok(await composer.evaluate((element, before) => element === before, box));
    assert.ok(await page.getByRole("log").evaluate((element, before) => element === before, log));
    assert.ok(await button("Send").isEnabled());
    await page.keyboard.press("Enter");
    await waitForRequest("submit");
    assert.deepEqual(await asked("submit"), [{ text: "fix the failing test", delivery: "steer" }]);
  });

  panelTest("Enter before the script is there sends once it is", async () => {
    const { page, composer, start, asked, waitForRequest } = await openPanel({ startLater: true });
    await page.keyboard.type("fix the test");
    await page.keyboard.press("Enter");
    assert.equal(await composer.inputValue(), "fix the test");
    await start();
    await waitForRequest("submit");
    assert.deepEqual(await asked("submit"), [{ text: "fix the test", delivery: "steer" }]);
    await page.keyboard.type("more");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "");
    assert.equal((await asked("submit")).length, 2);
  });

  panelTest("what a reload kept comes before what is typed until the script is there", async () => {
    const { page, composer, start } = await openPanel({ startLater: true });
    const kept = JSON.stringify({ draft: "a draft", inFlight: [] });
    await page.evaluate(draft => document.getElementById("root")?.setAttribute("data-draft", draft), kept);
    await page.keyboard.type("and mre");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await start();
    await page.keyboard.type("o");
    assert.equal(await composer.inputValue(), "a draft\n\nand more");
  });

  panelTest("looks the same before the script is there as after it, with nothing loaded", async () => {
    const { page, start } = await openPanel({ startLater: true, held: ["open"] });
    const look = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("#root *:not([role=status] *)")].map(element => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [element.tagName, element.className, x, y, width, height];
        }),
      );
    const before = await look();
    await start();
    assert.deepEqual(await look(), before);
  });

  panelTest(
    "Enter sends, Shift+Enter breaks the line, an empty text is not sent; idle, Esc stops nothing",
    async () => {
      const { page, composer, asked, waitForRequest, button } = await openPanel();
      await composer.press("Enter");
      await composer.fill("   ");
      await composer.press("Enter");
      assert.ok(await button("Send").isDisabled());
      await composer.fill("");
      await page.keyboard.type("one");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("two");
      await page.keyboard.press("Enter");
      await waitForRequest("submit");
      assert.deepEqual(await asked("submit"), [{ text: "one\ntwo", delivery: "steer" }]);
      assert.equal(await composer.inputValue(), "");
      await composer.press("Escape");
      assert.equal(await button("Stop").count(), 0);
      assert.deepEqual(await asked("stop"), []);
    },
  );

  panelTest("Enter while the conversation loads sends when it is open", async () => {
    const { composer, release, asked, waitForRequest } = await openPanel({ held: ["open"] });
    await composer.fill("fix it");
    await composer.press("Enter");
    assert.equal(await composer.inputValue(), "");
    assert.deepEqual(await asked("submit"), []);
    await release("open");
    assert.deepEqual(await waitForRequest("submit"), { text: "fix it", delivery: "steer" });
  });

  panelTest(
    "while a turn runs: Up brings the last message back, Enter steers, Alt+Enter queues, Esc stops, as buttons do",
    async () => {
      const { composer, asked, waitForRequest, button } = await openPanel({ snapshot: running() });
      await composer.press("ArrowUp");
      assert.equal(await composer.inputValue(), "fix it");
      await composer.fill("other");
      await composer.press("ArrowUp");
      assert.equal(await composer.inputValue(), "other");
      await composer.fill("use tabs");
      await composer.press("Enter");
      await composer.fill("then the changelog");
      await composer.press("Alt+Enter");
      await composer.fill("and the readme");
      await button("Send").click();
      await waitForRequest("submit", 2);
      assert.deepEqual(await asked("submit"), [
        { text: "use tabs", delivery: "steer" },
        { text: "then the changelog", delivery: "queue" },
        { text: "and the readme", delivery: "steer" },
      ]);
      await composer.press("Escape");
      await button("Stop").click();
      await waitForRequest("stop", 1);
      assert.equal((await asked("stop")).length, 2);
    },
  );

  panelTest("Enter that ends a composition of an input method does not send", async () => {
    const { page, composer, asked, settle } = await openPanel();
    await composer.focus();
    const session = await page.context().newCDPSession(page);
    await session.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
    await page.keyboard.press("Enter");
    await settle();
    assert.deepEqual(await asked("submit"), []);
    assert.match(await composer.inputValue(), /にほ/);
  });

  panelTest(
    "what begins like a command and is none is not sent: the words stay, and what there is is said",
    async () => {
      const { page, composer, asked } = await openPanel();
      await composer.fill("/frobnicate now");
      await composer.press("Enter");
      await page.getByText("There is no command /frobnicate").waitFor();
      assert.deepEqual(await asked("submit"), []);
    },
  );

  panelTest("a draft survives a reload; a sent one does not come back", async () => {
    const { page, composer, waitForRequest } = await openPanel();
    await composer.fill("half a thought");
    await page.reload();
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "half a thought");
    await composer.press("Enter");
    await waitForRequest("submit");
    await page.waitForFunction(() => {
      const { draft, inFlight } = JSON.parse(sessionStorage.getItem("draft") ?? "{}");
      return draft === "" && inFlight.length === 0;
    });
    await page.reload();
    await composer.waitFor();
    assert.equal(await composer.inputValue(), "");
  });

  panelTest("a message on its way survives a reload, and typing something new meanwhile", async () => {
    const { page, composer, waitForRequest } = await openPanel({ held: ["submit"] });
    await composer.fill("first");
    await composer.press("Enter");
    await waitForRequest("submit");
    await composer.fill("second");
    await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("draft") ?? "{}").draft === "second");
    await page.reload();
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "first\n\nsecond");
  });

  panelTest("a refused message comes back into the composer, before what was typed meanwhile", async () => {
    const { page, composer, release, button } = await openPanel({
      refused: { submit: "The disk is full: free some space and send it again." },
      held: ["submit"],
    });
    await composer.fill("first");
    await composer.press("Enter");
    await composer.fill("second");
    await release("submit");
    await page.getByRole("alert").getByText("The disk is full").waitFor();
    assert.equal(await composer.inputValue(), "first\n\nsecond");
    await button("Dismiss").click();
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  panelTest("a draft that went elsewhere leaves, one that was typed on stays", async () => {
    const { composer, send, settle } = await openPanel();
    await composer.fill("half a thought");
    await send({ type: "compose", op: "remove", text: "half a", focus: false });
    await settle();
    assert.equal(await composer.inputValue(), "half a thought");
    await send({ type: "compose", op: "remove", text: "half a thought", focus: false });
    await settle();
    assert.equal(await composer.inputValue(), "");
  });

  panelTest(
    "what a command of the editor names stands before what was typed since the person came, and once",
    async () => {
      const { composer, send, page } = await openPanel();
      await composer.fill("see ");
      // the person comes
      await page.evaluate(() => window.dispatchEvent(new Event("focus")));
      await page.keyboard.type("why");
      // the command focuses the view that has the focus
      await page.evaluate(() => {
        for (const type of ["blur", "focus"]) window.dispatchEvent(new Event(type));
      });
      const name = (text: string) => send({ type: "compose", op: "mention", text, focus: true });
      await name("@src/a.ts:3-9 ");
      await page.keyboard.type(" so");
      await name("@src/b.ts ");
      await name("@src/a.ts:3-9 ");
      await page.keyboard.type("?");
      assert.equal(await composer.inputValue(), "see @src/a.ts:3-9 @src/b.ts why so?");
      // what is selected there stays
      await composer.selectText();
      await page.evaluate(() => window.dispatchEvent(new Event("focus")));
      await name("@src/c.ts ");
      assert.equal(await composer.inputValue(), "@src/c.ts see @src/a.ts:3-9 @src/b.ts why so?");
    },
  );

  panelTest("a letter typed on a button goes into the composer, an offer too; nothing of it is sent", async () => {
    const offers = [{ icon: "book", text: "Explain how totals are rounded", words: "Explain how totals are rounded" }];
    const { page, composer, asked, button } = await openPanel({ results: { offers: { offers } } });
    await button("Mode: Ask first").focus();
    await page.keyboard.type("hi");
    assert.equal(await composer.inputValue(), "hi");
    await composer.fill("");
    await button("Explain how totals are rounded").click();
    assert.equal(await composer.inputValue(), "Explain how totals are rounded");
    assert.deepEqual(await asked("submit"), []);
  });

  panelTest("grows with its text, to 40 % of the height and no further", async () => {
    const { page, composer } = await openPanel({ height: 700 });
    const height = () => composer.evaluate(element => element.getBoundingClientRect().height);
    const one = await height();
    await composer.fill("a\nb\nc\nd");
    assert.ok((await height()) > one + 30);
    await composer.fill("line\n".repeat(100));
    assert.ok((await height()) <= 0.4 * 700 + 1);
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), 700);
  });

  panelTest("read only: nothing can be written or sent", async () => {
    const { composer, button } = await openPanel({ snapshot: { readOnly: true } });
    await composer.waitFor();
    assert.equal(await composer.isEditable(), false);
    assert.ok(await button("Send").isDisabled());
  });

  panelTest("keys that nothing has the focus for are the panel's: letters are typed, Esc stops", async () => {
    const { page, composer, asked, waitForRequest } = await openPanel({ snapshot: { state: "running" } });
    const leave = () => page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await leave();
    await page.keyboard.type("also");
    assert.equal(await composer.inputValue(), "also");
    await leave();
    await page.keyboard.press("Escape");
    await waitForRequest("stop");
    assert.equal((await asked("stop")).length, 1);
  });

  panelTest(
    "the second key of a chord is VS Code's: it types nothing, answers nothing, and arrives there",
    async () => {
      const { page, composer, asked, settle } = await openPanel({ snapshot: { state: "running" } });
      await page.evaluate(() => {
        const heard: string[] = [];
        Object.assign(window, { heard });
        window.addEventListener("keydown", ({ key }) => heard.push(key));
      });
      await composer.fill("a word");
      for (const second of ["h", "Enter", "Control+Enter", "Control+Backspace", "Escape", "Alt+Enter", "Control+k"]) {
        await page.keyboard.press("Control+k");
        await page.keyboard.press(second);
      }
      await settle();
      assert.equal(await composer.inputValue(), "a word");
      assert.deepEqual([...(await asked("submit")), ...(await asked("stop"))], []);
      const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard);
      const keys = heard.filter(key => key !== "Control" && key !== "Alt");
      assert.deepEqual(
        keys.filter((_, at) => at % 2 === 1),
        ["h", "Enter", "Enter", "Backspace", "Escape", "Enter", "k"],
      );
      await page.keyboard.press("Control+k");
      await composer.click();
      await page.keyboard.type("s");
      assert.match(await composer.inputValue(), /s/, "a click ends a chord");
      await page.keyboard.press("Escape");
      await settle();
      assert.equal((await asked("stop")).length, 1);
    },
  );
});
