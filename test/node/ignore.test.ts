import assert from "node:assert/strict";
import { parseIgnoreFile } from "../../src/shared/ignore";

describe("ignore files", () => {
  const check = (line: string, expected: { name: string; folderOnly?: boolean; keep?: boolean }) =>
    it(JSON.stringify(line), () => {
      const [rule, ...more] = parseIgnoreFile(line);
      assert.deepEqual(more, []);
      assert.ok(rule);
      assert.ok(rule.test(expected.name));
      assert.deepEqual([rule.folderOnly, rule.keep], [expected.folderOnly ?? false, expected.keep ?? false]);
    });
  check("*.log", { name: "deep/a.log" });
  check("a{b,c}", { name: "a{b,c}" });
  check("dist/", { name: "x/dist", folderOnly: true });
  check("/dist/", { name: "dist", folderOnly: true });
  check("a/b/", { name: "a/b", folderOnly: true });
  check("!keep", { name: "keep", keep: true });
  check("\\!bang", { name: "!bang" });
  check("blank   ", { name: "blank" });
  check("blank\\ ", { name: "blank " });
  it("blank lines, comments and what makes no sense are passed over", () => {
    assert.deepEqual(parseIgnoreFile("\n# comment\n[unclosed\r\n\n"), []);
  });
});
