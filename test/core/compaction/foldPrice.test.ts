import assert from "node:assert/strict";
import { nextFold } from "../../../src/core/compaction/foldPrice";
import { PartSizes } from "../../../src/core/compaction/partSizes";
import { type Conversation, refKey } from "../../../src/core/history/conversation";
import { conversationOf, type Result, type RoundSpec } from "./histories";

/** One turn of steps with one result each. */
const turn = (results: Result[], number = 1): RoundSpec => ({
  turn: number,
  steps: results.map(result => ({ results: [result] })),
});
const times = (count: number, result: Result): Result[] => Array.from({ length: count }, () => result);

function nextOf(rounds: RoundSpec[], foldAt: number | null, more: Partial<Conversation> = {}, window = 200_000) {
  const conversation = conversationOf(rounds, { settled: 0, ...more });
  return nextFold(conversation, { foldAt, window, sizes: new PartSizes() })?.map(refKey);
}
const steps = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `t1.${from + at} c1`);

describe("folding by its price", () => {
  const large = { shown: 9000, folded: 30 };
  const small = { shown: 40 };
  const check = (name: string, rounds: RoundSpec[], expected: string[] | undefined, more: Partial<Conversation> = {}) =>
    it(name, () => assert.deepEqual(nextOf(rounds, null, more), expected));

  check("nothing of the newest steps, however large", [turn(times(3, large))], undefined);
  check("nothing where carrying has cost less than the break", [turn(times(5, large))], undefined);
  check("all that is due, where it has cost as much", [turn([...times(4, large), ...times(9, small)])], steps(1, 4));
  check(
    "waits where much would be fresh that cannot be folded",
    [turn([large, ...times(12, { shown: 9000, folded: 9000 })])],
    undefined,
  );
  check(
    "passes over an older one that would make it all fresh",
    [
      turn([
        { shown: 300, folded: 30 },
        ...times(12, { shown: 9000, folded: 9000 }),
        ...times(4, large),
        ...times(9, small),
      ]),
    ],
    steps(14, 17),
  );
  check(
    "the body of a skill stays",
    [turn([{ ...large, tool: "Skill" }, ...times(4, large), ...times(9, small)])],
    steps(2, 5),
  );

  const priced = (prices: object) => ({ usage: { input: 1, output: 1, prices: { input: 3, output: 15, ...prices } } });
  const largest = { shown: 20_000, folded: 30 };
  const few = [turn([largest, ...times(5, { shown: 1000, folded: 1000 })])];
  check(
    "few observations stay, however long ago they were made",
    [turn([{ shown: 15_000, folded: 30 }, ...times(40, small)])],
    undefined,
  );
  check("a dear cache folds sooner", few, steps(1, 1), priced({ cachedInput: 1.5 }));
  check("than a cheap one", few, undefined, priced({ cachedInput: 0.03 }));
  check("and where writing costs more, later", few, undefined, priced({ cachedInput: 0.3, cacheWrite: 30 }));
  check("where nobody knows, as most do it", few, nextOf(few, null, priced({ cachedInput: 0.3 })), priced({}));

  const standing = (step: number) => ({
    ...{ messageId: `t1.${step}`, callId: "c1", turn: 1, step, sha256: "s", first: 1, last: 9 },
    ...{ handle: "obs:000000000001", lasts: true },
  });
  const reading = { reads: new Map([["f", [standing(1)]]]) };
  const again = { rereading: { folded: 4, again: 4, gone: new Map<string, number>() } };
  const read = [turn([largest, ...times(14, small)])];
  check("a reading goes with its age", read, steps(1, 1), reading);
  check("later in a session in which they had to be made again", read, undefined, { ...reading, ...again });

  it("a window without room folds for want of it", () => {
    const crowded = [turn(times(10, large))];
    assert.deepEqual(nextOf(crowded, null, {}, 32_000), steps(1, 9));
  });
  it("a number is that number, whatever it costs", () => {
    assert.equal(nextOf([turn([...times(4, large), ...times(9, small)])], 50_000), undefined);
    assert.equal(nextOf([turn([...times(4, large), ...times(9, small)])], 0), undefined);
  });
});

describe("what ended turns would save as kept", () => {
  const long = { shown: 1000, kept: 300 };
  const same = { shown: 1000 };
  const cases: [string, RoundSpec[], boolean, Partial<Conversation>?][] = [
    ["is nothing where nothing gets shorter", [turn([same, same]), { turn: 2 }], false],
    ["pays at the turn's end, where little follows", [turn([same, long]), { turn: 2 }], true],
    ["does not pay where much follows, that would be fresh", [turn([long, same, same]), { turn: 2 }], false],
    ["pays where several turns have something", [turn([long, same]), turn([long, long], 2), { turn: 3 }], true],
    ["but not in the middle of a turn", [turn([same, long]), { turn: 2 }], false, { step: 1 }],
    ["nor twice", [turn([same, long]), { turn: 2 }], false, { settled: 1 }],
    ["nor of the turn that runs", [turn([same, long])], false],
    ["nor of what is folded", [turn([same, { ...long, isFolded: true }]), { turn: 2 }], false],
  ];
  it("is taken by the plain rule, whatever follows", () => {
    const costly = [turn([long, same, same]), { turn: 2 }];
    assert.equal(nextOf(costly, 0) !== undefined, true);
    for (const [, rounds, expected, more] of cases.filter(([name]) => !name.startsWith("does not pay")))
      assert.equal(nextOf(rounds, 0, more) !== undefined, expected);
  });

  for (const [name, rounds, expected, more] of cases)
    it(name, () => assert.equal(nextOf(rounds, 36_000, more) !== undefined, expected));
});
