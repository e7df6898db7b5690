import assert from "node:assert/strict";
import { explainNoMatch } from "../../../../src/core/changes/edits/noMatch";

const FILE = 'function total(items) {\n\tlet sum = 0;\n    const name = "x";\n  return sum; \n}\n// done\u00a0here\n';

function check(wanted: string, expected: RegExp[], line: number | undefined, text = FILE, replacement = "new"): void {
  const found = explainNoMatch(text, wanted, replacement);
  for (const pattern of expected) assert.match(found.text, pattern);
  assert.equal(found.line, line);
}

describe("explainNoMatch", () => {
  it("finds what differs in blanks, and names both sides", () => {
    check(
      "    let sum = 0;",
      [/closest lines/, /line 2: the file has "\\tlet sum = 0;", old_string has " {4}let sum = 0;"/],
      2,
    );
    check("  return sum;\n}", [/line 4: the file has " {2}return sum; "/], 4);
    check("function total( items ) {", [/line 1: /], 1);
    check("// done here", [/line 6: the file has "\/\/ done\\u00a0here", old_string has "\/\/ done here"/], 6);
  });
  it("finds quotes and cases of another kind as a line that is alike", () => {
    check(
      "const name = 'x';",
      [/line 3: the file has " {4}const name = \\"x\\";", old_string has "const name = 'x';"/],
      3,
    );
    check("Function Total(items) {", [/line 1: the file has "function total/], 1);
  });
  it("finds the block where most lines stand", () => {
    check(
      'function total(items) {\n\tlet sum = 1;\n    const name = "x";',
      [/line 2: the file has "\\tlet sum = 0;", old_string has "\\tlet sum = 1;"/],
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
    check("}\n// done\u00a0here\nmore", [/old_string has a line that the file does not have there|line 7: /], 5);
  });
});
