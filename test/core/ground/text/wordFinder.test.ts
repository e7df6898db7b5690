import assert from "node:assert/strict";
import { NOT_ASCII, WordFinder } from "../../../../src/core/ground/text/wordFinder";

const WORD = 1;
const PART = 2;
const finder = new WordFinder([
  { mark: WORD, whole: "error, not found, échec" },
  { mark: PART, part: "fehler, 失败, 見つかりません, ошибк" },
]);
const check = (text: string, marks: number) => assert.equal(finder.find(text) & ~NOT_ASCII, marks, text);

describe("wordFinder", () => {
  it("finds words in any case, alone or at a hump", () => {
    for (const text of [
      "error",
      "an ERROR.",
      "x=error;",
      "TypeError: x",
      "_error_",
      "4error2",
      "page not found",
      "ÉCHEC",
    ])
      check(text, WORD);
    for (const text of ["", "err", "errors", "terror", "mirrored", "not founded", "e r r o r"]) check(text, 0);
  });

  it("finds parts of words, and words of two signs", () => {
    for (const text of ["Verbindungsfehler", "FEHLERHAFT", "生成失败了", "税率が見つかりません", "ОШИБКА сети"])
      check(text, PART);
    for (const text of ["fehle", "失 败", "見つかりました"]) check(text, 0);
  });

  it("finds all of a line, and tells lines of ASCII", () => {
    check("error 失败", WORD | PART);
    assert.equal(finder.find("plain") & NOT_ASCII, 0);
    assert.equal(finder.find("plän"), NOT_ASCII);
  });
});
