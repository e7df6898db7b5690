import assert from "node:assert/strict";
import { resultsToFold } from "../../../../src/core/context/ages";
import { type Conversation, refKey } from "../../../../src/core/log/conversation";
import { conversationOf, type Result, type RoundSpec } from "./histories";

/** One turn of steps with one result each. */
const turn = (results: Result[], number = 1): RoundSpec => ({
  turn: number,
  steps: results.map(result => ({ results: [result] })),
});
const times = (count: number, result: Result): Result[] => Array.from({ length: count }, () => result);

/** @param expected `messageId callId` of what is folded, in order; with a limit of 9000, 2250 are left */
function check(
  name: string,
  rounds: RoundSpec[],
  expected: string[],
  { more = {}, limit = 9_000 }: { more?: Partial<Conversation>; limit?: number } = {},
) {
  it(name, () => {
    const conversation = conversationOf(rounds, more);
    const folded = resultsToFold(conversation, limit);
    assert.deepEqual(folded.map(refKey), expected);
  });
}

const steps = (from: number, to: number, number = 1) =>
  Array.from({ length: to - from + 1 }, (_, at) => `t${number}.${from + at} c1`);
const standing = (messageId: string, step: number) => ({
  ...{ messageId, callId: "c1", step, sha256: "s", first: 1, last: 9, handle: "obs:000000000001" },
});
const changedFile = { uri: "f", path: "f", created: false, added: 1, removed: 1 };

describe("folding", () => {
  check("nothing up to the limit", [turn(times(9, { shown: 1000 }))], []);
  check("beyond it the oldest go, down to a quarter", [turn(times(10, { shown: 1000 }))], steps(1, 8));

  check(
    "only the turn that runs counts, and folds",
    [turn(times(9, { shown: 5000, kept: 5000 })), turn(times(10, { shown: 1000 }), 2)],
    steps(1, 8, 2),
  );
  check(
    "what is folded is passed over, and counts nothing",
    [turn([...times(300, { shown: 9000, isFolded: true }), ...times(9, { shown: 1000 })])],
    [],
  );
  check(
    "what would get no shorter stays",
    [turn([{ shown: 30, folded: 40 }, { shown: 40, folded: 40 }, ...times(10, { shown: 1000 })])],
    steps(3, 10),
  );

  check("the newest step stays, however large", [turn([...times(3, { shown: 500 }), { shown: 20_000 }])], steps(1, 3));

  const reads = [turn([...times(2, { shown: 900 }), ...times(8, { shown: 1000 }), ...times(10, { shown: 50 })])];
  const ofFile = new Map([["f", [standing("t1.2", 2)]]]);
  const changedIn = (turn: number) => new Map([["f", { ...changedFile, turn }]]);
  check("a reading is folded with its age", reads, steps(1, 9));
  check("but not of a file that this turn has changed", reads, ["t1.1 c1", ...steps(3, 10)], {
    more: { reads: ofFile, changed: changedIn(1) },
  });
  check("unless all others are not enough", [turn([{ shown: 9_000 }, { shown: 300 }, { shown: 900 }])], steps(1, 2), {
    more: { reads: new Map([["f", [standing("t1.1", 1)]]]), changed: changedIn(1) },
  });

  const t1 = (step: number) => ({ messageId: `t1.${step}`, callId: "c1" });
  check(
    "a reading that a later step points to is as old as that one",
    [turn([...times(9, { shown: 1000 }), { shown: 20 }])],
    steps(2, 8),
    { more: { restated: [{ messageId: "t1.10", step: 10, of: t1(1) }] }, limit: 8_000 },
  );
});
