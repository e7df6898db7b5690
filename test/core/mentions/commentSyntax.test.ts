// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they stand in the texts that are scanned
/** Where comments are. In the cases `⟦` and `⟧` stand around each. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { commentsOf } from "../../../src/core/mentions/commentSyntax";
import type { Rule } from "../../../src/core/mentions/comments/scan";
import { csharpRaw, swiftRaw } from "../../../src/core/mentions/comments/strings";
import { languages } from "../../../src/core/mentions/comments/table";
import { cases } from "../../fakes/cases";
import { checkComments as check } from "./commentCheck";

const slashes = [
  "a ⟦// b⟧\nc",
  "⟦/* a\n// b */⟧ c ⟦// /* d⟧",
  "⟦// a⟧\r\nb",
  "⟦/* open⟧",
  "⟦//⟧\n⟦/**/⟧",
  '"// a" ⟦// b⟧',
];

describe("comments", () => {
  it("of languages like C", () => {
    check(
      "c cpp cuda-cpp objective-c objective-cpp java csharp go javascript typescript javascriptreact typescriptreact jsonc json",
      ...slashes,
    );
    check("rust swift kotlin scala dart groovy hlsl shaderlab glsl proto3 solidity", ...slashes);
    check(
      "c cpp java csharp go rust kotlin scala",
      `'"' ⟦// a⟧\n'"'`,
      `'\\'' ⟦// a⟧\n'\\\\' ⟦// "⟧`,
      '"\\"// a" ⟦// b⟧',
      '"open // a\n',
    );
    check("cpp", 'R"(// a " )" ⟦// b⟧', 'R"x(// )" )x" ⟦// b⟧', "1'000'000 ⟦// a⟧", 'u8R"(//)" ⟦// a⟧');
    check(
      "csharp",
      '@"c:\\" ⟦// a⟧',
      '@"a ""// b" ⟦// c⟧',
      '$"{x["//"]} // a" ⟦// b⟧',
      '"""\n// a "\n""" ⟦// b⟧',
      '$@"// {a}" ⟦// b⟧',
    );
    check("java", '"""\n// a "b"\n""" ⟦// c⟧');
    check("go", "`// a\n\\` ⟦// b⟧");
    check(
      "rust",
      "⟦/* a /* b */ c */⟧ d",
      'r"\\" ⟦// a⟧',
      'r#"" // a "# ⟦// b⟧',
      "fn f<'a>(x: &'a str) {} ⟦// it's⟧",
      "'\"' ⟦// a⟧",
      '"a\n// b" ⟦// c⟧',
    );
    check(
      "swift",
      "⟦/* a /* b */ c */⟧ d",
      '#"" // a"# ⟦// b⟧',
      '"""\n// a "\n""" ⟦// b⟧',
      '"\\(f("// a")) // b" ⟦// c⟧',
    );
    check("kotlin", "⟦/* a /* b */ c */⟧ d", '"""\n// a \\""" ⟦// b⟧', '"${f("// a")} // b" ⟦// c⟧');
    check("scala", "⟦/* a /* b */ c */⟧ d", "'symbol ⟦// a⟧", '"""// "a" """ ⟦// b⟧');
    check("dart", "'''\n// a\n''' ⟦// b⟧", "r'\\' ⟦// a⟧", "'${f('// a')}' ⟦// b⟧");
    check("groovy", "'''// a''' ⟦// b⟧", '"${f("// a")}" ⟦// b⟧', 'x = ~/"/ ⟦// a⟧');
    check("zig", "⟦// a⟧\n\\\\ // b\n⟦// c⟧");
    check("d", "⟦/+ a /+ b +/ c +/⟧ d", "`// a` ⟦// b⟧");
  });

  it("of JavaScript, which has expressions that look like them", () => {
    check(
      "javascript typescript javascriptreact typescriptreact",
      "`// a ${b ⟦/* c */⟧} // d` ⟦// e⟧",
      "`${`// a ${'}'}`} // b` ⟦// c⟧",
      "`a\n// b` ⟦// c⟧",
      "x = /[\"'`]/g; ⟦// a⟧",
      "a / b / c ⟦// d⟧",
      "(a) / 2 ⟦// 'b⟧\n'c'",
      "return /'/.test(a) ⟦// b⟧",
      "f(/\\//) ⟦// a⟧",
      "a = b[0] / c; d = '//' ⟦// e⟧",
      'case /"/: ⟦// a⟧',
      "'it\\'s // a' ⟦// b⟧",
      "x = {a: 1} / 2 ⟦// a⟧",
      "⟦/** @param a */⟧\nfunction f() {}",
      "@Injectable() ⟦// @a⟧\nclass A {}",
    );
    check(
      "javascriptreact typescriptreact",
      "<p>https://a.b/c</p> ⟦// d⟧",
      "<p>Don't</p>\n⟦// a⟧",
      "<Foo a={b} /> ⟦// c⟧",
      "<a>{⟦/* b */⟧}</a> ⟦// c⟧",
      "<br/> ⟦// a⟧",
    );
  });

  it("of styles", () => {
    check(
      "css scss less",
      "⟦/* a */⟧ b { c: '/* d */' }",
      'a { content: "/* b" } ⟦/* c */⟧',
      "a { b: url(http://c/*d) } ⟦/* e */⟧",
    );
    check("scss less", "a ⟦// b⟧\nc", "a { b: url(http://c) } ⟦// d⟧", "@use 'a'; ⟦// b⟧");
    check("css", "a // b\n", "@media print { }");
  });

  it("of markup, and of what is embedded in it", () => {
    check("html xml vue svelte markdown handlebars razor xsl", "<a b='c'>// d</a> ⟦<!-- e\nf -->⟧ g", "a ⟦<!-- b⟧");
    check("xml", "<![CDATA[ <!-- a --> ]]> ⟦<!-- b -->⟧");
    check(
      "html vue svelte php",
      "<script>let a = '// b'; ⟦// c⟧\n</script> // d",
      "<script lang='ts'>⟦/* a */⟧</script>⟦<!-- b -->⟧",
      "<style>a { b: url(//c) } ⟦/* d */⟧ // e\n</style>",
      "<style lang='scss'>⟦// a⟧\n</style>",
      "<script>⟦// open⟧",
    );
    check(
      "php",
      "<p># a // b</p><?php f('# a'); ⟦# b⟧\n ⟦// c⟧\n?> # d",
      "<?php #[A]\n $x = <<<EOT\n# a\nEOT; ⟦# b⟧\n",
      "<?= $a ⟦/* b */⟧ ?>",
    );
    check("handlebars", "{{a}} ⟦{{!-- b {{c}} --}}⟧ ⟦{{! d }}⟧");
    check("razor", "⟦@* a *@⟧ @b");
    check("jinja twig", "{{ a }} ⟦{# b #}⟧");
    check("erb", "⟦<%# a %>⟧ <%= b %>");
    check("pug jade", "p a // b\n⟦// c\n  d\n  e⟧\np f", "  ⟦//- a⟧\n  b", "a(href='http://b')");
  });

  it("are those of all languages that VS Code brings", () => {
    const known = new Set(languages);
    const builtIn =
      "bat c clojure coffeescript cpp csharp css cuda-cpp dart dockercompose dockerfile dotenv fsharp git-rebase go groovy handlebars " +
      "hlsl html ignore ini jade java javascript javascriptreact json jsonc jsonl julia latex less lua makefile objective-c objective-cpp " +
      "perl php powershell properties python r raku razor restructuredtext ruby rust scss shaderlab shellscript snippets sql swift tex " +
      "typescript typescriptreact vb wat xml xsl yaml";
    assert.deepEqual(
      builtIn.split(" ").filter(language => !known.has(language)),
      [],
    );
    assert.deepEqual(commentsOf("// a", "unknown"), []);
    assert.deepEqual(commentsOf("// a", "constructor"), []);
  });

  it("are found in any text of any language, in order, without overlap", () => {
    const token = fc.constantFrom(
      ...[
        "/*",
        "*/",
        "//",
        "#",
        "--",
        "'",
        '"',
        "`",
        '"""',
        "${",
        "}",
        "{-",
        "-}",
        "(*",
        "*)",
        "<!--",
        "-->",
        "<script>",
        "</script>",
        "<<EOF",
        "\nEOF",
      ],
      ...[
        "\n",
        " ",
        "a",
        "\\",
        "|\n",
        "%w(",
        "q{",
        "[[",
        "]]",
        'r#"',
        "url(",
        "=begin\n",
        "\n=end",
        "<?php ",
        "?>",
        '@"',
        "/",
        "[",
        "]",
        "(",
        ")",
        "..",
        ";",
        "%",
      ],
    );
    fc.assert(
      fc.property(fc.constantFrom(...languages), fc.array(token, { maxLength: 60 }), (language, tokens) => {
        const text = tokens.join("");
        let before = 0;
        for (const { start, end } of commentsOf(text, language)) {
          assert.ok(
            start >= before && end > start && end <= text.length,
            `${language}: ${start}-${end} of ${text.length}`,
          );
          before = end;
        }
      }),
      { numRuns: cases(10_000) },
    );
  });

  it("are looked for once in a run of marks, from its first one on", () => {
    const read = (rule: Rule, text: string, at: number) =>
      rule.read({ text, comments: [], rules: new Map(), searches: 9, depth: 0 }, at);
    assert.deepEqual(
      [0, 1].map(at => read(swiftRaw, '##"a"##', at)),
      [7, 1],
    );
    assert.deepEqual(
      [0, 1, 2].map(at => read(csharpRaw, '$$"""a"""', at)),
      [9, 1, 9],
    );
    assert.equal(read(csharpRaw, '"""a"""', 0), 7);
  });

  it("are found soon in texts that have nothing but beginnings", () => {
    const bad = [
      "/*",
      "/",
      '"',
      "`${",
      "<<EOF ",
      "<script ",
      "[",
      "(*",
      "q{",
      "%w(",
      " |",
      "url(",
      '@"',
      "\\",
      "=begin\n",
      "a /[/ ",
      "#",
      "$",
    ];
    for (const language of "javascript ruby perl php yaml shellscript rust scss haskell latex csharp elixir swift".split(
      " ",
    )) {
      for (const part of bad) commentsOf(part.repeat(Math.ceil(10_000 / part.length)), language);
    }
  });
});
