/** Which parts of a text are mentions. In the cases `⟦` and `⟧` stand around each. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { mentionUnderCursor } from "../../../src/core/mentions/composerMention";
import { parseMentions, shorterReadings } from "../../../src/core/mentions/parse";
import { canBeMentioned, writeMention } from "../../../src/core/mentions/write";
import { cases } from "../../fakes/cases";

/** @param expected what each names, with its lines: `src/a.ts 10-40`; as it stands there, if not given */
function check(marked: string, ...expected: string[]) {
  const text = marked.replace(/[⟦⟧]/g, "");
  const found = parseMentions(text);
  let shown = text;
  for (const { start, end } of [...found].reverse()) {
    shown = `${shown.slice(0, start)}⟦${shown.slice(start, end)}⟧${shown.slice(end)}`;
  }
  assert.equal(shown, marked);
  const named = found.map(({ path, range }) => (range ? `${path} ${range.first}-${range.last}` : path));
  assert.deepEqual(named, expected.length > 0 ? expected : found.map(({ raw }) => raw.slice(1)), marked);
}

describe("parsing mentions", () => {
  it("finds paths where they stand alone", () => {
    for (const path of [
      ...[
        "a",
        "a.ts",
        "src/a.ts",
        "src/",
        "src/core/",
        "./a.ts",
        "../a.ts",
        "/etc/passwd",
        "../../etc/passwd",
        ".env",
        ".github/workflows/ci.yml",
      ],
      ...[
        "a-b_c.test.tsx",
        "__init__.py",
        "Makefile",
        "a..b",
        "1",
        "2024-03/report.md",
        "a/b/c/d/e/f.g.h",
        "...a",
        "problems",
        "C",
        "-a",
        "_",
        "a//b",
      ],
    ]) {
      check(`⟦@${path}⟧`);
      check(`see ⟦@${path}⟧ please`);
      check(`⟦@${path}⟧\n⟦@${path}⟧`);
    }
  });

  it("leaves the punctuation of the sentence to the sentence", () => {
    for (const after of [
      ".",
      ",",
      ";",
      "!",
      "?",
      ")",
      "]",
      "}",
      '"',
      "'",
      "`",
      ">",
      "...",
      "?!",
      ":",
      ": x",
      ").",
      "-",
      " -",
      "，",
      "。",
      "」",
      "…",
      "’s",
      "'s",
      "*",
      "**",
      "|",
      "&",
    ]) {
      check(`⟦@src/a.ts⟧${after}`);
      check(`⟦@src/a.ts:3⟧${after}`, "src/a.ts 3-3");
      check(`⟦@"a b"⟧${after}`, "a b");
    }
    for (const before of [
      "(",
      "[",
      "{",
      '"',
      "'",
      "`",
      "<",
      "=",
      ":",
      ",",
      ".",
      ";",
      "!",
      "-",
      "+",
      "*",
      "**",
      "|",
      "#",
      "，",
      "。",
      "「",
      "//",
      "/*",
      " /",
      "\t",
      "\n",
      "\r\n",
      "🎉",
    ]) {
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

  it("reads names of any script and with signs to their end, instead of as the folder around them", () => {
    for (const path of [
      ...[
        "docs/中文.md",
        "docs/café/x.md",
        "café.md",
        "中文.md",
        "文档/说明.md",
        "app:中文.md",
        "src/🎉.md",
        "docs/Übersicht",
      ],
      ...[
        "many/[id].ts",
        "app/(group)/page.tsx",
        "app/[[...slug]]/page.tsx",
        "app/(..)photo/[id]-[slug].tsx",
        "app/(group)",
      ],
      ...[
        "src/+page.svelte",
        "pages/$id.tsx",
        "c++/x.cpp",
        "data/year=2024/x.parquet",
        "app/@modal/page.tsx",
        "R&D/plan.md",
      ],
      ...["src/page(2).ts", "src/foo+bar.ts", "src/{a,b}.ts", "notes~1/a.md"],
    ]) {
      for (const after of ["", " x", ".", ", x", ")", "]", ":", "。", "'s"]) check(`(⟦@${path}⟧${after}`);
      check(`⟦@${path}:3-4⟧`, `${path} 3-4`);
    }
  });

  it("ends where a name is whole, though no blank follows", () => {
    check("⟦@src/a.ts⟧的 ⟦@docs/中文.md⟧的内容 ⟦@src/a.ts⟧를 ⟦@src/a.ts⟧🎉 ⟦@src/a.ts⟧和");
    check("⟦@a.ts:10⟧行 ⟦@src/a.ts:10-20⟧行", "a.ts 10-10", "src/a.ts 10-20");
    check("⟦@src/a.ts⟧(12) [⟦@src/⟧](url) ⟦@src/⟧() ⟦@src/⟧(see x) ⟦@src/⟧{} ⟦@src/a.ts⟧#L3 ⟦@src/a.ts⟧+⟦@src/b.ts⟧");
    check("⟦@Get⟧(id) ⟦@app.route⟧(x) ⟦@angular/core⟧@17 ⟦@a⟧[0] ⟦@a⟧+ ⟦@src/⟧$");
    check("⟦@problems⟧和 ⟦@changes⟧+x");
  });

  it("knows where a name could end as well, longest first", () => {
    const readings = (text: string) =>
      parseMentions(text).map(one => [one, ...shorterReadings(one)].map(({ raw }) => raw));
    for (const [text, ...expected] of [
      ["看 @Makefile的内容", "@Makefile的内容", "@Makefile"],
      ["@src目录里的a.ts", "@src目录里的a.ts", "@src"],
      ["@src/的文件", "@src/的文件", "@src/"],
      ["@src/foo(bar)", "@src/foo(bar)", "@src/foo"],
      // Never the folder around what was written.
      ...["@docs/中文.md", "@many/[id].ts", "@app/(group)", "@src/+page.svelte", "@docs/café", "@app:中文.md"].map(
        one => [one, one],
      ),
      ...["@c++/x.cpp", "@src/foo+bar.ts", "@src/a.ts"].map(one => [one, one]),
    ]) {
      assert.deepEqual(readings(text ?? ""), [expected]);
    }
    const [mention] = parseMentions("x @Makefile的");
    assert.ok(mention);
    assert.deepEqual(shorterReadings(mention), [{ raw: "@Makefile", path: "Makefile", start: 2, end: 11 }]);
  });

  it("passes over what is none", () => {
    for (const text of [
      ...[
        "@",
        "@ ",
        "@/",
        "@//",
        "@.",
        "@..",
        "@../",
        "@../..",
        "@-",
        "@...",
        "@/.",
        "@:",
        "@:3",
        "@!",
        "@@",
        "@(a)",
        "@[a]",
        "@{a}",
        "@'a'",
      ],
      ...[
        "me@example.com",
        "a.b+c1@example.co.uk",
        "名@a",
        "é@a",
        "𠮷@a",
        "1@2",
        "node_modules/@types/node/index.d.ts",
        "https://a.b/@joe/post",
      ],
      ...["\\\\server\\@a", "@@a", "@@version", "@中文", "@🎉", "@~/a", "@$a", "a/@b/c"],
    ]) {
      check(text);
    }
    check(`@${"a/".repeat(3000)}`);
  });

  it("finds 200 of them, and each where it stands", () => {
    const paths = Array.from({ length: 200 }, (_, at) => `src/f${at}.ts`);
    check(paths.map(path => `⟦@${path}⟧`).join(", "));
  });

  it("ends soon, whatever is in the text", () => {
    for (const part of [
      "@",
      "@a",
      '@"',
      '@"\\',
      "@a:",
      "@a:1",
      '@"a":',
      "@a.",
      "@-",
      "@a-",
      "@../",
      '"@',
      "@@",
      "@a中",
      "@a/(",
      "/@a",
      "@a+",
    ]) {
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

/** The cursor is at `|`; `⟦` and `⟧` stand around what is replaced. */
function typed(marked: string, query: string | undefined) {
  const text = marked.replace(/[⟦⟧|]/g, "");
  const offset = marked.replace(/[⟦⟧]/g, "").indexOf("|");
  const found = mentionUnderCursor(text, offset);
  assert.equal(found?.query, query, marked);
  if (!found) return;
  const shown = `${text.slice(0, found.start)}⟦${text.slice(found.start, found.end)}⟧${text.slice(found.end)}`;
  assert.equal(shown, marked.replace("|", ""), marked);
  assert.equal(found.quoted, text.startsWith('@"', found.start) && offset > found.start + 1, marked);
}

describe("the mention under the cursor", () => {
  it("is what is being typed", () => {
    typed("⟦@|⟧", "");
    typed("⟦@sr|⟧", "sr");
    typed("fix ⟦@src/co|⟧ and", "src/co");
    typed("(⟦@src/a|⟧)", "src/a");
    typed("⟦@中文|⟧", "中文");
    typed("⟦@app/(group)/[id|⟧", "app/(group)/[id");
    typed("⟦@app:src/|⟧", "app:src/");
    typed("⟦@app:|⟧", "app:");
    typed("@a ⟦@b|⟧ @c", "b");
    typed("line\n⟦@b|⟧\nline", "b");
    typed("请看 ⟦@src|⟧的", "src");
  });

  it("is replaced as a whole, its lines and the sentence's end excepted", () => {
    typed("⟦@sr|c/a.ts⟧ x", "sr");
    typed("⟦@sr|c/a.ts⟧:10-20", "sr");
    typed("⟦@sr|c/a.ts⟧.", "sr");
    typed("⟦@|src/a.ts⟧, x", "");
  });

  it("may be quoted", () => {
    typed('⟦@"|⟧', "");
    typed('⟦@"my f|⟧', "my f");
    typed('⟦@"my f|ile.md"⟧ x', "my f");
    typed('⟦@"my f|"⟧', "my f");
    typed('⟦@"my f|⟧ and "other"', "my f");
    typed('⟦@"my f|⟧\n"', "my f");
    typed('@"a b" ⟦@c|⟧', "c");
    typed('@"a b" c|', undefined);
    typed('⟦@"a \\"b|"⟧', 'a "b');
  });

  it("is none elsewhere", () => {
    for (const text of [
      "|",
      "a|",
      "|@a",
      "me@exa|",
      "@a |",
      "@a b|",
      "@src/a.ts, x|",
      "@src/a.ts:1|",
      "@src/a.ts:10-2|",
      "@a\n|",
      "@@a|",
      "x/@a|",
      "名@a|",
      "@a,|",
    ]) {
      typed(text, undefined);
    }
    assert.equal(mentionUnderCursor(`@${"a".repeat(5000)}`, 5001), undefined);
  });
});
