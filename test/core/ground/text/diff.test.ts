import assert from "node:assert/strict";
import { applyPatch } from "diff";
import fc from "fast-check";
import { diffLines, fileChange, fragment, rangesText } from "../../../../src/core/ground/text/diff";
import { asItIs } from "../../../fakes/redact";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `l${index + 1}\n`).join("");
const file = { uri: "file:///ws/app/a.txt", path: "a.txt" };

function check(before: string, after: string, expected: { counts: string; ranges: string }): void {
  const diff = diffLines(before, after);
  assert.deepEqual({ counts: `+${diff.added} -${diff.removed}`, ranges: rangesText(diff.ranges) }, expected);
}

describe("unifiedDiff", () => {
  it("counts lines and names the changed ranges of the new text", () => {
    check("a\nb\nc\n", "a\nB\nc\n", { counts: "+1 -1", ranges: "line 2" });
    check("a\nb\nc\n", "a\nx\ny\nb\nc\n", { counts: "+2 -0", ranges: "lines 2–3" });
    check("a\nb\nc\n", "a\nc\n", { counts: "+0 -1", ranges: "after line 1 (removed)" });
    check("a\nb\n", "b\n", { counts: "+0 -1", ranges: "at the beginning (removed)" });
    check("", "a\nb\n", { counts: "+2 -0", ranges: "lines 1–2" });
    check("a\nb\n", "", { counts: "+0 -2", ranges: "at the beginning (removed)" });
    check(numbers(40), numbers(40).replace("l3\n", "x\n").replace("l30\n", "y\nz\n"), {
      counts: "+3 -2",
      ranges: "line 3, lines 30–31",
    });
    check("a\r\nb\r\n", "a\nb\n", { counts: "+0 -0", ranges: "" });
    check("a\nb", "a\nb\n", { counts: "+1 -1", ranges: "line 2" });
  });

  it("is a patch that turns the old text into the new one", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 30 }).map(lines => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { diff } = fileChange(file, before, after);
        assert.equal(applyPatch(before, `${diff}\n`), after);
      }),
    );
  });

  it("says that a file is new", () => {
    assert.equal(fileChange(file, null, "a\n").diff, "--- /dev/null\n+++ a.txt\n@@ -0,0 +1,1 @@\n+a");
  });

  it("gives up the exact diff of texts that have nothing in common", () => {
    const before = Array.from({ length: 3000 }, (_, i) => `old ${i}\n`).join("");
    const after = Array.from({ length: 3000 }, (_, i) => `new ${i}\n`).join("");
    check(`same\n${before}`, `same\n${after}`, { counts: "+3000 -3000", ranges: "lines 2–3001" });
  });

  it("keeps a diff within 64 KB and says what is left out", () => {
    const { diff } = fileChange(file, null, "资料资料资料资料资料资料\n".repeat(5000));
    assert.ok(Buffer.byteLength(diff) <= 64 * 1024);
    assert.match(diff, /more lines of this diff left out$/);
  });

  it("shows changed lines with two around them, at most 40", () => {
    const { ranges } = diffLines(numbers(40), numbers(40).replace("l3\n", "x\n").replace("l30\n", ""));
    const after = numbers(40).replace("l3\n", "x\n").replace("l30\n", "");
    assert.equal(
      fragment(after, ranges, asItIs),
      ["1\tl1", "2\tl2", "3\tx", "4\tl4", "5\tl5", "    …", "28\tl28", "29\tl29", "30\tl31", "31\tl32"].join("\n"),
    );
    const long = fragment(numbers(200), [{ first: 1, last: 200 }], asItIs).split("\n");
    assert.equal(long.length, 40);
    assert.equal(long.at(-1), "    …");
  });
});
