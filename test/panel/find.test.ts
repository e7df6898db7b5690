/** Find in the conversation, the way from prompt to prompt: by keys, in what is drawn and in what is not loaded; what goes on out of sight. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { FindHit } from "../../src/shared/findProtocol";
import type { LogRecord } from "../../src/shared/records";
import { picture } from "./look";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { Script } from "./script";

/** Turns with a call whose output is folded. */
function talk(turns: number): Script {
  const script = new Script();
  for (let turn = 1; turn <= turns; turn += 1) {
    script.user(`question ${turn}`);
    script.answer(`a${turn}`, "", [[`call_${turn}`, "Bash", { command: "make" }]]);
    script.result(`call_${turn}`, "Bash", { digest: "Bash exit 0" });
    script.answer(`b${turn}`, `answer ${turn}, **needle** here\n\n${"words\n\n".repeat(4)}`).end("done");
  }
  return script;
}

const isMessage = (record: LogRecord): record is Extract<LogRecord, { kind: "message" }> => record.kind === "message";

/** As the host finds it. */
function hitsOf(records: readonly LogRecord[], text: string): FindHit[] {
  return records.filter(isMessage).flatMap(({ seq, message }) => {
    const said = message.parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n");
    const count = said.split(text).length - 1;
    return count > 0 ? [{ key: message.metadata.requestId ?? message.id, seq, count }] : [];
  });
}

const marks = ({ page }: PanelPage) =>
  page.evaluate(() => {
    const texts = (name: string) => [...(CSS.highlights.get(name) ?? [])].map(range => (range as Range).toString());
    return { all: texts("strata-found"), current: texts("strata-found-current") };
  });

/** Whether the current match is within the log's edges, below the bar. */
const inSight = ({ page }: PanelPage) =>
  page.evaluate(() => {
    const [range] = [...(CSS.highlights.get("strata-found-current") ?? [])] as Range[];
    const log = document.querySelector("[role=log]")?.getBoundingClientRect();
    const box = range?.getBoundingClientRect();
    const bar = document.querySelector(".find")?.getBoundingClientRect().bottom ?? 0;
    return log !== undefined && box !== undefined && box.top >= bar && box.bottom <= log.bottom;
  });

async function until(panel: PanelPage, words: string): Promise<void> {
  await panel.page.locator(".find-count").getByText(words, { exact: true }).waitFor();
  await panel.settle();
  await panel.page.waitForFunction(() => CSS.highlights.get("strata-found-current")?.size === 1);
}

describe("panel: find", () => {
  panelTest("the newest match comes first; keys go on and back, Escape gives the focus back", async () => {
    const { records } = talk(12);
    const find = { hits: hitsOf(records, "needle") };
    const panel = await openPanel({ snapshot: { records }, results: { find } });
    const { page } = panel;
    await panel.composer.focus();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("needle");
    await until(panel, "12 of 12");
    assert.ok((await marks(panel)).all.length >= 1);
    assert.deepEqual((await marks(panel)).current, ["needle"]);
    assert.ok(await inSight(panel));
    for (const [key, words] of [
      ["Enter", "1 of 12"],
      ["Shift+Enter", "12 of 12"],
      ["Shift+F3", "11 of 12"],
      ["F3", "12 of 12"],
      ["F3", "1 of 12"],
    ] as const) {
      await page.keyboard.press(key);
      await until(panel, words);
      await page.waitForFunction(() => true);
    }
    await page.getByText("answer 1,").waitFor();
    await panel.screenshot("find");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".find").count(), 0);
    assert.ok(await panel.composer.evaluate(box => box === document.activeElement));
    assert.deepEqual(await marks(panel), { all: [], current: [] });
  });

  panelTest("what is folded opens, its whole output is searched; case and words are asked for", async () => {
    const { records } = talk(3);
    const find = { hits: [{ key: "call_2", seq: 8, count: 1 }] };
    const results = { find, printed: { first: `${"line\n".repeat(300)}hidden needle\n`, last: "" } };
    const panel = await openPanel({ snapshot: { records }, results });
    const { page } = panel;
    await page.keyboard.press("Control+f");
    await page.keyboard.type("hidden needle");
    await until(panel, "1 of 1");
    assert.ok(await inSight(panel));
    await page.keyboard.press("Alt+c");
    await page.keyboard.press("Alt+w");
    await panel.settle();
    const asked = (await panel.asked("find")).at(-1);
    assert.deepEqual(asked, { text: "hidden needle", matchCase: true, wholeWord: true });
    await page.getByRole("button", { name: "Match case", pressed: true }).waitFor();
  });

  panelTest("what is not loaded is loaded at once, and scrolled to", async () => {
    const { records } = talk(500);
    const newest = records.slice(-200);
    const older = records.slice(0, -200);
    const hits = hitsOf(records, "answer 3,");
    const panel = await openPanel({
      snapshot: { records: newest, hasOlder: true },
      results: { find: { hits }, older: { records: older, hasOlder: false } },
      height: 500,
    });
    const { page } = panel;
    await page.keyboard.press("Control+f");
    await page.keyboard.type("answer 3,");
    await until(panel, "1 of 1");
    assert.deepEqual(await panel.asked("older"), [{ before: newest[0]?.seq, until: hits[0]?.seq }]);
    await panel.settle();
    assert.ok(await inSight(panel));
    await panel.button("Jump to latest").click();
    await page.getByText("answer 500,").waitFor();
  });

  panelTest("what is said while it is open is found too when the turn ends, and nothing scrolls", async () => {
    const script = talk(4);
    const first = hitsOf(script.records, "needle");
    const live = { key: "live", seq: script.records.length + 2, count: 2 };
    const find = [{ hits: first }, { hits: [...first, live] }];
    const panel = await openPanel({ snapshot: { records: [...script.records] }, results: { find } });
    script.take();
    await panel.page.keyboard.press("Control+f");
    await panel.page.keyboard.type("n");
    await until(panel, "4 of 4");
    await panel.play(script.state("running").user("more").request("live").text("live", "needle").take());
    await panel.play(script.answer("live", "needle and needle").end("done").state("idle").take());
    await until(panel, "4 of 6");
  });

  panelTest("nothing found, and a log that cannot be read, are said", async () => {
    const none = { hits: [], missing: ["archive/0001.jsonl"] };
    const panel = await openPanel({ snapshot: { records: talk(1).records }, results: { find: none }, width: 300 });
    await panel.page.keyboard.press("Control+f");
    await panel.page.keyboard.type("nowhere");
    await panel.page.locator(".find-count").getByText("No results").waitFor();
    await panel.page.getByText("Part of the log could not be searched.").waitFor();
    await panel.screenshot("find-none-300");
  });
});

describe("panel: find looks right", () => {
  panelTest("with matches and its switches", async () => {
    const { records } = talk(6);
    const find = { hits: hitsOf(records, "needle") };
    await picture("find-matches", { snapshot: { records }, results: { find }, height: 500 }, async panel => {
      await panel.page.keyboard.press("Control+f");
      await panel.page.keyboard.type("needle");
      await until(panel, "6 of 6");
      await panel.page.keyboard.press("Alt+w");
      await until(panel, "6 of 6");
    });
  });
});

describe("panel: from prompt to prompt", () => {
  panelTest("Alt+Up and Alt+Down go there, older ones are loaded, and the end is the last", async () => {
    const { records } = talk(40);
    const at = records.findIndex(record => isMessage(record) && JSON.stringify(record).includes('"question 31"'));
    const panel = await openPanel({
      snapshot: { records: records.slice(at), hasOlder: true },
      results: { older: { records: records.slice(0, at), hasOlder: false } },
      height: 500,
    });
    const { page, conversation } = panel;
    const top = () =>
      page.evaluate(() => {
        const edge = document.querySelector("[role=log]")?.getBoundingClientRect().top ?? 0;
        const near = [...document.querySelectorAll(".user")].find(
          user => Math.abs(user.getBoundingClientRect().top - edge) < 70,
        );
        return near?.querySelector(".user-text")?.textContent ?? null;
      });
    await panel.composer.focus();
    const seen: (string | null)[] = [];
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press("Alt+ArrowUp");
      await panel.settle();
      await panel.settle();
      seen.push(await top());
    }
    const numbers = seen.map(text => Number(/\d+/.exec(text ?? "")?.[0]));
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => (numbers[0] ?? 0) - index),
      seen.join(),
    );
    await page.keyboard.press("Alt+ArrowDown");
    await panel.settle();
    await panel.settle();
    assert.equal(Number(/\d+/.exec((await top()) ?? "")?.[0]), (numbers.at(-1) ?? 0) + 1);
    assert.ok(await panel.composer.evaluate(box => box === document.activeElement), "the focus stays");
    await panel.send({
      type: "reveal",
      key: (records.find(isMessage) as { message: { id: string } }).message.id,
      seq: 1,
    });
    await page.waitForFunction(() => document.querySelector(".user-text")?.textContent === "question 1");
    assert.ok((await conversation.evaluate(log => log.scrollTop)) < 200);
  });
});

/** px, at its start and at its end */
const fadesOf = (box: Locator) =>
  box.evaluate(element => {
    const style = getComputedStyle(element);
    return [style.getPropertyValue("--fade-start"), style.getPropertyValue("--fade-end")].map(Number.parseFloat);
  });

describe("panel: what is too wide or too long", () => {
  panelTest("scrolls by key", async () => {
    const cells = Array.from({ length: 12 }, (_, at) => `column number ${at}`);
    const wide = `| ${cells.join(" | ")} |\n|${"---|".repeat(12)}\n| ${cells.join(" | ")} |`;
    const script = new Script().user("wide").answer("a", wide).end("done");
    const panel = await openPanel({ snapshot: { records: script.records } });
    const { page } = panel;
    await panel.screenshot("wide");
    await page.locator(".table-scroll").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => (document.querySelector(".table-scroll")?.scrollLeft ?? 0) > 20);
  });

  panelTest("a form that is too long says at which edge it goes on", async () => {
    const field = (name: string) => ({
      ...{ type: "choice" as const, name, title: `Which ${name}?`, required: false, ownWords: true, multiple: false },
      options: ["one", "two", "three"].map(value => ({ value, label: value })),
    });
    const script = new Script().user("plan").answer("r", "", [["q", "AskUser", { questions: [] }]]);
    script.question("qst", "q", "AskUser", { fields: ["store", "format", "order"].map(field) });
    const panel = await openPanel({ snapshot: { records: script.records, state: "asking" }, height: 500 });
    const fields = panel.page.locator(".question-fields");
    const scrolled = async (to: number) => {
      await fields.evaluate((box, top) => box.scrollTo(0, top), to);
      await panel.settle();
      return fadesOf(fields);
    };
    assert.deepEqual(await scrolled(0), [0, 32]);
    assert.deepEqual(await scrolled(10_000), [32, 0]);
  });
});
