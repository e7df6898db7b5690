import assert from "node:assert/strict";
import { type CompactionPlan, type PlanInput, planCompaction } from "../../../src/core/compaction/plan";
import { type Conversation, refKey } from "../../../src/core/history/conversation";
import { conversationOf, type RoundSpec, type Step, tokensOf } from "./histories";

/** As one sees it: `turn fate before→after` an item. */
const asLines = ({ items }: CompactionPlan) =>
  items.map(({ turn, fate, tokens }) => `${turn} ${fate} ${tokens.before}→${tokens.after}`);

/** `count` rounds of one user's message, from turn `from` on. */
const plain = (count: number, tokens: number, from = 1): RoundSpec[] =>
  Array.from({ length: count }, (_, at) => ({ turn: from + at, user: tokens }));
const reading = (shown: number, says = 0): Step => ({ says, results: [{ shown }] });
const running = (turn: number, steps: Step[], user = 100): RoundSpec => ({ turn, user, steps });
const pinned = (...turns: number[]): Partial<Conversation> => ({ pins: new Set(turns) });
const idle: Partial<Conversation> = { turnOpen: false };

/** A window of 100,000: history may take 50,000; 25,000 tokens of observations before they are folded. */
function plan(
  rounds: RoundSpec[],
  { more = {}, ...input }: { more?: Partial<Conversation> } & Partial<PlanInput> = {},
): CompactionPlan {
  return planCompaction({
    conversation: conversationOf(rounds, more),
    ...{ window: 100_000, keepRounds: 10, foldAt: 48_000, fixedTokens: 5_000, summaryTokens: 0, mode: "threshold" },
    tokensOf,
    ...input,
  });
}

type Expected = Partial<Omit<CompactionPlan, "items" | "folded">> & { lines?: string[]; folded?: string[] };

function check(name: string, of: CompactionPlan, expected: Expected) {
  it(name, () => {
    const { items, folded, ...rest } = of;
    const seen = { ...rest, lines: asLines(of), folded: folded.map(refKey) };
    const looked = Object.fromEntries(Object.keys(expected).map(key => [key, seen[key as keyof typeof seen]]));
    assert.deepEqual(looked, expected);
    if (!("unneeded" in expected)) assert.equal(of.unneeded, undefined);
  });
}

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
  check("more than keepRounds stay where they fit", plan(plain(100, 1_000)), {
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
      rounds: { summarised: 7, kept: 3, pinned: 0 },
      tokens: { before: 145_000, after: 45_000 + 2_600 + 30_000 },
    },
  );
  check("the window counts as the provider does", plan(plain(8, 10_000), { estimated: 170_000 }), {
    rounds: { summarised: 6, kept: 2, pinned: 0 },
  });
  check("an empty conversation", plan([], { more: idle }), {
    lines: [],
    unneeded: "There is nothing to compact: the conversation is empty.",
  });
  check("what fits has nothing to go", plan(plain(5, 10_000)), {
    removed: [],
    tokens: { before: 55_000, after: 55_000 },
    unneeded: "There is nothing to compact: all rounds that could go fit beside the newest one.",
  });
  check("what goes takes less than its summary", plan([...plain(1, 2_600), ...plain(1, 49_000, 2)]), {
    removed: [],
    unneeded: "Compacting would not make the conversation smaller: what could go takes no more than its summary would.",
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
  check("fewer where they do not fit", plan(plain(8, 10_000), manual), {
    rounds: { summarised: 3, kept: 5, pinned: 0 },
  });
  check("no more than ten rounds", plan(plain(3, 2_000), manual), {
    unneeded:
      "There is nothing to compact: the conversation has 3 rounds, and the newest 10 always stay (strata.history.keepRounds).",
  });
  check("one round, one kept", plan(plain(1, 2_000), { ...manual, keepRounds: 1 }), {
    unneeded:
      "There is nothing to compact: the conversation has 1 round, and the newest one always stays (strata.history.keepRounds).",
  });
  check(
    "older ones all pinned",
    plan(plain(3, 9_000), { mode: "manual", keepRounds: 2, more: { ...idle, ...pinned(1) } }),
    {
      unneeded: "There is nothing to compact: the conversation has 3 rounds, and all older ones are pinned.",
    },
  );
  const small = running(1, [reading(6_000), ...Array.from({ length: 10 }, () => reading(600))]);
  check("folding alone, where it saves a tenth", plan([small, ...plain(1, 9, 2)], manual), {
    removed: [],
    folded: ["t1.1 c1"],
    tokens: { before: 5_000 + 100 + 12_000 + 9, after: 5_000 + 100 + 6_000 + 40 + 9 },
  });
  check(
    "not where it saves less",
    plan([small, ...plain(1, 90_000, 2)], { ...manual, keepRounds: 20, window: 1_000_000 }),
    {
      folded: [],
      unneeded:
        "There is nothing to compact: the conversation has 2 rounds, and the newest 20 always stay (strata.history.keepRounds).",
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
    warning:
      "The pinned rounds alone take more than half of the context window. Unpin some: they leave little room for work.",
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
  it("beyond the limit, to a third of it, the newest steps last", () => {
    assert.equal(over.unneeded, undefined);
    assert.deepEqual(
      over.folded.map(refKey),
      Array.from({ length: 23 }, (_, at) => `t2.${at + 1} c1`),
    );
    assert.deepEqual(asLines(over), ["1 summarised 60000→0", `2 folded 30100→${100 + 7_000 + 23 * 40}`]);
  });
  check("before a round goes that fits then", plan([...plain(1, 40_000), busy(2, 20, 1_000)]), {
    removed: [],
    lines: ["1 kept 40000→40000", `2 folded 20100→${100 + 7_000 + 13 * 40}`],
  });
  check("more of it where that alone lets a round stay", plan([...plain(1, 43_000), busy(2, 20, 1_000)]), {
    removed: [],
    lines: ["1 kept 43000→43000", `2 folded 20100→${100 + 5_000 + 15 * 40}`],
  });
  check("a pinned round's too", plan([busy(1, 30, 1_000), ...plain(1, 60_000, 2)], { more: pinned(1) }), {
    lines: [`1 pinned 30100→${100 + 5_000 + 25 * 40}`, "2 verbatim 60000→60000"],
  });
  check("off", plan([...plain(1, 60_000), busy(2, 30, 1_000)], { foldAt: 0 }), { folded: [], removed: ["t1"] });
});

describe("a compaction's plan: one turn too large", () => {
  const steps = Array.from({ length: 10 }, () => ({ says: 9_000 }));
  check("its first steps go, with the rest it fits", plan([running(1, steps)]), {
    lines: ["1 summarised 45000→0", "1 verbatim 45100→45100"],
    removed: [1, 2, 3, 4, 5].map(step => `t1.${step}`),
    rounds: { summarised: 1, kept: 1, pinned: 0 },
  });
  check(
    "steering in between goes too",
    plan([
      running(1, [
        { says: 30_000, steer: 10 },
        { says: 30_000, steer: 20 },
      ]),
    ]),
    {
      removed: ["t1.1", "t1.1.steer"],
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
    unneeded: "There is nothing to compact: all rounds that could go fit beside the newest one.",
  });
  check("pinned, it is said", plan([running(1, steps)], { more: pinned(1) }), {
    lines: ["1 summarised 45000→0", "1 pinned 45100→45100"],
    rounds: { summarised: 1, kept: 0, pinned: 1 },
    warning: "Pinned rounds are summarised too: with them the request does not fit into the model's context window.",
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
  const refused = (level: 1 | 2 | 3, more: Partial<PlanInput> = {}) => ({ mode: "retry" as const, level, ...more });
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
    assert.match(lastOne.warning ?? "", /^Pinned rounds are summarised too/);
  });
  check(
    "the newest step's result is folded where it is most of it",
    plan([running(1, [reading(9), reading(30_000)])], refused(3)),
    {
      removed: ["t1.1"],
      folded: ["t1.2 c1"],
    },
  );
  check(
    "folding that is off comes back",
    plan([running(1, [reading(30_000), reading(900)])], refused(1, { foldAt: 0 })),
    {
      removed: [],
      folded: ["t1.1 c1"],
    },
  );
  check("nothing to take away", plan(plain(1, 300_000), refused(3)), {
    unneeded: "There is nothing to compact: all rounds that could go fit beside the newest one.",
  });
});
