/** The lists of "Strata: Show What You Said": what of their words a person finds there, and what may become of them. */
import assert from "node:assert/strict";
import type { WordsInSight } from "../../src/core/ledger/sight";
import { markItems, wordItems, wordsTitle } from "../../src/vscode/commands/wordItems";

const words = (text: string, more: Partial<WordsInSight> = {}): WordsInSight => ({
  ...{ recordId: "r1", turn: 1, text, sight: "whole", mark: "none" },
  ...more,
});
const shown = (...all: WordsInSight[]) =>
  wordItems(all).map(item => ("words" in item ? [item.label, item.description, item.detail ?? ""] : item.label));

describe("the list of what a person said", () => {
  it("has what the model does not see first, with how many there are; empty groups are not named", () => {
    assert.deepEqual(shown(), []);
    assert.deepEqual(
      shown(words("a"), words("b", { sight: "none", turn: 2 }), words("c", { turn: 3 }), words("d", { sight: "part" })),
      [
        "Not in the model's view (1)",
        ["b", "turn 2", ""],
        "In part in the model's view (1)",
        ["d", "turn 1", ""],
        "In the model's view, word for word (2)",
        ["a", "turn 1", ""],
        ["c", "turn 3", ""],
      ],
    );
  });

  const CASES: Record<string, [words: WordsInSight, label: string, description: string, detail?: string]> = {
    "an answer": [
      words("15.4", { asked: "Which version?" }),
      "15.4",
      "turn 1 · an answer",
      "It was asked: Which version?",
    ],
    "an option": [
      words("PostgreSQL", { asked: "Which?", chosen: true }),
      "PostgreSQL",
      "turn 1 · an option that you chose",
      "It was asked: Which?",
    ],
    "a denial": [words("keep it", { denied: "Bash" }), "keep it", "turn 1 · denying Bash"],
    "pinned words": [words("a", { mark: "pinned" }), "$(pinned) a", "turn 1 · pinned"],
    "words that were taken back": [words("a", { mark: "struck" }), "$(circle-slash) a", "turn 1 · taken back"],
    "several lines": [words("a\n\n  b\nc\n"), "a b c", "turn 1 · 4 lines"],
    "words that look like an icon": [words("cost $(whoami) $(trash)"), "cost $ (whoami) $ (trash)", "turn 1"],
    "a question that looks like an icon": [
      words("no", { asked: "$(warning) Sure?" }),
      "no",
      "turn 1 · an answer",
      "It was asked: $ (warning) Sure?",
    ],
  };
  for (const [what, [said, ...line]] of Object.entries(CASES))
    it(`says what it is: ${what}`, () => assert.deepEqual(shown(said)[1], [...line, ""].slice(0, 3)));

  it("cuts long words, on one line", () => {
    const [, item] = wordItems([words("word\n".repeat(300))]);
    assert.ok(item && item.label.length <= 200 && !item.label.includes("\n"));
    assert.ok(wordsTitle(words("word ".repeat(300))).length <= 60);
  });
});

describe("what becomes of words", () => {
  for (const [is, can] of [
    ["none", ["pinned", "struck"]],
    ["pinned", ["struck", "none"]],
    ["struck", ["pinned", "none"]],
  ] as const)
    it(`is all but what they are: ${is}`, () => {
      assert.deepEqual(
        markItems(words("a", { mark: is })).map(({ mark }) => mark),
        can,
      );
    });
});
