/** A person compacts a conversation in the panel, sees how far it is, looks at what went, and takes it back. */
import assert from "node:assert/strict";
import { currentTurn } from "../../../../scripts/offline-model/conversation.mjs";
import { demo } from "../../../../scripts/offline-model/demo.mjs";
import type { OfflineScript } from "../../../../scripts/offline-model/server.mjs";
import { summarise, summaryInstruction } from "../../../../scripts/offline-model/summary.mjs";
import { inWorkbench } from "../../workbench";

/** Summaries slow enough to be seen, long answers on demand, else the demo. */
const script: OfflineScript = request => {
  if (summaryInstruction(request) !== undefined) return { ...summarise(request), chunkDelayMs: 40 };
  const { prompt } = currentTurn(request);
  return prompt.startsWith("Explain")
    ? { text: `About “${prompt}”.\n\n${"Cents are whole. ".repeat(700)}` }
    : demo(request);
};

describe("a compaction in the panel", () => {
  const workbench = inWorkbench({
    script,
    settings: {
      ...{ "strata.permissions.mode": "auto", "strata.permissions.runEverything": true },
      ...{ "strata.history.keepRounds": 1, "strata.model.contextWindow": 40_000 },
    },
  });

  async function command(words: string) {
    await workbench.composer.fill(words);
    await workbench.composer.press("Enter");
  }
  async function say(text: string, turns: number) {
    await workbench.send(text);
    await workbench.panel
      .getByRole("log")
      .getByText(/^Finished/)
      .nth(turns - 1)
      .waitFor();
  }

  it("shows how far it is, leaves a mark, and stands for what went, also after an undo and a redo", async () => {
    const { panel } = workbench;
    for (const [index, text] of ["Fix the failing test", "Explain the rounding", "Explain the totals"].entries())
      await say(text, index + 1);
    await command("/compact keep the rounding rule");
    await panel
      .getByText(/^Compacting history/)
      .first()
      .waitFor();
    await panel.getByRole("button", { name: "Cancel" }).waitFor();
    await workbench.screenshot("vscode-compacting");
    // So short a conversation grows with its summary: then no sizes are told.
    await panel
      .getByText(/History compacted/)
      .last()
      .waitFor();
    await panel
      .getByText(/2\s+turns\s+summarised, 1\s+kept, as you asked.*keep the rounding rule/)
      .last()
      .waitFor();
    await workbench.screenshot("vscode-compacted");
    const asked = workbench.offline.requests.at(-1)?.rawBody ?? "";
    assert.ok(asked.includes("Write the archive summary of rounds 1 to 2") && asked.includes("keep the rounding rule"));

    const inRequest = (text: string) => workbench.offline.requests.at(-1)?.rawBody.includes(text);
    const gone = JSON.stringify({ role: "user", content: "Explain the rounding" });
    await say("Explain it again", 4);
    assert.deepEqual([inRequest("Archived Session Summary"), inRequest(gone)], [true, false]);
    await panel.getByRole("group", { name: "Compaction" }).getByRole("button", { name: "Undo", exact: true }).click();
    await panel.getByText("Compaction undone").last().waitFor();
    await say("Explain it once more", 5);
    assert.deepEqual([inRequest("Archived Session Summary"), inRequest(gone)], [false, true]);
    await panel.getByRole("group", { name: "Compaction" }).getByRole("button", { name: "Redo", exact: true }).click();
    await panel
      .getByText(/History compacted/)
      .last()
      .waitFor();
    await say("Explain it at last", 6);
    assert.deepEqual([inRequest("Archived Session Summary"), inRequest(gone)], [true, false]);
  });
});
