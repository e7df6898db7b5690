/** Compacting, exporting and importing by commands, in a real VS Code. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import * as vscode from "vscode";
import type { LogRecord } from "../../../src/shared/records";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { inWorkspace, type Strata, startStrata } from "../strata";

const SUMMARY = "### ✅ Completed Milestones\n* [✓] Rounding - half up, as the tax office wants it";
const run = (name: string, argument?: unknown) => vscode.commands.executeCommand(`strata.${name}`, argument);
/** An archive's first line names the session, so that its hash is another one under another id. */
const comparable = (records: readonly LogRecord[]) =>
  records.map(record => (record.kind === "compaction" ? { ...record, archiveSha256: "" } : record));
const tabs = () => vscode.window.tabGroups.all.flatMap(group => group.tabs.map(tab => tab.label));

describe("a compaction in VS Code", () => {
  let strata: Strata;
  before(async () => {
    strata = await startStrata("auto");
    await strata.setting("history.keepRounds", 1);
    for (const text of ["one", "two", "three"]) {
      strata.play({ text: `About ${text}. ${"word ".repeat(2000)}` });
      await strata.turn(`tell me about ${text}`);
    }
  });
  after(async () => {
    await strata.dispose();
    await discardEditors();
  });
  // Hooks may run behind it: only then the next one can be asked for. A note of something else may stand behind it.
  const newest = (kind: "compaction" | "undo" | "redo") =>
    eventually(
      `a "${kind}" at the end of the session`,
      () => (strata.panel.state === "idle" ? strata.panel.records.findLast(record => record.kind === kind) : undefined),
      { saw: () => strata.panel.records.slice(-4).map(record => (record.kind === "note" ? record.text : record.kind)) },
    );

  it("is made, undone and redone by commands", async () => {
    strata.play({ text: SUMMARY });
    await run("compact", { guidance: "keep the names" });
    const mark = await newest("compaction");
    assert.ok(mark?.kind === "compaction");
    assert.deepEqual([mark.guidance, mark.rounds], ["keep the names", { summarised: 2, kept: 1, pinned: 0 }]);
    await run("undoCompaction");
    await newest("undo");
    await run("redoCompaction");
    await newest("redo");
  });

  it("opens as a page what the next one would do", async () => {
    await run("previewCompaction");
    await eventually("a tab with what the compaction would do", () =>
      tabs().find(label => /What a compaction would do/.test(label)),
    );
  });

  it("is in an export, which comes back as a session of its own", async () => {
    const target = vscode.Uri.file(inWorkspace("taken along.strata.jsonl"));
    const { sessionId } = strata.panel.snapshot ?? {};
    const { records } = strata.panel;
    await run("exportSession", target);
    assert.ok((await stat(target.fsPath)).size > 10_000);
    await run("importSession", target);
    await eventually("the imported session is shown", () => !(strata.panel.snapshot?.sessionId === sessionId));
    assert.deepEqual(comparable(strata.panel.records), comparable(records), "archived ones too");
    assert.equal((await strata.panel.request("contextView", {})).held, false);
    const [mark] = records.filter(record => record.kind === "compaction");
    await strata.panel.request("openLeftOut", { compactionId: mark?.id ?? "" });
    await eventually("a tab with what was left out", () =>
      tabs().find(label => /What the compaction left out/.test(label)),
    );
  });

  it("says when all sessions take more than they should, and when they do no more", async () => {
    const said = () => strata.panel.surroundings?.storage;
    await strata.setting("storage.maxBytes", 1);
    await eventually("the panel says that sessions take too much", () => said());
    assert.equal(said()?.maxBytes, 1);
    assert.ok((said()?.bytes ?? 0) > 10_000);
    await strata.setting("storage.maxBytes", undefined);
    await eventually("the panel says so no more", () => said() === undefined);
  });

  it("what is no export is refused with words, and nothing is imported", async () => {
    const { sessions } = await strata.panel.request("sessions", {});
    await run("importSession", vscode.Uri.file(inWorkspace("package.json")));
    assert.equal((await strata.panel.request("sessions", {})).sessions.length, sessions.length);
  });
});
