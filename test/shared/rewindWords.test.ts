import assert from "node:assert/strict";
import type { RecordOf } from "../../src/shared/records";
import { rewindWords } from "../../src/shared/rewindWords";

describe("what a rewind did, in words", () => {
  const rewind = { kind: "rewind", phase: "done", id: "rec_1", seq: 1, ts: 1, rewindId: "rwd_1", turn: 3 } as const;
  const cases: [Partial<RecordOf<"rewind">>, string][] = [
    [{ files: 2, head: 4 }, "Went back to before turn 3: 2 files and the conversation."],
    [{ head: 4 }, "Went back to before turn 3: the conversation."],
    [{ files: 1, undoes: "rwd_0" }, "The rewind was undone: 1 file."],
    [{ files: 0, head: 4 }, "Went back to before turn 3: the conversation; no file had to change."],
    [{ files: 0 }, "Went back to before turn 3: no file had to change."],
    [{ files: 0, head: 4, stayed: ["a.ts stays."] }, "Went back to before turn 3: 0 files and the conversation."],
    [{ files: 2, cutOff: true }, "A rewind to before turn 3 was cut off: 2 files put back."],
    [{ files: 0, cutOff: true, undoes: "rwd_0" }, "The undo of a rewind was cut off: no file was put back."],
  ];
  for (const [record, words] of cases)
    it(words, () => assert.equal(rewindWords({ ...rewind, ...record } as RecordOf<"rewind">), words));
});
