/** What holds for folding of any conversation (docs/context.md). */
import assert from "node:assert/strict";
import fc from "fast-check";
import { foldLimit, foldTarget, observationsIn, resultsToFold, totalTokens } from "../../../src/core/compaction/fold";
import { nextFold } from "../../../src/core/compaction/foldPrice";
import { PartSizes } from "../../../src/core/compaction/partSizes";
import { foldResults } from "../../../src/core/history/applyMessage";
import { refKey } from "../../../src/core/history/conversation";
import { cases } from "../../fakes/soak";
import { build, specs } from "./anyConversation";

const RUNS = { numRuns: cases(1_000) };

describe("folding, any conversation", () => {
  const settings = { foldAt: fc.constantFrom(0, 300, 2_000, 48_000), window: fc.constantFrom(4_000, 30_000) };

  it("waits, folds the oldest that may go, keeps the newest step, leaves a third or folds all it may", () => {
    let folds = 0;
    fc.assert(
      fc.property(specs, settings.foldAt, settings.window, (spec, foldAt, window) => {
        const conversation = build(spec);
        const folded = resultsToFold({ conversation, foldAt, window });
        const limit = foldLimit(foldAt, window);
        const before = observationsIn(conversation, conversation.settled);
        if (foldAt === 0 || totalTokens(before) <= limit || conversation.observedTokens < limit / 4) {
          assert.deepEqual(folded, []);
          return;
        }
        folds += folded.length > 0 ? 1 : 0;
        const keys = new Set(folded.map(refKey));
        assert.equal(keys.size, folded.length);
        for (const { tokens, foldedTokens } of before.filter(one => keys.has(refKey(one)))) {
          assert.ok(foldedTokens < tokens, "only what gets shorter");
        }
        const newest = before.at(-1);
        const ofNewest = before.filter(({ turn, step }) => turn === newest?.turn && step === newest.step);
        assert.ok(ofNewest.every(one => !keys.has(refKey(one))));

        foldResults(conversation, folded);
        const after = observationsIn(conversation, conversation.settled);
        if (folded.length > 0) assert.ok(totalTokens(after) < totalTokens(before));
        // What was passed over though older than the newest folded one takes at most two thirds of what is left.
        const room = (2 / 3) * foldTarget(limit);
        const whole = after.filter(
          one => one.foldedTokens < one.tokens && !ofNewest.some(at => refKey(at) === refKey(one)),
        );
        if (totalTokens(after) > foldTarget(limit)) assert.ok(totalTokens(whole) <= room, "all that may be folded is");
        assert.deepEqual(
          resultsToFold({ conversation: { ...conversation, observedTokens: 0 }, foldAt, window }),
          [],
          "the next one waits",
        );
      }),
      RUNS,
    );
    assert.ok(folds > RUNS.numRuns / 20, `${folds} cases folded`);
  });

  it("is a function", () => {
    fc.assert(
      fc.property(specs, spec => {
        const input = { conversation: build(spec), foldAt: 2_000, window: 200_000 };
        assert.deepEqual(resultsToFold(input), resultsToFold({ ...input, conversation: build(spec) }));
      }),
      RUNS,
    );
  });
});

/** As if all texts were so much longer. */
class Longer extends PartSizes {
  override of(...[message, form]: Parameters<PartSizes["of"]>) {
    const long = (tokens: number) => tokens * 100;
    return super
      .of(message, form)
      .map(size => ({ ...size, rest: long(size.rest), output: long(size.output), folded: long(size.folded) }));
  }
}

describe("folding by its price, any conversation", () => {
  it("folds what gets shorter, oldest first, and nothing of the newest steps; asked again at once it folds nothing more", () => {
    let folds = 0;
    fc.assert(
      fc.property(specs, fc.constantFrom(0.1, 0.5, 1), (spec, cachedInput) => {
        const usage = { input: 1, output: 1, prices: { input: 1, output: 1, cachedInput } };
        const conversation = { ...build(spec), usage };
        const next = () => nextFold(conversation, { foldAt: null, window: 200_000, sizes: new Longer() }) ?? [];
        const before = observationsIn({ ...conversation, restated: [] }, conversation.settled);
        const folded = next();
        folds += folded.length > 0 ? 1 : 0;
        const order = before.map(refKey);
        const at = folded.map(ref => order.indexOf(refKey(ref)));
        assert.deepEqual(
          at,
          at.toSorted((a, b) => a - b),
        );
        const steps = [...new Set(before.map(({ turn, step }) => `${turn} ${step}`))];
        for (const index of at) {
          const one = before[index];
          assert.ok(one && one.foldedTokens < one.tokens, "only what gets shorter");
          assert.notEqual(`${one.turn} ${one.step}`, steps.at(-1));
        }
        foldResults(conversation, folded);
        const again = next();
        assert.ok(again.every(ref => !folded.some(one => refKey(one) === refKey(ref))));
      }),
      RUNS,
    );
    assert.ok(folds > RUNS.numRuns / 20, `${folds} cases folded`);
  });
});
