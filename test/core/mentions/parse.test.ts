/** Which parts of a text are mentions. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { parseMentions } from "../../../src/shared/mentions/parse";
import { canBeMentioned, writeMention } from "../../../src/shared/mentions/write";
import { cases } from "../../fakes/soak";
import { check } from "./mentionCheck";

describe("parsing mentions", () => {
  it("finds paths where they stand alone", () => {
    for (const path of [
      ..."a src/a.ts src/core/ ../a.ts /etc/passwd .github/workflows/ci.yml __init__.py Makefile a..b 1 problems -a a//b".split(
        " ",
      ),
    ]) {
      check(`⟦@${path}⟧`);
      check(`see ⟦@${path}⟧ please`);
      check(`⟦@${path}⟧\n⟦@${path}⟧`);
    }
  });

  it("leaves the punctuation of the sentence to the sentence", () => {
    for (const after of [".", ",", "?!", "...", ":", ": x", ").", "-", "。", "’s", "**"]) {
      check(`⟦@src/a.ts⟧${after}`);
      check(`⟦@src/a.ts:3⟧${after}`, "src/a.ts 3-3");
      check(`⟦@"a b"⟧${after}`, "a b");
    }
    for (const before of ["(", '"', "`", "=", ".", "-", "「", "//", "/*", " /", "\t", "\r\n", "🎉"]) {
      check(`${before}⟦@src/a.ts⟧`);
    }
    check("⟦@src/⟧.", "src/");
    check("⟦@a⟧@b and ⟦@c⟧", "a", "c");
  });

  it("knows quotes", () => {
    check('⟦@"my file.txt"⟧', "my file.txt");
    check('⟦@"中文 文件.md"⟧ ⟦@"🎉.md"⟧ ⟦@"🎉"⟧', "中文 文件.md", "🎉.md", "🎉");
    check('⟦@"a \\"b\\" c"⟧', 'a "b" c');
    check('⟦@"a\\\\b"⟧ ⟦@"a\\b"⟧', "a\\b", "a\\b");
    check('⟦@"app:src/a b.ts":3-4⟧', "app:src/a b.ts 3-4");
    check('⟦@"a:10"⟧', "a:10");
    check('⟦@"-"⟧ ⟦@" a "⟧ ⟦@"(a)/[b]/+c.ts"⟧', "-", " a ", "(a)/[b]/+c.ts");
    check('@"" @" " @"." @"../.." @"/" @"open');
    check('@"a\nb" ⟦@"c"⟧', "c");
    check('⟦@"a"⟧⟦@"b"⟧', "a", "b");
    check(`⟦@"${"x".repeat(300)}.md"⟧`, `${"x".repeat(300)}.md`);
  });

  it("knows lines and folders", () => {
    check("⟦@a.ts:10⟧ ⟦@a.ts:10-40⟧ ⟦@a.ts:40-10⟧ ⟦@a.ts:0⟧", "a.ts 10-10", "a.ts 10-40", "a.ts 40-40", "a.ts 1-1");
    check("⟦@a.ts:10⟧- ⟦@a.ts:10-x⟧", "a.ts 10-10", "a.ts:10-x");
    check("⟦@Makefile:12⟧. ⟦@Makefile:12-14⟧, ⟦@app:12:3⟧", "Makefile 12-12", "Makefile 12-14", "app:12 3-3");
    check("⟦@app:src/a.ts⟧ ⟦@my-app.2:src/⟧ ⟦@app:src/a.ts:3-4⟧", "app:src/a.ts", "my-app.2:src/", "app:src/a.ts 3-4");
    check("⟦@src/a.ts:3⟧:14", "src/a.ts 3-3");
    check("⟦@src/a.ts⟧:12345678901", "src/a.ts");
    check("⟦@src/a.ts⟧::3", "src/a.ts");
  });

  it("passes over what is none", () => {
    for (const text of [
      ...["@", "@ ", "@/", "@..", "@../..", "@-", "@...", "@:3", "@@", "@(a)", "@'a'"],
      ...["me@example.com", "名@a", "é@a", "1@2", "node_modules/@types/node/index.d.ts", "https://a.b/@joe/post"],
      ...["\\\\server\\@a", "@@a", "@@version", "@中文", "@🎉", "@~/a", "@$a", "a/@b/c"],
    ]) {
      check(text);
    }
    check(`@${"a/".repeat(3000)}`);
  });

  it("is right behind a word of a script that puts no blanks between them", () => {
    check("修改⟦@src/a.ts⟧文件", "src/a.ts");
    check("看⟦@problems⟧和⟦@changes⟧", "problems", "changes");
    check("파일⟦@a.ts⟧를", "a.ts");
    check("を⟦@b.ts:3-4⟧と⟦@c.rb⟧", "b.ts 3-4", "c.rb");
    check('打开⟦@"my file"⟧', "my file");
    check("ดู⟦@a.md⟧ ไฟล์⟦@b.md⟧", "a.md", "b.md");
    check("联系名@a 或 用户@joe。");
  });

  it("is none where a backslash says so", () => {
    check('\\@src/a.ts and \\@"b c" but ⟦@c.ts⟧', "c.ts");
    check("修改\\@src/a.ts");
  });

  it("ends soon, whatever is in the text", () => {
    for (const part of ["@a", '@"', '@"\\', "@a:1", '@"a":', "@-", "@../", "@@", "@a中", "@a/(", "/@a"]) {
      const found = parseMentions(part.repeat(20_000));
      assert.ok(found.every(({ start, end }) => end > start));
    }
  });

  it("finds mentions that do not overlap and are what the text has", () => {
    const unit = fc.constantFrom(...'@@@aA1/._-:"\\ \n()[]+é中🎉');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), text => {
        let before = 0;
        for (const { start, end, raw, path, range } of parseMentions(text)) {
          assert.ok(start >= before && end > start);
          assert.equal(text.slice(start, end), raw);
          assert.ok(canBeMentioned(path), path);
          assert.ok(!range || (range.first >= 1 && range.last >= range.first));
          const [again] = parseMentions(writeMention(path, { range }));
          assert.deepEqual([again?.path, again?.range], [path, range]);
          before = end;
        }
      }),
      { numRuns: cases(5000) },
    );
  });
});
