/** What hooks did around a call, on its card. */
import assert from "node:assert/strict";
import { openPanel, panelTest } from "./panel";
import { Script } from "./script";

describe("panel: hooks on a card", () => {
  panelTest("each run has its moment, what became of it, its command, its time and its words", async () => {
    const source = ".claude/settings.json";
    const script = new Script().user("mend it");
    script.answer("req_1", "I'll mend it.", [
      ["c1", "Bash", { command: "rm -rf build" }],
      ["c2", "Bash", { command: "npm test" }],
    ]);
    const error = { code: "DENIED" as const, message: "A hook does not let this call run.", by: "hook" as const };
    script.result("c1", "Bash", {
      ...{ digest: "Bash · A hook does not let this call run.", status: "error", error, durationMs: 0 },
      hooks: [
        {
          ...{ event: "PreToolUse", command: "python3 $CLAUDE_PROJECT_DIR/.claude/hooks/validate_bash.py", source },
          ...{ durationMs: 42, outcome: "denied", text: "rm -rf is not allowed here\u202e" },
        },
        { event: "PreToolUse", command: "bash .claude/hooks/log-command.sh", source, durationMs: 12, outcome: "ok" },
      ],
    });
    script.result("c2", "Bash", {
      digest: "Bash npm test · exit 0",
      hooks: [{ event: "PostToolUse", command: "./report.sh", source, durationMs: 60_000, outcome: "timeout" }],
    });
    const { page, screenshot } = await openPanel({ snapshot: { records: script.end("done").records } });
    await page.getByRole("button", { name: /Not run: forbidden by a hook/ }).click();
    const runs = page.getByRole("list", { name: "Hooks" }).first().getByRole("listitem");
    await runs.first().waitFor();
    const texts = await runs.allTextContents();
    assert.equal(texts.length, 2);
    assert.match(texts[0] ?? "", /PreToolUse denied.*validate_bash\.py.*rm -rf is not allowed here/);
    assert.doesNotMatch(texts[0] ?? "", /\u202e/);
    assert.match(texts[1] ?? "", /PreToolUse ran.*log-command\.sh/);
    assert.equal(await page.getByText("It needed approval").count(), 0);
    await page.getByRole("button", { name: /npm test/ }).click();
    await page.getByText("PostToolUse timed out").waitFor();
    await screenshot("hooks-on-cards");
  });
});
