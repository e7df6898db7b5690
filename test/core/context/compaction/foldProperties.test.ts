/** What holds for folding of any conversation (docs/context.md). */
import assert from "node:assert/strict";
import fc from "fast-check";
import { foldTarget, observationsIn, resultsToFold, totalTokens } from "../../../../src/core/context/ages";
import { foldResults } from "../../../../src/core/log/applyMessage";
import { type Conversation, refKey } from "../../../../src/core/log/conversation";
import { cases } from "../../../fakes/soak";
import { build, specs } from "./anyConversation";

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
