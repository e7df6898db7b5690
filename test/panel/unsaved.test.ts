/** A question about a command that would run beside unsaved files: what it says, and what each answer sends. */
import assert from "node:assert/strict";
import type { ApprovalAction } from "../../src/shared/approval";
import { allowBy, openAsker } from "./asker";
import { looksTest, picture } from "./look";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { commandAction, fixing } from "./scenes";
import { type Script, snapshot } from "./script";

const detail = { type: "command", command: "npm test -- invoice", cwd: "/code/invoices" } as const;
const about = (...unsaved: string[]): Omit<ApprovalAction, "binds"> => ({
  ...commandAction,
  callId: "call_again",
  reason: "files have unsaved changes",
  detail: { ...detail, unsaved },
});

function question(action: Omit<ApprovalAction, "binds">): Script {
  const script = fixing();
  script
    .request("req_4")
    .answer("req_4", "Now I'll run the tests again.", [["call_again", "Bash", { command: "npm test -- invoice" }]]);
  return script.approval("a", action);
}

const shown = (action: Omit<ApprovalAction, "binds">) =>
  snapshot({ title: "Fix the failing invoice test", records: question(action).records, state: "asking" });
const open = (...unsaved: string[]) => openPanel({ snapshot: shown(about(...unsaved)) });

describe("panel: unsaved files before a command", function () {
  this.timeout(120_000);

  const answers: Record<string, [press: (panel: PanelPage) => Promise<unknown>, expected: object]> = {
    "saved by the button": [({ button }) => button("Save and allow").click(), { unsaved: "save" }],
    "saved by its key": [({ page }) => page.keyboard.press("Control+Enter"), { unsaved: "save" }],
    "left by the menu": [panel => allowBy(panel, "Allow without saving"), { unsaved: "leave" }],
    "Esc denies": [({ page }) => page.keyboard.press("Escape"), { decision: "deny" }],
    "saved from now on": [
      panel => allowBy(panel, "Save and allow for this session"),
      { scope: "session", unsaved: "save" },
    ],
    "left from now on": [
      panel => allowBy(panel, "Allow without saving for this session"),
      { scope: "session", unsaved: "leave" },
    ],
  };
  panelTest("are saved by the first button or its key, left by the second, once or for the session", async () => {
    const { panel, ask } = await openAsker();
    for (const [at, [name, [press, expected]]] of Object.entries(answers).entries()) {
      const approvalId = await ask(about("src/invoice.ts", "src/totals.ts"));
      await panel.page.getByText("unsaved changes in 2 files").waitFor();
      await press(panel);
      const given = await panel.waitForRequest("answer", at);
      assert.deepEqual(given, { approvalId, decision: "allow", scope: "once", ...expected }, name);
      assert.equal((await panel.asked("answer")).length, at + 1, name);
    }
  });

  panelTest("the keyboard comes by in the order of the eye, and the question is named whole", async () => {
    const { page } = await open("src/invoice.ts");
    const dialog = page.getByRole("alertdialog");
    await dialog.waitFor();
    const describedBy = (await dialog.getAttribute("aria-describedby")) ?? "";
    const parts = describedBy
      .split(" ")
      .map(id => page.evaluate(each => document.getElementById(each)?.textContent, id));
    const description = (await Promise.all(parts)).join("");
    assert.match(description, /npm test -- invoice.*your unsaved changes in 1 file:src\/invoice\.ts/);
    await dialog.focus();
    const names: (string | null)[] = [];
    for (let stops = 0; stops < 4; stops += 1) {
      await page.keyboard.press("Tab");
      names.push(
        await page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? null),
      );
    }
    const expected = [/^Save and allow/, /^More ways/, /^Deny/, /^Deny, because/];
    for (const [index, name] of names.entries()) assert.match(name ?? "", expected[index]!);
  });

  panelTest("of many, five are named; the others by a click", async () => {
    const { page, button } = await open(...Array.from({ length: 8 }, (_, index) => `src/file${index}.ts`));
    await page.getByText("unsaved changes in 8 files").waitFor();
    assert.equal(await page.getByText(/^src\/file\d\.ts$/).count(), 5);
    await button("and 3 more").click();
    assert.equal(await page.getByText(/^src\/file\d\.ts$/).count(), 8);
  });

  const few = shown(about("src/invoice.ts", "test/fixtures/a folder with a long name/invoices-of-last-year.json"));
  const many = shown(about(...Array.from({ length: 12 }, (_, index) => `src/reports/monthly/report${index + 1}.ts`)));
  looksTest("how it looks", () =>
    picture("unsaved", { width: 300, height: 860, snapshot: few }, ({ button }) =>
      button("More ways to allow").click(),
    ),
  );
  looksTest("how many look", () => picture("unsaved-many", { height: 860, snapshot: many }));

  panelTest("what a command changed stands under its output", () => {
    const script = fixing();
    const change = (path: string, line: string) => ({
      ...{ uri: `file:///code/invoices/${path}`, path, created: false, added: 1, removed: 1 },
      diff: `--- ${path}\n+++ ${path}\n@@ -1,1 +1,1 @@\n-${line}\n+${line};`,
    });
    script.request("req_4").answer("req_4", "", [["call_format", "Bash", { command: "npm run format" }]]);
    script.approval("a", { ...about("src/invoice.ts"), callId: "call_format" });
    script.approval(
      "a",
      { ...about("src/invoice.ts"), callId: "call_format" },
      { decision: "allow", scope: "once", unsaved: "save", by: "user" },
    );
    script.result("call_format", "Bash", {
      digest: "Bash npm run format exit 0 · 840 ms",
      durationMs: 840,
      changes: [change("src/invoice.ts", "const a = 1"), change("src/totals.ts", "const b = 2")],
    });
    const text = [
      "Formatted 2 files.",
      "Saved before the command, since it had unsaved changes: src/invoice.ts.",
      "Files read before that the command changed: src/invoice.ts (+1 −1), src/totals.ts (+1 −1).",
    ].join("\n");
    return picture(
      "command-changed",
      {
        height: 1000,
        snapshot: { records: script.records },
        results: { printed: { first: text, last: "" } },
      },
      async ({ page }) => {
        await page.getByText("npm run format").first().click();
        await page.getByText("Formatted 2 files.").waitFor();
        assert.equal(await page.getByText("Unsaved files were saved first.").count(), 1);
        assert.equal(await page.locator(".tool-body .diff").count(), 2);
      },
    );
  });
});
