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

/** @param expected `messageId callId` of what is folded, in order; with foldAt 9000: limit 9000, left 3000, whole 2000 */
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
  ...{ messageId, callId: "c1", step, sha256: "s", first: 1, last: 9, handle: "obs:000000000001" },
});
const changedFile = { uri: "f", path: "f", created: false, added: 1, removed: 1 };

describe("folding", () => {
  check("nothing up to the limit", [turn(times(9, { shown: 1000 }))], []);
  check("beyond it the oldest go, down to a third", [turn(times(10, { shown: 1000 }))], steps(1, 8));
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
    "what is folded is passed over, and counts as its line",
    [turn([...times(5, { shown: 9000, isFolded: true }), ...times(9, { shown: 1000 })])],
    steps(6, 12),
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
  check("unless it does not fit", [turn([{ shown: 1100, tool: "Skill" }, ...times(10, { shown: 1000 })])], steps(1, 9));

  const reads = [turn([...times(2, { shown: 900 }), ...times(8, { shown: 1000 }), ...times(10, { shown: 50 })])];
  const ofFile = new Map([["f", [standing("t1.2", 2)]]]);
  const changedIn = (turn: number) => new Map([["f", { ...changedFile, turn }]]);
  check("a reading is folded with its age", reads, steps(1, 8));
  check("but not of a file that this turn has changed", reads, ["t1.1 c1", ...steps(3, 9)], {
    more: { reads: ofFile, changed: changedIn(1) },
  });
  check("an earlier turn's change does not count", reads, steps(1, 8), {
    more: { reads: ofFile, changed: changedIn(0) },
  });

  check(
    "a reading that a later step points to is as old as that one",
    [turn([...times(9, { shown: 1000 }), { shown: 20 }])],
    steps(2, 8),
    { more: { restated: new Map([["t1.1 c1", 10]]) }, foldAt: 8_000 },
  );
});
