/** What ran after the last edit, by tables of records; what a person decided; and which records make a log no proof. */
import assert from "node:assert/strict";
import { readProvenLog } from "../../../src/core/proof/proofFile";
import { commandsAfterLastEdit, proofFacts } from "../../../src/core/proof/runFacts";
import type { LogRecord } from "../../../src/shared/records";
import { hash } from "../../fakes/hash";

/** Records by what counts in them, numbered from 1. */
const log = (...rows: readonly object[]) =>
  rows.map((row, at) => ({ seq: at + 1, ts: at * 1000, gaps: [], ...row })) as object[] as LogRecord[];

const result = (toolName: string, more: object = {}) => ({
  kind: "result",
  ...{ toolName, callId: toolName, digest: toolName, status: "success", durationMs: 1, forms: { shown: "" } },
  ...more,
});
const message = (...parts: object[]) => ({
  kind: "message",
  message: { role: "assistant", parts, metadata: { model: "m" } },
});
const call = (command: string, toolCallId = "Bash") =>
  message({ type: "dynamic-tool", toolCallId, input: { command } });
const ran = (exitCode: number, more: object = {}) =>
  result("Bash", { ended: { exitCode }, raw: { sha256: "5" }, ...more });
const edit = result("Edit", { changes: [{ path: "a" }] });
const child = (more: object) => ({ kind: "child", phase: "ended", childId: "ses_c", callId: "c", ...more });
const review = (action: string) => ({ kind: "review", action, path: "a" });

describe("commands after the last edit", () => {
  const rows: readonly [name: string, records: LogRecord[], found: string][] = [
    ["no edit: all of them", log(call("a"), ran(0), call("b"), ran(2)), "a 0 2, b 2 4"],
    ["only those behind an edit", log(call("a"), ran(0), edit, call("b"), ran(1)), "b 1 5"],
    ["an edit that changed nothing is none", log(call("a"), ran(0), result("Edit", { changes: [] })), "a 0 2"],
    ["a command that changed a file that is known", log(call("a"), ran(0, { changes: [{ path: "a" }] })), ""],
    [
      "one of which the look at the workspace tells later: at its result, not at the look",
      log(call("a"), ran(0), call("b"), ran(3), { kind: "commandFiles", callId: "Bash", since: 1, files: 1 }),
      "b 3 4",
    ],
    [
      "a look that found nothing",
      log(call("a"), ran(0), { kind: "commandFiles", callId: "Bash", since: 1, files: 0 }),
      "a 0 2",
    ],
    ["what began before the edit was over", log(call("a"), edit, ran(0, { durationMs: 5000 })), ""],
    ["one that nobody looked behind", log(call("a"), ran(0), call("b"), ran(3, { watched: true })), ""],
    [
      "a look that did not see all",
      log(call("a"), ran(0), { kind: "commandFiles", callId: "Bash", since: 1, files: 0, gaps: ["x"] }),
      "",
    ],
    ["what never ran", log(call("a"), result("Bash", { status: "error", error: { code: "DENIED" } })), ""],
    [
      "what was stopped before it began",
      log(call("a"), result("Bash", { durationMs: 0, error: { code: "ABORTED" } })),
      "",
    ],
    [
      "what was killed has no exit code",
      log(call("a"), result("Bash", { status: "error", ended: { signal: "SIGKILL" } })),
      "a null 2",
    ],
    ["what runs on in the background", log(call("a"), ran(0, { taskId: "task_1" })), ""],
    [
      "an edit that a crash cut off may have been done",
      log(call("a"), ran(0), result("Write", { error: { code: "INTERRUPTED" } })),
      "",
    ],
    ["a person put a file back", log(call("a"), ran(0), { kind: "revert", path: "a" }), ""],
    ["a person kept changes", log(call("a"), ran(0), review("keep")), "a 0 2"],
    ["a person took changes back", log(call("a"), ran(0), review("undo")), ""],
    ["a rewind of files", log(call("a"), ran(0), { kind: "rewind", phase: "done", paths: ["a"] }), ""],
    [
      "a rewind of the conversation alone leaves files as they are",
      log(call("a"), ran(0), { kind: "rewind", phase: "done", head: 0 }),
      "a 0 2",
    ],
    [
      "a child that changed a file",
      log(call("a"), ran(0), child({ changes: [{ path: "a" }] }), call("b"), ran(1)),
      "b 1 5",
    ],
    ["a child that only looked", log(call("a"), ran(0), child({})), "a 0 2"],
    [
      "a child that a crash cut off may have changed files",
      log(call("a"), ran(0), child({ reason: "interrupted" })),
      "",
    ],
    [
      "what a child behind the turn did by commands: where the child ended, not where its call did",
      log(
        ...[child({ phase: "begun" }), result("Task", { callId: "c" }), call("a"), ran(0)],
        ...[{ kind: "commandFiles", callId: "c", since: 1, files: 1 }, call("b"), ran(2), child({})],
      ),
      "",
    ],
    ["a change that a crash may have cut off", log(call("a"), ran(0), { kind: "intent", phase: "begun" }), ""],
  ];
  for (const [name, records, found] of rows)
    it(name, () => {
      const told = commandsAfterLastEdit(records).map(({ command, exit, seq }) => `${command} ${exit} ${seq}`);
      assert.equal(told.join(", "), found);
    });

  it("with what a person decided, and who answered", () => {
    const action = { callId: "c", toolName: "Edit", title: "Edit a?", binds: "7" };
    const answered = (by: string) => ({
      kind: "approval",
      action,
      answer: { decision: "allow", scope: "once", by, seen: true },
    });
    const facts = proofFacts(
      log({ kind: "approval", action }, answered("nobody"), answered("user"), edit, call("x"), ran(0)),
      hash,
    );
    assert.deepEqual(facts, {
      lastEdit: 4,
      commands: [{ command: hash.sha256("x"), exit: 0, output: "5", seq: 6, text: "x" }],
      decisions: [{ seq: 3, callId: "c", tool: "Edit", decision: "allow", scope: "once", seen: true, binds: "7" }],
      models: ["m"],
    });
  });
});

describe("the log that a proof is of", () => {
  const header = (...archives: string[]) =>
    `${JSON.stringify({ kind: "header", version: 1, sessionId: "ses_1", created: 0, archives })}\n`;
  const line = (seq: number) => `${JSON.stringify({ id: `r${seq}`, seq, ts: 0, kind: "later", new: "文" })}\n`;
  const read = (files: Record<string, string>) => readProvenLog({ read: async name => files[name] }, hash);

  it("has archives and what later versions write in it, each record once", async () => {
    const archive = "archive/0001.jsonl";
    const files = { [archive]: header() + line(1) + line(2), "history.jsonl": header(archive) + line(2) + line(3) };
    const { lines } = await read(files);
    assert.deepEqual(
      lines,
      [1, 2, 3].map(seq => `later ${hash.sha256(line(seq))}`),
    );
    const gone = read({ "history.jsonl": files["history.jsonl"] ?? "" });
    await assert.rejects(gone, /Record 1 of the log is missing or damaged.*strata verify ses_1/);
    await assert.rejects(read({ "history.jsonl": `${header()}${line(1)}{"id":\n${line(2)}` }), /Record 2 of the log/);
  });
});
