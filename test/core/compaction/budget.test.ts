import assert from "node:assert/strict";
import { compactAt, estimatedTokens, mayCompact, usageRatio } from "../../../src/core/compaction/budget";

const answer = (input: number, output: number, requestTokens: number, answerTokens: number) => ({
  usage: { input, output },
  requestTokens,
  answerTokens,
});

describe("what a request takes", () => {
  const check = (name: string, tokens: number, last: Parameters<typeof estimatedTokens>[1], expected: number) =>
    it(name, () => assert.equal(estimatedTokens(tokens, last), expected));

  check("before a first usage: the estimate", 1234, undefined, 1234);
  check("the last usage, and the estimate of what came since", 1300, answer(800, 50, 1000, 60), 800 + 50 + 240);
  check("what was dropped since counts off, as much as the provider counted it", 530, answer(800, 50, 1000, 60), 425);
  check("one that counts as we do: the whole of it", 400, answer(1000, 60, 1000, 60), 400);
  check("nothing came: the usage", 1060, answer(800, 50, 1000, 60), 850);
  check("never below nothing", 101, answer(100, 10, 1000, 10), 11);
  check("a server that reports zeros reports no usage", 700, answer(0, 0, 1000, 10), 700);

  it("is shown beside what the provider counted", () => {
    assert.equal(usageRatio(undefined), undefined);
    assert.equal(usageRatio(answer(0, 0, 1000, 10)), undefined);
    assert.equal(usageRatio(answer(800, 50, 1000, 60)), 1.25);
  });
});

describe("when a compaction begins by itself", () => {
  const three = { messages: Array.from({ length: 3 }, () => ({ id: "m", role: "user" as const, parts: [] })) };
  const since = (tokens: number) => ({ ...three, compactionHeld: false, compacted: { id: "c", tokens } });
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
