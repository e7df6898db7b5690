/** The menu that opens while a mention is typed: keyboard, mouse, late answers, undo, screen readers. */
import assert from "node:assert/strict";
import { choice, files, open, options, type, value } from "./mentioning";
import { openPanel, panelTest } from "./panel";
import { Script, surroundings } from "./script";

describe("panel: the menu of mentions", () => {
  panelTest("opens with @, narrows while typing, and Enter writes the choice; the next Enter sends", async () => {
    const panel = await open();
    await type(panel, "fix @");
    assert.equal(await options(panel).count(), files.length + 1, "one chooses pictures");
    await type(panel, "inv");
    assert.deepEqual(await options(panel).allTextContents(), ["invoice.tssrc", "invoice.test.tstest"]);
    assert.deepEqual(await options(panel).locator("b").allTextContents(), ["inv", "inv"]);
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("Enter");
    assert.equal(await value(panel), "fix @test/invoice.test.ts ");
    assert.equal(await options(panel).count(), 0);
    assert.deepEqual(await panel.asked("submit"), []);
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.waitForRequest("submit"), { text: "fix @test/invoice.test.ts", delivery: "steer" });
  });

  panelTest("Esc closes it for this mention and stops nothing; the next mention has its menu", async () => {
    const records = new Script().user("fix it").records;
    const panel = await open({ snapshot: { records, state: "running" } });
    await type(panel, "@in");
    await panel.page.keyboard.press("Escape");
    assert.equal(await options(panel).count(), 0);
    assert.deepEqual(await panel.asked("stop"), []);
    await panel.page.keyboard.type("v");
    await panel.settle();
    assert.equal(await options(panel).count(), 0);
    await type(panel, " @");
    assert.ok((await options(panel).count()) > 0);
    await panel.page.keyboard.press("Escape");
    await panel.page.keyboard.press("Escape");
    await panel.waitForRequest("stop");
  });

  panelTest("shows the hidden characters of a name, and marks what was typed", async () => {
    const item = { kind: "file" as const, mention: '@"x"', label: "a/\u202ein\u001b[31m.ts", positions: [3, 4] };
    const panel = await open({ results: { completeMention: { items: [item], indexing: false } } });
    await type(panel, "@in");
    const text = await options(panel).innerText();
    assert.ok(text.includes("in␛[31m.ts") && !text.includes("\u202e"), text);
    assert.deepEqual(await options(panel).locator("b").allTextContents(), ["in"]);
  });

  panelTest("without a folder it says so", async () => {
    const nowhere = { ...surroundings, workspace: "none" as const, folders: [] };
    const panel = await openPanel({ snapshot: { surroundings: nowhere } });
    await type(panel, "@a");
    await panel.page.getByText("No folder is open, so there are no files to mention").waitFor();
  });

  panelTest("an input method composes undisturbed; what it wrote is looked for then", async () => {
    const panel = await open();
    await type(panel, "@");
    const before = (await panel.asked("completeMention")).length;
    const session = await panel.page.context().newCDPSession(panel.page);
    await session.send("Input.imeSetComposition", { text: "说", selectionStart: 1, selectionEnd: 1 });
    await panel.settle();
    assert.equal((await panel.asked("completeMention")).length, before);
    await session.send("Input.insertText", { text: "说" });
    await panel.waitForRequest("completeMention", before);
    await panel.settle();
    await panel.page.keyboard.press("Enter");
    assert.equal(await value(panel), '@"文档/说明.md" ');
    assert.deepEqual(await panel.asked("submit"), []);
  });

  panelTest("one undo takes a choice back, the next ones what was typed", async () => {
    const panel = await open();
    await type(panel, "see @inv");
    await panel.page.keyboard.press("Enter");
    assert.equal(await value(panel), "see @src/invoice.ts ");
    await panel.page.keyboard.press("ControlOrMeta+Z");
    assert.equal(await value(panel), "see @inv");
    await panel.settle();
    assert.equal(await options(panel).count(), 0, "an undo opens no menu");
    await panel.page.keyboard.press("ControlOrMeta+Shift+Z");
    assert.equal(await value(panel), "see @src/invoice.ts ");
  });

  panelTest("covers nothing of what is typed, at any height, and fits into 300 px", async () => {
    const long = `${"deeply/".repeat(30)}${"x".repeat(300)}.ts`;
    for (const size of [
      { width: 300, height: 700 },
      { width: 420, height: 420 },
    ]) {
      const panel = await open({ ...size, files: [long, ...files] });
      await panel.composer.fill(`@src/invoice.ts @a.ts @b.ts @c.ts @d.ts @e.ts @f.ts ${"line\n".repeat(30)}`);
      await panel.page.locator(".mention-chip.lost").first().waitFor();
      await type(panel, "@");
      const menu = await panel.page.locator(".mention-menu").boundingBox();
      const box = await panel.page.locator(".composer").boundingBox();
      assert.ok(menu && box);
      assert.ok(menu.y >= 0 && menu.y + menu.height <= box.y, JSON.stringify({ menu, box }));
      assert.ok(menu.x >= 0 && menu.x + menu.width <= size.width);
      assert.ok(menu.height >= 60, "there is something of it to be seen");
    }
  });

  panelTest("is a combobox while it is open, for screen readers", async () => {
    const panel = await open();
    const state = () =>
      panel.composer.evaluate(box => {
        const active = document.getElementById(box.getAttribute("aria-activedescendant") ?? "");
        const list = document.getElementById(box.getAttribute("aria-controls") ?? "");
        return {
          role: box.getAttribute("role"),
          expanded: box.getAttribute("aria-expanded"),
          active: active?.getAttribute("aria-selected") === "true" ? active.textContent : null,
          list: list?.getAttribute("role") ?? null,
        };
      });
    const closed = { role: null, expanded: null, active: null, list: null };
    assert.deepEqual(await state(), closed);
    await type(panel, "@inv");
    const opened = { role: "combobox", expanded: "true", list: "listbox" };
    assert.deepEqual(await state(), { ...opened, active: "invoice.tssrc" });
    await panel.page.keyboard.press("ArrowDown");
    assert.deepEqual(await state(), { ...opened, active: "invoice.test.tstest" });
    assert.equal(await choice(panel).count(), 1);
    await panel.page.getByRole("status").getByText("2 suggestions", { exact: true }).waitFor({ state: "attached" });
    await panel.page.keyboard.type("!");
    await panel.page.keyboard.press("Backspace");
    await panel.page.keyboard.press("Escape");
    assert.deepEqual(await state(), closed);
  });
});
