import assert from "node:assert/strict";
import fc from "fast-check";
import { compileGlob } from "../../src/shared/glob";
import { ignoreLevel, isIgnored } from "../../src/shared/ignore";
import { cases } from "../fakes/soak";
import { workOf } from "../fakes/work";

describe("globs", () => {
  const check = (pattern: string, matching: string[], others: string[]) =>
    it(pattern, () => {
      const matches = compileGlob(pattern);
      assert.deepEqual([...matching, ...others].filter(matches), matching);
    });
  check("*.ts", ["a.ts", "src/deep/a.ts", ".ts"], ["a.tsx", "a.ts/b"]);
  check("src/*.ts", ["src/a.ts"], ["src/deep/a.ts", "lib/src/a.ts", "a.ts"]);
  check("/a.ts", ["a.ts"], ["src/a.ts"]);
  check("**/a.ts", ["a.ts", "x/y/a.ts"], ["ba.ts"]);
  check("src/**", ["src/a", "src/b/c"], ["src", "lib/src/a"]);
  check("src/**/x.ts", ["src/x.ts", "src/a/b/x.ts"], ["srcx.ts", "x.ts"]);
  check("a**b", ["ab", "axxb"], ["a/b"]);
  check("./src/a?.ts", ["src/ab.ts", "src/a中.ts"], ["src/a.ts", "src/a/.ts"]);
  check("{src,lib/{a,b}}/*.{js,ts}", ["src/x.js", "lib/a/x.ts", "lib/b/x.js"], ["lib/x.ts", "lib/c/x.ts"]);
  check("{**/,}a", ["a", "x/a"], ["b"]);
  check("[a-c][!x]", ["ay", "cz"], ["dx", "ax", "a/"]);
  check("[]]", ["]"], ["["]);
  check("a[.]b(c)+$^", ["a.b(c)+$^"], ["axb(c)+$^"]);
  check("\\*.ts", ["*.ts"], ["a.ts"]);
  check("!*.ts", ["a.js"], ["a.ts", "src/b.ts"]);
  check("src/", ["src/a", "src/b/c"], ["src"]);
  check("a,b}", ["a,b}"], ["a"]);
  check("node_modules", ["web/node_modules", "node_modules"], ["node_modules/x", "my_node_modules"]);
  check("a+(b).ts", ["a+(b).ts"], ["ab.ts"]);
  check("资料*.md", ["资料一.md"], ["资.md"]);

  for (const bad of ["", "!", "{a", "{a,b", "[a", "[z-a", "[z-a]"]) {
    it(`${JSON.stringify(bad)} is a SyntaxError`, () => assert.throws(() => compileGlob(bad), SyntaxError));
  }
  it("too long and too deep are SyntaxErrors, in few words", () => {
    for (const bad of ["a".repeat(5_000), "{".repeat(1_000)])
      assert.throws(
        () => compileGlob(bad),
        (error: Error) => error instanceof SyntaxError && error.message.length < 400,
      );
  });

  const hostile = [
    `${"*a".repeat(40)}b`,
    `${"*a".repeat(40)}[b]`,
    `${"**/a/".repeat(30)}b`,
    `${"{a,a}".repeat(40)}b`,
    `${"{*a,a*}".repeat(20)}b`,
    `${"{a,b}".repeat(40)}[1]`,
    `${"[a-z]*".repeat(30)}1`,
    `${"?*".repeat(40)}[1]`,
    `${"**/*a*/".repeat(30)}[1]`,
  ];
  const paths = ["a".repeat(4_000), "a/".repeat(2_000), `${"a".repeat(200)}/`.repeat(20)];
  for (const pattern of hostile) {
    it(`${pattern} of a model or a repository takes no more than the path and the glob are long`, async () => {
      const matches = compileGlob(pattern);
      const levels = [ignoreLevel("/r", true, ["", "", pattern, ""])];
      for (const path of paths) {
        const work = await workOf(() => assert.equal(matches(path) || isIgnored(levels, `/r/${path}`, false), false));
        assert.ok(work < 10 * path.length * pattern.length, `${work}`);
        // Without a choice, each star goes as far as the next one needs.
        if (!pattern.includes("{")) assert.ok(work < 40 * path.length, `${work}`);
      }
    });
  }

  it("mean what the regular expressions mean that they stand for", () => {
    const part = fc.constantFrom(..."a b * ? / ** **/ /** /**/ [ab] [!a] {a,b} {*,a/b} {a*,**/b} 😀".split(" "));
    const path = fc.array(fc.constantFrom("a", "b", "c", "/", "😀"), { maxLength: 8 }).map(parts => parts.join(""));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.array(path, { maxLength: 20 }), (parts, given) => {
        const glob = parts.join("").replace(/^\/+|\/+$/g, "") || "a";
        const [matches, meant] = [compileGlob(glob), meaningOf(glob)];
        for (const one of given) assert.equal(matches(one), meant.test(one), `${glob} on ${one}`);
      }),
      { numRuns: cases(2_000) },
    );
  });
});

const MEANINGS: Readonly<Record<string, string>> = {
  ...{ "**/": "(?:.*/)?", "**": ".*", "?": "[^/]", "[!": "(?!/)[^" },
  ...{ "{": "(?:", ",": "|", "}": ")" },
};

/** In the engine's own words. */
function meaningOf(glob: string): RegExp {
  const whole = glob.includes("/") ? glob : `**/${glob}`;
  const special = /((?<=^|[/{,])\*\*(?:\/|(?=$|[,}])))|\*+|\[!|[?{},]/g;
  const source = whole.replace(special, (found, folders?: string) =>
    folders === undefined && found.startsWith("*") ? "[^/]*" : (MEANINGS[found] ?? found),
  );
  return new RegExp(`^${source}$`, "su");
}
