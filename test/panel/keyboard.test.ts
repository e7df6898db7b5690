/** The whole panel by Tab alone: every control is reached, has a name, lies in sight, and shows that it has the focus. */
import assert from "node:assert/strict";
import { isSoak } from "../fakes/soak";
import { changingFiles, reviewed } from "./changedFiles";
import { lookAtFocus, type Stop } from "./focused";
import { openPanel, type PanelOptions, type PanelPage, panelTest } from "./panel";
import { asking, editAction, preview, summary } from "./scenes";
import { Script } from "./script";

/** Arrows through all of a group that is one stop of Tab: row by row from its first, in each from its left end to the right one. */
async function walkGroup({ page }: PanelPage): Promise<Stop[]> {
  const stops: Stop[] = [];
  const moves = async (key: string) => {
    const before = await page.evaluateHandle(() => document.activeElement);
    await page.keyboard.press(key);
    return page.evaluate(last => last !== document.activeElement, before);
  };
  const look = async () => {
    const stop = await page.evaluate(lookAtFocus);
    if (stop) stops.push(stop);
    await page.evaluate(() => document.activeElement?.setAttribute("data-walked", ""));
  };
  await page.keyboard.press("Home");
  for (let row = 0; row === 0 || (row < 60 && (await moves("ArrowDown"))); row += 1) {
    for (let back = 0; back < 20 && (await moves("ArrowLeft")); back += 1);
    await look();
    for (let on = 0; on < 20 && (await moves("ArrowRight")); on += 1) await look();
  }
  return stops;
}

/** Tab from the beginning of the page to its end. */
async function walk(panel: PanelPage): Promise<Stop[]> {
  const { page } = panel;
  // Where nothing has the focus a browser goes on from where it was last.
  await page.locator("button").first().focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  const stops: Stop[] = [];
  for (let at = 0; at < 120; at += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(lookAtFocus);
    if (stop === null) break;
    const isGroup = await page.evaluate(() => document.activeElement?.closest("[data-roving]") != null);
    stops.push(...(isGroup ? await walkGroup(panel) : [stop]));
  }
  return stops;
}

/** Controls that can be seen and have no turn in the walk. Of a group of options only one has, arrows lead to the others. */
const unreached = ({ page }: PanelPage) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a[href], input, select, textarea")]
      .filter(each => !each.closest("[inert]"))
      .filter(({ tabIndex, offsetParent }) => tabIndex < 0 && offsetParent !== null)
      .filter(element => !element.matches(":disabled, .question-option input, [data-walked]"))
      .map(element => element.outerHTML.slice(0, 120)),
  );

const { records, review } = reviewed;

const question = () => {
  const script = new Script()
    .user("plan")
    .request("r")
    .answer("r", "", [["call_q", "AskUser", { questions: [] }]]);
  const field = (name: string, multiple: boolean) => ({
    ...{ type: "choice" as const, name, title: `Which ${name}?`, required: false, ownWords: true, multiple },
    options: ["One", "Two"].map(label => ({ value: label, label })),
  });
  return script.question("qst_1", "call_q", "AskUser", { fields: [field("store", false), field("part", true)] });
};

const editing = () =>
  new Script()
    .user("go")
    .request("r")
    .answer("r", "", [["call_edit", "Edit", { file_path: "src/invoice.ts" }]])
    .approval("a", editAction);

const scenes: Record<string, [options: PanelOptions, then?: (panel: PanelPage) => Promise<unknown>]> = {
  "an empty panel": [
    {
      results: {
        offers: { offers: [{ icon: "book", text: "Explain invoice.ts", words: "Explain @src/invoice.ts" }] },
      },
    },
    ({ page }) => page.getByRole("button", { name: "Explain invoice.ts" }).waitFor(),
  ],
  "a turn with its list of changes": [
    { snapshot: { records, review }, results: { turnChanges: { files: changingFiles } } },
    ({ page }) => page.locator(".changes-toggle").press("Enter"),
  ],
  "a question about a command": [
    { snapshot: { records: asking().records, state: "asking" } },
    ({ page }) => page.getByRole("button", { name: "Deny, because…" }).press("Enter"),
  ],
  "a question about an edit": [{ snapshot: { records: editing().records, state: "asking" } }],
  "a question of the agent's": [{ snapshot: { records: question().records, state: "asking" } }],
  "the preview of a rewind": [
    { snapshot: { records }, results: { previewRewind: preview } },
    ({ page }) => page.getByRole("button", { name: "Go back to here" }).press("Enter"),
  ],
  "the list of sessions": [
    {
      snapshot: { records },
      results: {
        sessions: { sessions: [summary("one"), summary("two")] },
      },
    },
    panel => panel.show("sessions"),
  ],
};

describe("panel: by keyboard alone", function () {
  this.timeout(120_000);

  for (const [name, [options, then]] of Object.entries(scenes))
    for (const width of isSoak("looks") ? [300, 700] : [300])
      panelTest(`${name} at ${width} px: each control is reached, named and seen`, async () => {
        const panel = await openPanel({ ...options, width, height: 600 });
        await panel.settle();
        await then?.(panel);
        await panel.settle();
        const stops = await walk(panel);
        assert.ok(stops.length > 3);
        assert.deepEqual(
          stops.filter(({ problems }) => problems.length > 0),
          [],
        );
        assert.deepEqual(await unreached(panel), []);
      });
});
