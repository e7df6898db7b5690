import assert from "node:assert/strict";
import { endRemarks, rewindWords } from "../../src/shared/entry";
import type { RecordOf } from "../../src/shared/records";

it("what a turn's end says of its answer, in words", () => {
  const claims = [
    { kind: "failed", words: "All tests pass" } as const,
    { kind: "notRun", words: "Lint\u202e passes" } as const,
    { kind: "noSuchFile", words: "a.md" } as const,
    { kind: "check", words: "npm run lint", sentence: "Lint first", file: "AGENTS.md" } as const,
  ];
  assert.deepEqual(endRemarks({ claims, wentOn: { why: "check", words: "x" } }), [
    "Sent on once: x had not run",
    "“All tests pass”: the last run failed",
    "“Lint\\u{202e} passes”: this session has no such run",
    "a.md: nothing in this session wrote it",
    "Not run: npm run lint (AGENTS.md: “Lint first”)",
  ]);
});

describe("what a rewind did, in words", () => {
  const rewind = { kind: "rewind", phase: "done", id: "rec_1", seq: 1, ts: 1, rewindId: "rwd_1", turn: 3 } as const;
  const cases: [Partial<RecordOf<"rewind">>, string][] = [
    [{ files: 2, head: 4 }, "Went back to before turn 3 · 2 files restored"],
    [{ files: 2, head: 4, message: "Fix the import" }, "Went back to before “Fix the import” · 2 files restored"],
    [{ head: 4 }, "Went back to before turn 3 · the conversation alone"],
    [{ files: 1, undoes: "rwd_0", head: 4 }, "Undid going back · 1 file restored"],
    [{ files: 0, head: 4 }, "Went back to before turn 3 · no file had to change"],
    [{ files: 2 }, "Went back to before turn 3 · 2 files restored · the conversation stays"],
    [{ files: 2, cutOff: true }, "Going back to before turn 3 was cut off: 2 files restored"],
    [{ files: 0, cutOff: true, undoes: "rwd_0" }, "The undo was cut off: 0 files restored"],
  ];
  for (const [record, words] of cases)
    it(words, () => assert.equal(rewindWords({ ...rewind, ...record } as RecordOf<"rewind">), words));
});
