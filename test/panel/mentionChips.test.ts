/** Chips of what a message mentions, mentions of what is dropped and pasted, and those in sent messages. */
import assert from "node:assert/strict";
import { chips, drag, has, open, paste, value } from "./mentioning";
import { type PanelPage, panelTest } from "./panel";
import { Script } from "./script";

describe("panel: what is mentioned", () => {
  describe("chips", () => {
    const texts = (panel: PanelPage) => chips(panel).getByRole("listitem").allTextContents();

    panelTest("say of each mention whether it is there, and where not", async () => {
      const panel = await open({ width: 900 });
      await panel.composer.fill('@src/invoice.ts:10-40 @src/ @problems @"my notes.md" @src/gone.ts @../../etc/passwd ');
      await chips(panel).getByText("not found").waitFor();
      assert.deepEqual(await texts(panel), [
        ...["invoice.ts:10–40", "src/", "@problems", "my notes.md"],
        ...["gone.tsnot found", "passwdoutside the workspace"],
      ]);
      await panel.page.getByRole("status").getByText("2 mentions not found").waitFor({ state: "attached" });
      await chips(panel).getByRole("button", { name: "invoice.ts:10–40", exact: true }).click();
      assert.deepEqual(await panel.waitForRequest("openFile"), { path: "src/invoice.ts", line: 10 });
    });

    panelTest("× takes the mention out, undo brings it back; what is being typed has none yet", async () => {
      const panel = await open();
      await panel.composer.fill("");
      await panel.page.keyboard.type("see @src/invoice.ts");
      await panel.settle();
      assert.deepEqual(await texts(panel), []);
      await panel.page.keyboard.press("Escape");
      await panel.page.keyboard.type(" now");
      await panel.button("Remove invoice.ts from the message").click();
      assert.equal(await value(panel), "see now");
      assert.deepEqual(await texts(panel), []);
      await panel.page.keyboard.press("ControlOrMeta+Z");
      assert.equal(await value(panel), "see @src/invoice.ts now");
      await chips(panel).waitFor();
    });

    panelTest("of 200 three rows are in sight, which scroll; sending takes them all away", async () => {
      const many = Array.from({ length: 200 }, (_, at) => `f${at}.ts`);
      const panel = await open({ files: many.slice(0, 199) });
      await panel.composer.fill(many.map(path => `@${path}`).join(" "));
      await chips(panel).getByText("not found").waitFor();
      assert.equal(await chips(panel).getByRole("listitem").count(), 200);
      assert.ok(((await chips(panel).boundingBox())?.height ?? 999) <= 84);
      await panel.composer.press("Enter");
      await panel.waitForRequest("submit");
      assert.equal(await chips(panel).count(), 0);
    });

    panelTest("come back with a draft, and typing renders nothing but the box", async () => {
      const panel = await open();
      await panel.composer.fill("@src/invoice.ts now");
      await panel.page.waitForFunction(() => sessionStorage.getItem("draft")?.includes("invoice"));
      await panel.page.reload();
      await chips(panel).waitFor();
      const changed = await panel.page.evaluate(() => {
        const seen: string[] = [];
        const observer = new MutationObserver(all => void seen.push(...all.map(each => each.type)));
        const composer = document.querySelector(".composer");
        if (composer) observer.observe(composer, { subtree: true, childList: true, attributes: true });
        Object.assign(window, { seenChanges: seen });
        return seen.length;
      });
      assert.equal(changed, 0);
      await panel.page.keyboard.type(" and then some words");
      await panel.settle();
      const seen = await panel.page.evaluate(() => (window as unknown as { seenChanges: string[] }).seenChanges);
      assert.deepEqual(seen, []);
    });
  });

  describe("files from elsewhere", () => {
    panelTest("that are dropped become mentions at the cursor; the others are told", async () => {
      const panel = await open();
      await panel.composer.fill("look at");
      const uris = ["src/invoice.ts", "my%20notes.md", "src"].map(path => `file:///code/invoices/${path}`);
      const data = { "application/vnd.code.uri-list": [...uris, "file:///etc/passwd"].join("\r\n"), "text/plain": "x" };
      assert.equal(await drag(panel, "dragover", data), true, "the drop is taken");
      await panel.page.locator(".composer.dropping").waitFor();
      assert.equal(await drag(panel, "drop", data), true);
      await has(panel, 'look at @src/invoice.ts @"my notes.md" @src/ ');
      assert.equal(await panel.page.locator(".composer.dropping").count(), 0);
      await panel.page.getByRole("alert").getByText("1 dropped file could not be mentioned").waitFor();
      await panel.page.keyboard.press("ControlOrMeta+Z");
      assert.equal(await value(panel), "look at");
    });

    panelTest("dragged text is left to the browser, a drop without an address is told", async () => {
      const panel = await open();
      assert.equal(await drag(panel, "dragover", { "text/plain": "words" }), false);
      await drag(panel, "drop", { "text/uri-list": "# nothing" });
      await panel.page.getByRole("alert").getByText("Drop files from the explorer").waitFor();
      assert.deepEqual(await panel.asked("mentionPlaces"), []);
    });

    panelTest("pasted paths become mentions; one undo brings the paths back", async () => {
      const panel = await open();
      await panel.composer.fill("see ");
      await paste(panel, "/code/invoices/src/invoice.ts\n/code/invoices/my notes.md");
      await has(panel, 'see @src/invoice.ts @"my notes.md" ');
      await panel.page.keyboard.press("ControlOrMeta+Z");
      assert.equal(await value(panel), "see /code/invoices/src/invoice.ts\n/code/invoices/my notes.md");
    });

    panelTest("what was typed after a paste stays, and so does a text with a path in it", async () => {
      const panel = await open({ held: ["mentionPlaces"] });
      await paste(panel, "file:///code/invoices/src/invoice.ts");
      await panel.page.keyboard.type(" is wrong");
      await panel.release("mentionPlaces");
      await has(panel, "@src/invoice.ts is wrong");
      await panel.page.keyboard.type("!");
      assert.equal(await value(panel), "@src/invoice.ts is wrong!");
      await panel.composer.fill("");
      await paste(panel, "error in /code/invoices/src/invoice.ts");
      await paste(panel, "/etc/passwd");
      await panel.waitForRequest("mentionPlaces", 1);
      await panel.settle();
      assert.equal(await value(panel), "error in /code/invoices/src/invoice.ts/etc/passwd");
    });
  });

  panelTest("in sent messages they open what they name, read as the host reads them", async () => {
    const text = 'see @src/invoice.ts:3-9, @"my notes.md" and @problems, not me@example.com, @param or @joe';
    const panel = await open({ snapshot: { records: new Script().user(text).records } });
    const sent = panel.conversation.locator(".user-text");
    await sent.waitFor();
    assert.equal(await sent.textContent(), text);
    assert.deepEqual(await sent.locator(".mention").allTextContents(), [
      "@src/invoice.ts:3-9",
      '@"my notes.md"',
      "@problems",
    ]);
    assert.equal(await sent.getByRole("button").count(), 2);
    await sent.getByRole("button", { name: "@src/invoice.ts:3-9" }).click();
    assert.deepEqual(await panel.waitForRequest("openFile"), { path: "src/invoice.ts", line: 3 });
  });
});
