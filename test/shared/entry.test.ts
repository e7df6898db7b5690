import assert from "node:assert/strict";
import { rewindWords } from "../../src/shared/entry";
import type { RecordOf } from "../../src/shared/records";
import { claimWords, type TurnClaim, wentOnWords } from "../../src/shared/turnEnd";

describe("what a turn's end says of its answer, in words", () => {
  const check = { kind: "check", words: "npm run lint", sentence: "Lint first", file: "AGENTS.md" } as const;
  const cases: [TurnClaim, string][] = [
    [{ kind: "failed", words: "All tests pass" }, "“All tests pass”: the last run failed"],
    [{ kind: "notRun", words: "Lint\u202e passes" }, "“Lint\\u{202e} passes”: this session has no such run"],
    [{ kind: "noSuchFile", words: "a.md" }, "a.md: nothing in this session wrote it"],
    [check, "Not run: npm run lint (AGENTS.md: “Lint first”)"],
  ];
  for (const [claim, words] of cases) it(words, () => assert.equal(claimWords(claim), words));
  it("says why it went on", () =>
    assert.equal(wentOnWords({ why: "check", words: "x" }), "Went on by itself: x had not run"));
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
