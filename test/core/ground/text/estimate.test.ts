import assert from "node:assert/strict";
import { estimateTokens } from "../../../../src/core/ground/text/estimate";

const check = (text: string, expected: number) => assert.equal(estimateTokens(text), expected, JSON.stringify(text));

describe("estimateTokens", () => {
  it("is a third of the characters and one for each CJK character", () => {
    check("", 0);
    check("a", 1);
    check("abc", 1);
    check("abcd", 2);
    check("中文", 2);
    check("中文abc", 3);
    check("日本語のテスト", 7);
    check("한국어", 3);
    check("𠀀𠀁", 2);
    check("，", 1);
    check("é".repeat(6), 2);
  });
});
