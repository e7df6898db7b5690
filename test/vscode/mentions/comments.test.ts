// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they stand in the texts that are scanned
/** Where comments are. In the cases `⟦` and `⟧` stand around each. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { commentLanguages, commentsOf } from "../../../src/vscode/mentions/comments";
import { cases, isSoak } from "../../fakes/soak";

/** In each of the languages. */
function check(languages: string, ...marked: string[]) {
  for (const language of languages.split(" ")) {
    for (const one of marked) {
      const text = one.replace(/[⟦⟧]/g, "");
      let shown = text;
      for (const { start, end } of commentsOf(text, language).reverse()) {
        shown = `${shown.slice(0, start)}⟦${shown.slice(start, end)}⟧${shown.slice(end)}`;
      }
      assert.equal(shown, one, language);
    }
  }
}

/** characters of a text that is made to hold a search up */
const LONG = isSoak("expressions") ? 100_000 : 25_000;

describe("comments", () => {
  it("of languages like C", () => {
    check(
      "c cpp cuda-cpp objective-c objective-cpp java csharp go javascript typescript javascriptreact typescriptreact jsonc json rust swift kotlin dart groovy hlsl php",
      ...["a ⟦// b⟧\nc", "⟦/* a\n// b */⟧ c ⟦// /* d⟧", "⟦// a⟧\r\nb", "⟦/* open⟧", "⟦//⟧\n⟦/**/⟧", '"// a" ⟦// b⟧'],
    );
    check(
      "c cpp java csharp go rust kotlin",
      ...[`'"' ⟦// a⟧\n'"'`, `'\\'' ⟦// a⟧\n'\\\\' ⟦// "⟧`, '"\\"// a" ⟦// b⟧', '"open // a\n', "https://a.b ⟦// c⟧"],
    );
    check("cpp", "1'000'000 ⟦// a⟧");
    check("java csharp swift kotlin", '"""\n// a "b"\n""" ⟦// c⟧');
    check("go", "`// a\n` ⟦// b⟧");
    check("rust", "fn f<'a>(x: &'a str) {} ⟦// it's⟧", "'\"' ⟦// a⟧");
  });

  it("of JavaScript, which has expressions that look like them", () => {
    check(
      "javascript typescript javascriptreact typescriptreact",
      "`a\n// b` ⟦// c⟧",
      "`${'}'} // b` ⟦// c⟧",
      "x = /[\"'`]/g; ⟦// a⟧",
      "(a) / 2 ⟦// 'b⟧\n'c'",
      "return /'/.test(a) ⟦// b⟧",
      "f(/\\//) ⟦// a⟧",
      "a = b[0] / c; d = '//' ⟦// e⟧",
      "'it\\'s // a' ⟦// b⟧",
      "⟦/** @param a */⟧\nfunction f() {}",
      "<p>https://a.b/c</p> ⟦// d⟧",
      "<a>{⟦/* b */⟧}</a> ⟦// c⟧",
    );
  });

  it("of styles", () => {
    check(
      "css scss less",
      "⟦/* a */⟧ b { c: '/* d */' }",
      'a { content: "/* b" } ⟦/* c */⟧',
      "a { b: url(http://c) } ⟦/* e */⟧",
    );
    check("scss less", "a ⟦// b⟧\nc", "a { b: url(http://c) } ⟦// d⟧", "@use 'a'; ⟦// b⟧");
    check("css", "a // b\n", "@media print { }");
  });

  it("of markup, and of what is embedded in it", () => {
    check(
      "html xml vue svelte razor markdown",
      "<a b='c'>// d</a> ⟦<!-- e\nf -->⟧ g",
      "a ⟦<!-- b⟧",
      "it's ⟦<!-- a -->⟧",
    );
    check(
      "html vue svelte",
      "<script>let a = '// b'; ⟦// c⟧\n</script> // d",
      "<script lang='ts'>⟦/* a */⟧</script>⟦<!-- b -->⟧",
      "<style>a { b: c } ⟦/* d */⟧ // e\n</style>",
      "<style lang='scss'>⟦// a⟧\n</style>",
      "<script>⟦// open⟧",
    );
    check("php", "<?php f('// a'); ⟦// b⟧\n ⟦/* c */⟧", "<?= $a ⟦/* b */⟧ ?>");
  });

  it("of scripting languages", () => {
    check(
      "python",
      "a ⟦# b⟧\nc",
      "'# a' ⟦# b⟧",
      '"""# a\n"b" """ ⟦# c⟧',
      "'''\n# a''' ⟦# b⟧",
      "f'# {a}' ⟦# b⟧",
      "@app.route('/')\ndef f(): ⟦# a⟧",
      "'it\\'s # a' ⟦# b⟧",
      "'open # a\n⟦# b⟧",
    );
    check("ruby", "a ⟦# b⟧\nc", '"#{a} # b" ⟦# c⟧', "⟦=begin\n# a\n=end⟧\nb", "x == b ⟦# c⟧");
    check("lua", "a ⟦-- b⟧\nc", "⟦--[[ a\n-- b ]]⟧ c", "'-- a' ⟦-- b⟧");
  });

  it("of shells", () => {
    check(
      "shellscript",
      "⟦#!/bin/sh⟧\necho a ⟦# b⟧",
      "echo ${a#b} $# a#b ⟦# c⟧",
      "echo '# a' ⟦# b⟧",
      "echo it\\'s ⟦# a⟧",
      "a;⟦# b⟧",
      "a ` b\n⟦# c⟧",
    );
    check("yaml toml", "a: b ⟦# c⟧", "a: b#c", "a: it's ⟦# b⟧\nc: it's");
    check("haskell", "⟦{- a\n-- b -}⟧ c' ⟦-- d⟧");
    check("clojure", "a ⟦; b⟧", '"; a" ⟦; b⟧', "\\; ⟦; a⟧", "@atom ⟦;; @b⟧");
    check("latex tex", "10\\% a ⟦% b⟧", "it's ⟦% b⟧");
  });

  it("are none in texts whose language is not known", () => {
    assert.deepEqual(commentsOf("// a", "unknown"), []);
  });

  it("are found in any text of any language, in order, without overlap", () => {
    const signs = '/* */ // # -- \' " ` """ ${ } <!-- --> <script> </script> <style> a \\ --[[ ]] / [ ]'.split(" ");
    const token = fc.constantFrom(...signs, "(", ")", ";", "%", "\n", " ", "=begin\n", "\n=end", "return ");
    fc.assert(
      fc.property(fc.constantFrom(...commentLanguages), fc.array(token, { maxLength: 60 }), (language, tokens) => {
        const text = tokens.join("");
        let before = 0;
        for (const { start, end } of commentsOf(text, language)) {
          const place = `${language}: ${start}-${end} of ${text.length}`;
          assert.ok(start >= before && end > start && end <= text.length, place);
          before = end;
        }
      }),
      { numRuns: cases(10_000) },
    );
  });

  it("are found soon in texts that have nothing but beginnings", () => {
    const beginnings = ["/*", "/", '"', "`${", '"""', "<script ", "[", "a /[/ ", "#", "\\", "=begin\n", "//"];
    for (const language of ["typescript", "rust", "css", "html", "python", "ruby", "lua", "sql", "latex"]) {
      for (const part of beginnings) {
        // of this thread alone, whatever else the machine does
        const before = process.threadCpuUsage();
        commentsOf(part.repeat(Math.ceil(LONG / part.length)), language);
        assert.ok(process.threadCpuUsage(before).user < 2_000_000 * (LONG / 100_000), `${language}: ${part}`);
      }
    }
  });
});
