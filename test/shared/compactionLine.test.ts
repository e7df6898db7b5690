import assert from "node:assert/strict";
import { takeSnapshot } from "../../src/core/log/applyCompaction";
import { Conversation } from "../../src/core/log/conversation";
import type { SnapshotState } from "../../src/shared/compaction";
import { type CompactionRecord, compactionLine, turnsWords } from "../../src/shared/entry";
import { formatTokens } from "../../src/shared/format";

describe("a compaction in one line", () => {
  const check = (title: string, more: Partial<Parameters<typeof compactionLine>[0]>, expected: string) =>
    it(title, () => {
      const rounds = { summarised: 12, kept: 10, pinned: 0 };
      const line = compactionLine({ tokens: { before: 148_200, after: 41_000 }, rounds, ...more });
      assert.equal(line, `History compacted: 148k → 41k tokens, ${expected}`);
    });

  check("rounds went", {}, "12 turns summarised, 10 kept");
  check("one, and pins", { rounds: { summarised: 1, kept: 2, pinned: 3 } }, "1 turn summarised, 2 kept, 3 pinned");
  const folded = [{ messageId: "m", callId: "c" }];
  check(
    "observations alone",
    { rounds: { summarised: 0, kept: 1, pinned: 0 }, folded },
    "1 observation shortened, 1 turn kept",
  );
  check("both", { folded }, "12 turns summarised, 10 kept");
});

describe("which turns a compaction kept, and why", () => {
  type Given = Partial<CompactionRecord["rounds"]> & Partial<Pick<SnapshotState, "turn" | "turnOpen" | "pins">>;
  const check = (title: string, { to = 12, ...given }: Given & { to?: number }, expected: string) =>
    it(title, () => {
      const { summarised = 12, kept = 10, pinned = 0, turn = 22, turnOpen = false, pins = [] } = given;
      const range = { turns: { from: 1, to }, sourceRange: { fromId: "a", toId: "b", count: 2 } };
      const words = turnsWords({
        rounds: { summarised, kept, pinned },
        summaries: to === 0 ? [] : [{ id: "s", text: "", sha256: "", startTs: 0, cutoffTs: 0, ...range }],
        snapshot: { ...takeSnapshot(new Conversation(), []), turn, turnOpen, pins },
      } as Partial<CompactionRecord> as CompactionRecord);
      const gone = to === 0 ? "" : /^Summarised: (?:turn 1|turns 1 to \d+) \(.*1970.*\)\. /.exec(words)?.[0];
      assert.equal(words, `${gone}${expected}.`);
    });

  check("the newest", {}, "Kept: turns 13 to 22, the newest");
  check("one", { to: 21, kept: 1 }, "Kept: turn 22, the newest");
  check("by hand, of an early turn", { to: 1, kept: 21 }, "Kept: turns 2 to 22, the newest");
  const open = { turnOpen: true };
  check("the one that runs", open, "Kept: turns 13 to 21, the newest · turn 22, under way");
  check("a part of it", { ...open, to: 22, kept: 1 }, "Kept: the end of turn 22, under way");
  check("pinned ones", { kept: 0, to: 22, pinned: 2, pins: [3, 7] }, "Kept: turns 3, 7, pinned");
  check(
    "all of it",
    { ...open, to: 20, kept: 2, pinned: 1, pins: [3] },
    "Kept: turn 21, the newest · turn 22, under way · turn 3, pinned",
  );
  check("pinned ones that nobody named", { pinned: 1 }, "Kept: turns 13 to 22, the newest");
  check("none", { ...open, kept: 0, to: 22 }, "No turn was kept");
  check("of an old record without a summary", { to: 0, kept: 22 }, "Kept: turns 1 to 22, the newest");
});

describe("tokens as people read them", () => {
  const check = (tokens: number, expected: string) => it(expected, () => assert.equal(formatTokens(tokens), expected));
  check(0, "0");
  check(999, "999");
  check(1_000, "1k");
  check(4_230, "4.2k");
  check(9_949, "9.9k");
  check(9_950, "10k");
  check(999_499, "999k");
  check(999_500, "1M");
  check(1_250_000, "1.3M");
});
