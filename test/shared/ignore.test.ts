/** What an ignore file may ask for: each name is held against all of its rules. */
import assert from "node:assert/strict";
import { compileGlob } from "../../src/shared/glob";
import { parseIgnoreFile } from "../../src/shared/ignore";

describe("the rules of an ignore file", () => {
  const count = (lines: readonly string[]) => parseIgnoreFile(lines.join("\n")).length;

  it("are all taken where people wrote them", () => {
    assert.equal(
      count(["*.log", "!keep.log", "/dist/", "**/node_modules/**", "*.[oa]", "a/**/b/*.tmp", "# words", ""]),
      6,
    );
    assert.equal(count(Array.from({ length: 5_000 }, (_, at) => `/generated/file-${at}.ts`)), 5_000);
  });

  it("are passed over where they only cost time: many stars, many rules with several, very long ones", () => {
    assert.equal(count(Array.from({ length: 400 }, () => `${"*a".repeat(120)}b`)), 0);
    assert.equal(count(Array.from({ length: 1_000 }, (_, at) => `*a${at}*b*`)), 200);
    assert.equal(count(["x".repeat(600), "y"]), 1);
    assert.equal(count(Array.from({ length: 30_000 }, (_, at) => `a${at}`)), 20_000);
  });

  it("a model's glob of many folders is that of one, and a long one is refused", () => {
    const test = compileGlob(`${"**/".repeat(150)}a.ts`);
    assert.deepEqual([test("a.ts"), test("x/y/a.ts"), test("x/b.ts")], [true, true, false]);
    assert.throws(() => compileGlob(`*${"?".repeat(600)}*b`), /more than 512 characters/);
  });
});
