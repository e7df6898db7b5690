import assert from "node:assert/strict";
import { reportLines } from "../../../src/core/ground/text/report";
import { readPermissionLog } from "../../../src/core/log/permissionLog";
import { newestTurn, readTurnReport, turnReport } from "../../../src/core/log/turnReport";
import type { LogRecord } from "../../../src/shared/records";
import { edit, read, runTurn, start } from "../../fakes/agent";
import { delegated } from "../../fakes/children";
import { compactedSession } from "../../fakes/compacted";

/** As it is printed. undefined: there is no such turn */
function told(...[log, turn]: Parameters<typeof turnReport>): string | undefined {
  const report = turnReport(log, turn);
  return report && [report.title, ...reportLines(report), ""].join("\n");
}

async function reported(turn?: number) {
  const agent = await start({ files: { "src/a.ts": "one\n" } });
  agent.models.prices = { input: 1, output: 1, cachedInput: 0.1, dearer: [] };
  agent.models.play(
    { text: "I look first.", calls: [read("src/a.ts")], input: 100_000, output: 0 },
    { calls: [{ name: "Bash", input: { command: "npm test # `all`\n" } }], input: 200_000, output: 0 },
    { text: "# Done\n- all", input: 300_000, output: 0 },
    { text: "Nothing more." },
  );
  const { session } = agent;
  await session.setMode("ask");
  session.subscribe(event => {
    if (event.type === "record" && event.record.kind === "approval" && !event.record.answer)
      session.answer(event.record.approvalId, { decision: "deny", scope: "once", words: "not now" });
  });
  for (const words of ["test it\n# now", "and now?"]) {
    await runTurn(session, words);
  }
  const { records, files } = session.history;
  const { entries } = await readPermissionLog(files);
  return { records, entries, report: told({ records, decisions: entries }, turn ?? 1) ?? "" };
}

describe("what a turn did and why", () => {
  it("has its words, calls, decisions, and what each step cost", async () => {
    const { report } = await reported();
    const start = /^What turn 1 did, and why\n3 steps · [\d.]+ m?s · \$0\.60\n {2}test it\n {2}# now\n/;
    assert.match(report, start, "a command that was denied did not run");
    assert.match(report, /\nStep 1 · .*100k in, 0 out · \$0\.10\n {2}I look first\.\n {2}Read: src\/a\.ts/);
    assert.match(report, /\nStep 2 · .*\$0\.20\n {2}Bash: /);
    assert.match(report, /\n {4}not run: npm test # `all`\n {4}asked: mode Ask first/);
    assert.equal(report.match(/The user denied/g)?.length, 1, "why it failed is said once");
    assert.match(report, /\n {4}denied: by you, once/);
    assert.match(report, /\n {2}# Done\n {2}- all\nFinished\n$/);
    assert.doesNotMatch(report, /and now/);
  });

  it("says why a step without words did what it did: by its thought, where there is one", async () => {
    const { records } = await reported();
    const thought = {
      type: "reasoning" as const,
      text: "They want the tests.\n\nI run them all before I change anything.",
    };
    const thinking = records.map((record): LogRecord => {
      if (record.kind !== "message" || record.message.metadata.step !== 2) return record;
      return { ...record, message: { ...record.message, parts: [thought, ...record.message.parts] } };
    });
    const report = told({ records: thinking, decisions: [] }, 1) ?? "";
    assert.match(report, /\n {2}Why, as it thought: I run them all before I change anything\.\n {2}Bash: /);
    assert.doesNotMatch(report, /They want/);
  });

  it("is of the turn that is asked for, and nothing where there is no such turn", async () => {
    const { report, records } = await reported(2);
    assert.match(report, /\n {2}and now\?/);
    assert.doesNotMatch(report, /npm test/);
    assert.equal(newestTurn(records), 2);
    assert.equal(told({ records, decisions: [] }, 3), undefined);
    assert.equal(newestTurn([]), 0);
  });

  it("shows hidden characters, and keeps words of others in their line", async () => {
    const { records } = await reported();
    const hostile = records.map(
      (record): LogRecord =>
        record.kind === "result" ? { ...record, digest: "Bash \u202eevil\n# heading *x*" } : record,
    );
    const report = told({ records: hostile, decisions: [] }, 1) ?? "";
    assert.doesNotMatch(report, /\u202e/);
    assert.match(report, /\n {2}Bash: .*evil.*# heading \*x\*/);
  });

  it("tells of a call without a result, and of what was undone later", async () => {
    const { records } = await reported();
    const cut = records.filter(record => record.kind !== "result" && record.kind !== "turnEnd");
    assert.match(told({ records: cut, decisions: [] }, 1) ?? "", /no result: it ran when the turn was cut off/);
    const last = records.at(-1);
    assert.ok(last);
    const undone: LogRecord = {
      ...{ id: "rec_u", seq: last.seq + 1, ts: last.ts, kind: "revert", direction: "undo", turn: 1 },
      ...{ uri: "file:///ws/a.ts", path: "a.ts", edits: [{ messageId: "m", callId: "c" }], added: 0, removed: 1 },
    };
    assert.match(told({ records: [...records, undone], decisions: [] }, 1) ?? "", /\n {2}Undone: 1 change of a\.ts/);
    assert.doesNotMatch(told({ records: [...records, undone], decisions: [] }, 2) ?? "", /Undone/);
  });

  it("tells what agents did for it: files at their call, how each ended, also behind the turn", async () => {
    const { session, ...agent } = await start({ mode: "auto" });
    const plays = [{ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", "one", "two")] }, { text: "Done." }];
    const by = { title: "Mend it", why: "It took 2 tokens.", usage: undefined };
    await delegated(session, agent, plays, { by });
    await delegated(session, agent, [{ text: "Nothing." }], { behind: true });
    const report = (await readTurnReport(session.history.files, 1)).report;
    const lines = report && reportLines(report);
    assert.match(lines?.[0] ?? "", /^1 file \+1 −1 · 1 step · /);
    assert.match(
      lines?.join("\n") ?? "",
      /\n {2}Task: .*\n {4}src\/a\.ts \+1 −1\n {2}Agent explore, “Mend it”: Finished/,
    );
    const second = (await readTurnReport(session.history.files, 2)).report;
    assert.match(second ? reportLines(second).at(-1)! : "", /1k in, 50 out/);
  });

  it("tells what a compaction came to, as its mark does: in a line, which turns stay and why, the summary", async () => {
    const { ports, id } = await compactedSession();
    const files = await ports.storage.open(id, { readOnly: true });
    const { report } = await readTurnReport(files, undefined);
    await files.close();
    assert.match(
      reportLines(report ?? { title: "", sections: [] }).join("\n"),
      / {2}History compacted: .*, 1 turn summarised, 1 kept, as you asked\.\n {4}Summarised: turn 1 \(.*\)\. Kept: turn 2, the newest\.\n {4}## 📌 Archived Session Summary\n {4}The first turn\./,
    );
  });

  it("tells what became of the model's view, also after the turn's end, once", async () => {
    const { records } = await reported();
    const result = records.find(record => record.kind === "result");
    const next = records.find(record => record.kind === "message" && record.message.metadata.turn === 2);
    if (result?.kind !== "result" || !next) throw new Error("the session has two turns");
    const { messageId, callId } = result;
    const base = (seq: number) => ({ id: `x${seq}`, seq, ts: 1 });
    const fold: LogRecord = {
      ...base(next.seq - 0.7),
      kind: "fold",
      results: [
        { messageId, callId },
        { messageId, callId: "gone" },
      ],
    };
    const undone: LogRecord = { ...base(next.seq - 0.5), kind: "undo", compactionId: "x" };
    const redone: LogRecord = { ...base(next.seq - 0.4), kind: "redo", compactionId: "x" };
    const all = [...records, fold, undone, redone].sort((a, b) => a.seq - b.seq);
    const report = told({ records: all, decisions: [] }, 1) ?? "";
    assert.match(report, /\n {2}The model sees 2 outputs shortened\. Nothing is lost\.\n/);
    const one: LogRecord = { ...fold, results: [{ messageId, callId }] };
    assert.match(
      told({ records: all.map(record => (record === fold ? one : record)), decisions: [] }, 1) ?? "",
      /\n {2}The model sees 1 output shortened\. Nothing is lost\.\n/,
    );
    assert.match(report, /\n {2}A compaction was undone: the model sees the originals again\.\n/);
    assert.match(report, /\n {2}A compaction was redone: the model sees its summary again\.\n$/);
    assert.doesNotMatch(told({ records: all, decisions: [] }, 2) ?? "", /what the model sees/);
    const within = [...records, { ...fold, seq: result.seq + 0.5 }].sort((a, b) => a.seq - b.seq);
    assert.match(told({ records: within, decisions: [] }, 1) ?? "", /shortened\. Nothing is lost\.\n(?:.*\n)*Step 2/);
  });
});
