import assert from "node:assert/strict";
import { mergeTexts } from "../../../../src/core/changes/edits/merge";
import { planLines } from "../../../../src/core/changes/edits/planEdits";
import { Random } from "../../../fakes/random";

/** `a b c` is short for three lines. */
const lines = (text: string) => (text === "" || text.includes("\n") ? text : `${text.replaceAll(" ", "\n")}\n`);

const check = (name: string, ...texts: [base: string, ours: string, theirs: string, merged: string]) =>
  it(name, () => {
    const [base, ours, theirs, merged] = texts.map(lines) as typeof texts;
    assert.deepEqual(mergeTexts(base, ours, theirs), { kind: "merged", text: merged });
    assert.deepEqual(mergeTexts(base, theirs, ours), { kind: "merged", text: merged }, "whoever was first");
  });

describe("merging texts", () => {
  check("nobody changed anything", "a\nb\n", "a\nb\n", "a\nb\n", "a\nb\n");
  check("one side changed", "a\nb\n", "a\nB\n", "a\nb\n", "a\nB\n");
  check("far apart", "a b c d", "A b c d", "a b c D", "A b c D");
  check("one line between", "a b c", "A b c", "a b C", "A b C");
  check("a line that goes, one that comes", "a b c d", "b c d", "a b c x d", "b c x d");
  check("both did the same", "a b", "a x", "a x", "a x");
  check("both did the same and one did more", "a b c d", "x b c d", "x b c D", "x b c D");
  check("line ends do not count", "a\r\nb\r\nc\r\n", "A\nb\nc\n", "a\r\nb\r\nC\r\n", "A\nb\nC\n");
  check("no final newline", "a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC");
  check("an empty text that one side filled", "", "a\n", "", "a\n");
  check(
    "all lines the same",
    "x\n".repeat(50),
    `y\n${"x\n".repeat(49)}`,
    `${"x\n".repeat(49)}z\n`,
    `y\n${"x\n".repeat(48)}z\n`,
  );
  check(
    "names of an object's own properties",
    "constructor a __proto__",
    "toString a __proto__",
    "constructor a valueOf",
    "toString a valueOf",
  );

  const conflict = (name: string, ...texts: [base: string, ours: string, theirs: string]) =>
    it(`is a conflict: ${name}`, () => {
      const [base, ours, theirs] = texts.map(lines) as typeof texts;
      assert.equal(mergeTexts(base, ours, theirs).kind, "conflict");
      assert.equal(mergeTexts(base, theirs, ours).kind, "conflict");
    });
  conflict("the same line", "a b c", "a x c", "a y c");
  conflict("lines that touch", "a b c", "a B c", "a b C");
  conflict("changed and gone", "a b c", "a x c", "a c");
  conflict("two insertions at one place", "a b", "a x b", "a y b");
  conflict("both filled an empty text", "", "a\n", "b\n");
  conflict("the last line and its line end", "a\nb", "a\nB", "a\nb\n");

  /** A text of many lines of which most stand there again and again. */
  const json = (indent: string, count = 800) =>
    Array.from(
      { length: count },
      (_, id) => `${indent}{\n${indent}${indent}"id": ${id},\n${indent}${indent}"tags": [],\n${indent}},\n`,
    ).join("");
  it("does not stop everything else: an edit of a line of a file that was reindented since", () => {
    const base = json("  ");
    const ours = base.replace('"id": 50,', '"id": 5000,');
    assert.equal(mergeTexts(base, ours, json("    ")).kind, "conflict");
  });

  it("does not stop everything else: many lines of few kinds", () => {
    for (const [count, different] of [
      [3_000, 8],
      [5_000, 2],
      [5_000, 50],
    ] as const) {
      const [base, ours, theirs] = [1, 2, 3].map(seed => {
        const random = new Random(seed);
        return Array.from({ length: count }, () => `${"}".repeat(random.int(0, different - 1))}\n`).join("");
      }) as [string, string, string];
      // It took minutes once.
      assert.equal(mergeTexts(base, ours, theirs).kind, "conflict");
    }
  });

  it("keeps both changes beside each other where one is of thousands of lines", () => {
    const [rest, reindented] = [json("  "), json("    ")];
    const merge = mergeTexts(`a\nb\nc\n${rest}`, `a\nB\nc\n${rest}`, `a\nb\nc\n${reindented}`);
    assert.deepEqual(merge, { kind: "merged", text: `a\nB\nc\n${reindented}` });
  });

  it("says where, on each side", () => {
    const merge = mergeTexts(lines("a b c d e"), lines("a b c X e"), lines("0 a b c Y Z e"));
    assert.deepEqual(merge, {
      kind: "conflict",
      conflicts: [
        {
          base: { first: 4, count: 1, text: "d\n" },
          ours: { first: 4, count: 1, text: "X\n" },
          theirs: { first: 5, count: 2, text: "Y\nZ\n" },
        },
      ],
    });
  });

  it("names all conflicts", () => {
    const merge = mergeTexts(lines("a b c"), lines("1 b 2"), lines("3 b 4"));
    assert.equal(merge.kind === "conflict" && merge.conflicts.length, 2);
  });
});

describe("planning from text to text", () => {
  it("leaves alone what stands between two changes, and keeps line ends", () => {
    const plan = planLines("a\r\nb\r\nc\r\nd\r\n", "A\nb\nc\nD\nE\n");
    assert.deepEqual(plan, {
      edits: [
        { start: 0, end: 1, text: "A" },
        { start: 9, end: 10, text: "D\r\nE" },
      ],
      newText: "A\r\nb\r\nc\r\nD\r\nE\r\n",
    });
  });

  it("does nothing where only line ends differ", () => {
    assert.deepEqual(planLines("a\r\nb\n", "a\nb\n").edits, []);
  });

  it("removes, fills and empties", () => {
    assert.equal(planLines("a\nb\nc\n", "a\nc\n").newText, "a\nc\n");
    assert.equal(planLines("", "a\n").newText, "a\n");
    assert.equal(planLines("a\n", "").newText, "");
  });
});
