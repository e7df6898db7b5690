import assert from "node:assert/strict";
import { fileChange } from "../../src/core/ground/text/diff";
import { linesLeftOut } from "../../webview-ui/src/components/changes/Diff";
import { visibleText } from "../../webview-ui/src/text/format";

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
});
