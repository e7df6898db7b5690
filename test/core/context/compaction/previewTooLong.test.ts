import assert from "node:assert/strict";
import { conversationOf } from "./histories";
import { check, idle, pinned, plain, plan, reading, running } from "./previews";

describe("a compaction's plan: one turn too large", () => {
  const steps = Array.from({ length: 10 }, () => ({ says: 9_000 }));
  check("its first steps go, with the rest it fits", plan([running(1, steps)]), {
    lines: ["1 summarised 45000→0", "1 verbatim 45100→45100"],
    removed: [1, 2, 3, 4, 5].map(step => `t1.${step}`),
    rounds: { summarised: 1, kept: 1, pinned: 0 },
  });
  check(
    "what the user said to steer it stays",
    plan([
      running(1, [
        { says: 40_000, steer: 10 },
        { says: 40_000, steer: 20 },
      ]),
    ]),
    {
      removed: ["t1.1"],
    },
  );
  check("older rounds go first", plan([...plain(2, 500), running(3, steps)]), {
    removed: ["t1", "t2", ...[1, 2, 3, 4, 5].map(step => `t3.${step}`)],
    rounds: { summarised: 3, kept: 1, pinned: 0 },
  });
  check(
    "folding comes before it",
    plan([running(1, [...Array.from({ length: 12 }, () => reading(5_000)), { says: 10 }])]),
    {
      removed: [],
    },
  );
  check("never its opening nor its newest step", plan([running(1, [{ says: 10_000 }, { says: 80_000 }], 80_000)]), {
    removed: ["t1.1"],
  });
  check("a finished turn stays whole", plan([running(1, steps)], { more: idle }), {
    unneeded: "Nothing to summarise yet: there is room for all turns.",
  });
  check("pinned, it is said", plan([running(1, steps)], { more: pinned(1) }), {
    lines: ["1 summarised 45000→0", "1 pinned 45100→45100"],
    rounds: { summarised: 1, kept: 0, pinned: 1 },
    warning: "Pinned turns are summarised too: with them the request does not fit into the context window.",
  });
});

describe("a compaction's plan: refused as too long", () => {
  const rounds = [
    ...plain(15, 1_000),
    running(
      16,
      Array.from({ length: 4 }, () => ({ says: 1_000 })),
      1_000,
    ),
  ];
  const refused = (level: 1 | 2 | 3 | "all", more: Parameters<typeof plan>[1] = {}) => ({
    mode: "retry" as const,
    level,
    ...more,
  });
  check("half of what was refused", plan(rounds, refused(1)), { rounds: { summarised: 10, kept: 6, pinned: 0 } });
  check("then a quarter", plan(rounds, refused(2)), { rounds: { summarised: 15, kept: 1, pinned: 0 } });
  check("then the user's message and the newest step", plan(rounds, refused(3)), {
    removed: [...Array.from({ length: 15 }, (_, at) => `t${at + 1}`), "t16.1", "t16.2", "t16.3"],
    lines: [
      ...Array.from({ length: 15 }, (_, at) => `${at + 1} summarised 1000→0`),
      "16 summarised 3000→0",
      "16 verbatim 2000→2000",
    ],
  });
  it("pinned rounds stay until the last one, and it is said then", () => {
    const more = { conversation: conversationOf(rounds, pinned(3)) };
    assert.ok(!plan(rounds, refused(2, more)).removed.includes("t3"));
    const lastOne = plan(rounds, refused(3, more));
    assert.ok(lastOne.removed.includes("t3"));
    assert.match(lastOne.warning ?? "", /^Pinned turns are summarised too/);
  });
  check(
    "the newest step's result is folded where it is most of it",
    plan([running(1, [reading(9), reading(30_000)])], refused(3)),
    {
      removed: ["t1.1"],
      folded: ["t1.2 c1"],
    },
  );
  check("folding that is off comes back", plan([running(1, [reading(30_000), reading(900)])], refused(1)), {
    removed: [],
    folded: ["t1.1 c1"],
  });
  const nothingMore = "Nothing more can be left out: only the newest step and your own words are left.";
  check("nothing to take away", plan(plain(1, 300_000), refused(3)), { unneeded: nothingMore });

  const afresh = { rounds: { summarised: 17, kept: 0, pinned: 0 }, folded: [] };
  check(
    "at last everything goes, whatever is pinned",
    plan([...plain(1, 9), running(2, [])], refused("all", { more: pinned(1) })),
    {
      removed: ["t1", "t2"],
      lines: ["1 summarised 9→0", "2 summarised 100→0"],
    },
  );
  check("also the turn that runs", plan([...plain(16, 9), running(17, [reading(30_000)])], refused("all")), afresh);
  check("all of nothing", plan([], refused("all")), {
    unneeded: "Nothing to summarise yet: the conversation is empty.",
  });
});

describe("a compaction's plan: larger than the window", () => {
  const refused = (level: 1 | 2 | 3 | "all") => ({ mode: "retry" as const, level });
  const one = [...plain(3, 5_000), ...plain(1, 300_000, 4)];
  check("one message: the rounds before it go", plan(one), {
    removed: ["t1", "t2", "t3"],
    rounds: { summarised: 3, kept: 1, pinned: 0 },
  });
  check("refused all the same, nothing is left to go", plan(plain(1, 300_000), refused(1)), {
    unneeded: "Nothing more can be left out: only the newest step and your own words are left.",
  });
  check("but itself", plan(plain(1, 300_000), refused("all")), { removed: ["t1"] });

  const result = [...plain(2, 5_000), running(3, [{ says: 9 }, reading(300_000)])];
  check("one result: the steps before it go, it was not seen yet", plan(result), {
    removed: ["t1", "t2", "t3.1"],
    folded: [],
  });
  check("it is folded only where nothing else helped", plan(result, refused(3)), { folded: ["t3.2 c1"] });

  check("ten rounds together: as many of the newest as fit in half of it", plan(plain(10, 12_000)), {
    removed: [1, 2, 3, 4, 5, 6].map(turn => `t${turn}`),
    rounds: { summarised: 6, kept: 4, pinned: 0 },
  });
  check("ten rounds, each", plan(plain(10, 150_000)), {
    removed: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(turn => `t${turn}`),
    rounds: { summarised: 9, kept: 1, pinned: 0 },
    tokens: { before: 1_505_000, after: 5_000 + 2_600 + 150_000 },
  });
  const busy = (turn: number) =>
    running(
      turn,
      Array.from({ length: 30 }, () => ({ results: [{ shown: 5_000 }] })),
    );
  check("ten rounds of observations, each: folded they stay", plan([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(busy)), {
    removed: [],
    tokens: { before: 5_000 + 10 * 150_100, after: 5_000 + 10 * 100 + 299 * 40 + 5_000 },
  });
});
