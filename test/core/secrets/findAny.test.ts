import assert from "node:assert/strict";
import fc from "fast-check";
import { findAny } from "../../../src/core/secrets/knownSecrets";
import { cases } from "../../fakes/soak";

/** The same, slowly: at each place the longest word. */
function naive(words: readonly string[], text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const hit = words
      .filter(word => text.startsWith(word, at))
      .reduce((best, word) => (word.length > best.length ? word : best), "");
    if (hit) found.push(`${at} ${hit}`);
    at += hit.length || 1;
  }
  return found;
}

describe("many words at once", () => {
  it("are found where they stand, the longest first", () => {
    const letters = fc.constantFrom("a", "b", "é", "😀");
    const word = fc.array(letters, { minLength: 4, maxLength: 9 }).map(parts => parts.join(""));
    const text = fc.array(fc.oneof(letters, word), { maxLength: 40 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 8 }), text, (words, parts) => {
        const all = [...parts, ...words].join("");
        assert.deepEqual(
          findAny(words)(all).map(({ start, word }) => `${start} ${word}`),
          naive(words, all),
        );
      }),
      { numRuns: cases(400) },
    );
  });

  const check = (title: string, words: string[], text: string, expected: [number, number][]) =>
    it(title, () =>
      assert.deepEqual(
        findAny(words)(text).map(({ start, end }) => [start, end]),
        expected,
      ),
    );
  check("in one another", ["secret", "the secret word"], "the secret word, the secret", [
    [0, 15],
    [21, 27],
  ]);
  check("longer than any window", ["x".repeat(30) + "y".repeat(300)], `${"x".repeat(31)}${"y".repeat(300)}`, [
    [1, 331],
  ]);
  check("cut off by a tool", ["secretword"], "a secretwo… [2 more]", []);
  check("cut off, longer than the shortest word", ["secretwords", "secret"], "a secretwo… [3 more]", [[2, 10]]);
});
