import assert from "node:assert/strict";
import { explainNoMatch } from "../../../../src/core/changes/edits/noMatch";

const FILE = 'function total(items) {\n\tlet sum = 0;\n    const name = "x";\n  return sum; \n}\n// done\u00a0here\n';

function check(wanted: string, expected: RegExp[], line: number | undefined, text = FILE, replacement = "new"): void {
  const found = explainNoMatch(text, wanted, replacement);
  for (const pattern of expected) assert.match(found.text, pattern);
  assert.equal(found.line, line);
}

describe("explainNoMatch", () => {
  it("names indentation", () => {
    check(
      "    let sum = 0;",
      [/closest lines/, /line 2, spaces: the file has "\\tlet sum = 0;", old_string has " {4}let/],
      2,
    );
  });
  it("names spaces at the end", () => {
    check("  return sum;\n}", [/line 4, spaces: the file has " {2}return sum; "/], 4);
  });
  it("names quotes", () => {
    check("const name = 'x';", [/line 3, from column/, /const name = \\"x\\"/, /"'" in old_string/], 3);
  });
  it("names characters that look the same", () => {
    check("// done here", [/line 6, spaces \(U\+00A0 in the file\)/, /\/\/ done\u00a0here/], 6);
  });
  it("names spaces within the line", () => {
    check("function total( items ) {", [/line 1, spaces: /], 1);
  });
  it("names another case", () => {
    check("Function Total(items) {", [/line 1, from column 1 \("f" in the file, "F" in old_string\)/], 1);
  });
  it("finds the block where most lines stand", () => {
    check(
      'function total(items) {\n\tlet sum = 1;\n    const name = "x";',
      [/line 2, from column 12 \("0" in the file, "1" in old_string\)/],
      1,
    );
  });
  it("finds a line that is alike", () => {
    check("function totals(item) {", [/\n1\tfunction total\(items\)/], 1);
  });
  it("finds a part of a line that is alike", () => {
    check("total(item)", [/\n1\tfunction total\(items\) \{/], 1);
  });
  it("sees the line numbers of Read", () => {
    check('2\t\tlet sum = 0;\n3\t    const name = "x";', [/line numbers that Read shows/], 2);
  });
  it("sees that the edit was made before", () => {
    check("let sum = 9;", [/new_string is there already, at line 2/], 2, FILE, "\tlet sum = 0;");
  });
  it("says that there is nothing like it", () => {
    check("zzzzqqqq", [/Nothing in the file resembles it: Read the file again/], undefined);
    check("x", [/file is empty: use Write/], undefined, "");
  });
  it("sees that the block ends before the wanted text does", () => {
    check("}\n// done\u00a0here\nmore", [/old_string has a line that the file does not have there|from column 1/], 5);
  });
});
