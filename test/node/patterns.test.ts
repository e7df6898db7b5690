import assert from "node:assert/strict";
import * as fc from "fast-check";
import { PatternError } from "../../src/core/ground/ports";
import { createPatterns } from "../../src/node/patterns";
import { patterns } from "../fakes/patterns";

const lines = ["error: a", "fine", "  Error: b", "中文"];

describe("createPatterns", () => {
  const check = (pattern: string, found: number[]) =>
    it(pattern, () => assert.deepEqual(createPatterns().matching(pattern, lines), found));
  check("error", [0]);
  check("(?i)error", [0, 2]);
  check("^\\s*[Ee]rror|文", [0, 2, 3]);
  check("nothing", []);
  check("", [0, 1, 2, 3]);

  it("refuses what is none, in the engine's words", () => {
    assert.throws(
      () => createPatterns().matching("a(b", lines),
      (error: unknown) =>
        error instanceof PatternError && error.code === "invalid" && /Unterminated group/.test(error.message),
    );
  });

  it("cuts off one that would never end", () => {
    assert.throws(
      () => createPatterns(50).matching("(a+)+$", [`${"a".repeat(60)}!`]),
      (error: unknown) =>
        error instanceof PatternError && error.code === "slow" && /longer than 50 ms/.test(error.message),
    );
  });

  it("gives the lines that what it finds spans, and cuts off what never ends there too", () => {
    const { spanning } = createPatterns();
    assert.deepEqual(spanning(/b\nc|d$/gm, "a\nb\nc\nd\nb\nc"), [1, 2, 3, 4, 5]);
    assert.deepEqual(spanning(/.|$/g, "ab\nc\n"), [0, 1, 2]);
    assert.throws(() => createPatterns(50).spanning(/(a+)+$/g, `${"a".repeat(60)}!`), { code: "slow" });
  });

  it("gives what a plain way to count lines gives", () => {
    const text = fc.array(fc.constantFrom("a", "b", "\n", "ab\n")).map(parts => parts.join(""));
    const pattern = fc.constantFrom("a", "a\nb", "b*", "^", "$", "a[^]*b", "\n");
    const { spanning } = createPatterns(60_000);
    fc.assert(
      fc.property(text, pattern, fc.constantFrom("g", "gm"), (text, pattern, flags) => {
        assert.deepEqual(
          spanning(new RegExp(pattern, flags), text),
          patterns.spanning(new RegExp(pattern, flags), text),
        );
      }),
    );
  });

  it("looks through much text", () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
    assert.equal(createPatterns(60_000).matching("99$", many).length, 200);
  });
});
