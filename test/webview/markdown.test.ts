/** Markdown of a stream, and where links may lead. */

import assert from "node:assert/strict";
import { highlight } from "../../webview-ui/src/markdown/highlight";
import {
  codeTarget,
  decodeEntities,
  linkTarget,
  splitOutput,
  splitReferences,
} from "../../webview-ui/src/markdown/links";
import { type Blocks, noBlocks, readBlocks } from "../../webview-ui/src/markdown/Markdown";
import { pluck } from "../fakes/pluck";

const document = [
  "# Title",
  "",
  "A paragraph with **bold** and `code`,",
  "over two lines.",
  "",
  "- one",
  "",
  "- two",
  "  more of two",
  "",
  "  - nested",
  "",
  "```ts",
  "const a = 1;",
  "",
  "const b = 2;",
  "```",
  "",
  "> quoted",
  "",
  "| a | b |",
  "|---|---|",
  "| 1 | 2 |",
  "",
  "1. first",
  "2. second",
  "",
  "The end.",
].join("\n");

/** The text arriving in pieces of `size` characters. */
function streamed(text: string, size: number): Blocks {
  let blocks = noBlocks;
  for (let at = size; at < text.length + size; at += size) blocks = readBlocks(blocks, text.slice(0, at));
  return blocks;
}

describe("panel markdown: blocks", () => {
  it("a streamed text reads like a whole one, whatever its pieces", () => {
    const whole = readBlocks(noBlocks, document).blocks;
    for (const size of [1, 2, 3, 5, 7, 11, 40]) assert.deepEqual(streamed(document, size).blocks, whole, `${size}`);
  });

  it("tabs and Windows line ends change nothing about that", () => {
    const text = document.replaceAll("\n", "\r\n").replace("  more", "\tmore");
    assert.deepEqual(streamed(text, 3).blocks, readBlocks(noBlocks, text).blocks);
  });

  it("finished blocks keep their identity and are not read again", () => {
    const before = streamed(document, 9);
    const after = readBlocks(before, `${document} And more.`);
    assert.ok(after.doneChars > document.length / 2);
    for (const [index, block] of before.blocks.slice(0, -1).entries()) assert.equal(after.blocks[index], block);
  });

  it("a text that does not go on is read afresh", () => {
    const other = readBlocks(readBlocks(noBlocks, "one\n\ntwo\n\nthree\n\nfour"), "other");
    assert.deepEqual(pluck(other.blocks, "raw"), ["other"]);
  });
});

describe("panel markdown: maths", () => {
  // Most of what is none was met by people in other chats, where it became one.
  const formulas: [text: string, ...found: string[]][] = [
    ["costs $5 and $10, was $599 but is now **$4**; $/PR is down but $/session is up"],
    [
      "pay **$1.50** for **Marginal Revenue (MR)**, the $2k cohort and $25-50k, US$5 or HK$6$, 5$ or 10$, $5/month (10$)",
    ],
    ["Set $LLM_API_KEY or $OMNIGENT_KEY in $HOME/bin:$PATH, $DONE/$TOTAL, $ {A} $(ls)$(ls) `$x$`"],
    ["^foo$|^bar$ $('#a').x$ awk '{print $1, $2}' $i++; $j $env:USERPROFILE\\Desktop$"],
    ["价格是$5，比$10便宜"],
    ["echo $$ and $$ again"],
    ["\\$5 and \\$6, \\[Unreleased\\] and foo\\(bar\\)"],
    ["$$\na\n\nb\n$$"],
    ["$x$, ($a+b$) and $E=mc^2$.", "x", "a+b", "E=mc^2"],
    ["设$x$为$y_1$，**$z$**", "x", "y_1", "z"],
    [
      "$\\frac{a}{b}$ $O(n log n)$ $x_{max}$ $\\text{a word}$",
      "\\frac{a}{b}",
      "O(n log n)",
      "x_{max}",
      "\\text{a word}",
    ],
    ["\\(x^2\\) and \\[y\\] and $$z^2$$", "x^2", "y", "z^2"],
    ["so:\n$$\nx\n+ y\n- z\n$$\nmore", "x\n+ y\n- z"],
    ["\\[\nx \\\\[2pt]\n= y\n\\]", "x \\\\[2pt]\n= y"],
    ["- $$\n  b\n  $$\n\n| $c$ | d |\n|---|---|\n| \\(e\\) | $f$ |", "b", "c", "e", "f"],
    ["**bold $a*b$ more** $$ \\text{\\$5} $$ $c*d$", "a*b", "c*d"],
  ];
  for (const [text, ...found] of formulas)
    it(JSON.stringify(text), () => {
      const { blocks } = readBlocks(noBlocks, text);
      assert.deepEqual(formulasIn(blocks), found);
      assert.deepEqual(streamed(text, 1).blocks, blocks);
    });
});

/** TeX, in its order. */
function formulasIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if ("type" in value && value.type === "math" && "text" in value) return [String(value.text)];
  return Object.values(value).flatMap(formulasIn);
}

describe("panel markdown: links", () => {
  it("lead to the web, to a file, or nowhere", () => {
    const web = (url: string) => ({ kind: "web", url });
    const file = (path: string, line?: number) => ({ kind: "file", path, line });
    const none = { kind: "none" };
    const cases: [string, object][] = [
      ["https://example.com/a?b=1", web("https://example.com/a?b=1")],
      ["HTTP://example.com", web("http://example.com/")],
      ["src/a.ts", file("src/a.ts")],
      ["src/a.ts:10", file("src/a.ts", 10)],
      ["./src/a.ts#L10-L20", { ...file("./src/a.ts", 10), to: 20 }],
      ["src/a.ts:10:5", { ...file("src/a.ts", 10), column: 5 }],
      ["/abs/with%20space.md", file("/abs/with space.md")],
      ["C:\\work\\a.ts", file("C:\\work\\a.ts")],
      ["javascript:alert(1)", none],
      [" JavaScript:alert(1)", none],
      ["data:text/html,<script>alert(1)</script>", none],
      ["vbscript:x", none],
      ["command:workbench.action.terminal.new", none],
      ["vscode://file/etc/passwd", none],
      ["file:///code/a.ts#L3", file("/code/a.ts", 3)],
      ["file://host/a.ts", none],
      ["//example.com/a.png", none],
      ["#heading", none],
      ["", none],
      ["a%00b", none],
      ["java\nscript:alert(1)", none],
    ];
    for (const [href, expected] of cases) assert.deepEqual(linkTarget(href), expected, href);
  });

  it("handles open outputs, wherever they stand", () => {
    const handle = { kind: "handle", handle: "obs:3fa9c1d2e4b5" };
    assert.deepEqual(linkTarget("obs:3fa9c1d2e4b5"), handle);
    assert.deepEqual(codeTarget("obs:3fa9c1d2e4b5"), handle);
    const none = { kind: "none" };
    for (const other of ["obs:3fa9c1d2e4b", "obs:3fa9c1d2e4b5a", "jobs:3fa9c1d2e4b5", "obs:3FA9C1D2E4B5"]) {
      assert.deepEqual(codeTarget(other), none, other);
      assert.ok(
        splitReferences(other).every(piece => piece.target.kind === "none"),
        other,
      );
    }
    const line = '(2,002 lines. Complete output: Recall {"handle":"obs:3fa9c1d2e4b5"}.)';
    for (const split of [splitReferences, splitOutput]) {
      assert.equal(
        split(line)
          .map(piece => piece.text)
          .join(""),
        line,
      );
      assert.deepEqual(pluck(split(line), "target"), [none, handle, none]);
    }
    assert.deepEqual(
      splitReferences("src/a.ts:3 and obs:3fa9c1d2e4b5").map(piece => piece.target.kind),
      ["file", "none", "handle"],
    );
  });

  it("character references are text", () => {
    assert.equal(decodeEntities("a &lt;b&gt; &amp;amp; &#39; &#x41; &unknown; &#0;"), "a <b> &amp; ' A &unknown; &#0;");
  });
});

describe("panel markdown: odd text of a model", () => {
  const odd = {
    "quotes in quotes": ">".repeat(2_500),
    "emphasis in emphasis": `${"*".repeat(2_500)}a${"*".repeat(2_500)}`,
    "brackets in brackets": "[".repeat(4_900) + "]".repeat(4_900),
    "a list of two thousand levels": Array.from({ length: 2_000 }, (_, level) => `${"\t".repeat(level)}- a`).join("\n"),
  };
  for (const [what, text] of Object.entries(odd))
    it(`${what} is read, and none of it is lost`, () => {
      const { blocks } = readBlocks(noBlocks, text);
      assert.ok(
        blocks
          .map(({ raw }) => raw)
          .join("")
          .includes(text.trim().slice(0, 100)),
      );
      assert.ok(depthOf(blocks) <= 40, String(depthOf(blocks)));
    });

  for (const [language, code] of [
    ["rust", "/*".repeat(9_000)],
    ["swift", "/*".repeat(9_000)],
    ["kotlin", '"${'.repeat(6_000)],
    ["python", "f'{".repeat(6_000)],
  ] as const)
    it(`${language} that opens and opens stays whole`, () => {
      assert.equal(
        highlight(code, language)
          .map(span => span.text)
          .join(""),
        code,
      );
    });
});

/** Tokens within tokens. */
function depthOf(value: unknown): number {
  let depth = 0;
  for (let level: unknown[] = [value]; level.length > 0 && depth < 1_000; depth += 1)
    level = level.flatMap(each => (typeof each === "object" && each !== null ? Object.values(each) : []));
  return depth;
}

describe("panel markdown: code", () => {
  it("spans hold the whole code, and know keywords", () => {
    const code = "const a = `x`; // <script>\n";
    const spans = highlight(code, "ts");
    assert.equal(spans.map(span => span.text).join(""), code);
    assert.deepEqual(spans[0], { text: "const", scope: "keyword" });
  });

  it("languages inside languages", () => {
    const spans = highlight("<style>a { color: red }</style>", "html");
    assert.equal(spans.map(span => span.text).join(""), "<style>a { color: red }</style>");
    assert.ok(spans.some(span => span.scope === "attribute" && span.text === "color"));
  });

  it("an unknown language and a very long text stay plain", () => {
    assert.deepEqual(highlight("a b", "klingon"), [{ text: "a b", scope: null }]);
    assert.equal(highlight("const a;\n".repeat(10_000), "ts").length, 1);
  });
});
