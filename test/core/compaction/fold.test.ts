import assert from "node:assert/strict";
import { type FoldInput, resultsToFold } from "../../../src/core/compaction/fold";
import { type Conversation, refKey } from "../../../src/core/history/conversation";
import { conversationOf, type Result, type RoundSpec } from "./histories";

/** One turn of steps with one result each. */
const turn = (results: Result[], number = 1): RoundSpec => ({
  turn: number,
  steps: results.map(result => ({ results: [result] })),
});
const times = (count: number, result: Result): Result[] => Array.from({ length: count }, () => result);

/** @param expected `messageId callId` of what is folded, in order; with foldAt 9000: limit 9000, left and whole 2250 */
function check(
  name: string,
  rounds: RoundSpec[],
  expected: string[],
  { more = {}, ...settings }: { more?: Partial<Conversation> } & Partial<Pick<FoldInput, "foldAt" | "window">> = {},
) {
  it(name, () => {
    const conversation = conversationOf(rounds, more);
    const folded = resultsToFold({ conversation, foldAt: 9_000, window: 200_000, ...settings });
    assert.deepEqual(folded.map(refKey), expected);
  });
}

const steps = (from: number, to: number, number = 1) =>
  Array.from({ length: to - from + 1 }, (_, at) => `t${number}.${from + at} c1`);
const standing = (messageId: string, step: number) => ({
  ...{
    messageId,
    callId: "c1",
    turn: 1,
    step,
    sha256: "s",
    first: 1,
    last: 9,
    handle: "obs:000000000001",
    lasts: true,
  },
});
const changedFile = { uri: "f", path: "f", created: false, added: 1, removed: 1 };

describe("folding", () => {
  check("nothing up to the limit", [turn(times(9, { shown: 1000 }))], []);
  check("beyond it the oldest go, down to a quarter", [turn(times(10, { shown: 1000 }))], steps(1, 8));
  check("off", [turn(times(10, { shown: 1000 }))], [], { foldAt: 0 });
  check("never more than a quarter of the window", [turn(times(9, { shown: 1000 }))], steps(1, 8), { window: 16_000 });
  check("an empty conversation", [], []);
  check(
    "open calls have nothing to fold",
    [turn([...times(10, { shown: 1000 }), { shown: 1, open: true }])],
    steps(1, 8),
  );

  check("waits for a quarter of the limit of new content", [turn(times(10, { shown: 1000 }))], [], {
    more: { observedTokens: 2_249 },
  });
  check("and goes on with it", [turn(times(10, { shown: 1000 }))], steps(1, 8), { more: { observedTokens: 2_250 } });

  check(
    "history counts as kept, the turn that runs as shown",
    [turn(times(9, { shown: 5000, kept: 500 })), turn(times(4, { shown: 1000 }), 2)],
    [],
  );
  check(
    "what is folded is passed over, and counts nothing",
    [turn([...times(300, { shown: 9000, isFolded: true }), ...times(9, { shown: 1000 })])],
    [],
  );
  check(
    "nor does it after more has come",
    [turn([...times(5, { shown: 9000, isFolded: true }), ...times(10, { shown: 1000 })])],
    steps(6, 13),
  );
  check(
    "what would get no shorter stays",
    [turn([{ shown: 30, folded: 40 }, { shown: 40, folded: 40 }, ...times(10, { shown: 1000 })])],
    steps(3, 10),
  );

  check("the newest step stays, however large", [turn([...times(3, { shown: 500 }), { shown: 20_000 }])], steps(1, 3));
  check(
    "all of the newest step's results stay",
    [{ turn: 1, steps: [{ results: times(3, { shown: 100 }) }, { results: times(3, { shown: 5000 }) }] }],
    ["t1.1 c1", "t1.1 c2", "t1.1 c3"],
  );
  check(
    "small ones of the newest ten steps stay beside a large one that goes",
    [turn([...times(2, { shown: 100 }), { shown: 9000 }, ...times(9, { shown: 100 })])],
    ["t1.1 c1", "t1.2 c1", "t1.3 c1"],
  );
  check(
    "answers without results are no steps",
    [turn(times(10, { shown: 1000 })), { turn: 2, steps: [{ says: 10 }] }, { turn: 3 }],
    steps(1, 8),
  );

  check(
    "the body of a skill stays",
    [turn([{ shown: 900, tool: "Skill" }, ...times(10, { shown: 1000 })])],
    steps(2, 10),
  );
  check("unless it does not fit", [turn([{ shown: 1300, tool: "Skill" }, ...times(10, { shown: 1000 })])], steps(1, 9));

  const reads = [turn([...times(2, { shown: 900 }), ...times(8, { shown: 1000 }), ...times(10, { shown: 50 })])];
  const ofFile = new Map([["f", [standing("t1.2", 2)]]]);
  const changedIn = (turn: number) => new Map([["f", { ...changedFile, turn }]]);
  check("a reading is folded with its age", reads, steps(1, 9));
  check("but not of a file that this turn has changed", reads, ["t1.1 c1", ...steps(3, 10)], {
    more: { reads: ofFile, changed: changedIn(1) },
  });
  check("nor of one that it has yet to change, whatever earlier turns did", reads, ["t1.1 c1", ...steps(3, 10)], {
    more: { reads: ofFile, changed: changedIn(0) },
  });

  const eight = times(8, { shown: 1000 });
  const ofEight = new Map(eight.map((_, at) => [`f${at}`, [standing(`t1.${at + 1}`, at + 1)]]));
  check("in a small window readings that are to be edited may take half of it", [turn(eight)], [], {
    more: { reads: ofEight },
    ...{ foldAt: 36_000, window: 20_000 },
  });
  check("what else there is goes before them", [turn([...eight, ...times(6, { shown: 1000 })])], steps(9, 13), {
    more: { reads: ofEight },
    ...{ foldAt: 36_000, window: 20_000 },
  });
  check("so many that nobody edits them all are folded like the rest", [turn([...eight, ...eight])], steps(1, 15), {
    more: { reads: new Map([...eight, ...eight].map((_, at) => [`f${at}`, [standing(`t1.${at + 1}`, at + 1)]])) },
    ...{ foldAt: 36_000, window: 20_000 },
  });

  const t1 = (step: number) => ({ messageId: `t1.${step}`, callId: "c1" });
  check(
    "also one of an earlier turn",
    [turn(times(9, { shown: 1000 })), { ...turn([{ shown: 20 }]), turn: 2 }],
    steps(2, 8),
    { more: { restated: [{ messageId: "t2.1", turn: 2, step: 1, of: t1(1) }] }, foldAt: 8_000 },
  );
  check(
    "a reading that a later step points to is as old as that one",
    [turn([...times(9, { shown: 1000 }), { shown: 20 }])],
    steps(2, 8),
    { more: { restated: [{ messageId: "t1.10", turn: 1, step: 10, of: t1(1) }] }, foldAt: 8_000 },
  );
});
