import assert from "node:assert/strict";
import type { CompactionPreview, PreviewInput } from "../../../../src/core/context/compaction/preview";
import { previewCompaction } from "../../../../src/core/context/compaction/preview";
import { type Conversation, refKey } from "../../../../src/core/log/conversation";
import { conversationOf, type RoundSpec, type Step, tokensOf } from "./histories";

/** `count` rounds of one user's message, from turn `from` on. */
const plain = (count: number, tokens: number, from = 1): RoundSpec[] =>
  Array.from({ length: count }, (_, at) => ({ turn: from + at, user: tokens }));
const reading = (shown: number, says = 0): Step => ({ says, results: [{ shown }] });
const running = (turn: number, steps: Step[], user = 100): RoundSpec => ({ turn, user, steps });
const busy = (turn: number, steps: number, shown: number): RoundSpec =>
  running(
    turn,
    Array.from({ length: steps }, () => reading(shown)),
  );
const pinned = (...turns: number[]): Partial<Conversation> => ({ pins: new Set(turns) });
const idle: Partial<Conversation> = { turnOpen: false };
const goes = (...turns: number[]) => turns.map(turn => `t${turn}`);

type Asked = { more?: Partial<Conversation> } & Partial<PreviewInput>;

/** A window of 100,000, of which history may take 50,000 after it. */
const plan = (rounds: RoundSpec[], { more = {}, ...input }: Asked = {}): CompactionPreview =>
  previewCompaction({
    conversation: conversationOf(rounds, more),
    ...{ window: 100_000, memory: "lean", beside: 5_000, mode: "threshold", keepRounds: null },
    tokensOf,
    ...input,
  });

type Expected = Partial<Omit<CompactionPreview, "folded">> & { folded?: string[] };

function check(name: string, of: CompactionPreview, expected: Expected) {
  it(name, () => {
    const seen = { ...of, folded: of.folded.map(refKey) };
    const looked = Object.fromEntries(Object.keys(expected).map(key => [key, seen[key as keyof typeof seen]]));
    assert.deepEqual(looked, expected);
    if (!("unneeded" in expected)) assert.equal(of.unneeded, undefined);
  });
}

const NOTHING = "Nothing to summarise yet.";

describe("a compaction's plan: rounds", () => {
  check("stay from the newest on as long as they fit in half of the window", plan(plain(10, 10_000)), {
    removed: goes(1, 2, 3, 4, 5),
    rounds: { summarised: 5, kept: 5, pinned: 0 },
    tokens: { before: 105_000, after: 5_000 + 2_600 + 50_000 },
  });
  check("a number that is set, where they fit in 0.7 of it", plan(plain(10, 10_000), { keepRounds: 6 }), {
    rounds: { summarised: 4, kept: 6, pinned: 0 },
  });
  check("and in 0.8 with all beside them", plan(plain(12, 10_000), { keepRounds: 10, beside: 15_000 }), {
    rounds: { summarised: 6, kept: 6, pinned: 0 },
  });
  check("more than that where they fit", plan(plain(100, 1_000), { keepRounds: 10 }), {
    rounds: { summarised: 50, kept: 50, pinned: 0 },
  });
  check(
    "behind one that does not fit none stays",
    plan([...plain(3, 1_000), ...plain(1, 60_000, 4), ...plain(3, 1_000, 5)]),
    { removed: goes(1, 2, 3, 4) },
  );
  check("the newest stays, however large", plan([...plain(3, 5_000), ...plain(1, 300_000, 4)]), {
    removed: goes(1, 2, 3),
    tokens: { before: 320_000, after: 307_600 },
  });
  check("turn numbers may have gaps", plan([...plain(1, 40_000, 3), ...plain(1, 40_000, 7), ...plain(1, 500, 20)]), {
    removed: ["t3"],
  });
  check(
    "a notice before the user's message goes with it",
    plan([{ turn: 1, notice: 30_000, user: 30_000 }, ...plain(1, 9, 2)]),
    { removed: ["t1.notice", "t1"] },
  );
  check("all beside history takes its room first", plan(plain(10, 10_000), { beside: 45_000 }), {
    rounds: { summarised: 8, kept: 2, pinned: 0 },
  });
  check("the window counts as the provider does", plan(plain(8, 10_000), { estimated: 170_000 }), {
    rounds: { summarised: 6, kept: 2, pinned: 0 },
  });
  check("an empty conversation", plan([], { more: idle }), { unneeded: NOTHING });
  check("what fits has nothing to go", plan(plain(5, 10_000)), {
    removed: [],
    tokens: { before: 55_000, after: 55_000 },
    unneeded: NOTHING,
  });
});

describe("a compaction's plan: by hand", () => {
  const manual = { mode: "manual" as const, more: idle };
  check("the newest ten stay, all others go", plan(plain(14, 2_000), manual), {
    removed: goes(1, 2, 3, 4),
    rounds: { summarised: 4, kept: 10, pinned: 0 },
  });
  check("or as many as keepRounds says", plan(plain(6, 2_000), { ...manual, keepRounds: 2 }), {
    rounds: { summarised: 4, kept: 2, pinned: 0 },
  });
  check("a number that is set holds by hand, too", plan(plain(3, 2_000), { ...manual, keepRounds: 3 }), {
    unneeded: NOTHING,
  });
  check("unless a turn is chosen", plan(plain(3, 2_000), { ...manual, keepRounds: 3, upTo: 1 }), { removed: ["t1"] });
  check("of no more than that all but the last go", plan(plain(3, 2_000), manual), {
    removed: goes(1, 2),
    tokens: { before: 11_000, after: 5_000 + 2_000 + 2_000 },
  });
  check("not where a summary would be as long", plan(plain(2, 200), manual), {
    unneeded: "Nothing to gain: the summary would be as long as what it replaces.",
  });
  check("the only one stays", plan(plain(1, 2_000), { ...manual, keepRounds: 1 }), { unneeded: NOTHING });
  check("what is pinned on the way stays", plan(plain(5, 2_000), { ...manual, upTo: 3, more: pinned(2) }), {
    removed: goes(1, 3),
    rounds: { summarised: 2, kept: 2, pinned: 1 },
  });
  check("folding alone", plan([busy(1, 11, 1_000)], { ...manual, window: 20_000 }), {
    removed: [],
    folded: Array.from({ length: 9 }, (_, at) => `t1.${at + 1} c1`),
  });
});

describe("a compaction's plan: pins and folding", () => {
  check("a pinned round stays, and takes its room first", plan(plain(10, 10_000), { more: pinned(2) }), {
    removed: goes(1, 3, 4, 5, 6),
    rounds: { summarised: 5, kept: 4, pinned: 1 },
  });
  check("nothing folds below the limit", plan([...plain(1, 60_000), busy(2, 20, 1_000)]), { folded: [] });
  check("beyond it, to a quarter of it, the newest steps last", plan([...plain(1, 60_000), busy(2, 30, 1_000)]), {
    folded: Array.from({ length: 24 }, (_, at) => `t2.${at + 1} c1`),
    removed: ["t1"],
  });
  check("before a round goes that fits then", plan([...plain(1, 40_000), busy(2, 20, 1_000)]), { removed: [] });
});

describe("a compaction's plan: one turn too large", () => {
  const steps = Array.from({ length: 10 }, () => ({ says: 9_000 }));
  check("its first steps go, with the rest it fits", plan([running(1, steps)]), {
    removed: [1, 2, 3, 4, 5].map(step => `t1.${step}`),
    rounds: { summarised: 1, kept: 1, pinned: 0 },
  });
  const steered = [
    { says: 40_000, steer: 10 },
    { says: 40_000, steer: 20 },
  ];
  check("what the user said to steer it stays", plan([running(1, steered)]), { removed: ["t1.1"] });
  check("older rounds go first", plan([...plain(2, 500), running(3, steps)]), {
    removed: [...goes(1, 2), ...[1, 2, 3, 4, 5].map(step => `t3.${step}`)],
    rounds: { summarised: 3, kept: 1, pinned: 0 },
  });
  const folds = [...Array.from({ length: 12 }, () => reading(5_000)), { says: 10 }];
  check("folding comes before it", plan([running(1, folds)]), { removed: [] });
  check("never its opening nor its newest step", plan([running(1, [{ says: 10_000 }, { says: 80_000 }], 80_000)]), {
    removed: ["t1.1"],
  });
  check("a finished turn stays whole", plan([running(1, steps)], { more: idle }), { unneeded: NOTHING });
  it("each message is counted a few times, however many steps", () => {
    let counted = 0;
    const count: typeof tokensOf = (message, form) => {
      counted += 1;
      return tokensOf(message, form);
    };
    assert.ok(plan([busy(1, 500, 500)], { tokensOf: count, window: 10_000 }).removed.length > 400);
    assert.ok(counted < 10 * 501, `${counted}`);
  });
});

describe("a compaction's plan: refused as too long", () => {
  const rounds = [...plain(15, 1_000), running(16, Array(4).fill({ says: 1_000 }), 1_000)];
  const refused = (level: 1 | 2 | 3 | "all", more: Asked = {}) => ({ mode: "retry" as const, level, ...more });
  check("half of what was refused", plan(rounds, refused(1)), { rounds: { summarised: 10, kept: 6, pinned: 0 } });
  check("then a quarter", plan(rounds, refused(2)), { rounds: { summarised: 15, kept: 1, pinned: 0 } });
  check("then the user's message and the newest step", plan(rounds, refused(3)), {
    removed: [...plain(15, 1).map(({ turn }) => `t${turn}`), "t16.1", "t16.2", "t16.3"],
  });
  it("pinned rounds stay until the last one", () => {
    const more = { conversation: conversationOf(rounds, pinned(3)) };
    assert.ok(!plan(rounds, refused(2, more)).removed.includes("t3"));
    assert.ok(plan(rounds, refused(3, more)).removed.includes("t3"));
  });
  check("then the newest step's result folds too", plan([running(1, [reading(9), reading(30_000)])], refused(3)), {
    removed: ["t1.1"],
    folded: ["t1.2 c1"],
  });
  check("nothing to take away", plan(plain(1, 300_000), refused(3)), {
    unneeded: "Nothing more can be left out: only the newest step and your own words are left.",
  });
  const all = refused("all", { more: pinned(1) });
  check("at last everything goes, whatever is pinned", plan([...plain(1, 9), running(2, [reading(30_000)])], all), {
    removed: ["t1", "t2", "t2.1"],
    rounds: { summarised: 2, kept: 0, pinned: 0 },
    folded: [],
  });
  check("all of nothing", plan([], refused("all")), { unneeded: NOTHING });
});
