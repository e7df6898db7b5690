import assert from "node:assert/strict";
import { malformed, type ReactAnswer, wellFormed } from "../../fixtures/react/answers";
import { read } from "../../fixtures/react/read";

function summary(answer: string, size: number): Omit<ReactAnswer, "name" | "answer"> {
  const { calls, blocks } = read(answer, () => size);
  return { calls, text: blocks.join("\n") };
}

const fits = ({ answer, calls, text }: ReactAnswer, size: number): boolean => {
  try {
    assert.deepEqual(summary(answer, size), { calls, text });
    return true;
  } catch {
    return false;
  }
};

describe("models: answers of the text protocol", () => {
  it("there are two hundred of them, each another", () => {
    const all = [...wellFormed, ...malformed];
    assert.ok(all.length >= 200, String(all.length));
    assert.equal(new Set(all.map(({ answer }) => answer)).size, all.length);
  });

  for (const size of [1, 3, 7, 10_000]) {
    it(`well-formed ones are all read, ${size} characters at a time`, () => {
      for (const { name, answer, calls, text } of wellFormed)
        assert.deepEqual(summary(answer, size), { calls, text }, name);
    });

    it(`of the malformed but clear ones 95 in a hundred are read, ${size} characters at a time`, () => {
      const missed = malformed.filter(each => !fits(each, size)).map(({ name }) => name);
      assert.ok(missed.length <= 0.05 * malformed.length, missed.join("\n"));
    });
  }
});
