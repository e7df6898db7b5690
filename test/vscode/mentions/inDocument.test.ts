// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they stand in the texts that are scanned

import assert from "node:assert/strict";
import { commentAt, mentionsIn, typedMention } from "../../../src/vscode/mentions/inDocument";
import { pluck } from "../../fakes/pluck";

function check(languageId: string, text: string, ...expected: string[]) {
  const found = mentionsIn(text, languageId, true);
  assert.deepEqual(pluck(found, "path"), expected, text);
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

  it("are not what else begins with @", () => {
    for (const text of [
      ..."@param @ts-ignore @typedef @Injectable @author @media @user @".split(" "),
      ...[
        "@Get('/a')",
        "@angular/core@17.0.1",
        "@media(min-width:1px)",
        "me@example.com",
        "@@version",
        "https://a.b/@joe/post.md",
      ],
    ]) {
      check("typescript", `// ${text}\n/* ${text} */\n/**\n * ${text} x\n */`);
      check("python", `# ${text}`);
    }
  });

  it("stand in prose, what git drops left out", () => {
    check("markdown", "@src/a.ts, `@src/b.ts` and @angular/core", "src/a.ts", "src/b.ts", "angular/core");
    check("strata-prompt", "fix @src/a.ts\n```ts\n@Injectable() class A {} // @src/b.ts\n```", "src/a.ts", "src/b.ts");
    check("git-commit", "Fix @a.ts\n# @b.ts\n# ------------------------ >8 ------------------------\n+@c.ts", "a.ts");
  });

  it("are completed in comments only, and not behind them", () => {
    typed("typescript", "/* @sr| */", "sr");
    typed("typescript", "const a = '@sr|'", undefined);
    typed("typescript", "// @sr|", undefined, false);
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
