/** Folding: of conversations made for it, and what holds for any (docs/context.md). */
import assert from "node:assert/strict";
import fc from "fast-check";
import { foldTarget, observationsIn, resultsToFold, totalTokens } from "../../../../src/core/context/ages";
import { foldResults } from "../../../../src/core/log/applyMessage";
import { type Conversation, refKey } from "../../../../src/core/log/conversation";
import { cases } from "../../../fakes/soak";
import { build, specs } from "./anyConversation";
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

const RUNS = { numRuns: cases(1_000) };

describe("folding, any conversation", () => {
  it("folds the oldest of the turn that runs that may go, keeps the newest step, and leaves a quarter or all that it may not fold", () => {
    let folds = 0;
    fc.assert(
      fc.property(specs, fc.constantFrom(300, 2_000, 8_000), (spec, limit) => {
        const conversation = build(spec);
        const own = () => runningTurn(conversation);
        const folded = resultsToFold(conversation, limit);
        const before = own();
        if (totalTokens(before) <= limit) {
          assert.deepEqual(folded, []);
          return;
        }
        folds += folded.length > 0 ? 1 : 0;
        const keys = new Set(folded.map(refKey));
        assert.equal(keys.size, folded.length);
        for (const ref of folded) {
          const one = before.find(each => refKey(each) === refKey(ref));
          assert.ok(one && one.foldedTokens < one.tokens, "only what gets shorter");
        }
        const newest = before.at(-1);
        const ofNewest = before.filter(({ turn, step }) => turn === newest?.turn && step === newest.step);
        assert.ok(ofNewest.every(one => !keys.has(refKey(one))));

        foldResults(conversation, folded);
        const after = own();
        const whole = after.filter(
          one => one.foldedTokens < one.tokens && !ofNewest.some(at => refKey(at) === refKey(one)),
        );
        if (totalTokens(after) > foldTarget(limit)) assert.deepEqual(whole, [], "all that may be folded is");
        assert.deepEqual(resultsToFold(conversation, limit), [], "the next one waits");
      }),
      RUNS,
    );
    assert.ok(folds > RUNS.numRuns / 20, `${folds} cases folded`);
  });
});

const runningTurn = (conversation: Conversation) =>
  observationsIn(conversation, conversation.turn - 1).filter(({ turn }) => turn === conversation.turn);
