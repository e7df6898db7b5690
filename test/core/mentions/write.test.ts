import assert from "node:assert/strict";
import fc from "fast-check";
import { parseMentions } from "../../../src/core/mentions/parse";
import { canBeMentioned, writeMention } from "../../../src/core/mentions/write";
import { cases } from "../../fakes/cases";

const character = fc.oneof(
  fc.constantFrom(..."abz019/._-: \"\\@'()[]{}+$#~&%!?,;=^`|<>*\t中文é🎉ßİ\u0301"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
);
const path = fc
  .array(character, { minLength: 1, maxLength: 40 })
  .map(parts => parts.join(""))
  .filter(canBeMentioned);
const range = fc
  .tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 500 }))
  .map(([first, more]) => ({ first, last: first + more }));

describe("writing a mention", () => {
  it("quotes a file whose name is that of an attachment", () => {
    assert.deepEqual(
      [writeMention("problems"), writeMention("terminal/"), writeMention("src/problems"), writeMention("changes.md")],
      ['@"problems"', "@terminal/", "@src/problems", "@changes.md"],
    );
  });

  it("reads back as it was meant, whatever stands around it", () => {
    fc.assert(
      fc.property(
        path,
        fc.option(path, { nil: undefined }),
        fc.option(range, { nil: undefined }),
        fc.constantFrom("", " ", "see ", "(", "，", "\n", '"'),
        fc.constantFrom("", " ", ".", ", ", ")", "。", "\n", " 12"),
        (name, folder, lines, before, after) => {
          const written = writeMention(name, { folder, range: lines });
          const [mention] = parseMentions(before + written + after);
          assert.deepEqual(mention, {
            raw: written,
            path: folder === undefined ? name : `${folder}:${name}`,
            ...(lines ? { range: lines } : {}),
            start: before.length,
            end: before.length + written.length,
          });
        },
      ),
      { numRuns: cases(5000) },
    );
  });
});
