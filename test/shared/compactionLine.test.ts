import assert from "node:assert/strict";
import { compactionLine } from "../../src/shared/compactionLine";
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
  check(
    "no model's words",
    { failure: { code: "timeout", message: "Summary generation timed out, keeping recent history only." } },
    "12 turns summarised, 10 kept. Summary generation timed out, keeping recent history only.",
  );
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
