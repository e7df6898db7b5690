import assert from "node:assert/strict";
import { fileChange } from "../../src/core/ground/text/diff";
import { linesLeftOut } from "../../webview-ui/src/components/changes/Diff";
import { diffPieces, diffRows } from "../../webview-ui/src/components/changes/diffRows";
import { highlight } from "../../webview-ui/src/markdown/highlight";
import { visibleText } from "../../webview-ui/src/text/format";
import { Random } from "../fakes/random";

describe("panel: what a person decides by", () => {
  it("hidden and reordering characters are shown as signs", () => {
    const check = (input: string, expected: string) =>
      assert.equal(visibleText(input), expected, JSON.stringify(input));
    check("npm test\n\tnext – größer 日本語 😀", "npm test\n\tnext – größer 日本語 😀");
    check("\u001b[2Krm -rf x\r\u0000\u007f", "␛[2Krm -rf x␍␀␡");
    check("a\u202eb\u2066c\u200bd\ufeffe\u00adf", "a\\u{202e}b\\u{2066}c\\u{200b}d\\u{feff}e\\u{ad}f");
    check("\u{e0041}\u009b", "\\u{e0041}\\u{9b}");
  });

  it("says how many lines of a diff were not recorded, and is not fooled by a file that says so", () => {
    const file = { uri: "file:///a", path: "a" };
    const check = (after: string, expected: number) =>
      assert.equal(linesLeftOut([fileChange(file, null, after)]), expected);
    check("line\n".repeat(1000), 0);
    check("\\ 5 more lines of this diff left out\n", 0);
    const long = fileChange(file, null, `${"x".repeat(99)}\n`.repeat(2000));
    const shown = long.diff.split("\n").filter(line => line.startsWith("+x")).length;
    assert.equal(linesLeftOut([long, long]), 2 * (2000 - shown));
  });

  const diffOf = (before: string, after: string) => fileChange({ uri: "file:///a", path: "a" }, before, after).diff;

  it("rows of a diff have numbers, and all of each line's text in its order, whatever colours it", () => {
    const lines = [
      "",
      "\ta = `x`;",
      "/* 注释 \u202e",
      "*/ b\u0301\u0301\u0301\u0301\u0301",
      '"𝒳"<b>&',
      "@@ -1 +1 @@",
      "\\ x",
    ];
    const random = new Random(7);
    const text = () => Array.from({ length: random.int(0, 59) }, () => random.pick(lines)).join("\n");
    const long = "ab c".repeat(16_000);
    const pairs = Array.from({ length: 60 }, () => [text(), text()] as const);
    for (const [before, after] of [...pairs, [`${long}\n`, `${long}d\n`] as const]) {
      const diff = diffOf(before, after);
      const rows = diffRows(diff);
      const plain = diff.split("\n").filter(line => !/^(?:---|\+\+\+|@@) /.test(line));
      const texts = rows.map(row => row.text);
      const shown = rows.flatMap(({ kind, text }) => (kind === "gap" ? [] : text));
      assert.equal(shown.join("\n"), visibleText(plain.map(line => line.slice(1)).join("\n")));
      for (const odd of [highlight, () => [{ text: "x\n\n", scope: "y" }], () => []]) {
        const pieces = diffPieces(rows, "ts", odd).map(all => all.map(piece => piece.text).join(""));
        assert.deepEqual(pieces, texts);
      }
      const [old, now] = [before, after].map(side => visibleText(side).split("\n"));
      for (const row of rows) {
        if (row.old !== undefined) assert.equal(row.text, old?.[row.old - 1]);
        if (row.now !== undefined) assert.equal(row.text, now?.[row.now - 1]);
      }
    }
  });

  it("words that changed are marked where a line became another one; what lies between hunks is counted", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `const a${at} = ${at};`);
    const after = lines.with(2, "const b2 = 2;").with(20, "something else altogether");
    const rows = diffRows(diffOf(lines.join("\n"), after.join("\n")));
    const pieces = diffPieces(rows, "", text => [{ text, scope: null }]).flat();
    assert.equal(pieces.flatMap(({ text, changed }) => (changed ? text : [])).join(), "a2,b2");
    assert.equal(rows.find(({ kind }) => kind === "gap")?.lines, 11);
  });
});
