import assert from "node:assert/strict";
import { explainNoMatch } from "../../../src/core/edits/noMatch";
import { codePoints, looksSame } from "../../../src/core/text/lookAlikes";

/** What the file has, what was quoted, what is said. */
const ROWS: [string, string, string, RegExp][] = [
  ["a no-break space", "a\u00a0b", "a b", /U\+00A0 \(no-break space\) in line 3, U\+0020 \(space\) in old_string/],
  ["a narrow no-break space", "10\u202f%", "10 %", /U\+202F \(narrow no-break space\) in line 3/],
  ["an ideographic space", "a\u3000b", "a b", /U\+3000 \(ideographic space\) in line 3/],
  ["a thin space", "a\u2009b", "a b", /U\+2009 in line 3, U\+0020/],
  ["a zero-width space", "foo\u200bBar", "fooBar", /U\+200B \(zero-width space\) in line 3, nothing in old_string/],
  [
    "a zero-width space that was quoted",
    "fooBar",
    "foo\u200bBar",
    /U\+200B \(zero-width space\) in old_string, nothing in line 3/,
  ],
  ["a byte order mark", "x\ufeff = 1", "x = 1", /U\+FEFF \(byte order mark\) in line 3/],
  ["a soft hyphen", "co\u00adop", "coop", /U\+00AD \(soft hyphen\) in line 3/],
  ["curly quotes", "say \u201chi\u201d", 'say "hi"', /U\+201C \("\u201c"\) in line 3, U\+0022/],
  ["an apostrophe", "don\u2019t", "don't", /U\+2019/],
  ["an en dash", "1\u20132", "1-2", /U\+2013 \("\u2013"\) in line 3, U\+002D/],
  ["a minus", "x \u2212 1", "x - 1", /U\+2212/],
  ["an ellipsis", "wait\u2026", "wait...", /U\+2026 \("\u2026"\) in line 3, U\+002E U\+002E U\+002E/],
  ["full-width parentheses", "\uff08a\uff09", "(a)", /U\+FF08/],
  ["a full-width letter", "\uff21BC", "ABC", /U\+FF21/],
  ["a Cyrillic letter", "\u0430bc", "abc", /U\+0430 \("а"\) in line 3, U\+0061 \("a"\)/],
  ["a Greek letter", "\u039fk", "Ok", /U\+039F/],
  ["an accent of its own", "cafe\u0301", "caf\u00e9", /U\+0065 U\+0301 .* in line 3, U\+00E9/],
  ["an accent in one", "caf\u00e9", "cafe\u0301", /U\+00E9 .* in line 3, U\+0065 U\+0301/],
  ["Hangul in parts", "\u1112\u1161\u11ab", "\ud55c", /U\+1112 U\+1161 U\+11AB/],
  ["a ligature", "\ufb01le", "file", /U\+FB01/],
];

describe("characters that look like others", () => {
  for (const [what, has, wanted, said] of ROWS)
    it(`are named by their code points and the line: ${what}`, () => {
      const found = explainNoMatch(`one\ntwo\nx ${has} y\nend\n`, wanted, "new");
      assert.match(found.text, said);
      assert.equal(found.line, 3);
    });

  it("are found over lines, and counted", () => {
    const { text, line } = explainNoMatch("a\u00a0b\nc\u00a0d\n\u00a0\u00a0e\n", "a b\nc d\n  e", "new");
    assert.match(text, /in line 1.*in line 2.*in line 3.*… and 1 more difference\./s);
    assert.match(text, /Write such a character as its code point, U\+…, between ⟦ and ⟧/);
    assert.equal(line, 1);
  });

  it("are not what differs by more", () => {
    for (const [one, other] of [
      ["abc", "abd"],
      ["a\u00a0b", "ab"],
      ["na\u00efve", "naive"],
      ["ABC", "abc"],
      ["中文", "中女"],
    ] as const)
      assert.equal(looksSame(one, other), false, one);
  });

  it("have names, where they have them", () => {
    assert.equal(codePoints("\u00a0"), "U+00A0 (no-break space)");
    assert.equal(codePoints("é"), 'U+00E9 ("é")');
    assert.equal(codePoints(""), "nothing");
  });
});
