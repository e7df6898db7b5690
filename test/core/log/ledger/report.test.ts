/** "Strata: Show What You Said": what of their words a person finds there. */
import assert from "node:assert/strict";
import { wordsReport } from "../../../../src/core/log/ledger/report";
import type { WordsInSight } from "../../../../src/core/log/ledger/sight";

const words = (text: string, more: Partial<WordsInSight> = {}): WordsInSight => ({
  ...{ recordId: "r1", turn: 1, text, sight: "whole", mark: "none" },
  ...more,
});
const shown = (...all: WordsInSight[]) =>
  wordsReport(all).sections.flatMap(({ title, lines }) => [
    title,
    ...lines.map(({ label, from, detail = "" }) => [label, from, detail]),
  ]);

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
    "pinned words": [words("a", { mark: "pinned" }), "a", "turn 1 · pinned"],
    "words that were taken back": [words("a", { mark: "struck" }), "a", "turn 1 · taken back"],
    "several lines": [words("a\n\n  b\nc\n"), "a b c", "turn 1 · 4 lines"],
  };
  for (const [what, [said, ...line]] of Object.entries(CASES))
    it(`says what it is: ${what}`, () => assert.deepEqual(shown(said)[1], [...line, ""].slice(0, 3)));

  it("cuts long words, on one line", () => {
    const all = [words("word\n".repeat(300))];
    const [line] = wordsReport(all).sections[0]?.lines ?? [];
    assert.ok(line && line.label.length <= 200 && !line.label.includes("\n"));
    assert.equal(line.action, all[0], "what is chosen is whole");
  });
});
