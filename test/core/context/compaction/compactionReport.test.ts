/** Compactions as people read them: before, and after. */
import assert from "node:assert/strict";
import { leftOutReport, previewReport } from "../../../../src/core/context/compaction/compactionReport";
import type { CompactionPreview } from "../../../../src/core/context/compaction/preview";
import { type Report, reportLines } from "../../../../src/core/ground/text/report";
import { takeSnapshot } from "../../../../src/core/log/applyCompaction";
import { Conversation } from "../../../../src/core/log/conversation";
import { dateTimeText } from "../../../../src/shared/format";
import type { LogRecord, RecordOf } from "../../../../src/shared/records";
import { messageRecord } from "../../../fakes/records";
import { changing } from "./segments";

const printed = (report: Report) => [report.title, ...reportLines(report)].join("\n");

const plan: CompactionPreview = {
  removed: ["a"],
  folded: [{ messageId: "c", callId: "1" }],
  rounds: { summarised: 1, kept: 1, pinned: 1 },
  tokens: { before: 150_000, after: 40_000 },
};

describe("what a compaction would do", () => {
  const asked = (more: Partial<CompactionPreview>, estimated = plan.tokens.before) =>
    printed(previewReport({ ...plan, ...more }, { window: 200_000, tokens: estimated }));
  it("says how many rounds go, and how to keep one", () =>
    assert.equal(
      asked({}),
      `What a compaction would do now
1 turn would be summarised. Nothing is lost: the model can look it up, and Undo brings it back.
  1 tool output in turns that stay would become one line.
  1 turn would stay, and 1 pinned
  A request takes 150k (75 % of the window) now, and would take 40k (20 % of the window) after it.
  Pin a turn at its message to keep it word for word.`,
    ));
  it("that it is not needed", () => assert.match(asked({ unneeded: "There is nothing." }), /\nThere is nothing\.\n/));
  it("all in the provider's measure", () => assert.match(asked({}, 300_000), /takes 300k \(150.% of the window\) now/));
});

const message = (id: string, turn: number, role: "user" | "assistant", text: string): LogRecord => ({
  ...{ id: `r.${id}`, seq: turn, ts: 0 },
  ...messageRecord(role, text, { id, turn }),
});

const record: RecordOf<"compaction"> = {
  kind: "compaction",
  id: "x",
  seq: 9,
  ts: 0,
  reason: "manual",
  guidance: "keep the *names*",
  archive: "archive/0001.jsonl",
  removed: ["u1", "a1"],
  folded: [],
  summaries: [
    {
      ...{ id: "s", text: "## Summary\n~~~\nx\n~~~", sha256: "0", turns: { from: 1, to: 1 }, startTs: 0, cutoffTs: 0 },
      sourceRange: { fromId: "u1", toId: "a1", count: 2 },
    },
  ],
  tokens: { before: 150_000, after: 40_000 },
  rounds: { summarised: 1, kept: 10, pinned: 0 },
  durationMs: 5,
  snapshot: { ...takeSnapshot(new Conversation(), []), turn: 11 },
};
const archived: LogRecord[] = [
  message("u1", 1, "user", "Fix <b>it</b> 🚀\r\nplease"),
  message("a1", 1, "assistant", "Done."),
  changing("a1", 1, { path: "a.ts" }),
  message("u2", 2, "user", "stays"),
  message("u1", 1, "user", "again, after an undo"),
];

describe("what a compaction left out", () => {
  it("each round that went, once, and what came of it", () => {
    assert.equal(
      printed(leftOutReport(record, archived)),
      `What the compaction left out
Turn 1
  You
    Fix <b>it</b> 🚀 please
  Strata
    Done.
  Edit  (obs:6b86b273ff34)
History compacted: 150k → 40k tokens, 1 turn summarised, 10 kept, as you asked: “keep the *names*”. ${dateTimeText(0)}
  Summarised: turn 1 (${dateTimeText(0)}). Kept: turns 2 to 11, the newest.
  Nothing is lost. Undo brings it back.`,
    );
  });

  const check = (title: string, more: Partial<typeof record>, records: LogRecord[], expected: RegExp) =>
    it(title, () => assert.match(printed(leftOutReport({ ...record, ...more }, records)), expected));
  check(
    "of an archive that is missing, which",
    {},
    [],
    /The archive archive\/0001\.jsonl cannot be read, or has none of these turns/,
  );
  check(
    "a failure in its own sentence",
    { failure: { code: "timeout", message: "It timed out." } },
    archived,
    /10 kept, as you asked.*\n {2}It timed out\.\n/,
  );
  check("by itself", { reason: "threshold" }, archived, /because the context was nearly full\./);
});
