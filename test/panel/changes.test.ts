/** Files that a turn changed, in the panel: the line, its list, diffs, undo and redo, by mouse and by keyboard. */
import assert from "node:assert/strict";
import type { PanelSnapshot } from "../../src/shared/panelSnapshot";
import { changeOf, changing, changingFiles, edits, fileUri, reverted, turnFile } from "./changedFiles";
import { looksTest, picture } from "./look";
import { openPanel, type PanelOptions, type PanelPage, panelTest } from "./panel";
import { fixed } from "./scenes";
import { invoiceDiff, Script, SESSION, snapshot } from "./script";

const done = (
  script = changing().answer("req_end", "Every total rounds half up now.").end("done"),
  more: Partial<PanelSnapshot> = {},
) => snapshot({ title: "Round half up", records: script.records, ...more });
const results: PanelOptions["results"] = { turnChanges: { files: changingFiles } };
const line = ({ page }: PanelPage) => page.getByRole("button", { name: /^3 files changed/ });
const rows = ({ page }: PanelPage) => page.getByRole("list", { name: "Changed files" }).getByRole("listitem");

describe("panel: changed files", function () {
  this.timeout(120_000);

  panelTest("a turn's end says how many, net, and opens to the list; a click opens a diff", async () => {
    const panel = await openPanel({ snapshot: done(), results });
    const { page, waitForRequest } = panel;
    await page.getByText("3 files changed").waitFor();
    await page.getByText("+34 −3").waitFor();
    assert.equal(await line(panel).getAttribute("aria-expanded"), "false");
    await line(panel).press("Enter");
    assert.deepEqual(
      (await rows(panel).allInnerTexts()).map(text => text.replace(/\s+/g, " ")),
      [
        "created: halfUpAsTheTaxOfficeWantsIt.ts src/rounding +24 −0",
        "edited: invoice.ts src +4 −2",
        "edited: invoice.test.ts test +6 −1",
      ],
    );
    await rows(panel)
      .nth(1)
      .getByRole("button", { name: /invoice\.ts/ })
      .first()
      .click();
    assert.deepEqual(await waitForRequest("openTurnDiff"), { turn: 1, uri: fileUri("src/invoice.ts") });
    await panel.button("Open all").click();
    assert.deepEqual(await waitForRequest("openTurnDiffs"), { turn: 1 });
    await line(panel).click();
    assert.equal(await rows(panel).count(), 0);
  });

  panelTest("what waits for a review is counted and acted on in the line; the turn lists it", async () => {
    const waiting = (path: string, changes: number) => ({
      ...{ uri: fileUri(path), path, changes, turns: [1], seq: 9, added: 3, removed: 1 },
      kind: "edited" as const,
    });
    const review = [waiting("src/invoice.ts", 6), waiting("src/other.ts", 1)];
    const panel = await openPanel({ snapshot: done(undefined, { review }), results });
    const { status, waitForRequest } = panel;
    await status.getByText("2 files changed").waitFor();
    await status.getByText("+6 −2").first().waitFor();
    await panel.button("Review").click();
    assert.deepEqual(await waitForRequest("action"), { action: "review-next" });
    await panel.button("Keep").click();
    const all = review.map(({ uri, seq }) => ({ uri, seq }));
    assert.deepEqual(await waitForRequest("keepChanges"), { files: all });
    await panel.button("Undo").click();
    assert.deepEqual(await waitForRequest("action", 1), { action: "review-undo-all" });
    await line(panel).click();
    await rows(panel).first().waitFor();
    const own = panel.page.getByRole("button", { name: "Undo the changes of invoice.ts" });
    assert.equal(await own.count(), 0);
    await panel.screenshot("review");
    await panel.play(new Script().compaction("summarising").take());
    await own.waitFor({ state: "attached" });
    await panel.play([{ type: "state", state: "idle" }]);
    await panel.send({ type: "review", sessionId: SESSION, files: [] });
    await status.waitFor({ state: "detached" });
  });

  panelTest("a quiet line says that some may be missing; nothing else does", async () => {
    const missing = ["archive/0001.jsonl"];
    const panel = await openPanel({ snapshot: done(), results: { turnChanges: { files: changingFiles, missing } } });
    await line(panel).click();
    assert.equal(
      await rows(panel).nth(3).innerText(),
      "archive/0001.jsonl of this session is missing or cannot be read: what this turn changed there is not listed.",
    );
    assert.equal(await panel.page.getByRole("alert").count(), 0);
  });

  panelTest("what the host said of a turn's files stays when it sends the session anew", async () => {
    const panel = await openPanel({ snapshot: done(), results });
    const { page, asked } = panel;
    await page.getByText("+34 −3").waitFor();
    const before = (await asked("turnChanges")).length;
    await panel.send({ type: "snapshot", snapshot: done() });
    await page.getByText("+34 −3").waitFor();
    assert.equal(await page.getByText("3 files changed").count(), 1);
    assert.equal((await asked("turnChanges")).length, before, "it holds");
  });

  panelTest("undo of a file comes with pointer and Tab, and becomes redo", async () => {
    const undone = changingFiles.with(1, turnFile("src/invoice.ts", 0, 0, { edits: 2, undone: 2 }));
    const panel = await openPanel({
      snapshot: done(),
      results: { turnChanges: [{ files: changingFiles }, { files: undone }] },
    });
    const { page, play, waitForRequest, asked } = panel;
    await line(panel).click();
    const undo = panel.button("Undo the changes of invoice.ts");
    const width = async () => (await undo.boundingBox())?.width ?? 0;
    assert.equal(await width(), 0, "out of sight");
    await undo.focus();
    assert.equal(await width(), 24);
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("undoFile"), { turn: 1, uri: fileUri("src/invoice.ts") });
    const script = new Script(changing().records.length + 3);
    const before = (await asked("turnChanges")).length;
    await play(script.record(reverted("undo", "src/invoice.ts", "e1", "e3")).take());
    await waitForRequest("turnChanges", before);
    const redo = panel.button("Redo the changes of invoice.ts");
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.startsWith("Redo"));
    await redo.press(" ");
    assert.deepEqual(await waitForRequest("redoFile"), { turn: 1, uri: fileUri("src/invoice.ts") });
  });

  panelTest(
    "what can't be undone says why as a title, and when it is tried; after a refusal the button is there again",
    async () => {
      const panel = await openPanel({ snapshot: done(), results });
      await line(panel).click();
      const undo = panel.button("Undo the changes of invoice.test.ts");
      assert.equal(await undo.getAttribute("title"), changingFiles[2]?.why);
      await undo.press("Enter");
      await panel.page.getByRole("alert").getByText("it is too old").waitFor();
      assert.deepEqual(await panel.asked("undoFile"), []);
      const other = panel.button("Undo the changes of invoice.ts");
      await panel.refuse("undoFile", "The same lines were changed since.");
      await other.press("Enter");
      await panel.page.getByRole("alert").getByText("The same lines were changed since.").waitFor();
      await other.press("Enter");
      assert.deepEqual(await panel.waitForRequest("undoFile", 1), { turn: 1, uri: fileUri("src/invoice.ts") });
    },
  );

  panelTest("one file stands for itself, without a list", async () => {
    const panel = await openPanel({ snapshot: done(fixed()) });
    const file = panel.page.locator(".changes .file-open");
    await file.waitFor({ state: "attached" });
    // Of a chunk that was not drawn yet nothing has a text: whether it is in sight is found out by the frame that draws it.
    await panel.settle();
    assert.equal((await file.innerText()).replace(/\s+/g, " "), "edited: invoice.ts src +3 −1");
    await file.click();
    assert.deepEqual(await panel.waitForRequest("openTurnDiff"), { turn: 1, uri: invoiceDiff.uri });
    assert.deepEqual(await panel.asked("turnChanges"), [], "the record says all there is to say");
  });

  panelTest("an edit is undone on its card, which says so and offers to make it again", async () => {
    const script = fixed();
    const panel = await openPanel({ snapshot: done(script) });
    const card = panel.page.locator('.tool[data-tool="Edit"]');
    await card.getByRole("button", { name: "Undo this edit of src/invoice.ts" }).press("Enter");
    const edit = { callId: "call_edit", uri: invoiceDiff.uri, messageId: "msg" };
    assert.deepEqual(await panel.waitForRequest("undoEdit"), edit);
    assert.doesNotMatch(await card.innerText(), /undone/);
    script.take();
    await panel.play(script.record({ ...reverted("undo", "src/invoice.ts", "call_edit") }).take());
    assert.match(await card.innerText(), /undone/);
    await card.getByRole("button", { name: "Redo this edit of src/invoice.ts" }).press("Enter");
    assert.deepEqual(await panel.waitForRequest("redoEdit"), edit);
    await panel.play(script.record({ ...reverted("redo", "src/invoice.ts", "call_edit") }).take());
    assert.doesNotMatch(await card.innerText(), /undone/);
  });

  panelTest("a command that changed several files has an undo for each", async () => {
    const script = edits(new Script().user("rename"), "b", changeOf("a.ts", 1, 1), changeOf("b.ts", 2, 2)).end("done");
    const panel = await openPanel({ snapshot: done(script) });
    await panel.page.getByRole("button", { name: /^Ran/ }).click();
    await panel.button("Undo this edit of b.ts").press("Enter");
    assert.deepEqual(await panel.waitForRequest("undoEdit"), { callId: "b", uri: fileUri("b.ts"), messageId: "msg" });
    script.take();
    await panel.play(script.record(reverted("undo", "b.ts", "b")).take());
    await panel.page.getByText("1 of 2 undone").waitFor();
  });

  panelTest("who can only read sees them and undoes nothing", async () => {
    const panel = await openPanel({ snapshot: done(undefined, { readOnly: true }), results });
    await line(panel).click();
    assert.equal(await rows(panel).count(), 3);
    assert.equal(await panel.page.getByRole("button", { name: /^(Undo|Redo) / }).count(), 0);
  });

  const all: PanelOptions["results"] = {
    turnChanges: {
      files: [
        ...changingFiles.slice(0, 1),
        turnFile("src/invoice.ts", 0, 0, { edits: 2, undone: 2 }),
        turnFile("src/a/very/long/way/down/to/where/this/file/stands/customer.ts", 120, 45, { edits: 3, undone: 1 }),
        turnFile("src/old.ts", 0, 40, { deleted: true }),
        ...changingFiles.slice(2),
      ],
    },
  };
  const look = async (panel: PanelPage) => {
    await panel.page.locator(".changes-toggle").click();
    await panel.page.locator(".file-row").first().hover();
    await panel.settle();
  };
  looksTest("look", () => picture("changed-files", { width: 300, height: 640, snapshot: done(), results: all }, look));
  looksTest("look of an edit that is undone", () => {
    const script = fixed().record(reverted("undo", "src/invoice.ts", "call_edit"));
    return picture("changed-files-undone", { width: 300, height: 900, snapshot: done(script) }, async panel => {
      await panel.page.locator('.tool[data-tool="Edit"] .tool-line').hover();
      await panel.settle();
    });
  });
});
