// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they stand in the texts that are scanned
import assert from "node:assert/strict";
import { commentAt, mentionsIn, typedMention } from "../../../src/core/mentions/inDocument";

/** `path`, or `path?` where it is doubtful. */
function check(languageId: string, text: string, ...expected: string[]) {
  const found = mentionsIn(text, languageId, true);
  assert.deepEqual(
    found.map(({ path, doubtful }) => (doubtful ? `${path}?` : path)),
    expected,
    text,
  );
  for (const { start, end, raw } of found) assert.equal(text.slice(start, end), raw);
}

/** The cursor is at `|`. */
function typed(languageId: string, marked: string, expected: string | undefined, comments = true) {
  const offset = marked.indexOf("|");
  const found = typedMention(marked.replace("|", ""), offset, languageId, comments);
  assert.equal(found?.query, expected, marked);
}

describe("mentions in documents", () => {
  it("stand in comments, not in code and strings", () => {
    check("typescript", "// see @src/a.ts\nimport '@src/b.ts';\n/* @src/c.ts */", "src/a.ts", "src/c.ts");
    check("typescript", "/** @param a\n * @returns it\n * @see src/a.ts */");
    check("python", '"""see @src/a.py"""\n# see @src/b.py', "src/b.py");
    check("unknown", "// @src/a.ts");
    assert.deepEqual(mentionsIn("// @src/a.ts", "typescript", false), []);
  });

  it("stand anywhere in prose, and are doubtful in its code", () => {
    check("markdown", "@src/a.ts, `@src/b.ts` and @angular/core", "src/a.ts", "src/b.ts?", "angular/core?");
    check("git-commit", "See @src/a.ts\n# @src/b.ts\n", "src/a.ts");
  });

  it("are completed where they may stand", () => {
    typed("typescript", "// @sr|", "sr");
    typed("typescript", "const a = '@sr|'", undefined);
    typed("typescript", "// @sr|", undefined, false);
    typed("markdown", "see @sr|", "sr");
  });

  it("are not what else begins with @", () => {
    for (const text of [
      ..."@param @returns @return @see @todo @ts-ignore @ts-expect-error @type @typedef @deprecated @example @internal @public".split(
        " ",
      ),
      ..."@Injectable @Override @Component @Test @author @since @throws @license @media @import @charset @user @alice @here".split(
        " ",
      ),
      ...[
        "@Get('/a')",
        "@app.route('/')",
        "@angular/core@17.0.1",
        "@media(min-width:1px)",
        "me@example.com",
        "@@version",
        "@ 3",
        "@param {string} a",
      ],
      ...["https://a.b/@joe/post.md", "node_modules/@types/node/index.d.ts", "@"],
    ]) {
      check("typescript", `// ${text}\n/* ${text} */\n/**\n * ${text} x\n */`);
      check("python", `# ${text}`);
    }
  });

  it("are doubtful where they may be packages or decorators", () => {
    const doubtful = [
      "@angular/core",
      "@types/node",
      "@scope/pkg/sub",
      "@mui/material/Button",
      "@pytest.fixture",
      "@org.junit.Test",
      "@bin/strata",
      "@types/chart.js",
      "@src/",
    ];
    for (const text of doubtful) check("typescript", `// ${text}`, `${text.slice(1)}?`);
    const sure = [
      "@src/a.ts",
      "@a.md",
      "@src/core/",
      "@.github/workflows/ci.yml",
      "@../a.py",
      "@src/a/b.proto",
      "@src/core:3",
      "@app:src/a.ts",
      "@package.json",
    ];
    for (const text of sure) check("typescript", `// see ${text}.`, text.slice(1).replace(/:3$/, ""));
    check(
      "typescript",
      '// @"my notes/a.md" @"a b/" @"a b" (see @src/a.ts)',
      "my notes/a.md",
      "a b/",
      "a b?",
      "src/a.ts",
    );
    check("typescript", "// @Makefile:3", "Makefile?");
    check("markdown", "@alice wrote @src/a.ts, @problems", "alice?", "src/a.ts", "problems?");
  });

  it("are doubtful where ordinary text has them for something else", () => {
    const prose: [text: string, path: string][] = [
      ["Bump @types/* packages", "types/"],
      ["the @babel/ packages", "babel/"],
      ["@acme/*/src/index.ts", "acme/"],
      ["see @src/core/*.ts", "src/core/"],
      ["use @three.js", "three.js"],
      ["@next.js team", "next.js"],
      ["foo @2x.png", "2x.png"],
      ["Import from '@scope/pkg/dist/index.js'", "scope/pkg/dist/index.js"],
      ['Import from "@scope/pkg/dist/index.js"', "scope/pkg/dist/index.js"],
      ["Import from `@scope/pkg/dist/index.js`", "scope/pkg/dist/index.js"],
      ["@/components/Foo.vue", "/components/Foo.vue"],
      ['the C# string @"C:\\temp\\x.txt"', "C:\\temp\\x.txt"],
    ];
    for (const [text, path] of prose) {
      for (const languageId of ["markdown", "git-commit", "plaintext"]) check(languageId, text, `${path}?`);
      check("typescript", `// ${text}`, `${path}?`);
    }
    const code: [languageId: string, text: string, path: string][] = [
      ["typescript", "// import '@fontsource/roboto/400.css';", "fontsource/roboto/400.css"],
      ["typescript", "// import Foo from '@/components/Foo.vue';", "/components/Foo.vue"],
      ["jsonc", '// "@app/*": ["src/app/*"]', "app/"],
      ["csharp", '// var a = @"C:\\temp\\x";', "C:\\temp\\x"],
      ["csharp", '// Open(@"out/x.txt", @"foo");', "out/x.txt"],
      ["csharp", '// var a =@"out/x.txt";', "out/x.txt"],
      ["csharp", '// Open(1,@"out/x.txt");', "out/x.txt"],
      ["objective-c", '// NSLog(@"yyyy/MM/dd");', "yyyy/MM/dd"],
      ["objective-c", '// a = @"Hello %@";', "Hello %@"],
      ["powershell", '# $a = @"foo"', "foo"],
      ["typescript", "// f(a,@src.ts", "src.ts"],
    ];
    for (const [languageId, text, path] of code) {
      check(languageId, text, `${path}?`, ...(text.includes('"foo");') ? ["foo?"] : []));
    }
  });

  it("are certain in a prompt, where hardly anything else is meant", () => {
    const sure = ["@src/", "@/etc/passwd.txt", "@main.js", "(@src/a.ts)", '@"Makefile"', '@"a b"'];
    for (const text of sure) check("strata-prompt", text, text.replace(/[@()"]/g, ""));
    check("strata-prompt", "Bump @types/* and '@scope/pkg/a.css'", "types/?", "scope/pkg/a.css?");
  });

  it("stand in all kinds of comments", () => {
    check("typescript", "// @src/a.ts\nf(`// @src/b.ts ${1}`); /* @src/c.ts */", "src/a.ts", "src/c.ts");
    check(
      "html",
      "<!-- @src/a.ts --><p>@src/b.ts</p><script>// @src/c.ts\n'@src/d.ts'</script>",
      "src/a.ts",
      "src/c.ts",
    );
    check("css", "/* @src/a.css */ @import 'b.css'; @media print {}", "src/a.css");
    check("java", '@Override // @src/A.java\nString s = "@src/B.java";', "src/A.java");
    check("shellscript", "# @bin/a.sh\necho @bin/b.sh # @bin/c.sh", "bin/a.sh", "bin/c.sh");
    check("yaml", "a: '@b/c.yml' # @d/e.yml", "d/e.yml");
    check("json", '{"dependencies": {"@angular/core": "1"}} // @src/a.json', "src/a.json");
    check("sql", "select '@a/b.sql' -- @c/d.sql", "c/d.sql");
    check("go", "x := `@a/b.go` // @c/d.go:3-4", "c/d.go");
    check("vue", "<template>@a/b.vue<!-- @c/d.vue --></template>", "c/d.vue");
    check("python", "@decorator\ndef f():\n  '''@a/b.py'''\n  # @c/d.py", "c/d.py");
  });

  it("stand in prose, its code doubtful, what git drops left out", () => {
    check("plaintext", "@a.ts `@b.ts`", "a.ts", "b.ts?");
    check(
      "strata-prompt",
      "fix @src/a.ts\n```ts\n@Injectable() class A {} // @src/b.ts\n```\n@src/c.ts",
      "src/a.ts",
      "src/b.ts?",
      "src/c.ts",
    );
    check("markdown", "~~~\n@a.ts\n```\n~~~\n@b.ts `` ` @c.ts `` ` @d.ts\n\n`\n", "a.ts?", "b.ts", "c.ts?", "d.ts");
    check("markdown", "- ```\n  @a.ts\n  ```\n> ~~~\n> @b.ts", "a.ts?", "b.ts?");
    check("markdown", "```ts\r\n@a.ts\r\n```\r\n@b.ts", "a.ts?", "b.ts");
    check("markdown", "````md\n```\n@a.ts\n```\n````\n@b.ts", "a.ts?", "b.ts");
    check("markdown", "```\n@a.ts\n```ts\n@b.ts\n```\n@c.ts", "a.ts?", "b.ts?", "c.ts");
    check("markdown", "1. ~~~ `sh`\n   @a.ts\n   ~~~\n@b.ts", "a.ts?", "b.ts");
    check("markdown", "``` a `b` @a.ts\n@b.ts", "a.ts", "b.ts");
    check("git-commit", "Fix @a.ts\n# @b.ts\n# ------------------------ >8 ------------------------\n+@c.ts", "a.ts");
  });

  it("stand in code as dense as documents may be", () => {
    for (const part of ["`a` ", "`a`\n", "a\n"]) {
      const text = `@first.ts\n\n${part.repeat(200_000)}`;
      const [first] = mentionsIn(text, "markdown", true);
      assert.equal(first?.path, "first.ts");
    }
  });

  it("are completed in comments only, and not behind them", () => {
    typed("typescript", "/* @sr| */", "sr");
    typed("typescript", "/* a */ @sr|", undefined);
    typed("typescript", "/* open @sr|", "sr");
    typed("typescript", "@Inj|", undefined);
    typed("python", "x = 1 # see @|", "");
    typed("git-commit", "# @sr|", undefined);
    typed("git-commit", "@sr|\n# x", "sr");
    typed("markdown", "`@sr|`", "sr");
    typed("unknown", "// @sr|", undefined);
  });
});

/** The cursor is at `|`. */
function comment(languageId: string, marked: string, expected: string | undefined) {
  const found = commentAt(marked.replace("|", ""), marked.indexOf("|"), languageId);
  assert.equal(found?.text, expected, marked);
}

describe("the comment under the cursor", () => {
  it("is all of it, without its marks", () => {
    const text = "a();\n// one\n// two @x.ts\nb();";
    assert.deepEqual(commentAt(text, 18, "typescript"), { start: 5, end: 24, text: "one\ntwo @x.ts" });
    comment("typescript", "/**\n * One.\n *\n *   two|\n */", "One.\n\n  two");
    comment("typescript", "/* one| */ f()", "one");
    comment("typescript", "a(); // one|\n// two", "one");
    comment("typescript", "// one\n\n// two|", "two");
    comment("typescript", "/// one|", "one");
    comment("rust", "//! one|", "one");
    comment("python", "# one\n#   two|\n#\n# three", "one\n  two\n\nthree");
    comment("html", "<!-- one|\n two -->", "one\ntwo");
    comment("lua", "--[[ one| ]]", "one");
    comment("haskell", "{- one| -}", "one");
    comment("sql", "-- one|", "one");
    comment("clojure", ";; one|", "one");
    comment("markdown", "a <!-- one| -->", "one");
    comment("typescript", "a|();// one", undefined);
    comment("typescript", "'// one|'", undefined);
    comment("unknown", "// one|", undefined);
  });
});
