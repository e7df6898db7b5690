import assert from "node:assert/strict";
import fc from "fast-check";
import { parseMentions } from "../../../src/shared/mentions/parse";
import { canBeMentioned, mentionedPath, writeFolderName, writeMention } from "../../../src/shared/mentions/write";
import { cases } from "../../fakes/soak";

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

  it("names a file of the first of several folders without the folder, where that cannot be read otherwise", () => {
    const names = ["app", "lib two"];
    for (const [path, expected] of [
      ["app:src/a.ts", "src/a.ts"],
      ["app:many/", "many/"],
      ["lib two:src/a.ts", "lib two:src/a.ts"],
      ["untitled:Untitled-1", "untitled:Untitled-1"],
      ["/etc/hosts", "/etc/hosts"],
      ["app:lib two:odd.ts", "app:lib two:odd.ts"],
      ["app:~/odd.ts", "app:~/odd.ts"],
    ] as const) {
      assert.equal(mentionedPath(path, names), expected);
    }
    assert.equal(mentionedPath("app:a.ts", ["app"]), "app:a.ts");
  });

  it("begins the mentions of a folder's files with its name", () => {
    assert.deepEqual(["app", "lib two", 'a"b', "中文"].map(writeFolderName), [
      "@app:",
      '@"lib two:"',
      '@"a\\"b:"',
      '@"中文:"',
    ]);
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
