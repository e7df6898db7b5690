import assert from "node:assert/strict";
import { type FileRef, type GrepQuery, SearchError } from "../../src/core/ground/ports";
import { createPatterns } from "../../src/node/patterns";
import { textSearch } from "../../src/vscode/search/textSearch";
import { FakeClock } from "../fakes/clock";

const clock = new FakeClock();
const ref: FileRef = { uri: "memory:/app", absolute: "memory:///app", path: ".", relative: ".", inside: true };
/** @param limitMs of a pattern: a machine that does much else needs long for one that ends */
const ask = (pattern: string, more: Partial<GrepQuery> = {}, limitMs = 3_000) =>
  textSearch(
    { ...{ pattern, ref, mode: "content", before: 0, after: 0, ignoreCase: false, multiline: false }, ...more },
    createPatterns(limitMs),
    clock,
  );
const lines = (text: string, pattern: string, more: Partial<GrepQuery> = {}) =>
  ask(pattern, more)
    .linesOf(text, "a")
    .map(({ line, kind, text: shown }) => `${line}${kind === "match" ? ":" : "-"}${shown}`);

describe("searching a text without ripgrep", () => {
  const text = "one\ntwo\r\nthree\rfour\nfive\n";

  it("goes line by line, whatever ends them, with context that is not told twice", () => {
    assert.deepEqual(lines(text, "t"), ["2:two", "3:three"]);
    assert.deepEqual(lines(text, "e$", { before: 1, after: 1 }), ["1:one", "2-two", "3:three", "4-four", "5:five"]);
    assert.deepEqual(lines("", "x"), []);
  });

  it("goes over lines where asked to, and finds every line of a hit", () => {
    assert.deepEqual(lines("a\nb\nc\nd\na\n", "b.c", { multiline: true }), ["2:b", "3:c"]);
    assert.deepEqual(lines("a\nb\nc\nd\na\n", "^a$", { multiline: true }), ["1:a", "5:a"]);
    assert.deepEqual(lines("a\rb\r\nc\r", "b.c", { multiline: true }), ["2:b", "3:c"]);
    assert.deepEqual(lines("a\nb\n", "x*", { multiline: true }), ["1:a", "2:b"]);
  });

  it("takes the flags that ripgrep has in front of a pattern, and escapes of plain characters", () => {
    assert.deepEqual(lines("Needle\n", "(?i)needle"), ["1:Needle"]);
    assert.deepEqual(lines("a-b\n", "a\\-b"), ["1:a-b"]);
    assert.deepEqual(lines("中文 😀\n", "^.. .$"), ["1:中文 😀"]);
  });

  it("says what cannot be read: patterns, types, globs", () => {
    for (const bad of [() => ask("("), () => ask("x", { type: "nope" }), () => ask("x", { glob: "[a" })]) {
      assert.throws(bad, SearchError);
    }
    assert.throws(() => ask("(?P<n>x)"), /JavaScript's regular expressions/);
  });

  it("wants the files that a glob names", () => {
    const { wants } = ask("x", { glob: "src/**" });
    assert.deepEqual(["src/a.ts", "a.ts"].map(wants), [true, false]);
  });

  it("gives of a long line its beginning", () => {
    assert.equal(lines(`${"x".repeat(100_000)}\n`, "x")[0]?.length, "1:".length + 8192);
  });
});

describe("a pattern that may never end", () => {
  const long = `${"a".repeat(60)}!\n`;
  for (const pattern of ["(a+)+$", "^(a|a)*$", "(.*a){25}b", "(a{2,})*$"]) {
    for (const multiline of [false, true])
      it(`is ended and said, ${multiline ? "over lines" : "line by line"}: ${pattern}`, () =>
        assert.throws(() => ask(pattern, { multiline }, 200).linesOf(long, "a"), {
          name: "SearchError",
          message: /takes too long here/,
        }));
  }
  it("finds what it finds where it ends", () => {
    assert.deepEqual(lines("aaa\nb\n", "(a+)+$"), ["1:aaa"]);
  });
});
