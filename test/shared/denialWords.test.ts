/** Which words of a person take a no back, and which one they mean: a wrong offer is worse than none. */
import assert from "node:assert/strict";
import cases from "../../bench/corpora/takenBack.json";
import { takenBack } from "../../src/shared/outcomeSaid";

describe("words that take a no back", () => {
  for (const { words, held, means } of cases)
    it(`${JSON.stringify(words.slice(0, 60))}, ${held.length} held`, () => {
      const denials = held.map(title => ({ title }));
      assert.equal(takenBack(words, denials)?.title ?? null, means);
    });
});
