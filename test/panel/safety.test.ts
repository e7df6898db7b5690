/** Model output is text: nothing in it runs, loads, or leads anywhere that it should not. */
import assert from "node:assert/strict";
import { openPanel, panelTest } from "./panel";
import { Script } from "./script";

const hostile = [
  '<script>window.hacked = 1</script> and <img src=x onerror="window.hacked=2"> inline',
  "",
  '<iframe src="https://evil.example/frame"></iframe>',
  "",
  "![picture](https://evil.example/track.png) and [click](javascript:window.hacked=3)",
  "",
  "[data](data:text/html,<script>window.hacked=4</script>) [command](command:workbench.action.quit)",
  "",
  "[web](https://example.com/page) and https://auto.example.com and <https://angle.example.com>",
  "",
  "See [the file](src/a.ts#L3) or `src/b.ts:7`, or src/c.ts:9 in words.",
  "",
  '<a href="javascript:window.hacked=5" onclick="window.hacked=6">raw</a> &lt;b&gt;',
  "",
  "```html",
  "<img src=x onerror=window.hacked=7>",
  "```",
  "",
  "[ref]: javascript:window.hacked=8",
  "[by reference][ref]",
].join("\n");

describe("panel: safety", () => {
  panelTest("hostile markdown is shown as text, whole or streamed", async () => {
    for (const live of [false, true]) {
      const { page, conversation, play, strayRequests, settle } = await openPanel({ snapshot: { state: "running" } });
      const script = new Script().user("go").request("r").text("r", hostile, 7);
      if (!live) script.answer("r", hostile);
      await play(script.take());
      await conversation.getByText("<script>window.hacked = 1</script>").waitFor();
      const found = await conversation.evaluate(log => ({
        elements: log.querySelectorAll("script, img, iframe, object, embed, style, form").length,
        handlers: [...log.querySelectorAll("*")].filter(element =>
          [...element.attributes].some(attribute => attribute.name.startsWith("on") || attribute.name === "style"),
        ).length,
        links: [...log.querySelectorAll("a")].map(link => link.getAttribute("href")),
      }));
      assert.deepEqual(found, {
        elements: 0,
        handlers: 0,
        links: [
          "https://evil.example/track.png",
          "https://example.com/page",
          "https://auto.example.com/",
          "https://angle.example.com/",
        ],
      });
      await conversation.getByText("(javascript:window.hacked=3)").waitFor();
      await settle();
      assert.equal(await page.evaluate(() => "hacked" in window), false);
      assert.deepEqual(strayRequests, []);
    }
  });

  panelTest("names of files open them", async () => {
    const { button, waitForRequest, asked, play } = await openPanel();
    await play(new Script().user("go").answer("r", hostile).end("done").take());
    await button("the file").click();
    await button("src/b.ts:7").click();
    await button("src/c.ts:9").click();
    await waitForRequest("openFile", 2);
    assert.deepEqual(await asked("openFile"), [
      { path: "src/a.ts", line: 3 },
      { path: "src/b.ts", line: 7 },
      { path: "src/c.ts", line: 9 },
    ]);
  });

  panelTest("handles open recorded outputs: in an answer and in what a tool gave", async () => {
    const [said, shown] = ["obs:3fa9c1d2e4b5", "obs:0123456789ab"];
    const script = new Script().user("go").answer("r", `It is in ${said}.`, [["c", "Bash", { command: "npm test" }]]);
    script.result("c", "Bash", { digest: "Bash npm test exit 0" }).end("done");
    const { page, button, waitForRequest, asked } = await openPanel({
      snapshot: { records: script.records },
      results: {
        printed: {
          first: "ok 1\n",
          hidden: { lines: 1_998, bytes: 40_000 },
          last: "ok 2001\nok 2002\n",
          handle: shown,
        },
      },
    });
    await button(said).click();
    await page.locator(".tool-toggle").click();
    await page.getByText("1,998 lines hidden").waitFor();
    await button("Show all").click();
    await waitForRequest("openHandle", 1);
    assert.deepEqual(await asked("openHandle"), [{ handle: said }, { handle: shown }]);
    assert.deepEqual(await page.locator(".terminal .line").allInnerTexts(), ["ok 1", "ok 2001", "ok 2002"]);
  });

  panelTest("tool output, errors, titles and names of the model's making are text too", async () => {
    const evil = "<img src=x onerror=window.hacked=1>";
    const script = new Script().user(evil).record({ kind: "title", title: evil });
    script
      .answer("r", "", [["c", evil, { command: evil }]])
      .result("c", evil, { digest: evil, status: "error", error: { code: "IO", message: evil } });
    script.record({ kind: "note", level: "error", code: "x", text: evil });
    script.todo([{ content: evil, status: "in_progress" }]).pending("p", "added", "queue", evil);
    script.end("error", { code: "x", message: evil, actions: ["retry"] });
    const { page, settle } = await openPanel({
      snapshot: { title: evil, records: script.records },
      results: { printed: { first: evil, last: "" } },
    });
    await page.locator(".tool-toggle").click();
    await page.getByText(evil).nth(3).waitFor();
    await settle();
    assert.equal(await page.evaluate(() => document.querySelectorAll("img").length), 0);
    assert.equal(await page.evaluate(() => "hacked" in window), false);
  });

  panelTest("code is coloured and can be copied as it is", async () => {
    const code = "const a = `<b>`; // & more";
    const { page, play } = await openPanel();
    await play(new Script().user("go").answer("r", `\`\`\`ts\n${code}\n\`\`\``).take());
    assert.equal(await page.locator(".code-block .hl-keyword").first().textContent(), "const");
    await page.locator(".code-block").hover();
    await page.getByRole("button", { name: "Copy code" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
  });

  panelTest("every variable of the style sheets is one that VS Code sets", async () => {
    const { page } = await openPanel();
    const unknown = await page.evaluate(() => {
      const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]);
      const used = new Set(rules.flatMap(rule => rule.cssText.match(/--vscode-[\w-]+/g) ?? []));
      const set = new Set(Object.keys(window.fakeHostOptions.variables));
      return [...used].filter(name => !set.has(name)).sort();
    });
    // high contrast themes alone have these
    const known = [
      "contrastActiveBorder",
      "contrastBorder",
      "diffEditor-insertedTextBorder",
      "diffEditor-removedTextBorder",
      "list-focusAndSelectionOutline",
      "textPreformat-border",
      "toolbar-hoverOutline",
    ];
    assert.deepEqual(
      unknown.filter(name => !known.includes(name.replace("--vscode-", ""))),
      [],
      "VS Code sets no such variable, or `node scripts/themes.mjs` was not run since it is named",
    );
  });
});
