/** The panel gets another width, or the agent begins to work: what a person looks at stays where it is, and whole. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { openAsker } from "./asker";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { commandAction, fixed, fixing, todos } from "./scenes";
import { Script } from "./script";

const NARROW = { width: 300, height: 700 };
const narrow = async (panel: PanelPage, size = NARROW) => {
  await panel.page.setViewportSize(size);
  await panel.settle();
};

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  assert.ok(box, "it is in sight");
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** Not cut: all of its words are in sight. */
const isWhole = (element: Locator) => element.evaluate(it => it.scrollWidth <= it.clientWidth + 1);

describe("panel: another width", function () {
  this.timeout(120_000);

  panelTest("what is open by a button goes along as the composer grows", async () => {
    const goesAlong = async (panel: PanelPage, opener: Locator, opened: Locator) => {
      await opener.click();
      const tops = async () => [(await boxOf(opener)).y, (await boxOf(opened)).y] as const;
      const before = await tops();
      await panel.composer.evaluate((box: HTMLTextAreaElement) => box.setRangeText("line\n".repeat(6)));
      await panel.settle();
      const after = await tops();
      assert.ok(before[0] - after[0] > 60, `the button moves: ${before} to ${after}`);
      assert.equal(Math.round(before[1] - after[1]), Math.round(before[0] - after[0]));
    };
    const { panel, ask } = await openAsker();
    await ask({ ...commandAction, rules: Array.from({ length: 8 }, (_, at) => [`Bash(npm run ${at} *)`]) });
    await goesAlong(panel, panel.button("More ways to allow"), panel.page.getByRole("menu"));
  });

  panelTest("a message that is being edited stays in sight", async () => {
    const previewRewind = { turn: 1, stays: [], gaps: [], turns: 1, files: [] };
    const records = fixed().records;
    const panel = await openPanel({ height: 900, snapshot: { records }, results: { previewRewind } });
    await panel.button("Edit and send again").press("Enter");
    const editor = panel.page.getByRole("textbox", { name: "Edit your message" });
    await editor.waitFor();
    await panel.settle();
    await narrow(panel, { width: 300, height: 400 });
    const box = await boxOf(editor);
    assert.ok(box.y >= 0 && box.bottom <= 400, JSON.stringify(box));
    assert.equal(await panel.page.locator(".jump").count(), 1);
  });

  panelTest("a path in an answer breaks with its line, and opens by key", async () => {
    const path = "packages/invoices/src/rounding/half-up/as-the-tax-office-wants-it.ts";
    const script = new Script().user("go").answer("r", `It is in \`${path}:12\`, at last.`).end("done");
    const panel = await openPanel({ width: 300, snapshot: { records: script.records } });
    const link = panel.page.getByRole("button", { name: `${path}:12` });
    assert.ok((await link.evaluate(it => it.getClientRects().length)) > 1, "what follows stands behind its last line");
    await link.dblclick();
    assert.equal((await panel.asked("openFile")).length, 1, "the second click selects a word");
    await panel.page.evaluate(() => getSelection()?.removeAllRanges());
    await link.focus();
    await panel.page.keyboard.press("Control+Enter");
    assert.equal((await panel.asked("openFile")).length, 1, "that key is the question's");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.waitForRequest("openFile", 1), { path, line: 12 });
  });

  panelTest("the newest line of a running command stays in sight", async () => {
    const script = new Script().user("go").state("running");
    script.answer("r", "", [["c", "Bash", { command: "npm test" }]]);
    const panel = await openPanel({ width: 700, snapshot: { records: script.records, state: "running" } });
    script.take();
    const output = Array.from({ length: 60 }, (_, at) => `line ${at} ${"of many words ".repeat(4)}`).join("\n");
    await panel.play(script.output("c", output).take());
    const rest = () => panel.page.locator(".terminal").evaluate(it => -it.scrollTop);
    assert.ok((await rest()) < 2);
    await narrow(panel);
    assert.ok((await rest()) < 2, `${await rest()}`);
  });

  panelTest("the line above the composer cuts words before numbers", async () => {
    const records = new Script().user("go").todo(todos(1)).records;
    const panel = await openPanel({ ...NARROW, snapshot: { records, state: "running" } });
    const count = panel.page.locator(".status-count");
    assert.equal(await count.innerText(), "(2 of 3)");
    const script = new Script().user("go").todo(todos(1)).state("running").request("r");
    script.take();
    const message = "The model is busy (429).";
    const retry = { type: "retry", requestId: "r", attempt: 2, attempts: 5, code: "rate-limit", message } as const;
    for (const width of [420, 300]) {
      await narrow(panel, { width, height: 700 });
      const [words, at] = [await boxOf(panel.page.locator(".status-words")), await boxOf(count)];
      assert.ok(words.width > 60 && words.right <= at.x && (await isWhole(count)), `${width}`);
    }
    await panel.play(script.live({ ...retry, delayMs: 8_000 }).take());
    for (const width of [420, 300]) {
      await narrow(panel, { width, height: 700 });
      assert.ok((await boxOf(panel.page.locator(".status-words"))).width > 100, `${width}, retrying`);
    }
  });

  for (const language of ["en", "zh-cn"])
    panelTest(`the composer is as high while the agent works as before, at 300 px, ${language}`, async () => {
      const panel = await openPanel({ ...NARROW, language, snapshot: { records: fixing().records } });
      const idle = await boxOf(panel.page.locator(".composer"));
      await panel.play(new Script().state("running").take());
      await panel.page.locator(".status-line[data-kind=working]").waitFor();
      assert.equal((await boxOf(panel.page.locator(".composer"))).height, idle.height);
    });
});

/** Where words are drawn, and where the actions of what is pointed at stand. */
const overlaps = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>(".gutter")].find(
      it => getComputedStyle(it).opacity === "1",
    );
    if (shown === undefined) return ["no actions are in sight"];
    // What has a ground of its own covers with all of it, else its icons do.
    const hasGround = getComputedStyle(shown).backgroundColor !== "rgba(0, 0, 0, 0)";
    const covers = (hasGround ? [shown] : [...shown.querySelectorAll(".codicon")]).map(it =>
      it.getBoundingClientRect(),
    );
    const walker = document.createTreeWalker(document.querySelector(".content") ?? document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest(".gutter, .visually-hidden")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const text of range.getClientRects())
        if (
          covers.some(
            it => it.left < text.right && text.left < it.right && it.top < text.bottom && text.top < it.bottom,
          )
        )
          found.push(node.nodeValue ?? "");
    }
    return found;
  });

describe("panel: actions of messages and answers", function () {
  this.timeout(120_000);

  for (const width of [300, 420])
    panelTest(`cover no words, ${width} px`, async () => {
      const script = fixed().user(`and now the whole of it, to its very end in many words ${"and more ".repeat(6)}`);
      script
        .answer("long", `It is done, ${"and the last line of it is as long as the panel is wide ".repeat(3)}`)
        .end("done");
      const panel = await openPanel({ width, height: 1400, snapshot: { records: script.records } });
      const rows = panel.page.locator(".user.with-gutter, .answer.with-gutter:has(> .gutter)");
      assert.ok((await rows.count()) >= 5);
      for (const row of await rows.all()) {
        await row.hover({ position: { x: 10, y: 10 } });
        await panel.settle();
        assert.deepEqual(await overlaps(panel), []);
      }
    });
});

describe("panel: a path that has no room", () => {
  panelTest("loses its folder, never a part of what tells the two apart", async () => {
    const script = new Script().user("go");
    const path = "src/rounding/halfUpAsTheTaxOfficeWantsIt.ts";
    script.answer("r", "", [["c", "Write", { file_path: path }]]);
    script.result("c", "Write", { digest: "Write", durationMs: 100 }).end("done");
    const panel = await openPanel({ snapshot: { records: script.records } });
    const [name, folder] = [panel.page.locator(".path-name"), panel.page.locator(".path-folder")];
    const seen = new Set<string>();
    for (let width = 300; width <= 560; width += 10) {
      await panel.page.setViewportSize({ width, height: 300 });
      await panel.settle();
      const [at, before] = [await boxOf(name), await boxOf(folder)];
      const isBelow = before.y >= at.bottom;
      seen.add(isBelow ? "without" : (await isWhole(folder)) ? "whole" : "cut");
      assert.ok(
        isBelow || (before.width > 24 && before.right <= at.x + 1),
        `${width}: ${before.width} px of the folder`,
      );
      assert.ok(isBelow || (await isWhole(name)), `${width}: the name is whole beside its folder`);
    }
    assert.deepEqual([...seen], ["without", "cut", "whole"]);
  });
});
