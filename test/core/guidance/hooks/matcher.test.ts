import assert from "node:assert/strict";
import { readMatcher, toolNames } from "../../../../src/core/guidance/hooks/matcher";

const matches = (text: string, name: string) => {
  const read = readMatcher(text);
  assert.ok(typeof read !== "string", `"${text}": ${read}`);
  return read(toolNames(name));
};

describe("matchers of hooks", () => {
  const fitting: [string, string[], string[]][] = [
    ["", ["Read", "db:query"], []],
    ["*", ["Read", "db:query"], []],
    [".*", ["Read"], []],
    ["Bash", ["Bash"], ["BashOutput", "bash", "aBash"]],
    ["Edit|MultiEdit|Write", ["Edit", "Write"], ["Read", "Edi"]],
    ["MultiEdit", ["Edit"], ["Write"]],
    ["Edit | Write", ["Edit", "Write"], ["Read"]],
    ["(Edit|Write)", ["Edit"], ["Read"]],
    ["^(Edit|Write)$", ["Edit"], ["Edits"]],
    ["^Edit$|^Write$", ["Edit", "Write"], ["Edits", "Read"]],
    ["Bash(.*)", ["Bash"], ["Edit"]],
    ["Notebook(Edit|Read)", ["NotebookEdit"], ["Edit"]],
    ["Notebook.*", ["NotebookEdit"], ["Edit"]],
    ["[Bb]ash", ["Bash"], ["Read"]],
    ["Write.?", ["Write"], ["Read"]],
    ["\\w+", ["Read"], []],
    ["mcp__.*", ["db:query"], ["Read"]],
    ["mcp__db__query", ["db:query"], ["db:other", "dbx:query"]],
    ["mcp__.*__query.*", ["db:query", "a b:query_all"], ["db:other"]],
    ["db:query", ["db:query"], ["db:other"]],
    ["db:*", ["db:query"], ["dc:query"]],
  ];
  for (const [text, yes, no] of fitting)
    it(`"${text}"`, () => {
      for (const name of yes) assert.equal(matches(text, name), true, name);
      for (const name of no) assert.equal(matches(text, name), false, name);
    });

  for (const [text, tool] of [
    ["Bash(rm *)", "Bash"],
    ["Bash(rm:*)", "Bash"],
    ["Bash(rm)", "Bash"],
    ["Edit|Bash(git push:*)", "Bash"],
    ["Edit(*.ts)", "Edit"],
    ["Read(./secrets/**) | Write", "Read"],
  ])
    it(`"${text}" is a rule, and says where one belongs`, () =>
      assert.match(
        String(readMatcher(text ?? "")),
        new RegExp(`is a permission rule.*"matcher": "${tool}" and the rule in "if"`),
      ));

  it("says of what it cannot read, and of what could take long, that it cannot be read", () => {
    const bad = [
      "(a+)+$",
      "(a|a)*b",
      "(.*)*x",
      "a+b+c+d+",
      "[a",
      "(Edit",
      "\\",
      "a{1,9}{1,9}",
      "x".repeat(600).concat("("),
    ];
    for (const text of bad) assert.match(String(readMatcher(text)), /cannot be read/, text);
  });
});
