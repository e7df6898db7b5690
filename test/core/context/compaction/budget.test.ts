import assert from "node:assert/strict";
import { mayCompact } from "../../../../src/core/context/compaction/preview";
import { compactAt, countAnswer, countRequest } from "../../../../src/shared/tokenCount";

const answer = (input: number, output: number, requestTokens: number, answerTokens: number) => {
  const { counted, calibration } = countAnswer({ input, output }, { requestTokens }, undefined);
  return { lastAnswer: { requestTokens, answerTokens, counted }, calibration };
};

describe("what a request takes", () => {
  const check = (name: string, tokens: number, known: Parameters<typeof countRequest>[1], expected: number) =>
    it(name, () => assert.equal(countRequest(tokens, known), expected));

  check("before a first usage: the estimate, less what it is too high", 1000, {}, 850);
  check("the last usage, and what came since, as much as it counted", 1310, answer(800, 50, 1000, 60), 800 + 50 + 200);
  check("what was dropped since counts off, as much as the provider counted it", 530, answer(800, 50, 1000, 60), 425);
  check("never below nothing", 101, answer(500, 10, 1000, 10), 51);
  check("a server that reports zeros reports no usage", 1010, answer(0, 0, 1000, 10), 850);

  it("a count that is beyond all reason is none, and one that was too high bars no later one", () => {
    const beyond = countAnswer({ input: 90_000_000, output: 0 }, { requestTokens: 10_000 }, undefined);
    assert.deepEqual(beyond, { counted: 8_500 });
    const high = countAnswer({ input: 50_000, output: 0 }, { requestTokens: 10_000 }, undefined);
    assert.equal(countAnswer({ input: 7_000, output: 0 }, { requestTokens: 10_000 }, high.calibration).counted, 7_000);
  });

  const believed: [what: string, ratios: number[], expected: (number | undefined)[]][] = [
    ["three times what was sent, at once", [2.4], [undefined]],
    ["three times of a model that counts little", [2.1], [undefined]],
    ["three times later on", [0.8, 2.4, 0.8], [0.8, 0.8, 0.8]],
    ["of a model that counts little, later on", [0.6, 1.8], [0.6, 0.6]],
    ["sums of all requests", [0.8, 2.1, 3.4], [0.8, 0.8, 0.8]],
    ["five times", [4.2], [undefined]],
    ["a dense script, as it comes", [0.9, 1.4, 1.8], [0.9, 1.4, 1.8]],
    ["code that counts less", [0.9, 0.7, 0.6], [0.9, 0.7, 0.6]],
  ];
  for (const [what, ratios, expected] of believed)
    it(`what is believed of ${what}`, () => {
      let known: ReturnType<typeof countAnswer>["calibration"];
      const found = ratios.map(ratio => {
        known = countAnswer({ input: 10_000 * ratio, output: 0 }, { requestTokens: 10_000 }, known).calibration;
        return known?.ratio;
      });
      assert.deepEqual(found, expected);
    });

  it("of another model's counts nothing holds", () => {
    const count = (input: number, model: string | undefined, known?: ReturnType<typeof countAnswer>["calibration"]) =>
      countAnswer({ input, output: 0 }, { requestTokens: 10_000, model }, known).calibration;
    const first = count(9_000, "a");
    assert.equal(count(4_000, "a", first)?.ratio, 0.9, "it leaves out what came from the cache");
    assert.deepEqual(count(4_000, "b", first), { highest: 0.4, ratio: 0.4, model: "b" });
    assert.equal(count(4_000, undefined, first)?.ratio, 0.9, "nobody said which");
  });

  it("a count that leaves out what was cached is not believed: the highest of the session is what others are held against", () => {
    const first = countAnswer({ input: 8_000, output: 100 }, { requestTokens: 10_000 }, undefined);
    assert.deepEqual(first, { counted: 8_100, calibration: { highest: 0.8, ratio: 0.8 } });
    const cached = countAnswer({ input: 300, output: 100 }, { requestTokens: 50_000 }, first.calibration);
    assert.deepEqual(cached, { counted: 40_100, calibration: first.calibration });
    // A decline, step by step, is none either.
    const lower = countAnswer({ input: 25_000, output: 0 }, { requestTokens: 50_000 }, first.calibration);
    assert.deepEqual(lower.calibration, { highest: 0.8, ratio: 0.5 });
    assert.equal(
      countAnswer({ input: 15_000, output: 0 }, { requestTokens: 50_000 }, lower.calibration).counted,
      25_000,
    );
  });
});

describe("when a compaction begins by itself", () => {
  const three = { messages: Array.from({ length: 3 }, () => ({ id: "m", role: "user" as const, parts: [] })) };
  const since = (tokens: number) => ({ ...three, compactionHeld: false, compacted: { id: "c", tokens, turn: 1 } });
  const check = (
    name: string,
    of: Parameters<typeof mayCompact>[0],
    estimated: number,
    expected: boolean,
    requestTokens = estimated,
  ) => it(name, () => assert.equal(mayCompact(of, { estimated, requestTokens }, 1000), expected));

  it("at four fifths of the window", () => assert.equal(compactAt(200_000), 160_000));
  check("below", { ...three, compactionHeld: false }, 799, false);
  check("at it", { ...three, compactionHeld: false }, 800, true);
  check("not with two messages", { messages: three.messages.slice(1), compactionHeld: false }, 5000, false);
  check("not after an undo", { ...three, compactionHeld: true }, 5000, false);
  check("not before a tenth of the window came since the last one", since(750), 849, false);
  check("from there on", since(750), 850, true);
  check("a provider that counts twice what we estimate: a tenth by its count", since(450), 999, false, 499);
  check("from there on too", since(450), 1000, true, 500);
});
