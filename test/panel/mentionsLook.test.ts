/** Pictures of the menu and the chips for people to look at (test/out/panel-mentions-*.png). */

import { mentionItems } from "../../src/core/mentions/resources";
import type { MentionItem } from "../../src/shared/findProtocol";
import { writeMention } from "../../src/shared/mentions/write";
import { pictures } from "./look";
import { chips, type } from "./mentioning";
import type { PanelOptions } from "./panel";
import { fixed } from "./scenes";
import { Script } from "./script";

const found = (paths: readonly string[], query: string) =>
  paths.map(path => ({
    kind: path.endsWith("/") ? ("folder" as const) : ("file" as const),
    mention: writeMention(path),
    label: path,
    positions: [...query].map((_, at) => path.indexOf(query) + at),
  }));

const opened = [
  "src/totals.ts",
  "test/invoice.test.ts",
  "package.json",
  "README.md",
  "docs/invoice.png",
  "src/",
  "src/core/",
];
const typed = [
  ...["src/invoice.ts", "test/invoice.test.ts", "src/reports/monthly/invoicesOfTheLastYearByCustomer.ts"],
  ...["docs/invoice.png", "src/invoices/", "test/fixtures/a folder with a long name/invoices of last year.json"],
];

const completing = (items: MentionItem[], indexing = false): PanelOptions => ({
  height: 760,
  snapshot: { title: "Fix the failing invoice test", records: fixed().records },
  results: { completeMention: { items, indexing } },
});
const first = completing(
  mentionItems("", {
    ...{ files: found(opened, ""), resources: [], brief: true },
    first: { kind: "file", mention: "@src/invoice.ts", label: "src/invoice.ts", positions: [], hint: "active editor" },
  }),
);
const narrowed = completing(mentionItems("inv", { files: found(typed, "inv"), resources: [] }));

describe("panel: how mentions look", function () {
  this.timeout(120_000);
  const text = 'Compare @src/invoice.ts:10-40 with @test/invoice.test.ts and what stands in @src/ and @"my notes.md". ';
  const long = `src/${"averylongname".repeat(24)}.ts`;
  const paths = [long, ...Array.from({ length: 199 }, (_, at) => `src/file${at}.ts`)];
  pictures({
    "the menu of mentions": [first, panel => type(panel, "Look at @")],
    "chips of mentions": [
      { height: 420, files: ["src/invoice.ts", "test/invoice.test.ts", "src/", "my notes.md"] },
      async panel => {
        await panel.composer.fill(`${text}Mind @problems, @src/gone.ts and @../secret.txt.`);
        await chips(panel).getByText("not found").waitFor();
      },
    ],
    "an attachment chosen": [
      { ...first, width: 300 },
      async panel => {
        await type(panel, "Look at @");
        await panel.page.keyboard.press("ArrowUp");
      },
    ],
    "the menu of mentions while typing": [
      { ...narrowed, width: 300 },
      async panel => {
        await type(panel, "Look at @inv");
        await panel.page.keyboard.press("ArrowDown");
      },
    ],
    "the menu while files are listed": [
      completing(mentionItems("inv", { files: found(typed.slice(0, 1), "inv"), resources: [] }), true),
      panel => type(panel, "Look at @inv"),
    ],
    "no mention found": [{ ...completing([]), width: 300 }, panel => type(panel, "Thanks @bob")],
    "200 chips and long names": [
      { width: 300, height: 500, files: paths.slice(0, 150) },
      async panel => {
        await panel.composer.fill(paths.map(path => `@${path}`).join(" "));
        await panel.page.locator(".mention-chip.lost").first().waitFor();
      },
    ],
    "files dragged over the composer": [
      { height: 420 },
      ({ page }) =>
        page.evaluate(() => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData("text/uri-list", "file:///a.ts");
          const init = { dataTransfer, bubbles: true, cancelable: true };
          document.querySelector("#composer-text")?.dispatchEvent(new DragEvent("dragover", init));
        }),
    ],
    "mentions in sent messages": [
      {
        width: 300,
        height: 420,
        snapshot: {
          records: new Script().user(
            `Compare @src/invoice.ts:10-40 with @src/${"averylongname".repeat(8)}.ts and @problems, please.`,
          ).records,
        },
      },
    ],
  });
});
