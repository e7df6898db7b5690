/** A session as Markdown: readable anywhere, escaped, without secrets. */
import assert from "node:assert/strict";
import { createSession } from "../../src/core/agent/session/openSession";
import type { Redact } from "../../src/shared/redacted";
import { exportMarkdown } from "../../src/vscode/commands/readable";
import { runTurn, world } from "../fakes/agent";
import { compactedSession } from "../fakes/compacted";

const redact = ((text: string) => text.replaceAll("hunter2", "[secret:a]")) as Redact;

async function exported(said: string, answer: string) {
  const { ports, models } = world({
    mode: "auto",
    shell: { ls: { output: [["stdout", "```\n<b>a.ts</b> hunter2\n"]] } },
  });
  models.play({ calls: [{ name: "Bash", input: { command: "ls" } }] }, { text: answer });
  const session = await createSession(ports);
  await runTurn(session, said);
  const deps = { redact, title: "A <title> & hunter2", now: () => 0 };
  const { files } = session.history;
  const markdown = await exportMarkdown(files, deps);
  await session.close();
  return markdown;
}

describe("a session for people without Strata", () => {
  it("has no secret, whoever wrote it", async () => {
    const markdown = await exported("my password is hunter2", "It is hunter2.");
    assert.ok(!markdown.includes("hunter2"));
    assert.ok(markdown.includes("[secret:a]"));
  });

  it("has a line for pictures, questions with their answers, plans, ways back and compactions", async () => {
    const field = { type: "choice", name: "s", title: "Which store?", required: true, options: [] };
    const form = { fields: [{ ...field, multiple: false, ownWords: true }] };
    const question = { kind: "question", questionId: "q", callId: "c", toolName: "AskUser", form };
    const server = { ...question, questionId: "r", form: { server: "tickets", message: "Which one?", fields: [] } };
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const picture = { type: "file", mediaType: "image/png", url: "blob:0", filename: "hunter2.png" };
    const child = { childId: "c", messageId: "m", callId: "c", turn: 2, agent: "explore", title: "Look around" };
    const metadata = { turn: 1, step: 0, runId: "r", kind: "normal", ts: 0 };
    const records = [
      { kind: "message", parentId: null, message: { id: "m", role: "user", parts: [picture], metadata } },
      question,
      { ...question, answer: { action: "accept", by: "user", values: { s: ["SQLite"] } } },
      { ...server, answer: { action: "decline", by: "user" } },
      { kind: "plan", op: "proposed", turn: 1, title: "Mend it", steps: 1, text: "1. Mend" },
      { kind: "plan", op: "carried-out", turn: 2, title: "Mend it", steps: 1, text: "1. Mend well" },
      { kind: "planEnd", turn: 2, title: "Mend it" },
      { kind: "rewind", rewindId: "w", phase: "begun", turn: 2, files: 1 },
      { kind: "rewind", rewindId: "w", phase: "done", turn: 2, files: 1 },
      { kind: "child", phase: "begun", ...child },
      { kind: "child", phase: "ended", ...child, reason: "limit", why: "It took all its hunter2.", usage },
      { kind: "undo", compactionId: "x" },
      { kind: "attempt", requestId: "a", turn: 2, step: 1, parts: [], reason: "" },
      { kind: "note", level: "info", code: "x", text: "not told" },
      { kind: "note", level: "warning", code: "x", text: "A rules file was cut." },
      {
        kind: "turnEnd",
        turn: 2,
        runId: "r",
        reason: "stopped",
        steps: 0,
        toolCalls: 0,
        toolFailures: 0,
        usage,
        durationMs: 0,
      },
    ];
    const header = { kind: "header", version: 1, sessionId: "s", created: 0, archives: [] };
    const lines = records.map((record, at) => ({ id: `${at}`, seq: at + 1, ts: 0, ...record }));
    const text = [header, ...lines].map(line => `${JSON.stringify(line)}\n`).join("");
    const files = { read: async (name: string) => (name === "history.jsonl" ? text : undefined) };
    const deps = { redact, title: "t", now: () => 0 };
    const told = [
      ...["Picture: [secret:a].png", "Question: Which store?", "SQLite", "tickets asks: Which one?", "You declined."],
      ...["Plan: Mend it", "Carrying out the plan “Mend it”", "Mend well", "The plan “Mend it” was ended."],
      ...[
        "Went back to before turn 2 · 1 file restored",
        "Agent explore, “Look around”: Paused",
        "It took all its [secret:a].",
        "A compaction was undone: the model sees the originals again.",
      ],
      ...["This answer was cut off", "A rules file was cut.", "Stopped"],
    ];
    const shown = (await exportMarkdown(files, deps)).replaceAll("\\", "");
    let at = 0;
    for (const words of told) {
      assert.ok(shown.indexOf(words, at) >= at, `${words}\n${shown}`);
      at = shown.indexOf(words, at);
    }
    assert.equal(shown.split("Which store?").length, 2);
    assert.equal(shown.split("Went back").length, 2);
    assert.doesNotMatch(shown, /not told/);
    const { ports, id } = await compactedSession();
    const compacted = await ports.storage.open(id, { readOnly: true });
    assert.match(
      await exportMarkdown(compacted, deps),
      /\n\*History compacted: .* 1 turn summarised, 1 kept, as you asked\.\*\n\nSummarised: .* Kept: .*\n\n> ## 📌 Archived Session Summary\n> The first turn\.\n/,
    );
    await compacted.close();
  });

  it("as Markdown keeps what was written; an output with fences, or a block that nobody ended, takes nothing else along", async () => {
    const markdown = await exported("look", "```js\nlet a;");
    assert.match(markdown, /^# A \\<title\\> & \[secret:a\]|^# A \\<title\\> & /);
    assert.match(markdown, /## You\n\nlook\n/);
    assert.match(markdown, /```js\nlet a;\n```\n$/);
    assert.ok(markdown.indexOf("## You") < markdown.indexOf("## Agent"));
  });
});
