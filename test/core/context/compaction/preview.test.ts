import assert from "node:assert/strict";
import { refKey } from "../../../../src/core/log/conversation";
import type { RoundSpec } from "./histories";
import { asLines, check, idle, pinned, plain, plan, reading, running } from "./previews";

describe("a compaction's plan: rounds", () => {
  check("stay from the newest on as long as they fit in half of the window", plan(plain(10, 10_000)), {
    lines: [
      ...[1, 2, 3, 4, 5].map(turn => `${turn} summarised 10000→0`),
      ...[6, 7, 8, 9].map(turn => `${turn} kept 10000→10000`),
      "10 verbatim 10000→10000",
    ],
    removed: ["t1", "t2", "t3", "t4", "t5"],
    rounds: { summarised: 5, kept: 5, pinned: 0 },
    tokens: { before: 105_000, after: 5_000 + 2_600 + 50_000 },
  });
  check(
    "keepRounds of them where they fit in 0.7 of it, further ones in half of it",
    plan(plain(10, 10_000), { keepRounds: 6 }),
    {
      rounds: { summarised: 4, kept: 6, pinned: 0 },
    },
  );
  check(
    "of keepRounds no more than fit in 0.7 of the window",
    plan(plain(14, 12_000), { keepRounds: 10, fixedTokens: 0 }),
    {
      rounds: { summarised: 9, kept: 5, pinned: 0, short: { of: 10, why: "window" } },
    },
  );
  check(
    "the default, 10, yields so that five turns have room until the next one, where the window has it",
    plan(plain(14, 8_000), { keepRounds: null, fixedTokens: 0 }),
    {
      rounds: { summarised: 11, kept: 3, pinned: 0, short: { of: 10, why: "ahead" } },
    },
  );
  check("a number that is set does not", plan(plain(14, 8_000), { keepRounds: 8, fixedTokens: 0 }), {
    rounds: { summarised: 6, kept: 8, pinned: 0 },
  });
  check(
    "nor where the newest turn takes more than half",
    plan([...plain(9, 6_000), ...plain(1, 55_000, 10)], { keepRounds: 3 }),
    {
      rounds: { summarised: 7, kept: 3, pinned: 0 },
    },
  );
  check(
    "turns since the last one say what turns add",
    plan(plain(14, 8_000), {
      ...{ keepRounds: null, fixedTokens: 0 },
      more: { compacted: { id: "c1", tokens: 90_000, turn: 4 } },
    }),
    {
      rounds: { summarised: 6, kept: 8, pinned: 0, short: { of: 10, why: "window" } },
    },
  );
  check("and beside what is fixed and the summary in 0.8 of it", plan(plain(12, 10_000), { keepRounds: 10 }), {
    rounds: { summarised: 5, kept: 7, pinned: 0, short: { of: 10, why: "window" } },
    tokens: { before: 125_000, after: 5_000 + 2_600 + 70_000 },
  });
  check(
    "so many only as leave the request below the next compaction",
    plan(plain(12, 10_000), { keepRounds: 10, fixedTokens: 15_000 }),
    { rounds: { summarised: 6, kept: 6, pinned: 0, short: { of: 10, why: "window" } } },
  );
  check("more than keepRounds stay where they fit", plan(plain(100, 1_000), { keepRounds: 10 }), {
    rounds: { summarised: 50, kept: 50, pinned: 0 },
  });
  check(
    "behind one that does not fit none stays",
    plan([...plain(3, 1_000), ...plain(1, 60_000, 4), ...plain(3, 1_000, 5)]),
    {
      removed: ["t1", "t2", "t3", "t4"],
    },
  );
  check("the newest stays, however large", plan([...plain(3, 5_000), ...plain(1, 300_000, 4)]), {
    removed: ["t1", "t2", "t3"],
    tokens: { before: 320_000, after: 307_600 },
  });
  check("ten, each larger than the window", plan(plain(10, 150_000)), {
    rounds: { summarised: 9, kept: 1, pinned: 0 },
  });
  check("turn numbers may have gaps", plan([...plain(1, 40_000, 3), ...plain(1, 40_000, 7), ...plain(1, 500, 20)]), {
    removed: ["t3"],
  });
  check(
    "a notice before the user's message goes with it",
    plan([{ turn: 1, notice: 30_000, user: 30_000 }, ...plain(1, 9, 2)]),
    {
      removed: ["t1.notice", "t1"],
    },
  );
  check(
    "summaries and what is fixed take their room first",
    plan(plain(10, 10_000), { fixedTokens: 30_000, summaryTokens: 15_000 }),
    {
      rounds: { summarised: 8, kept: 2, pinned: 0 },
      tokens: { before: 145_000, after: 45_000 + 2_600 + 20_000 },
    },
  );
  check("the window counts as the provider does", plan(plain(8, 10_000), { estimated: 170_000 }), {
    rounds: { summarised: 6, kept: 2, pinned: 0 },
  });
  check("an empty conversation", plan([], { more: idle }), {
    lines: [],
    unneeded: "Nothing to summarise yet: the conversation is empty.",
  });
  check("what fits has nothing to go", plan(plain(5, 10_000)), {
    removed: [],
    tokens: { before: 55_000, after: 55_000 },
    unneeded: "Nothing to summarise yet: there is room for all turns.",
  });
  check("what goes takes less than its summary", plan([...plain(1, 2_600), ...plain(1, 49_000, 2)]), {
    removed: [],
    unneeded: "Nothing to gain: the summary would be as long as what it replaces.",
  });
});

describe("a compaction's plan: by hand", () => {
  const manual = { mode: "manual" as const, more: idle };
  check("the newest ten stay, all others go", plan(plain(14, 2_000), manual), {
    removed: ["t1", "t2", "t3", "t4"],
    rounds: { summarised: 4, kept: 10, pinned: 0 },
  });
  check("or as many as keepRounds says", plan(plain(6, 2_000), { ...manual, keepRounds: 2 }), {
    rounds: { summarised: 4, kept: 2, pinned: 0 },
  });
  check("fewer where they do not fit", plan(plain(9, 10_000), manual), {
    rounds: { summarised: 3, kept: 6, pinned: 0, short: { of: 10, why: "window" } },
  });
  check("a number that is set holds by hand, too", plan(plain(3, 2_000), { ...manual, keepRounds: 3 }), {
    removed: [],
    unneeded:
      "Nothing to summarise: strata.history.keepRounds keeps the newest turns (3), and there are no older ones.",
  });
  check("unless a turn is chosen", plan(plain(3, 2_000), { ...manual, keepRounds: 3, upTo: 1 }), { removed: ["t1"] });
  check("of no more than that all but the last go", plan(plain(3, 2_000), manual), {
    lines: ["1 summarised 2000→0", "2 summarised 2000→0", "3 kept 2000→2000"],
    tokens: { before: 11_000, after: 5_000 + 2_000 + 2_000 },
  });
  check("a short one too", plan(plain(2, 400), manual), { removed: ["t1"] });
  check("not where a summary would be as long", plan(plain(2, 200), manual), {
    unneeded: "Nothing to gain: the summary would be as long as what it replaces.",
  });
  check("the only one stays", plan(plain(1, 2_000), { ...manual, keepRounds: 1 }), {
    unneeded: "Nothing to summarise yet: there is only the last turn, which is always kept.",
  });
  check("up to a turn, whatever has room", plan(plain(20, 2_000), { ...manual, upTo: 2 }), { removed: ["t1", "t2"] });
  check("up to the last one, which stays", plan(plain(3, 2_000), { ...manual, upTo: 3 }), { removed: ["t1", "t2"] });
  check(
    "what is pinned on the way stays",
    plan(plain(5, 2_000), { mode: "manual", upTo: 3, more: { ...idle, ...pinned(2) } }),
    {
      removed: ["t1", "t3"],
      rounds: { summarised: 2, kept: 2, pinned: 1 },
    },
  );
  check("older ones all pinned", plan(plain(2, 9_000), { mode: "manual", more: { ...idle, ...pinned(1) } }), {
    unneeded: "Nothing to summarise: all turns before the last one are pinned, or stand behind the chosen one.",
  });
  const small = running(1, [reading(6_000), ...Array.from({ length: 10 }, () => reading(600))]);
  check("folding alone, where it saves a tenth", plan([small], manual), {
    removed: [],
    folded: ["t1.1 c1"],
    tokens: { before: 5_000 + 100 + 12_000, after: 5_000 + 100 + 6_000 + 40 },
  });
  check(
    "not where it saves less",
    plan(
      [
        running(
          1,
          Array.from({ length: 10 }, () => reading(600)),
        ),
      ],
      manual,
    ),
    {
      folded: [],
      unneeded: "Nothing to summarise yet: there is only the last turn, which is always kept.",
    },
  );
});

describe("a compaction's plan: pins", () => {
  check("a pinned round stays, and takes its room first", plan(plain(10, 10_000), { more: pinned(2) }), {
    lines: [
      "1 summarised 10000→0",
      "2 pinned 10000→10000",
      ...[3, 4, 5, 6].map(turn => `${turn} summarised 10000→0`),
      ...[7, 8, 9].map(turn => `${turn} kept 10000→10000`),
      "10 verbatim 10000→10000",
    ],
    rounds: { summarised: 5, kept: 4, pinned: 1 },
  });
  const most = plan(plain(10, 10_000), { more: pinned(1, 2, 3, 4, 5, 6) });
  check("alone more than half of the window: they stay, and it is said", most, {
    removed: ["t7", "t8", "t9"],
    warning: "Pinned turns alone take more than half of the context window. Unpin some to leave room for work.",
  });
  check("the newest may be pinned", plan(plain(10, 10_000), { more: pinned(10) }), {
    rounds: { summarised: 5, kept: 4, pinned: 1 },
  });
  check("a pin on a turn that is not there", plan(plain(10, 10_000), { more: pinned(77) }), {
    rounds: { summarised: 5, kept: 5, pinned: 0 },
  });
});

describe("a compaction's plan: folding what stays", () => {
  const busy = (turn: number, steps: number, shown: number): RoundSpec =>
    running(
      turn,
      Array.from({ length: steps }, () => reading(shown)),
    );
  check("not below the limit", plan([...plain(1, 60_000), busy(2, 20, 1_000)]), { folded: [] });
  const over = plan([...plain(1, 60_000), busy(2, 30, 1_000)]);
  it("beyond the limit, to a quarter of it, the newest steps last", () => {
    assert.equal(over.unneeded, undefined);
    assert.deepEqual(
      over.folded.map(refKey),
      Array.from({ length: 24 }, (_, at) => `t2.${at + 1} c1`),
    );
    assert.deepEqual(asLines(over), ["1 summarised 60000→0", `2 folded 30100→${100 + 6_000 + 24 * 40}`]);
  });
  check("before a round goes that fits then", plan([...plain(1, 40_000), busy(2, 20, 1_000)]), {
    removed: [],
    lines: ["1 kept 40000→40000", `2 folded 20100→${100 + 6_000 + 14 * 40}`],
  });
  check("more of it where that alone lets a round stay", plan([...plain(1, 43_000), busy(2, 20, 1_000)]), {
    removed: [],
    lines: ["1 kept 43000→43000", `2 folded 20100→${100 + 6_000 + 14 * 40}`],
  });
  check("a pinned round's too", plan([busy(1, 30, 1_000), ...plain(1, 60_000, 2)], { more: pinned(1) }), {
    lines: [`1 pinned 30100→${100 + 6_000 + 24 * 40}`, "2 verbatim 60000→60000"],
  });
});
