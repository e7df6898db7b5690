/** What marked's tokens are where text has no spaces between words. Cases from reports about other agents and the CommonMark list. */
import assert from "node:assert/strict";
import { parser } from "marked";
import { boundedLex } from "../../webview-ui/src/markdown/boundedLexer";

const html = (text: string) => parser(boundedLex(text)).trim();
const line = (text: string) => /^<p[^>]*>([\s\S]*)<\/p>$/.exec(html(text))?.[1];
const addresses = (text: string) =>
  boundedLex(text).flatMap(block => ("tokens" in block ? (block.tokens ?? []) : []).flatMap(hrefOf));
const hrefOf = (token: object) => ("href" in token ? [token.href] : []);

describe("Markdown without spaces between words", () => {
  const bold: [string, string][] = [
    ...[..."，。、；：？！“”‘’（）【】《》—～…·〃々"].map((sign): [string, string] => [
      `**真${sign}**她`,
      `<strong>真${sign}</strong>她`,
    ]),
    ["**已修复：**全部 4 项", "<strong>已修复：</strong>全部 4 项"],
    ["含**「重点」**内容", "含<strong>「重点」</strong>内容"],
    ["**历经10年发展，**a", "<strong>历经10年发展，</strong>a"],
    ["**重要提示（Important Notice）：**请注意。", "<strong>重要提示（Important Notice）：</strong>请注意。"],
    ["**日本語の文章（括弧付き）。**この文", "<strong>日本語の文章（括弧付き）。</strong>この文"],
    ["**마크다운(Markdown)**은", "<strong>마크다운(Markdown)</strong>은"],
    ["见**`a.ts`**文件", "见<strong><code>a.ts</code></strong>文件"],
    ["*斜体（带括号）。*这句", "<em>斜体（带括号）。</em>这句"],
    ["~~删除（带括号）。~~这句", "<del>删除（带括号）。</del>这句"],
    ["**甲：**一，**乙：**二", "<strong>甲：</strong>一，<strong>乙：</strong>二"],
    ["看**(重要)**说", "看<strong>(重要)</strong>说"],
    ["𠮷**「野」**家", "𠮷<strong>「野」</strong>家"],
  ];
  for (const [text, wanted] of bold) it(text, () => assert.equal(line(text), wanted));

  it("in text with spaces all is as CommonMark says", () => {
    assert.equal(line("a * b * c"), "a * b * c");
    assert.equal(line("snake_case_name and 变量foo_bar和baz_qux"), "snake_case_name and 变量foo_bar和baz_qux");
    assert.equal(line("**bold.**tail"), "**bold.**tail");
    assert.equal(line("2 * 3 和 4 * 5"), "2 * 3 和 4 * 5");
    assert.equal(line("`**真，**她`"), "<code>**真，**她</code>");
    for (const text of ["实现 __init__方法", "_name_变量", "文件*.js和*.ts都要删除", "用_x_说明"])
      assert.equal(line(text), text);
  });

  it("a bare address ends where the text goes on", () => {
    assert.deepEqual(addresses("见 https://a.example/b。然后"), ["https://a.example/b"]);
    assert.deepEqual(addresses("（https://a.example/b?c=1），再看"), ["https://a.example/b?c=1"]);
    assert.deepEqual(addresses("see https://a.example/b. Then"), ["https://a.example/b"]);
    assert.deepEqual(addresses("见 https://a.example/文件/b，再看"), ["https://a.example/文件/b"]);
    assert.deepEqual(addresses("<https://a.example/文件>"), ["https://a.example/文件"]);
  });
});
