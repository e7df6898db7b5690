import assert from "node:assert/strict";
import { compileGlob } from "../../src/shared/glob";

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
  check("dist/**", ["dist/x/y"], ["dist", "distant"]);
  check("*.{ts,{js,mjs}}", ["a.ts", "a.mjs"], ["a.css"]);
  check("a,b", ["a,b"], ["a"]);
  check("[ab]?.md", ["b1.md"], ["c1.md"]);
  check("[!ab].md", ["c.md"], ["a.md"]);
  check("a+(b).ts", ["a+(b).ts"], ["ab.ts"]);
  check("资料*.md", ["资料一.md"], ["资.md"]);

  for (const bad of ["", "!", "{a", "{a,b", "[a", "[z-a", "[z-a]"]) {
    it(`${JSON.stringify(bad)} is a SyntaxError`, () => assert.throws(() => compileGlob(bad), SyntaxError));
  }
});
