import assert from "node:assert/strict";
import { SearchError } from "../../src/core/ports";
import { compileGlob } from "../../src/node/glob";
import { parseIgnoreFile } from "../../src/node/ignore";

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

  for (const bad of ["", "!", "{a,b", "[a", "[z-a]"]) {
    it(`${JSON.stringify(bad)} is a SearchError`, () => assert.throws(() => compileGlob(bad), SearchError));
  }
});

describe("ignore files", () => {
  const check = (line: string, expected: { name: string; folderOnly?: boolean; keep?: boolean }) =>
    it(JSON.stringify(line), () => {
      const [rule, ...more] = parseIgnoreFile(line);
      assert.deepEqual(more, []);
      assert.ok(rule);
      assert.ok(rule.regex.test(expected.name));
      assert.deepEqual([rule.folderOnly, rule.keep], [expected.folderOnly ?? false, expected.keep ?? false]);
    });
  check("*.log", { name: "deep/a.log" });
  check("a{b,c}", { name: "a{b,c}" });
  check("dist/", { name: "x/dist", folderOnly: true });
  check("/dist/", { name: "dist", folderOnly: true });
  check("a/b/", { name: "a/b", folderOnly: true });
  check("!keep", { name: "keep", keep: true });
  check("\\!bang", { name: "!bang" });
  check("blank   ", { name: "blank" });
  check("blank\\ ", { name: "blank " });
  it("blank lines, comments and what makes no sense are passed over", () => {
    assert.deepEqual(parseIgnoreFile("\n# comment\n[unclosed\r\n\n"), []);
  });
});
