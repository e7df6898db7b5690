/** Which words of answers and outputs open a file, and where: as people of other agents met them, and as they failed there. */
import assert from "node:assert/strict";
import type { LinkTarget } from "../../webview-ui/src/markdown/links";
import { codeTarget, linkTarget, splitOutput, splitReferences } from "../../webview-ui/src/markdown/links";

/** "path|line|column|to" */
function said(target: LinkTarget): string {
  if (target.kind !== "file") return target.kind;
  const { path, line = "", column = "", to = "" } = target;
  return [path, line, column, to].join("|").replace(/\|+$/, "");
}

const files = (pieces: readonly { text: string; target: LinkTarget }[]) =>
  pieces.flatMap(({ target }) => (target.kind === "none" ? [] : [said(target)]));

describe("panel links: lines", () => {
  const ends: [string, string][] = [
    ["", ""],
    [":12", "|12"],
    [":12:5", "|12|5"],
    [":12-20", "|12||20"],
    ["#L12", "|12"],
    ["#L12C5", "|12|5"],
    ["#L12-L20", "|12||20"],
    ["#12-20", "|12||20"],
    ["(12,5)", "|12|5"],
  ];
  for (const [end, place] of ends)
    it(`${end || "without one"}, in a link and in code`, () => {
      for (const path of ["src/a.ts", "C:\\work\\a.ts", "/abs/b c/д.ts"]) {
        assert.equal(said(linkTarget(`${path}${end}`)), `${path}${place}`);
        assert.equal(said(codeTarget(`${path}${end}`)), `${path}${place}`);
      }
    });

  it("of files of this machine by their address", () => {
    assert.equal(said(linkTarget("file:///D:/Project/05-%E9%9D%99.md")), "D:/Project/05-静.md");
    assert.equal(said(linkTarget("file:///code/a%20b.ts#L3")), "/code/a b.ts|3");
    const hosts = [
      "file://server/share/a.ts",
      "file:////server/share/a.ts",
      "file:///%5C%5Cserver/share/a.ts",
      "file:///\\server/a.ts",
    ];
    const plain = [
      "\\\\server\\share\\a.ts",
      "%5C%5Cserver/share/a.ts",
      "//server/a.ts:3",
      "/\\server/a.ts",
      "\\/server/a.ts",
      "%2F/server/a.ts",
    ];
    for (const href of [...hosts, ...plain, "\\\\?\\UNC\\server\\a.ts", "\\\\.\\pipe\\a.ts"])
      assert.equal(said(linkTarget(href)), "none", href);
    for (const code of [plain[0] ?? "", "//server/share/a.ts:3"]) assert.equal(said(codeTarget(code)), "none", code);
    assert.deepEqual(splitOutput('File "\\\\server\\share\\a.py", line 3')[1]?.target.kind, "none");
  });
});

describe("panel links: code", () => {
  it("names with blanks, of other scripts and of Windows are paths", () => {
    for (const path of [
      "Database/dbo/Stored Procedures/dbo.GetFields.sql",
      "docs/1. some_class.cs",
      "C:\\Users\\me\\My Files\\a.ts",
      "src\\app\\a.ts",
      "文档/说明.md",
      "данные/отчёт.txt",
      "docs/🎉 party.md",
    ])
      assert.equal(said(codeTarget(path)), path);
  });

  it("commands, addresses and expressions are none", () => {
    for (const code of [
      "node scripts/test.mjs",
      "cat src/a.ts",
      "src/a.ts src/b.ts",
      "src/a.ts -w src/b.ts",
      "--config=src/a.ts",
      "import x from './a.ts'",
      "fs.readFile('a/b.ts')",
      "https://example.com/a.ts",
      "a/b",
      "Math.floor",
      "1.5/2.5",
      "and/or",
      "x".repeat(5_000),
    ])
      assert.equal(said(codeTarget(code)), "none", code);
  });
});

describe("panel links: plain text and outputs", () => {
  it("files with a line, wherever they stand", () => {
    const cases: [string, string[]][] = [
      ["see src/a.ts:14, and b.py:3.", ["src/a.ts|14", "b.py|3"]],
      ["in src/a.ts#L10-L20.", ["src/a.ts|10||20"]],
      ["D:\\project\\src\\Test.java:11 fails", ["D:\\project\\src\\Test.java|11"]],
      ["请看src/a.ts:10。", ["src/a.ts|10"]],
      ["в src/отчёт.ts:4", ["src/отчёт.ts|4"]],
      ["    at run (/code/src/a.ts:12:5)", ["/code/src/a.ts|12|5"]],
      ["src/a.ts(3,7): error TS2304: Cannot find name", ["src/a.ts|3|7"]],
      ["src\\a.ts:3:7 - error", ["src\\a.ts|3|7"]],
      ["at 10:30 or https://host.com:80/x, 3.5:1, e.g.:1", []],
      ["文档/a.md:3", []],
    ];
    for (const [text, expected] of cases) {
      assert.deepEqual(files(splitReferences(text)), expected, text);
      assert.deepEqual(files(splitOutput(text)), expected, text);
      assert.equal(
        splitOutput(text)
          .map(piece => piece.text)
          .join(""),
        text,
      );
    }
  });

  it("a stack of Python's", () => {
    const line = '  File "/code/my app/a.py", line 12, in <module>';
    assert.deepEqual(files(splitOutput(line)), ["/code/my app/a.py|12"]);
    assert.equal(
      splitOutput(line)
        .map(piece => piece.text)
        .join(""),
      line,
    );
  });
});
