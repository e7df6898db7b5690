import assert from "node:assert/strict";
import * as fc from "fast-check";
import { commonEnds, countLines, splitLines } from "../../../../src/core/ground/text/lines";

/** One character after the other. */
function plainly(from: string, to: string) {
  let [head, tail] = [0, 0];
  const most = Math.min(from.length, to.length);
  while (head < most && from[head] === to[head]) head += 1;
  while (tail < most - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1;
  return { head, tail };
}

describe("what two texts have in common at their ends", () => {
  it("is what comparing character by character finds, around the blocks' borders too", () => {
    const length = fc.oneof(fc.nat(3), fc.integer({ min: 4090, max: 4100 }), fc.integer({ min: 8188, max: 8196 }));
    fc.assert(
      fc.property(length, length, fc.string(), fc.string(), (before, after, one, other) => {
        const [head, tail] = ["a".repeat(before), "b".repeat(after)];
        const [from, to] = [head + one + tail, head + other + tail];
        assert.deepEqual(commonEnds(from, to), plainly(from, to));
        assert.deepEqual(commonEnds(from, from), { head: from.length, tail: 0 });
      }),
    );
  });
});

describe("counting lines", () => {
  it("counts as many as cutting gives", () => {
    const text = fc.array(fc.constantFrom("a", "\n", "\r", "\r\n", "b ")).map(parts => parts.join(""));
    fc.assert(fc.property(text, text => assert.equal(countLines(text), splitLines(text).length)));
  });
});
