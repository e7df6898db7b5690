import assert from "node:assert/strict";
import { globMatcher } from "../../../src/core/tools/globMatch";

const check = (pattern: string, path: string, expected: boolean) =>
  assert.equal(globMatcher(pattern)(path), expected, `${pattern} on ${path}`);

describe("globMatcher", () => {
  const cases: [string, string, boolean][] = [
    ["*.ts", "src/a.ts", true],
    ["*.ts", "src/a.tsx", false],
    ["node_modules", "web/node_modules", true],
    ["node_modules/", "web/node_modules", true],
    ["src/*.ts", "src/a.ts", true],
    ["./src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/b/c/a.ts", true],
    ["**/a.ts", "a.ts", true],
    ["dist/**", "dist", true],
    ["dist/**", "dist/x/y", true],
    ["dist/**", "distant", false],
    ["*.{ts,tsx}", "a.tsx", true],
    ["*.{ts,{js,mjs}}", "a.mjs", true],
    ["*.{ts,tsx}", "a.js", false],
    ["{a", "{a", true],
    ["a,b", "a,b", true],
    ["[ab]?.md", "b1.md", true],
    ["[!ab].md", "a.md", false],
    ["[a-c].md", "b.md", true],
    ["a+(b).ts", "a+(b).ts", true],
    ["资料*.md", "资料一.md", true],
    ["[a", "[a", true],
    ["[z-a", "[z-a", true],
  ];
  for (const [pattern, path, expected] of cases) {
    it(`${pattern} ${expected ? "matches" : "does not match"} ${path}`, () => check(pattern, path, expected));
  }
});
