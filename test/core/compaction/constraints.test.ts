/** Which sentences of a person are kept as rules. */
import assert from "node:assert/strict";
import { findConstraint } from "../../../src/core/compaction/constraints";
import { CHINESE_OTHERS, CHINESE_RULES, ENGLISH_OTHERS, ENGLISH_RULES } from "./ruleSentences";
import { HELD_OUT_OTHERS, HELD_OUT_RULES } from "./ruleSentencesHeldOut";

const isRule = (sentence: string) => findConstraint(sentence) !== undefined;

describe("a rule that a person states", () => {
  for (const [name, sentences, most] of [
    ["in English", ENGLISH_RULES, 1],
    ["in Chinese", CHINESE_RULES, 1],
    ["in a fixture that was not seen before", HELD_OUT_RULES, 5],
  ] as const)
    it(`is recognised ${name}`, () => {
      const missed = sentences.filter(sentence => !isRule(sentence));
      assert.ok(missed.length <= most, missed.join("\n"));
    });

  for (const [name, sentences, most] of [
    ["in English", ENGLISH_OTHERS, 2],
    ["in Chinese", CHINESE_OTHERS, 2],
    ["in a fixture that was not seen before", HELD_OUT_OTHERS, 5],
  ] as const)
    it(`is not seen in tasks, facts and questions ${name}`, () => {
      const wrong = sentences.filter(isRule);
      assert.ok(wrong.length <= most, wrong.join("\n"));
    });

  it("is not looked for without end: a sentence of a megabyte takes no longer than its beginning", () => {
    for (const part of ["use a ", "not npm, ", "before you ", "用 a，", "每个 ", "unit tests ", "keep ", ": "])
      assert.equal(typeof isRule(part.repeat(1_000_000 / part.length)), "boolean");
  });

  it("is found where it stands, for what is cut of a long sentence", () => {
    const sentence = "In the parser, which reads files, always close handles";
    assert.equal(findConstraint(sentence), sentence.indexOf("always"));
  });
});
