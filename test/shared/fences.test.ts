import assert from "node:assert/strict";
import { fenceAfter, fenced } from "../../src/shared/fences";
import { shellQuoted } from "../../src/shared/shellQuoted";

describe("a text in a block of code", () => {
  it("is ended by nothing that stands in it", () => {
    const rows: [text: string, marks: number][] = [
      ["", 3],
      ["plain", 3],
      ["a `span` and ``two``", 3],
      ["```\ninner\n```", 4],
      ["````md\n```\n````", 5],
      ["~~~\nnone of its kind\n~~~", 3],
    ];
    const swapped = (text: string) => text.replace(/[`~]/g, mark => (mark === "~" ? "`" : "~"));
    const both = rows.flatMap(([text, marks]) => [[text, marks, "`"] as const, [swapped(text), marks, "~"] as const]);
    for (const [text, marks, mark] of both) {
      const block = fenced(text, "md", mark).split("\n");
      assert.equal(block[0], `${mark.repeat(marks)}md`);
      const open = fenceAfter(undefined, block[0] ?? "");
      const ends = block.slice(1).findIndex(line => fenceAfter(open, line) === undefined);
      assert.equal(ends, block.length - 2, text);
    }
  });
});

describe("a word for a shell", () => {
  it("is what it was, whatever stands in it", () => {
    const rows = ["", "a b", "it's", "''", '$(id)`id`"\\', "two\nlines"];
    assert.deepEqual(rows.map(shellQuoted), [
      "''",
      "'a b'",
      "'it'\\''s'",
      "''\\'''\\'''",
      "'$(id)`id`\"\\'",
      "'two\nlines'",
    ]);
  });
});
