/** What is far larger, or written otherwise, than what models and people usually write. */
import assert from "node:assert/strict";
import { openPanel, panelTest } from "./panel";
import { Script } from "./script";

const MEGABYTE = 1024 * 1024;

describe("panel: what is very large, and text of other scripts", function () {
  this.timeout(120_000);

  panelTest("an answer of one line of 5 MB shows its beginning, says so, and is copied whole", async () => {
    const line = `begin${"x".repeat(5 * MEGABYTE)}`;
    const script = new Script().user("print it").answer("req_1", line).end("done");
    const panel = await openPanel({ snapshot: { records: script.records } });
    const said = panel.page.getByText(/^Only the beginning of these 5[.\d]* MB is shown/);
    await said.waitFor();
    for (const way of ["Copy as Markdown", "Copy as text"]) {
      await panel.page.locator(".answer").hover();
      await panel.button(way).click();
      assert.equal(await panel.page.evaluate(() => navigator.clipboard.readText()), line, way);
    }
    script.take();
    await panel.play(script.user("again").state("running").request("req_2").take());
    const part = line.slice(0, MEGABYTE / 4);
    for (let sent = 0; sent < 20; sent += 1) await panel.play(script.text("req_2", part, part.length).take());
    await panel.composer.fill("stop that");
    await said.nth(1).waitFor();
    const drawn = await panel.conversation.evaluate(log => log.textContent?.length ?? 0);
    assert.ok(drawn < 20_000, `${drawn} characters are drawn`);
  });

  panelTest("long code is cut too, and what stands before and after it is drawn as ever", async () => {
    const answer = `# Before\n\n\`\`\`js\n${"const a = 1;\n".repeat(60_000)}\`\`\`\n\n**After**`;
    const script = new Script().user("print it").answer("req_1", answer).end("done");
    const { page } = await openPanel({ snapshot: { records: script.records } });
    await page.getByRole("heading", { name: "Before" }).waitFor();
    await page.getByText(/^Only the beginning of these 780 kB is shown/).waitFor();
    await page.locator(".markdown strong").getByText("After", { exact: true }).waitFor();
  });

  panelTest("right-to-left paragraphs run from the right, each for itself; joined signs stay whole", async () => {
    const hebrew = "שלום, תקן את src/a.ts בבקשה.";
    const family = "👩‍👩‍👧 é";
    const script = new Script()
      .user(`${hebrew}\nplain words`)
      .answer("req_1", `${hebrew}\n\nPlain words ${family}`)
      .end("done");
    const { page, composer, screenshot } = await openPanel({ snapshot: { records: script.records, title: family } });
    const fromRight = (selector: string, words: string) =>
      page
        .locator(selector, { hasText: words })
        .first()
        .evaluate(
          (element, first) => {
            const range = document.createRange();
            const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            while (text.nextNode()) {
              const at = text.currentNode.textContent?.indexOf(first) ?? -1;
              if (at < 0) continue;
              range.setStart(text.currentNode, at);
              range.setEnd(text.currentNode, at + 1);
              const { left, right } = range.getBoundingClientRect();
              const box = element.getBoundingClientRect();
              return box.right - right < left - box.left;
            }
            return undefined;
          },
          words.slice(0, 1),
        );
    assert.equal(await fromRight(".markdown p", "שלום"), true);
    assert.equal(await fromRight(".markdown p", "Plain"), false);
    assert.equal(await fromRight(".user-text", "שלום"), true);
    await page.getByText(`Plain words ${family}`).waitFor();
    await composer.fill(hebrew);
    assert.equal(await composer.evaluate(box => getComputedStyle(box).unicodeBidi), "plaintext");
    await screenshot("right-to-left");
  });
});
